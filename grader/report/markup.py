"""Pieces of the instructor's page: words that are safe to show, numbers in words, lists that fold, and bars."""

import re
import unicodedata
from html import escape

PEOPLE_SHOWN = 10  # in a list; more are folded
SENTENCES = 12  # about one notebook
LONGEST_NAME, LONGEST_SENTENCE = 60, 400
PILE = 4  # accents on one letter: more than any living script needs
JOINERS = "\u200c\u200d"  # invisible, but Persian names and some emoji are not right without them
FOR_QUARTILES = 4  # so many students, or there is no middle half
STATES = {
    "full": "full marks",
    "part": "some points",
    "none": "no points",
    "skipped": "not attempted",
    "unjudged": "no verdict",
}


def said(words, longest=LONGEST_SENTENCE):
    """Text for HTML that can do nothing but be read.

    Controls, and characters that turn the direction of writing, are shown by their number. Accents piled on one letter
    would cover the lines above it, so the pile is cut; of very long text the middle is left out.
    """
    words = str(words)
    if len(words) > longest:
        words = f"{words[: longest * 2 // 3]} … {words[-longest // 4 :]}"
    if not words.isprintable():
        words = "".join(c if c.isprintable() or c in JOINERS else f"⟨U+{ord(c):04X}⟩" for c in words)
    if not words.isascii():
        marks = [unicodedata.category(c)[0] == "M" for c in words]
        words = "".join(c for i, c in enumerate(words) if i < PILE or not all(marks[i - PILE : i + 1]))
    return escape(words)


def sentence(words):
    """A sentence of the machinery: its line breaks are spaces, its backticks are code."""
    pieces = said(" ".join(str(words).split())).split("`")
    if len(pieces) % 2 == 0:
        return "`".join(pieces)
    return "".join(f"<code>{piece}</code>" if i % 2 else piece for i, piece in enumerate(pieces))


def who(student):
    """A student's name."""
    return f'<bdi class="who">{said(student, LONGEST_NAME)}</bdi>'


def number_text(value, decimals=2):
    """7.50 -> 7.5, and 7.00 -> 7."""
    return f"{round(value, decimals) + 0.0:.{decimals}f}".rstrip("0").rstrip(".")


def count(number, one):
    """1 repair, 2 repairs."""
    return f"{number:,} {one if number == 1 else one + 's'}"


def count_points(points):
    """1 point, 2.5 points."""
    return f"{number_text(points)} {'point' if points == 1 else 'points'}"


def percent(value, of):
    """A share in words."""
    return f"{100 * value / of:.0f}%" if of else "–"


def seconds_text(value):
    """A time in words."""
    return f"{value:.1f} s" if value < 100 else f"{value / 60:.1f} min"


def part_title(name):
    """1-context-vectors -> Part 1: context vectors."""
    numbered = re.fullmatch(r"(\d+)-(.+)", name)
    return f"Part {numbered[1]}: {numbered[2].replace('-', ' ')}" if numbered else name


def people(entries):
    """A list of students, with what there is to say about each."""
    items = [
        f'<div id="{anchor}"><dt>{who(student)}</dt>{"".join(f"<dd>{line}</dd>" for line in lines)}</div>'
        for anchor, student, lines in entries
    ]
    shown = len(items) if len(items) <= PEOPLE_SHOWN + 2 else PEOPLE_SHOWN  # a fold of one hides more than it saves
    start, end = '<dl class="people">', "</dl>"
    listed = start + "".join(items[:shown]) + end
    if shown == len(items):
        return listed
    more = count(len(items) - shown, "more student")
    return f"{listed}<details><summary>{more}</summary>{start}{''.join(items[shown:])}{end}</details>"


def first_lines(sentences, lead=""):
    """The first sentences about a notebook, as lines."""
    lines = [f"{lead}{sentence(words)}" for words in sentences[:SENTENCES]]
    if len(sentences) > SENTENCES:
        lines.append(f"{lead}and {len(sentences) - SENTENCES:,} more of the kind, in the log")
    return lines


def column(name, under):
    """The head of a column of numbers."""
    return f'<th scope="col" class="number">{said(name)}<br><small>{under}</small></th>'


def heat(points, full):
    """The class of a cell's colour, from h0 for nothing to h10 for full marks."""
    share = points / full if full else 1.0
    return f"h{min(max(int(share * 10 + 1e-9), 0), 10)}"


def stack(exercise, numbers):
    """How the class is divided in an exercise: a bar of pieces, by state."""
    total, x, drawn = sum(numbers.values()), 0.0, []
    for name, number in numbers.items():
        if number:
            width = 100 * number / total
            drawn.append(
                f'<rect class="{name}" x="{number_text(x)}" width="{number_text(width)}" height="10">'
                f"<title>{number} {STATES[name]}</title></rect>"
            )
            x += width
    label = ", ".join(f"{number} {STATES[name]}" for name, number in numbers.items() if number)
    return (
        '<svg class="stack" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" '
        f'aria-label="{said(exercise)}: {label}">{"".join(drawn)}</svg>'
    )


def histogram(points, full, quartiles):
    """How many students have how many points; nothing for a class of one."""
    if not full or len(points) == 1:
        return ""
    step = next((one for one in (0.5, 1, 2, 2.5, 5, 10, 20, 25, 50) if full / one <= 14), full / 10)
    bins = max(round(full / step), 1)  # the last one ends with full marks, so it may be a bit wider or narrower
    edges = [i * step for i in range(bins)] + [full]
    counts = [0] * bins
    for value in points:
        counts[min(max(int(value / step + 1e-9), 0), bins - 1)] += 1
    left, wide, high, floor = 10, 700, 130, 155
    per_point = wide / full
    drawn = []
    for i, number in enumerate(counts):
        x, width = left + edges[i] * per_point, (edges[i + 1] - edges[i]) * per_point
        height = high * number / max(counts)
        if number:
            drawn.append(
                f'<rect class="blue" x="{x + 1:.1f}" y="{floor - height:.1f}" width="{width - 2:.1f}" '
                f'height="{height:.1f}"/><text x="{x + width / 2:.1f}" y="{floor - height - 5:.1f}" '
                f'text-anchor="middle">{number}</text>'
            )
    for edge in edges:
        x = left + edge * per_point
        drawn.append(
            f'<text class="quiet" x="{x:.1f}" y="{floor + 17}" text-anchor="middle">{number_text(edge)}</text>'
        )
    drawn.append(f'<rect class="rule" x="{left}" y="{floor}" width="{wide}" height="1"/>')
    first, median, third = (left + value * per_point for value in quartiles)
    caption = "Submissions by points."
    if len(points) >= FOR_QUARTILES:
        caption += " Under the axis, the middle half of the class, and the median."
        drawn.append(
            f'<rect class="part" x="{first:.1f}" y="{floor + 26}" width="{max(third - first, 1):.1f}" height="8"/>'
            f'<rect class="none" x="{median - 2:.1f}" y="{floor + 23}" width="4" height="14"/>'
        )
    ranges = [
        f"{number_text(edges[i])} to {number_text(edges[i + 1])}: {number}" for i, number in enumerate(counts) if number
    ]
    label = f"Submissions by points. {'; '.join(ranges)}."
    return (
        f"<p>{caption}</p>"
        f'<svg class="histogram" viewBox="0 0 {wide + 2 * left} {floor + 40}" role="img" '
        f'aria-label="{label}">{"".join(drawn)}</svg>'
    )
