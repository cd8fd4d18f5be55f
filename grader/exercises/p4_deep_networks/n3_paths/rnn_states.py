import numpy as np

from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p4_deep_networks.n3_paths.shared import BY_HAND, network, small_network
from grader.exercises.stages import slip

TELLING = (
    "state-transposed", "no-tanh", "not-passed-on", "bias-forgotten", "bias-outside", "state-outside", "first-skipped",
    "last-skipped", "carries-the-sum", "kept-besides", "from-the-end", "starts-at-the-last", "sums-kept",
    "first-without-bias",
)  # fmt: skip


def beginnings_are_kept(call, rng):
    inputs = network(7, 3, 5)(rng)
    whole = call(*inputs.values())
    for n in (1, 3):
        gap = np.abs(call(*(inputs | {"X": inputs["X"][:n]}).values()) - whole[:n]).max()
        if not gap < 1e-4:
            return f"read alone, the first {n} of 7 words leave other states: {gap:.3g} apart"
    return None


def silence(call, rng):
    X, W_x, W_h, b = network(5, 3, 2)(rng).values()
    gap = np.abs(call(np.zeros_like(X), W_x, W_h, np.zeros_like(b))).max()
    return None if gap < 1e-6 else f"with X and b all zero a state is {gap:.3g}: the state before the first word is 0"


def before(H, heard, alone, b, wrong):
    """The state that a word meets.

    H holds the start and all states so far, `heard` the last sum before its tanh, `alone` what the word before would
    make of the state by itself.
    """
    olds = {
        "not-passed-on": H[0],
        "first-state-always": H[min(len(H) - 1, 1)],
        "one-step-back": alone,
        "bias-passed-on": H[-1] + b,
        "two-steps-back": H[max(len(H) - 2, 0)],
        "mean-of-states": np.mean(H[1:] or H, axis=0),
        "carries-the-sum": heard,
    }
    return slip(wrong, olds, H[-1])


