import numpy as np

from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function

WINDOW = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], dtype=bool)
EASY = ("one-layer", "one-too-many", "one-too-few", "keeps-what-it-heard", "squared-each-time", "backwards")


def wired(n, num_layers, *, allowed=0.3, telling=EASY):
    """A drawn mask through which so many layers reach neither what one layer reaches nor everything."""

    def draw(rng):
        while True:
            mask = rng.random((n, n)) < allowed
            inputs = {"mask": mask, "num_layers": num_layers}
            right = reach(**inputs)
            others = [reach(**inputs, wrong=frozenset([slip])) for slip in telling]
            if all((other != right).any() for other in others):
                return inputs

    return draw


def deep(rng):
    """Two tokens that hear each other, and a chain that ends at them: a hundred layers have 2 to the 99 ways."""
    order = rng.permutation(5)
    mask = np.zeros((5, 5), dtype=bool)
    mask[np.ix_(order[:2], order[:2])] = True
    mask[order[2:], order[1:4]] = True
    return {"mask": mask, "num_layers": 100}


def no_future(call, rng):
    n = int(rng.integers(5, 9))
    mask = np.tri(n, dtype=bool) & (rng.random((n, n)) < 0.7)
    for num_layers in (1, 3, 7):
        heard = call(mask, num_layers).astype(bool)
        if (heard & ~np.tri(n, dtype=bool)).any():
            return f"through a mask without a future, {num_layers} layers reach a later token"
    return None


@function(
    points=4,
    returns="reached",
    cases=(
        Case("five tokens, two layers", wired(5, 2), 0.25),
        Case("seven tokens, three layers", wired(7, 3, allowed=0.25), 0.2),
        Case("the example of the task", example(mask=WINDOW, num_layers=2), 0.05),
        Case("no layer at all", wired(5, 0, telling=("one-layer", "nothing-without-layers")), 0.1),
        Case("a hundred layers", deep, 0.15),
    ),
    properties=(Property("where the future is hidden, no depth reaches it", no_future, 0.15),),
    mistakes="""
    one-layer: what comes out is what a single layer reaches, however many there are -> The second layer mixes rows that
        are mixtures already: whoever hears a token hears what that one has heard. -> What does row i of the second
        layer hear through each token that it may look at?
    entry-by-entry: you raise each entry to a power, with `**` -> True to any power is True, so nothing is reached that
        one layer does not reach. -> What does row i of the second layer hear through each token that it may look at? A
        sum over those tokens is a matrix product.
    one-too-many: your result is that of one layer more -> No layer reaches the token itself and nothing else; one layer
        reaches what the mask allows. -> Count the steps for two layers.
    one-too-few: your result is that of one layer less -> One layer reaches what the mask allows; each further layer is
        one more step. -> Count the steps for two layers.
    keeps-what-it-heard: you keep what fewer layers have reached -> Here a row is made of the rows that the mask allows,
        and of nothing else: where a token may not look at itself, what it knew is gone. -> Replace what was reached,
        step by step; do not add to it.
    squared-each-time: each of your steps doubles the depth -> Whoever multiplies what is reached by itself goes twice
        as deep each time: after three steps eight layers. -> Multiply by the mask of one layer.
    backwards: rows and columns are exchanged: you say the wrong way round who has heard whom -> Row i is the token that
        asks, and column j the one that is heard. -> Follow the example: token 3 hears token 1 through token 2.
    nothing-without-layers: without any layer nothing is reached -> Before the first layer each token is its own row: it
        has heard itself. -> Begin with what is reached through no layer at all.
    counts-overflow: with many layers the number of ways outgrows a whole number -> There are up to n ways more for each
        layer; beyond 2 to the 63 they wrap round, and come out negative or 0. -> Ask only whether there is a way: make
        True and False of it after each layer.
    """,
)
def reach(mask, num_layers, wrong=frozenset()):
    """Who can have heard whom after some layers, with the mistakes that people make as switches."""
    mask = np.asarray(mask, dtype=bool)
    n = len(mask)
    if "counts-overflow" in wrong:
        return np.linalg.matrix_power(mask.astype(np.int64), num_layers) > 0
    if "entry-by-entry" in wrong:
        return mask.astype(np.int64) ** num_layers > 0
    if "one-layer" in wrong:
        return mask.copy()
    if "nothing-without-layers" in wrong and num_layers == 0:
        return np.zeros((n, n), dtype=bool)
    num_layers = num_layers + ("one-too-many" in wrong) - ("one-too-few" in wrong)
    if "squared-each-time" in wrong:
        reached = mask
        for _ in range(min(num_layers, 20)):
            reached = reached @ reached
        return reached
    reached = np.eye(n, dtype=bool)
    for _ in range(num_layers):
        further = mask @ reached
        reached = reached | further if "keeps-what-it-heard" in wrong else further
    return reached.T if "backwards" in wrong else reached
