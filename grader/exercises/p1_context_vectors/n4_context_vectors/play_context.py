import numpy as np

import attnlib
from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip

PLAY_WORDS = ("I", "am", "going", "to", "play")
PLAY_WEIGHTS = np.array([0.2, 0.1, 0.2, 0.1, 0.4])
PLAY_VALUES = np.array([[2.0, 0.0], [0.0, 1.0], [-1.0, 5.0], [-1.0, 0.0], [2.0, 1.0]])


def play_context_vector(wrong=frozenset()):
    """The context vector of "play"."""
    weights, V = PLAY_WEIGHTS, PLAY_VALUES
    slips = {
        "plain-sum": V.sum(axis=0),
        "uniform": V.mean(axis=0),
        "best-only": V[weights.argmax()],
        "softmax-again": attnlib.softmax(weights) @ V,
        "reversed": weights[::-1] @ V,
        "minus-signs-lost": weights @ np.abs(V),
        "minus-of-going-lost": weights @ np.where(np.arange(5)[:, None] == 2, np.abs(V), V),
        "minus-of-to-lost": weights @ np.where(np.arange(5)[:, None] == 3, np.abs(V), V),
        "one-contribution": weights[-1] * V[-1],
        "going-alone": weights[2] * V[2],
        "play-left-out": weights[:-1] @ V[:-1],
        "am-left-out": np.delete(weights, 1) @ np.delete(V, 1, axis=0),
        "going-left-out": np.delete(weights, 2) @ np.delete(V, 2, axis=0),
        "to-left-out": np.delete(weights, 3) @ np.delete(V, 3, axis=0),
        "others-only": weights[:-1] @ V[:-1] / weights[:-1].sum(),
        "i-left-out": weights[1:] @ V[1:],
        "averaged-again": weights @ V / len(V),
    }
    return slip(wrong, slips, weights @ V)


def play_largest(wrong=frozenset()):
    """The word whose weighted value is longest."""
    lengths = np.linalg.norm(PLAY_WEIGHTS[:, None] * PLAY_VALUES, axis=1)
    if "short-one" in wrong:
        return PLAY_WORDS[0]
    return PLAY_WORDS[PLAY_WEIGHTS.argmax() if "weight-only" in wrong else lengths.argmax()]


@values(
    points=2,
    task="give the context vector of play, and the word that contributes most to it",
    entries=(
        Entry("context", "the context vector of play", 0.7),
        Entry("largest", "the word with the longest contribution", 0.3),
    ),
    mistakes="""
    plain-sum: you added the values up without the weights -> Then every word counts fully, and the result leaves the
        hull of the values. -> Multiply each value by its word's weight before you add.
    uniform: you took the plain mean of the values -> The plain mean gives each of the five words the weight 0.2. Here
        play counts twice as much as that. -> Multiply each value by its word's weight, and add.
    best-only: you took the value of the word with the highest weight -> The other four words have 0.6 of the weight
        between them; they belong to the average too. -> Add all five weighted values.
    softmax-again: you applied softmax to the weights -> They are weights already: positive, with the sum 1. A second
        softmax makes them nearly equal. -> Use the weights as they are given.
    reversed: the weights and the values are in opposite order -> Weight j belongs to value j: both lists follow the
        sentence from I to play. -> Match the first weight with the first value.
    averaged-again
    minus-signs-lost: the minus signs of the values are lost -> The first numbers of going and to are negative: these
        words pull the context to the left. -> Add up again, sign by sign.
    minus-of-going-lost: the minus sign in the value of going is lost -> It pulls the context to the left. -> Add up
        again, sign by sign.
    minus-of-to-lost: the minus sign in the value of to is lost -> It pulls the context to the left. -> Add up again,
        sign by sign.
    one-contribution: you give the contribution of play alone -> The context is made of all five words. -> Add the other
        four weighted values.
    going-alone: you give the contribution of going alone -> The context is made of all five words. -> Add the other
        four weighted values.
    play-left-out: the contribution of play is missing -> A word attends to itself as well, and here most of all. -> Add
        all five weighted values.
    am-left-out: the contribution of am is missing -> Its value counts only in the second number, and still counts. ->
        Add all five weighted values.
    going-left-out: the contribution of going is missing -> It pulls the context to the left and upwards. -> Add all
        five weighted values.
    to-left-out: the contribution of to is missing -> It pulls the context to the left. -> Add all five weighted values.
    others-only: you average the other four words, without play -> A word attends to itself as well, and here most of
        all: its weight belongs to the sum. -> Add all five weighted values, and divide by nothing.
    i-left-out: the contribution of I, the first word, is missing -> Places are counted from 0. -> Add all five weighted
        values.
    weight-only: you named play, the word with the highest weight -> How far a word moves the context depends on its
        weight and on the length of its value; and a length takes squares (Pythagoras), not the plain sum, in which
        signs cancel. -> Compute the length of weight times value for each word, and compare those.
    short-one: you named I, the first word -> Its value is short, and its weight is half of that of play. -> Compute the
        length of weight times value for each word, and compare those.
    """,
)
def play_context(wrong=frozenset()):
    return {"context": play_context_vector(wrong), "largest": play_largest(wrong)}
