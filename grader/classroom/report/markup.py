"""What the page's templates write with: words that are safe to show, numbers in words, and where bars stand."""

import base64
import hashlib
import re
import unicodedata

from markupsafe import Markup, escape

from grader.words import plural, stressed

LONGEST = 400
LONGEST_LINE, MOST_LINES = 160, 60  # of a program
PILE = 4  # accents on one letter: more than any living script needs
JOINERS = "\u200c\u200d"  # invisible, but Persian names and some emoji are not right without them
FOR_QUARTILES = 4  # so many students, or there is no middle half


def said(words, longest=LONGEST):
    """Text that can do nothing but be read, once it is escaped; markup of the templates stays as it is.

    Controls, and characters that turn the direction of writing, are shown by their number. Accents piled on one letter
    would cover the lines above it, so the pile is cut; of very long text the middle is left out.
    """
    if isinstance(words, Markup):
        return words
    words = str(words)
    if len(words) > longest:
        words = f"{words[: longest * 2 // 3]} … {words[-longest // 4 :]}"
    if not words.isprintable():
        words = "".join(c if c.isprintable() or c in JOINERS else f"⟨U+{ord(c):04X}⟩" for c in words)
    if not words.isascii():
        marks = [unicodedata.category(c)[0] == "M" for c in words]
        words = "".join(c for i, c in enumerate(words) if i < PILE or not all(marks[i - PILE : i + 1]))
    return words


def ours(text):
    """Text of the course itself as markup, as it is."""
    return Markup(text)


def sentence(words):
    """A sentence of the machinery: its line breaks are spaces, its backticks are code, its asterisks stress."""
    pieces = said(" ".join(str(words).split())).split("`")
    if len(pieces) % 2 == 0:
        return "`".join(pieces)
    code, plain = Markup("<code>{}</code>"), [Markup(stressed(escape(piece))) for piece in pieces]
    return Markup("").join(code.format(piece) if i % 2 else plain[i] for i, piece in enumerate(pieces))


def program(source):
    """A learner's cell, line by line, each as safe as `said` makes it."""
    lines = str(source).expandtabs(4).rstrip().split("\n")
    shown = [said(line, LONGEST_LINE) for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(f"… and {plural(len(lines) - MOST_LINES, 'more line')}")
    return Markup("\n").join(shown)


def number_text(value, decimals=2):
    """7.50 -> 7.5, and 7.00 -> 7."""
    return f"{round(value, decimals) + 0.0:.{decimals}f}".rstrip("0").rstrip(".")


def part_title(name):
    """1-context-vectors -> Part 1: context vectors."""
    numbered = re.fullmatch(r"(\d+)-(.+)", name)
    return f"Part {numbered[1]}: {numbered[2].replace('-', ' ')}" if numbered else name


def heat(points, full):
    """The class of a cell's colour, from h0 for nothing to h10 for full marks."""
    share = points / full if full else 1.0
    return f"h{min(max(int(share * 10 + 1e-9), 0), 10)}"


def histogram(points, full, quartiles):
    """Where the bars of the points stand in a picture 720 wide; nothing for a class of one."""
    if not full or len(points) < 2:
        return None
    step = next((one for one in (0.5, 1, 2, 2.5, 5, 10, 20, 25, 50) if full / one <= 14), full / 10)
    bins = max(round(full / step), 1)  # the last one ends with full marks, so it may be a bit wider or narrower
    edges = [i * step for i in range(bins)] + [full]
    counts = [0] * bins
    for value in points:
        counts[min(max(int(value / step + 1e-9), 0), bins - 1)] += 1
    places = [10 + 700 * edge / full for edge in edges]
    ranges = zip(edges, edges[1:], counts, strict=False)
    return {
        "bars": [
            {"number": number, "x": x, "width": end - x, "height": 130 * number / max(counts)}
            for x, end, number in zip(places, places[1:], counts, strict=False)
        ],
        "edges": list(zip(places, edges, strict=True)),
        "middle": [10 + 700 * value / full for value in quartiles] if len(points) >= FOR_QUARTILES else None,
        "label": "; ".join(f"{number_text(a)} to {number_text(b)}: {number}" for a, b, number in ranges if number),
    }


def _hash(text):
    return Markup("sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode())


#: By their names in the templates.
FILTERS = {
    "said": said,
    "sentence": sentence,
    "whole": escape,
    "program": program,
    "plural": plural,
    "number": number_text,
    "points": lambda points: f"{number_text(points)} {'point' if points == 1 else 'points'}",
    "percent": lambda value, of: f"{100 * value / of:.0f}%" if of else "–",
    "seconds": lambda value: f"{value:.1f} s" if value < 100 else f"{value / 60:.1f} min",
    "tenth": lambda value, shift=0: f"{value + shift:.1f}",
    "heat": heat,
    "hash": _hash,
}
