"""HTML that others wrote, made safe to put on a page: no scripts, no requests, nothing outside its place.

What is not on a list here is taken out: elements, attributes, links, style properties and their values.
"""

import re
from html import escape

import nh3


def policy(scripts=()):
    """What a page may do, for its head: even markup that slipped through could run no script and ask no host.

    Parameters
    ----------
    scripts : sequence of str
        Sources of the only scripts that may run, as in ``'sha256-...'``.

    Returns
    -------
    str
    """
    allowed = f"script-src {' '.join(scripts)}; " if scripts else ""
    return (
        f'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; {allowed}'
        "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">"
        '<meta name="referrer" content="no-referrer">'
    )


ELEMENTS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "del", "details", "div", "dl", "dt", "em",
    "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "mark", "ol",
    "p", "pre", "q", "s", "samp", "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td",
    "tfoot", "th", "thead", "tr", "u", "ul", "var",
}  # fmt: skip
# The content of these is not text for a reader.
DROPPED = {"script", "style", "template", "noscript", "iframe", "object", "textarea", "title", "xmp"}
ATTRIBUTES = {
    "*": {"align", "alt", "border", "class", "colspan", "dir", "height", "lang", "open", "rowspan", "scope", "start",
          "style", "title", "value", "width"},
    "a": {"href"},
    "img": {"src"},
    **{f"h{level}": {"id"} for level in range(1, 7)},
}  # fmt: skip
VALUES = {
    # Only what colours code and what pandas and the course's own tables use: other classes of the page move things.
    "class": r"\s*((highlight|verdict|dataframe|anchor-link|attnlib-picture|-?ansi-[a-z-]+|[a-z]{1,2}\d?)(\s+|$))*",
    "id": r"[\w.,:'()+-]{1,100}",
    "href": r"(?i)\s*((https?://|mailto:|#)\S*|[\w.-]+\.html(#\S*)?)\s*",
    "src": r"data:image/(png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=\s]*",
    **dict.fromkeys(("width", "height", "colspan", "rowspan", "start", "value", "border"), "[0-9]{1,4}"),
}
# Unclosed elements that a parser opens again in each paragraph grow with the square of their number; so do signs that
# may begin a character's name.
MOST_TAGS, MOST_NAMED = 5_000, 20_000
# A picture whose address was taken away would be a broken one.
PICTURE = re.compile(r'<img(?: [a-z]+="[^"]*")*>')
STYLES = {
    "background", "background-color", "border", "border-bottom", "border-collapse", "border-left", "border-radius",
    "border-right", "border-top", "color", "display", "flex-wrap", "font-family", "font-size", "font-style",
    "font-variant-numeric", "font-weight", "gap", "height", "line-height", "list-style", "margin", "margin-bottom",
    "margin-left", "margin-right", "margin-top", "max-height", "max-width", "opacity", "overflow-x", "padding",
    "padding-bottom", "padding-left", "padding-right", "padding-top", "text-align", "text-decoration",
    "vertical-align", "white-space", "width",
}  # fmt: skip
# Colours and sizes; nothing with an address, and nothing negative, which would reach over its neighbours.
STYLE = re.compile(r"(?!.*(?:^|[\s,(])-)(?:[\w\s.,%#-]|(?<=rgb)\(|(?<=rgba)\(|(?<=hsl)\(|\)|'[\w\s-]*')*", re.I | re.S)


def _value(element, name, value):
    """What stays of the value of an attribute that an element may have; None for no such attribute."""
    if name == "style":
        declarations = [declaration.partition(":") for declaration in value.split(";")]
        return ";".join(
            name.strip().lower() + colon + value
            for name, colon, value in declarations
            if STYLE.fullmatch(value.strip())
        )
    return value if re.fullmatch(VALUES.get(name, "(?s).*"), value) else None


# The lists given here hold even where `_value` is interrupted: nh3 keeps an attribute then.
_CLEANER = nh3.Cleaner(
    tags=ELEMENTS,
    clean_content_tags=DROPPED,
    attributes=ATTRIBUTES,
    attribute_filter=_value,
    filter_style_properties=STYLES,
    url_schemes={"http", "https", "mailto", "data"},
    link_rel=None,
)


def clean(html):
    """HTML of others, without whatever is not harmless.

    Parameters
    ----------
    html : str

    Returns
    -------
    str
        Well-formed HTML: every element that it opens, it closes.

    Examples
    --------
    >>> clean('<b onclick="steal()">bold</b> <script>steal()</script><a href="javascript:steal()">link</a>')
    '<b>bold</b> <a>link</a>'
    """
    if html.count("<") > MOST_TAGS or html.count("&") > MOST_NAMED:
        return f"<pre>{escape(html)}</pre>"
    # Half a character is none in UTF-8.
    cleaned = _CLEANER.clean(html.encode("utf-8", "replace").decode())
    return PICTURE.sub(lambda picture: picture[0] if ' src="' in picture[0] else "", cleaned)
