"""Numbers, names and lists as a sentence can hold them."""

import re
import unicodedata

#: Words between asterisks, as in Markdown; a product such as a * b is none.
STRESSED = re.compile(r"(?<![\w*])\*(\w(?:[^*<>]{0,60}\w)?)\*(?![\w*])")


def plural(count, one, many=None):
    """A number with its noun.

    Examples
    --------
    >>> plural(1, "cell"), plural(2500, "cell"), plural(2, "entry", "entries")
    ('1 cell', '2,500 cells', '2 entries')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def points_of(points):
    """Points with their noun.

    Examples
    --------
    >>> points_of(1), points_of(2.5)
    ('1 point', '2.5 points')
    """
    return f"{points:g} point" + ("" if points == 1 else "s")


def stressed(escaped):
    """Escaped words as HTML, with what stands between asterisks stressed.

    Examples
    --------
    >>> stressed("all *other* rows"), stressed("a * b * c")
    ('all <em>other</em> rows', 'a * b * c')
    """
    return STRESSED.sub(r"<em>\1</em>", escaped)


def shown(name, longest=160):
    """A name of unknown origin, fit for a terminal or a sentence: one line, nothing invisible, not too long.

    Examples
    --------
    >>> shown("a\\nb")
    'a\\\\x0ab'
    >>> shown("x" * 300, longest=20)
    'xxxxxxxxxxxx...xxxxxxx'
    """
    said = "".join(
        c if c.isprintable() and unicodedata.category(c) not in ("Cf", "Co", "Cs") else f"\\x{ord(c):02x}" for c in name
    )
    return said if len(said) <= longest else f"{said[: longest * 5 // 8]}...{said[-longest * 5 // 16 :]}"


def some(names, most=8):
    """The first of some names, and how many more there are.

    Examples
    --------
    >>> some(["Ada", "Ben", "Cy"], most=2)
    'Ada, Ben and 1 more'
    """
    names = sorted(map(shown, names))
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def first_of(lines, most=8):
    """The first of some lines, and in a last one how many more there are.

    Examples
    --------
    >>> first_of(["a", "b", "c", "d"], most=2)
    ['a', 'b', '... and 2 more like these.']
    """
    lines = list(lines)
    return lines[:most] + ([f"... and {len(lines) - most} more like these."] if len(lines) > most else [])


def listed(words, most=5):
    """Some words as a sentence lists them; of many, the first and how many others.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c", "d"], most=3)
    ('a', 'a and b', 'a, b and 2 others')
    """
    words = list(words)
    if len(words) > most:
        words[most - 1 :] = [plural(len(words) - most + 1, "other")]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
