"""A head that learns a game: what it compares, what it hears and what it says."""

import numpy as np

import attnlib
from attnlib.plots import style
from attnlib.plots.bars import bars
from attnlib.plots.picture import Picture


def recall_at(name, step, loss, compared, read, pairs, asked, letters, digits):
    """Draw one game as a head plays it after some steps of training.

    Parameters
    ----------
    name : str
        Of the backward pass that trains it.
    step : int
        How many steps it has made.
    loss : float
    compared : ndarray of shape (n_letters, n_letters + n_digits)
        The score that a question for each letter gives to each part of a pair.
    read : ndarray of shape (n_letters + n_digits, n_digits)
        The logits that each part of a pair gives to each digit, when it is heard.
    pairs : list of (int, int)
        Places of the letter and of the digit of each pair.
    asked : int
        The letter that is asked for.
    letters, digits : str
        Their names, a character each.

    Returns
    -------
    picture : Picture

    Examples
    --------
    >>> print(recall_at("right", 9, 0.5, np.eye(2, 3), np.eye(3, 1), [(0, 0), (1, 0)], 0, "AB", "7").alt)
    right, after 9 steps: loss 0.50. Mean score 1.0 on the diagonal, 0.0 beside it. Asked for A, the head gives A7 the \
weight 0.73, and says 7 with a chance of 1.00.
    """
    compared, read = np.asarray(compared, dtype=float), np.asarray(read, dtype=float)
    n = len(letters)
    tokens = np.array([np.eye(n)[letter].tolist() + np.eye(len(digits))[digit].tolist() for letter, digit in pairs])
    weights = attnlib.softmax(tokens @ compared[asked])
    chances = attnlib.softmax(weights @ tokens @ read)
    labels = [letters[letter] + digits[digit] for letter, digit in pairs]
    on = np.trace(compared[:, :n]) / n
    beside = (compared[:, :n].sum() - n * on) / (n * (n - 1))

    figure = style.blank(style.WIDTH, 3.0)
    axes = style.panel(figure, 0.45, 0.35, 4.0, 2.2, "W_q W_k\N{MODIFIER LETTER CAPITAL T} / root of d_k")
    axes.imshow(style.cell_colors(compared, "scores"), aspect="auto", interpolation="nearest")
    axes.set_xticks(range(len(letters + digits)), letters + digits, fontsize=style.SMALL)
    axes.set_yticks(range(n), letters, fontsize=style.SMALL)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.axvline(n - 0.5, color=style.MUTED, linewidth=1.5)
    for left, width, title, values, names in (
        (4.9, 2.2, f"Weights, asked for {letters[asked]}", weights, labels),
        (7.35, 1.6, "Chances", chances, list(digits)),
    ):
        axes = style.panel(figure, left, 0.35, width, 2.2, title)
        bars(axes, values, names, top=1.0)
        axes.set_yticks([])
    held = [place for place, (letter, _) in enumerate(pairs) if letter == asked]
    if held:
        gives = f"gives {labels[held[0]]} the weight {weights[held[0]]:.2f}"
    else:
        gives = f"finds it in no pair, and gives most weight to {labels[weights.argmax()]}, {weights.max():.2f}"
    said = f"says {digits[chances.argmax()]} with a chance of {chances.max():.2f}"
    return Picture(
        figure,
        f"{name}, after {step} steps: loss {loss:.2f}. Mean score {style.number(on, 1)} on the diagonal, "
        f"{style.number(beside, 1)} beside it. Asked for {letters[asked]}, the head {gives}, and {said}.",
    )
