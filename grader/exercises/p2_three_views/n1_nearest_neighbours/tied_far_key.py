import numpy as np

from grader.exercises.inputs import point
from grader.exercises.kinds import Property, search

TIE_QUERY = np.array([1.0, 2.0])
TIE_SCORE = 5.0
TIE_DISTANCE = 4.0


def score_ties(key):
    score = key @ TIE_QUERY
    return None if abs(score - TIE_SCORE) < 1e-6 else f"its score is {score:g}; the copy of q scores 5"


def lies_far(key):
    distance = np.linalg.norm(key - TIE_QUERY)
    return None if distance > TIE_DISTANCE else f"its distance from q is {distance:.4g}"


@search(
    points=2,
    task="find a key that scores 5 but lies more than 4 away from q",
    properties=(
        Property("its dot product with q = [1, 2] is 5", score_ties, 0.5),
        Property("its distance from q is more than 4", lies_far, 0.5),
    ),
    shows={
        "the-copy": lambda key: np.allclose(key, TIE_QUERY),
        "still-near": lambda key: score_ties(key) is None,
        "coordinates-swapped": lambda key: score_ties(key[::-1]) is None,
        "along-the-query": lambda key: bool(abs(key[1] - 2 * key[0]) < 1e-9),
        "right-angle-only": lambda key: abs(key @ TIE_QUERY) < 1e-9,
        "far-and-different": lambda key: lies_far(key) is None,
        "near-and-different": lambda key: lies_far(key) is not None,
    },
    mistakes="""
    the-copy: you chose the query itself -> It has the score 5, but the distance 0. -> Keep the score and leave the
        place: move at a right angle to q.
    still-near: your key lies on the right line, but not far enough out -> All keys with the score 5 lie on a line at a
        right angle to q, and that line has no end. -> Go farther in the same direction.
    coordinates-swapped: your key would score 5 if its two numbers changed places -> The first number is multiplied by 1
        and the second by 2. -> Calculate the dot product with q = [1, 2] once more.
    along-the-query: your key lies on the line through q -> A longer copy has a higher score, one on the other side a
        negative one. -> Go at a right angle to q, and start from q.
    right-angle-only: your key is at a right angle to q, so that its score is 0 -> A step at a right angle does not
        change a score. But you have to start from a key that scores 5. -> Add your vector to q.
    far-and-different: your key is far away, but its score is not 5 -> Going away from q in any direction changes the
        score, except in one. -> Which steps have a dot product of 0 with q?
    near-and-different: your key has another score than 5, and is not far away either -> Both have to hold. -> Start
        from q, which scores 5, and take a long step that does not change the score.
    """,
)
def tied_far_key(value):
    """The learner's key as an array of shape (2,); raises ValueError in words."""
    return point(value, 2, wanted="two numbers, such as [-1.0, 3.0]")
