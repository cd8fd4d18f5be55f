"""The colours of the course, explained."""

from attnlib.plots import style
from attnlib.plots.picture import Picture


def role_legend(*roles):
    """Show the colour, the marker and the letter of each role.

    Parameters
    ----------
    *roles : str
        Names from `ROLES`; query, key, value and context by default.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> role_legend("query", "key").alt
    'Colours: query Q (who asks), key K (who answers).'
    """
    roles = roles or ("query", "key", "value", "context")
    texts = [f"{name} {style.role(name).letter}: {style.role(name).meaning}" for name in roles]
    width = 0.3 + sum(0.6 + style.text_width(text, style.TEXT) for text in texts)
    figure, area = style.sheet(width, 0.5)
    x = 0.25
    for name, text in zip(roles, texts, strict=True):
        x += style.role_text(area, x, 0.25, name, text) + 0.35
    said = [f"{name} {style.role(name).letter} ({style.role(name).meaning})" for name in roles]
    return Picture(figure, f"Colours: {', '.join(said)}.")
