"""HTML that others wrote, made safe to put on a page: no scripts, no requests, nothing outside its place.

What is not on a list here is taken out: elements, attributes, links, style properties and their values.
"""

import re

import bleach

#: Put at the head of every page: even markup that slipped through could run no script and ask no host for anything.
POLICY = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'\">"
    '<meta name="referrer" content="no-referrer">'
)

ELEMENTS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "del", "details", "div", "dl", "dt", "em",
    "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "mark", "ol",
    "p", "pre", "q", "s", "samp", "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td",
    "tfoot", "th", "thead", "tr", "u", "ul", "var",
}  # fmt: skip
# The content of these is not text for a reader; bleach would show it.
DROPPED = re.compile(
    r"<(script|style|template|noscript|iframe|object|textarea|title|xmp)\b.*?(</\1\s*>|\Z)", re.I | re.S
)
# Only what colours code and what pandas and the course's own tables use: other classes of the page move things about.
CLASS = re.compile(r"(highlight|verdict|dataframe|anchor-link|attnlib-picture|-?ansi-[a-z-]+|[a-z]{1,2}\d?)")
LINK = re.compile(r"(https?://|mailto:|#)[^\s]*|[\w.-]+\.html(#[^\s]*)?", re.I)
IMAGE = re.compile(r"data:image/(png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=\s]*")
# A picture whose address was taken away would be a broken one.
PICTURE = re.compile(r"""<img(?:\s+[\w-]+(?:=(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*\s*/?>""")
STYLES = {
    "background", "background-color", "border", "border-bottom", "border-collapse", "border-left", "border-radius",
    "border-right", "border-top", "color", "display", "flex-wrap", "font-family", "font-size", "font-style",
    "font-variant-numeric", "font-weight", "gap", "height", "line-height", "list-style", "margin", "margin-bottom",
    "margin-left", "margin-right", "margin-top", "max-height", "max-width", "opacity", "overflow-x", "padding",
    "padding-bottom", "padding-left", "padding-right", "padding-top", "text-align", "text-decoration",
    "vertical-align", "white-space", "width",
}  # fmt: skip
# Colours and sizes; nothing with an address, and nothing negative, which would reach over its neighbours.
VALUE = re.compile(r"(?!.*(?:^|[\s,(])-)(?:[\w\s.,%#-]|(?<=rgb)\(|(?<=rgba)\(|(?<=hsl)\(|\)|'[\w\s-]*')*", re.I | re.S)


class _Styles:
    """What bleach asks about the contents of a `style` attribute."""

    def sanitize_css(self, style):
        kept = []
        for declaration in style.split(";"):
            name, _, value = declaration.partition(":")
            name, value = name.strip().lower(), value.strip()
            if name in STYLES and VALUE.fullmatch(value):
                kept.append(f"{name}:{value}")
        return ";".join(kept)


def _allowed(element, name, value):
    if name == "class":
        return all(CLASS.fullmatch(word) for word in value.split())
    if name == "id":
        return element in ("h1", "h2", "h3", "h4", "h5", "h6") and bool(re.fullmatch(r"[\w.,:'()+-]{1,100}", value))
    if name == "href":
        return element == "a" and bool(LINK.fullmatch(value.strip()))
    if name == "src":
        return element == "img" and bool(IMAGE.fullmatch(value))
    if name in ("width", "height", "colspan", "rowspan", "start", "value", "border"):
        return value.isascii() and value.isdigit() and len(value) < 5
    return name in ("style", "title", "alt", "lang", "dir", "scope", "align", "open")


_CLEANER = bleach.Cleaner(
    tags=ELEMENTS,
    attributes=_allowed,
    protocols={"http", "https", "mailto", "data"},
    strip=True,
    strip_comments=True,
    css_sanitizer=_Styles(),
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
    cleaned = _CLEANER.clean(DROPPED.sub("", html))
    return PICTURE.sub(lambda picture: picture[0] if re.search(r"\ssrc=", picture[0]) else "", cleaned)
