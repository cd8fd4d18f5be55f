import numpy as np

from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.stages import slip

WINDOW = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], dtype=bool)
#: A share below it is taken for none, by the slip.
FAINT = 1e-6
EASY = (
    "one-layer", "one-too-many", "one-too-few", "keeps-what-it-heard", "squared-each-time", "backwards",
    "any-depth", "any-depth-with-itself", "window-of-the-last-row", "widest-window", "all-not-any", "rows-in-place",
    "rows-in-place-from-the-end", "one-way-only", "one-entry-at-a-time", "itself-added", "mask-added",
)  # fmt: skip
SEVEN = (*EASY, "squared-afterwards", "blind-rows-divided", "lower-triangle", "first-row-left", "first-to-own")
OF_NONE = ("one-layer", "nothing-without-layers", "mask-without-layers", "any-depth", "any-depth-with-itself")


def wired(n, num_layers, *, allowed=0.3, telling=EASY, blind=None):
    """A drawn mask through which so many layers reach neither what one layer reaches nor everything.

    Some token may look at nobody where `blind` is true, and none where it is false. Whoever stops when the number of
    True no longer grows is right here: `wandering` finds that out.
    """

    def draw(rng):
        while True:
            mask = rng.random((n, n)) < allowed
            if blind is not None and blind == mask.any(axis=1).all():
                continue
            inputs = {"mask": mask, "num_layers": num_layers}
            right = reach(**inputs)
            others = [reach(**inputs, wrong=frozenset([slip])) for slip in telling]
            as_right = np.array_equal(reach(**inputs, wrong=frozenset(["stops-at-no-more"])), right)
            if as_right and all((other != right).any() for other in others):
                return inputs

    return draw


def wandering(rng):
    """Each of seven tokens looks at the one before it, in a circle: what is reached changes, its number does not."""
    order = rng.permutation(7)
    mask = np.zeros((7, 7), dtype=bool)
    mask[order, np.roll(order, 1)] = True
    return {"mask": mask, "num_layers": 4}


def deep(rng):
    """Two tokens that hear each other, and a chain that ends at them: a hundred layers have 2 to the 99 ways.

    The tokens of the chain look at themselves, too; what stays with them is 2 to the -100 of a mixture.
    """
    order = rng.permutation(5)
    mask = np.zeros((5, 5), dtype=bool)
    mask[np.ix_(order[:2], order[:2])] = True
    mask[order[2:], order[1:4]] = mask[order[2:], order[2:]] = True
    return {"mask": mask, "num_layers": 100}


def no_future(call, rng):
    n = int(rng.integers(5, 9))
    mask = np.tri(n, dtype=bool) & (rng.random((n, n)) < 0.7)
    mask[0] = False  # all that it looks at, which is none, have heard everything
    for num_layers in (1, 3, 7):
        heard = call(mask, num_layers).astype(bool)
        if (heard & ~np.tri(n, dtype=bool)).any():
            return f"through a mask without a future, {num_layers} layers reach a later token"
    return None


def _ever(mask):
    """What some number of layers reaches, from one on."""
    reached = mask
    for _ in mask:
        reached = reached | mask @ reached
    return reached


def _layer(mask, reached, wrong):
    """What one more layer reaches, with mistakes as switches."""
    if "one-entry-at-a-time" in wrong:
        return mask & reached
    if "all-not-any" in wrong:
        return np.array([reached[row].all(axis=0) for row in mask])
    if wrong & {"rows-in-place", "rows-in-place-from-the-end"}:
        reached = reached.copy()
        for i in range(len(mask))[:: -1 if "rows-in-place-from-the-end" in wrong else 1]:
            reached[i] = reached[mask[i]].any(axis=0)
        return reached
    if "first-row-left" in wrong:
        return np.vstack([reached[:1], (mask @ reached)[1:]])
    if "lower-triangle" in wrong:
        return np.tril(mask @ reached)
    if "one-way-only" in wrong:  # here True and False are numbers of ways
        return np.minimum(mask.astype(int) @ reached.astype(int), 2)
    return mask @ reached


def _first_to_own(mask, num_layers):
    """All from the first place that is reached, by the first of each row, up to the token's own."""
    place = np.arange(len(mask))
    first = place
    for _ in range(num_layers):
        first = np.where(mask[first].any(axis=1), mask[first].argmax(axis=1), first)
    return (np.minimum(first, place)[:, None] <= place) & (place <= place[:, None])