@function(
    points=3,
    returns="H",
    cases=(
        Case("3 words of two numbers, two hidden numbers", small_network, 0.25, telling=TELLING),
        Case("7 words of three numbers, five hidden numbers", network(7, 3, 5), 0.2, telling=TELLING),
        Case("5 words of seven numbers, two hidden numbers", network(5, 7, 2), 0.1, telling=TELLING),
        Case("11 words in single precision", network(11, 2, 3, np.float32), 0.1, telling=TELLING),
        Case("the example of the task", example(**BY_HAND), 0.05),
    ),
    properties=(
        Property("the states of a beginning do not depend on what follows", beginnings_are_kept, 0.1),
        Property("before the first word the state is 0", silence, 0.1),
    ),
    mistakes="""
    last-only: you return the last state alone -> The state after *each* word is asked for: the next exercise needs all
        of them. -> Collect the states in the loop, one row for each word.
    last-everywhere: every row is the last state -> An array that you write into anew in each round is one and the same
        array, however often you append it. -> Append a copy, or make a new state in each round.
    with-start: the zeros before the first word stand among your states -> They are where the reading begins, and no
        word has made them. -> As many rows as words.
    before-each-word: row t is the state *before* word t, not after it -> The first row is then the zeros that no word
        has made, and the last word is never heard. -> Compute the new state first, and write that down.
    state-entry-by-entry: the old state is multiplied with `W_h` entry by entry -> `*` pairs each number of the state
        with a column of the matrix, and leaves a matrix; a state is a row. -> `h @ W_h` adds up over the coordinates.
    word-entry-by-entry: the word is multiplied with `W_x` entry by entry -> `*` pairs each number of the word with a
        column of the matrix, and leaves a matrix, or does not fit; a state is a row. -> `x @ W_x` adds up over the
        coordinates.
    state-transposed: `W_h` is transposed -> It is square, so that the transpose fits without a word and gives other
        numbers. -> The state is a row: `h @ W_h`.
    no-tanh: there is no tanh -> Then a state may grow without end, and nothing bends. -> Put the whole sum through
        `np.tanh`.
    sigmoid: you bend the sum with a sigmoid -> That gives numbers between 0 and 1; here they lie between −1 and 1. ->
        `np.tanh`.
    relu: you cut off what is below 0, in the place of tanh -> Then half of the numbers are 0, and the others are not
        bounded. -> `np.tanh`.
    not-passed-on: the state is not passed on: each word is read as if it were the first -> Then nothing of the words
        before is left. -> What comes out of one round goes into the next, as `h`.
    one-step-back: each word hears the word before it, and nothing of what came earlier -> All at once one has only what
        the words by themselves make of the state. A state has to wait for the one before it. -> A loop, in which the
        state goes on from round to round.
    starts-at-the-bias: before the first word your state is the bias -> Nothing has been heard there. -> Zeros.
    starts-at-the-last: the first word meets what stands in the *last* row of your array -> At t = 0 the index t − 1 is
        −1, and that is the last row: before the loop something stands there already. -> Before the first word the state
        is zeros: let the array hold zeros until the loop fills it, or treat t = 0 by itself.
    bias-passed-on: the bias is added to the old state, before `W_h` -> Then it goes through that matrix as well. -> It
        is added to the sum, beside the word and the old state.
    first-state-always: each word meets the state after the *first* word -> In the loop the old state is never replaced.
        -> What comes out of one round goes into the next.
    bias-forgotten: the bias is not added -> Without it silence from the start always leaves the state 0. -> Add b
        inside the tanh.
    bias-outside: the bias is added after the tanh -> Then a state may leave the range from −1 to 1. -> Add b inside the
        tanh, with the other two.
    bias-once: the bias is added at the first word only -> It is a part of every step. -> Add it in the loop.
    state-outside: the old state is added after the tanh -> Then a state may leave the range from −1 to 1, and grow. ->
        All three go into one tanh.
    word-outside: the word is added after the tanh -> Then a state may leave the range from −1 to 1. -> Add `x @ W_x`
        inside the tanh.
    each-part-bent: word and old state go through a tanh of their own each -> One tanh bends their *sum*: they compete
        for the same range. -> Add first, then bend.
    each-part-bent-bias-with-word: word and old state go through a tanh of their own each -> One tanh bends their *sum*:
        they compete for the same range. -> Add first, then bend.
    each-part-bent-bias-with-state: word and old state go through a tanh of their own each -> One tanh bends their
        *sum*: they compete for the same range. -> Add first, then bend.
    bent-twice: the words go through the tanh before they meet the old state, and the sum once more -> One tanh bends
        the sum of all three; what is bent before is flattened. -> Keep the words' part as it is until the old state has
        been added.
    carries-the-sum: what you pass on is the sum before the tanh -> The state is what comes out of the tanh. -> Bend
        first, then pass on.
    sums-kept: what you write down is the sum before the tanh -> What you pass on is right: the state is what comes out
        of the tanh, and that is asked for. -> Write down the new state.
    first-without-bias: the first state is made without the bias -> The first word is read like all others, with a state
        of zeros before it. -> Let the loop begin with it, or add b there too.
    all-rounds-each: all rows go through every round at once, and no word hears the one before it -> Row t of `H` meets
        row t again, as often as your loop turns. A state goes from a word to the *next* one. -> In round t compute row
        t alone, from row t − 1.
    kept-besides: you add the old state to the new one -> That is a residual connection, and comes in other networks. ->
        The new state is the tanh alone.
    word-ignored: the words have no effect -> What each step hears are the word and the old state. -> Add `x @ W_x`.
    from-the-end: you read from the last word to the first -> Then row t has heard what comes after it, not before. ->
        Begin with row 0 of X.
    state-bent-again: what comes of the old state goes through a tanh of its own before it is added -> One tanh bends
        the sum of all three. -> Add first, then bend.
    word-through-state: the word is added to the old state, and both go through `W_h` -> The word comes in through `W_x`
        alone. -> Brackets: `x @ W_x + h @ W_h + b`.
    first-row-unbent: the first state is `x @ W_x` alone: no bias, no tanh -> The first word is read like all others,
        with a state of zeros before it. -> Let the loop begin with it.
    cut-to-one: you cut the sum at −1 and 1, in the place of tanh -> That is straight in between, and flat outside. ->
        `np.tanh`.
    first-word-twice: the first word is read twice: before the loop, and once more in it -> What it left is there when
        it comes again. -> Before the loop the state is zeros; the first word is read in the first round.
    first-skipped: the first word is not read: its state stays 0 -> A loop that begins at 1 leaves out row 0. -> Let it
        begin with the first word; before it the state is zeros.
    last-skipped: the last word is not read: its state stays 0 -> The end of a `range` is not included. -> Let
        the loop go over all words.
    starts-at-one: before the first word your state is ones -> Nothing has been heard there. -> Zeros.
    two-steps-back: each word meets the state of two words ago -> The state before is that of the word just before. ->
        Look at the place that your loop reads from.
    mean-of-states: each word meets the mean of all states so far -> The state before is that of the word just before:
        it has to carry all that came earlier. -> Pass on the last state only.
    """,
)
def rnn_states(X, W_x, W_h, b, wrong=frozenset()):
    """The states of an RNN, with mistakes as switches."""
    X, W_x, W_h, b = (np.asarray(one) for one in (X, W_x, W_h, b))
    words = X[::-1] if "from-the-end" in wrong else X
    if "state-transposed" in wrong:
        W_h = W_h.T
    bends = {"no-tanh": lambda a: a, "sigmoid": lambda a: 1 / (1 + np.exp(-a)), "relu": lambda a: np.maximum(a, 0)}
    bends["cut-to-one"] = lambda a: np.clip(a, -1, 1)
    bend = slip(wrong, bends, np.tanh)
    inside = 0 * b if wrong & {"bias-forgotten", "bias-outside", "bias-passed-on"} else b
    start = b if "starts-at-the-bias" in wrong else 0 * b + ("starts-at-one" in wrong)
    if "first-word-twice" in wrong:
        start = np.tanh(words[0] @ W_x + b)
    if "starts-at-the-last" in wrong:
        start = words[-1] @ W_x + b
    if "all-rounds-each" in wrong:
        H = np.zeros((len(words), len(b)))
        for _ in words:
            H = np.tanh(words @ W_x + H @ W_h + b)
        return H
    H = [start]
    heard = alone = start
    for t, word in enumerate(words):
        if (t == 0 and "first-skipped" in wrong) or (t == len(words) - 1 and "last-skipped" in wrong):
            H.append(0 * b)
            continue
        if "bias-once" in wrong and t == 1:
            inside = 0 * b
        given = 0 * b if "word-ignored" in wrong else word * W_x if "word-entry-by-entry" in wrong else word @ W_x
        old = before(H, heard, alone, b, wrong)
        alone = bend(given + inside)
        heard = given + (old * W_h if "state-entry-by-entry" in wrong else old @ W_h) + inside
        if "bent-twice" in wrong and t:
            new = bend(bend(given + inside) + old @ W_h)
        elif "each-part-bent" in wrong:
            new = bend(given) + bend(old @ W_h) + inside
        elif "each-part-bent-bias-with-word" in wrong:
            new = bend(given + inside) + bend(old @ W_h)
        elif "each-part-bent-bias-with-state" in wrong:
            new = bend(given) + bend(old @ W_h + inside)
        elif "state-bent-again" in wrong:
            new = bend(given + bend(old @ W_h) + inside)
        elif "word-through-state" in wrong:
            new = bend((given + old) @ W_h + inside)
        elif "first-row-unbent" in wrong and t == 0:
            new = given
        elif "first-without-bias" in wrong and t == 0:
            new = bend(given)
        elif "word-outside" in wrong:
            new = given + bend(old @ W_h + inside)
        elif "state-outside" in wrong:
            new = bend(given + inside) + old @ W_h
        else:
            new = bend(heard)
        if "bias-outside" in wrong:
            new = new + b
        H.append(new + old if "kept-besides" in wrong else new)
    if "sums-kept" in wrong:
        return np.array([word @ W_x + old @ W_h + b for word, old in zip(words, H, strict=False)])
    H = np.array(H[1:] if wrong & {"state-entry-by-entry", "word-entry-by-entry"} else H)
    if "last-only" in wrong:
        return H[-1]
    if "last-everywhere" in wrong:
        return np.repeat(H[-1:], len(X), axis=0)
    return H if "with-start" in wrong else H[:-1] if "before-each-word" in wrong else H[-len(X) :]
