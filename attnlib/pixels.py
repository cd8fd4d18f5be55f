"""Small pictures as numbers: letters in 8 x 8 pixels, and how they are spoilt."""

import numpy as np

# Drawn for this course; a row of text is a letter, its eight groups are the rows of pixels.
_LETTERS = {
    "A": "..####.. .##..##. ##....## ##....## ######## ##....## ##....## ##....##",
    "B": "######.. ##...##. ##...##. ######.. ##...##. ##....## ##....## #######.",
    "C": "..#####. .##....# ##...... ##...... ##...... ##...... .##....# ..#####.",
    "D": "######.. ##...##. ##....## ##....## ##....## ##....## ##...##. ######..",
    "E": "######## ##...... ##...... ######.. ##...... ##...... ##...... ########",
    "F": "######## ##...... ##...... ######.. ##...... ##...... ##...... ##......",
    "G": "..#####. .##....# ##...... ##...... ##..#### ##....## .##...## ..#####.",
    "H": "##....## ##....## ##....## ######## ######## ##....## ##....## ##....##",
    "I": ".######. ...##... ...##... ...##... ...##... ...##... ...##... .######.",
    "J": "....#### .....##. .....##. .....##. .....##. ##...##. ##...##. .#####..",
    "K": "##...##. ##..##.. ##.##... ####.... ####.... ##.##... ##..##.. ##...##.",
    "L": "##...... ##...... ##...... ##...... ##...... ##...... ##...... ########",
    "M": "##....## ###..### ######## ##.##.## ##....## ##....## ##....## ##....##",
    "N": "##....## ###...## ####..## ##.##.## ##..#### ##...### ##....## ##....##",
    "O": "..####.. .##..##. ##....## ##....## ##....## ##....## .##..##. ..####..",
    "P": "#######. ##....## ##....## #######. ##...... ##...... ##...... ##......",
    "Q": "..####.. .##..##. ##....## ##....## ##.##.## ##..#### .##..##. ..####.#",
    "R": "#######. ##....## ##....## #######. ##.##... ##..##.. ##...##. ##....##",
    "S": ".######. ##....## ##...... .#####.. ..#####. ......## ##....## .######.",
    "T": "######## ######## ...##... ...##... ...##... ...##... ...##... ...##...",
    "U": "##....## ##....## ##....## ##....## ##....## ##....## .##..##. ..####..",
    "V": "##....## ##....## ##....## ##....## .##..##. .##..##. ..####.. ...##...",
    "W": "##....## ##....## ##....## ##....## ##.##.## ######## ###..### ##....##",
    "X": "##....## .##..##. ..####.. ...##... ...##... ..####.. .##..##. ##....##",
    "Y": "##....## .##..##. ..####.. ...##... ...##... ...##... ...##... ...##...",
    "Z": "######## .....##. ....##.. ...##... ..##.... .##..... ##...... ########",
}


def pixel_letters(letters):
    """Draw letters in 8 x 8 pixels, each a pattern of 64 numbers.

    Parameters
    ----------
    letters : str
        Capital letters from A to Z.

    Returns
    -------
    patterns : ndarray of shape (n_letters, 64)
        1 for ink, -1 for paper, row of pixels after row.

    Raises
    ------
    ValueError
        If a letter is unknown.

    Examples
    --------
    >>> pixel_letters("TX").shape
    (2, 64)
    >>> pixel_letters("T").reshape(8, 8)[2]
    array([-1., -1., -1.,  1.,  1., -1., -1., -1.])
    """
    unknown = [letter for letter in letters if letter not in _LETTERS]
    if unknown or not letters:
        raise ValueError(f"letters must be capitals from A to Z; got {letters!r}")
    return np.array([[1.0 if p == "#" else -1.0 for p in _LETTERS[c] if p != " "] for c in letters])


def flip_pixels(picture, share, seed=0):
    """Spoil a picture: turn a share of its pixels, chosen at random, from ink to paper or back.

    Parameters
    ----------
    picture : ndarray of shape (d,)
    share : float
        Between 0 and 1.
    seed : int
        The same seed flips the same pixels.

    Returns
    -------
    spoilt : ndarray of shape (d,)

    Examples
    --------
    >>> int((flip_pixels([1, 1, -1, -1], 0.5) != [1, 1, -1, -1]).sum())
    2
    """
    picture = np.array(picture, dtype=float)
    order = np.random.default_rng(seed).permutation(len(picture))
    picture[order[: round(share * len(picture))]] *= -1
    return picture