@function(
    points=4,
    returns="reached",
    cases=(
        Case("five tokens, two layers", wired(5, 2, blind=False), 0.2),
        Case("seven tokens, three layers", wired(7, 3, allowed=0.25, telling=SEVEN, blind=True), 0.2),
        Case("the example of the task", example(mask=WINDOW, num_layers=2), 0.05),
        Case("no layer at all", wired(5, 0, telling=OF_NONE), 0.1),
        Case("seven tokens in a circle, four layers", wandering, 0.05),
        Case("a hundred layers", deep, 0.15),
    ),
    properties=(Property("where the future is hidden, no depth reaches it", no_future, 0.15),),
    mistakes="""
    one-layer: what comes out is what a single layer reaches, however many there are -> The second layer mixes rows that
        are mixtures already: whoever hears a token hears what that one has heard. -> What does row i of the second
        layer hear through each token that it may look at?
    entry-by-entry: you raise each entry to a power, with `**`, or multiply entry by entry -> From one layer on, a power
        of True is True and of False is False: nothing is reached that one layer does not reach. -> What does row i of
        the second layer hear through each token that it may look at? A sum over those tokens is a matrix product.
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
    counts-overflow: with many layers there are more ways than a whole number of NumPy can hold -> Each layer multiplies
        the ways by up to n; beyond 2 to the 63 they wrap round, and come out negative or 0. -> Ask only whether there
        is a way: make True and False of it after each layer.
    counts-overflow-in-bytes: with many layers there are more ways than your kind of whole numbers can hold -> Each
        layer multiplies the ways by up to n; a byte (`uint8`) begins at 0 again after 255. -> Ask only whether there is
        a way: make True and False of it after each layer.
    mask-without-layers: without any layer you return the mask -> The mask is what one layer reaches. Before the first
        layer each token is its own row: it has heard itself, and nobody else. -> Begin with what is reached through no
        layer at all.
    squared-afterwards: after the first layer, each of your steps doubles the depth -> Whoever multiplies what is
        reached by itself goes twice as deep each time: two steps more are four layers. -> Multiply by the mask of one
        layer.
    one-entry-at-a-time: you join mask and what is reached entry by entry, with `&` or `*` -> That keeps what both have
        in the same place; nobody hears through anybody else. -> What does row i of the next layer hear through each
        token that it may look at? A sum over those tokens is a matrix product.
    any-depth: your result is what any number of layers reaches, however many are asked for -> A window of two reaches
        one token further back with each layer: the depth counts. -> Take as many steps as there are layers.
    any-depth-from-one: from one layer on, your result is what any number of layers reaches -> A window of two reaches
        one token further back with each layer: the depth counts. -> Take as many steps as there are layers.
    any-depth-with-itself: your result is what any number of layers reaches, each token itself included -> The depth
        counts; and a token that may not look at itself is not heard by itself in the next layer. -> Take as many steps
        as there are layers.
    window-of-the-last-row: you reckon with a window, and not with the mask as it is -> A mask may allow any tokens,
        with gaps, and other ones in each row. -> What does row i hear through each token that *its* row allows?
    widest-window: you reckon with a window, and not with the mask as it is -> A mask may allow any tokens, with gaps,
        and other ones in each row. -> What does row i hear through each token that *its* row allows?
    all-not-any: a row hears of a token only if all that it looks at have heard of it -> One of them is enough: it
        brings along what it has heard. -> Ask whether there is any.
    rows-in-place: you write the new rows over the old ones while later rows still read them -> Then some rows hear of
        two layers in one step. -> Make a new array in each layer, and read from the old one.
    rows-in-place-from-the-end: you write the new rows over the old ones while other rows still read them -> Then some
        rows hear of two layers in one step. -> Make a new array in each layer, and read from the old one.
    stops-at-no-more: you stop as soon as the number of True no longer grows -> What is reached can change while its
        number stays, or shrinks: where tokens may not look at themselves, what they knew wanders on. -> Take as many
        steps as there are layers.
    faint-lost: what is reached by a small share only is lost -> You mix by shares, and compare with a small number at
        the end: each layer makes shares smaller, and after many layers they lie below any such number. -> Ask only
        whether there is a way: make True and False of it after each layer.
    blind-rows-divided: you divide each row by its sum, and that of a row which may look at nobody is 0 -> 0/0 is NaN;
        from the second layer on the product spreads it over all rows, and `NaN > 0` is False. -> Ask only whether there
        is a way: no shares are needed, only True and False after each layer.
    first-round-only: you reckon one layer, however many there are, and where there is none, nothing comes back -> A
        `return` inside a loop ends the function in the first round, and a loop of no rounds never meets it. -> Put the
        `return` behind the loop, in the same column as the `for`.
    lower-triangle: you cut off what lies above the diagonal, that is, you take every mask for one that hides the future
        -> A mask may allow later tokens. Where it does not, no layer reaches them anyway. -> Leave out the cut.
    first-row-left: the row of the first token is left as it is at the beginning -> Places are counted from 0, and
        `range(1, n)` begins behind the first. -> Let your loop go over all rows.
    first-to-own: a row of yours holds all places from the first one that is reached up to the token itself -> A mask
        may have gaps, and allow later tokens. -> What does row i hear through each token that *its* row allows?
    starts-from-all: you begin as if each token had heard all others -> Before the first layer each token is its own
        row: it has heard itself, and nobody else. -> Begin with what is reached through no layer at all.
    itself-added: you put the token itself back after the layers -> A token that may not look at itself forgets what it
        was, unless another one brings it back. -> Leave out what the layers do not reach.
    mask-added: at the end you add the mask, that is, what a single layer reaches -> A row is made of what the last
        layer lets in, and of nothing else: what one layer reached may be gone after the next. -> Return what all the
        layers reach.
    one-way-only: what is reached in more than one way is lost -> The product counts the ways, and there may be many. ->
        Ask whether there is any way: is the number above 0?
    """,
)
def reach(mask, num_layers, wrong=frozenset()):
    """Who can have heard whom after some layers, with the mistakes that people make as switches."""
    mask = np.asarray(mask, dtype=bool)
    n = len(mask)
    if wrong & {"counts-overflow", "counts-overflow-in-bytes"}:
        kind = np.int64 if "counts-overflow" in wrong else np.uint8
        return np.linalg.matrix_power(mask.astype(kind), num_layers) > 0
    if "entry-by-entry" in wrong:
        return mask.astype(np.int64) ** num_layers > 0
    if "one-layer" in wrong or ("mask-without-layers" in wrong and num_layers == 0):
        return mask.copy()
    if "nothing-without-layers" in wrong and num_layers == 0:
        return np.zeros((n, n), dtype=bool)
    num_layers = num_layers + ("one-too-many" in wrong) - ("one-too-few" in wrong)
    if wrong & {"faint-lost", "blind-rows-divided"}:
        sums = mask.sum(axis=1, keepdims=True)
        shares = mask / (np.maximum(sums, 1) if "faint-lost" in wrong else sums)
        return np.linalg.matrix_power(shares, num_layers) > (FAINT if "faint-lost" in wrong else 0)
    if "first-round-only" in wrong:
        return mask.copy() if num_layers else None
    if "first-to-own" in wrong:
        return _first_to_own(mask, num_layers)
    if "squared-each-time" in wrong:
        reached = mask
        for _ in range(min(num_layers, 20)):
            reached = reached @ reached
        return reached
    if "squared-afterwards" in wrong and num_layers:
        return reach(mask, 2 ** min(num_layers - 1, 5))
    if wrong & {"any-depth", "any-depth-with-itself"} or ("any-depth-from-one" in wrong and num_layers):
        return _ever(mask | np.eye(n, dtype=bool) if "any-depth-with-itself" in wrong else mask)
    if wrong & {"window-of-the-last-row", "widest-window"}:
        width = mask[-1].sum() if "window-of-the-last-row" in wrong else mask.sum(axis=-1).max()
        back = np.subtract.outer(np.arange(n), np.arange(n))
        return (back >= 0) & (back <= num_layers * (int(width) - 1))
    reached = np.ones((n, n), dtype=bool) if "starts-from-all" in wrong else np.eye(n, dtype=bool)
    for _ in range(num_layers):
        further = _layer(mask, reached, wrong)
        if "stops-at-no-more" in wrong and further.sum() <= reached.sum():
            break
        reached = reached | further if "keeps-what-it-heard" in wrong else further
    if "one-way-only" in wrong:
        return reached == 1
    reached = reached.T if "backwards" in wrong else reached
    return reached | slip(wrong, {"itself-added": np.eye(n, dtype=bool), "mask-added": mask}, False)
