import numpy as np

from attnlib import rnn_states
from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p4_deep_networks.n3_paths.shared import (
    BY_HAND,
    bent,
    measured,
    network,
    nudged,
    nudges_of,
    small_network,
    states,
)
from grader.exercises.stages import slip

TELLING = (
    "joined-behind", "slopes-on-the-far-side", "input-on-the-far-side", "first-step-twice",
    "no-slopes", "slope-not-squared", "slope-a-step-late", "state-transposed", "input-forgotten", "order-turned",
    "reversed", "slope-on-the-wrong-side", "one-step-only", "last-slope-missing", "one-step-too-far",
    "largest-stretch", "lengths-multiplied", "input-transposed", "slope-of-the-word-before", "slope-of-the-word-after",
    "slope-of-the-next-step", "last-slope-everywhere", "last-slope-only", "own-slope-missing", "passages-forgotten",
    "passages-on-the-far-side", "built-forwards", "entries-together", "entry-by-entry", "starts-at-the-bias",
)  # fmt: skip
#: Mistakes that move little in many networks: less than the nudge is asked to tell.
FAINT = (
    "largest-stretch", "slopes-on-the-far-side", "joined-behind", "state-transposed", "slope-on-the-wrong-side",
    "input-on-the-far-side", "passages-on-the-far-side", "order-turned", "sum-of-state",
)  # fmt: skip
NUDGE, NEAR = 1e-5, 1e-3


def last_state(X, W_x, W_h, b):
    return states(X, W_x, W_h, b)[..., -1, :]


def shows_all(rng):
    """A network in which each faint mistake is farther off than the nudge lets pass."""
    while True:
        inputs = network(5, 3, 2)(rng)
        right = rnn_reach.model(**inputs)
        wrong = (rnn_reach.model(**inputs, wrong=frozenset([mistake])) for mistake in FAINT)
        if all((abs(one - right) > 2 * NEAR * (1 + right)).any() for one in wrong):
            return inputs


def it_is_what_a_nudge_does(call, rng):
    inputs = shows_all(rng)
    got = call(*inputs.values())
    X, *rest = inputs.values()
    reach = measured(nudged(lambda X: last_state(X, *rest), X, NUDGE, NUDGE), {})
    for t, right in enumerate(reach):
        if not abs(got[t] - right) < NEAR * (1 + right):
            far = f"a small nudge moves the last state {right:.4g} times as far; yours: {got[t]:.4g}"
            return f"word {t} of 5, counted from 0: {far}"
    return None


def nothing_is_passed_on(call, rng):
    inputs = network(5, 3, 2)(rng)
    got = call(*(inputs | {"W_h": 0 * inputs["W_h"]}).values())
    if np.abs(got[:-1]).max() > 1e-6:
        return f"with W_h all zero only the last word reaches the last state; yours says {np.abs(got[:-1]).max():.3g}"
    return None if abs(got[-1]) > 1e-6 else "with W_h all zero the last word still reaches the last state"


def by_hand(W_x, W_h, slopes, wrong):
    """A word's derivative, with the slopes of all its steps; some are left out, or passages are."""
    J, last = W_x * slopes[0], len(slopes) - 1
    for s, slope in enumerate(slopes[1:], start=1):
        J = J @ W_h if s == 1 or "one-passage" not in wrong else J
        J = J * slope if "one-passage" in wrong or (s == last and "only-own-slope" not in wrong) else J
    return J


@function(
    points=4,
    returns="reach",
    budget=5000,
    cases=(
        Case("3 words of two numbers, two hidden numbers", bent(small_network, last_state), 0.25, telling=TELLING),
        Case("7 words of three numbers, five hidden numbers", bent(network(7, 3, 5), last_state), 0.2, telling=TELLING),
        Case(
            "5 words of seven numbers, three hidden numbers", bent(network(5, 7, 3), last_state), 0.1, telling=TELLING
        ),
        Case(
            "11 words of two numbers, three hidden numbers", bent(network(11, 2, 3), last_state), 0.1, telling=TELLING
        ),
        Case("the example of the task", example(**BY_HAND), 0.05),
    ),
    properties=(
        Property("it is what a small nudge of each word does to the last state", it_is_what_a_nudge_does, 0.15),
        Property("where nothing is passed on, only the last word reaches", nothing_is_passed_on, 0.05),
    ),
    mistakes="""
    entries-together
    one-sided
    one-sided-below
    long-steps
    word-taken-out: you put zeros in the place of a word, and measure how far the last state moves -> That is another
        question: what is lost without the word. The reach is a derivative: how far the state moves for each unit of a
        *small* nudge. -> Multiply the steps from the word to the end, or nudge each of its numbers a little.
    no-slopes: the slopes of tanh are left out -> The nudge then goes through the matrices as if nothing bent it. ->
        Each step multiplies by 1 − h² as well, coordinate by coordinate.
    slope-not-squared: you take 1 − h for the slope of tanh -> The slope is 1 − tanh², and h is that tanh. -> Square the
        state.
    slope-of-the-size: you take 1 − |h| for the slope of tanh -> The slope is 1 − tanh², and h is that tanh. -> Square
        the state.
    difference-squared: you take (1 − h)² for the slope of tanh -> The square is that of the state alone. -> First
        square, then subtract: 1 − h².
    slope-added: you take 1 + h² for the slope of tanh -> Then a nudge grows where tanh is flat. -> 1 minus the square
        of the state.
    slope-is-square: you take h² for the slope of tanh -> The slope is what h² leaves of 1: small where the state is
        near -1 or 1. -> 1 − h².
    of-all-states: you measure how a word moves all the states together -> The question is what the *last* one hears of
        it. -> Only the last row.
    one-passage: each word goes through `W_h` once only, however far it is from the end -> From state to state there is
        one passage, and one for each state on the way. -> In each round both factors join the product, the slopes and
        `W_h`.
    inner-slopes-missing: the slopes between the word's own step and the last are left out -> A nudge goes through the
        tanh of every step on its way. -> Multiply by the slopes in each round.
    only-own-slope: only the word's own step has its slopes -> A nudge goes through the tanh of every step on its way.
        -> Multiply by the slopes in each round.
    slope-of-the-word-alone: the slopes are those of the word by itself, without the state -> The tanh bends the whole
        sum, and h is what came out of it. -> Take the states from `rnn_states`.
    slope-of-a-sigmoid: you take h (1 − h) for the slope -> That is the sigmoid's; here a tanh bends. -> 1 − h².
    largest-entry
    times-the-word: you multiply the matrix by the word itself, and measure the row that is left -> That is how far the
        state moves if the word grows along itself; a nudge may go anywhere. -> The norm of the whole matrix.
    mean-of-sizes
    mean-square
    first-number-only
    last-number-only
    row-norms-added
    row-norms-averaged
    begins-with-ones: going back, your product begins with ones everywhere -> Then all numbers of the state are mixed
        before the first step. -> Begin with the identity, `np.eye`: at the last word nothing has happened yet.
    last-slope-twice: going back, your product begins with the slopes of the last state, and they join it again in the
        round of the last word -> Each tanh on the way counts once. -> Begin with the identity.
    one-slope-for-all: you take one slope for all numbers of a state, 1 less the square of its length -> Each number is
        bent by itself. -> 1 − h², number by number: a vector of slopes.
    mean-slope: you take the mean of a state's slopes for all of its numbers -> Each number is bent by itself. -> The
        vector of the slopes.
    norms-of-matrices: you multiply the norms of `W_x`, of `W_h` and of the slopes -> A product is never longer than
        that, but often much shorter: what one step stretches the next one may shrink. -> Multiply the matrices, and
        measure at the end.
    slope-of-state: you put the state through tanh once more -> The states are what came out of tanh already. -> The
        slope is 1 − h², of the state as it is.
    slope-a-step-late: each step takes the slope of the state before it -> Word t goes through the tanh that makes h_t,
        and leaves by the tanh of h_n. -> Which state does your loop read in the round of word t?
    slope-of-the-word-before: in the round of word t you take the slopes of word t − 1 -> Word t goes through the tanh
        that makes h_t. And in the round of word 0 Python reads the place −1, which is the last. -> Which state does
        your loop read in the round of word t?
    slope-of-the-word-after: in the round of word t you take the slopes of word t + 1 -> Word t goes through the tanh
        that makes h_t. -> Which state does your loop read in the round of word t?
    slope-of-the-next-step: in the round of word t you take the slopes of word t + 1, and none for the last -> Word t
        goes through the tanh that makes h_t, and the last word through that of h_n. -> Which state does your loop read
        in the round of word t?
    last-slope-everywhere: all steps have the slopes of the last one -> Each state has slopes of its own. -> In the
        round of word t, those of h_t.
    last-slope-only: only the last step has its slopes -> A nudge goes through the tanh of every step on its way. ->
        Multiply by the slopes in each round.
    own-slope-missing: the slopes of the word's own step are missing -> The word comes in through a tanh, before it is
        passed on. -> Its way begins with `W_x`, and then come the slopes of h_t.
    passages-forgotten: `W_h` is missing on the way -> From state to state a nudge goes through `W_h`. -> One `W_h` for
        each passage.
    passages-on-the-far-side: the slopes join the product before it, and `W_h` behind it -> What a step does stays
        together: the nudge meets the slopes of h_t, then `W_h`, then the next slopes. -> Going back in time, both
        factors come on the side of the word.
    slope-on-the-wrong-side: the slopes multiply the other axis of the product -> The slopes of step t belong to the
        coordinates of h_t, and these are the axis that meets `W_h` of the next step. -> Write the shapes beside each
        factor, and say which axis is which state.
    state-transposed: `W_h` is transposed -> It is square, so that the transpose fits without a word. In the other
        direction it gives other numbers. -> h_t goes on as `h @ W_h`: row i says where coordinate i goes.
    input-forgotten: `W_x` is missing: that is the reach of the state, or of the sum in the tanh -> A word comes in
        through `W_x`. -> Multiply by it before you take the norm.
    input-transposed: `W_x` is transposed in your product -> Where d_in and d_h are equal it fits without a word. -> The
        word goes in as `x @ W_x`.
    order-turned: the product has its factors in the other order -> Matrices do not commute: the nudge meets the step of
        word t first, and that of the last word last. -> Going back in time, the new factor comes on the side of the
        word.
    joined-behind: going back, you put each new factor behind the product, not before it -> What is nearest to the word
        stands next to `W_x`: the nudge meets the step of word t first, and that of the last word last. -> Going back in
        time, the new factor comes on the side of the word.
    slopes-on-the-far-side: all slopes end up at the last state -> `slopes * M` multiplies the *columns* of M, and these
        belong to the last state; the slopes of step t belong to the rows. -> `slopes[:, None] * M`.
    input-on-the-far-side: `W_x` stands on the side of the last state -> Where d_in, or a transpose, makes it fit,
        nothing complains. But the word comes in at the other end. -> Write the shapes under the product: (d_in, d_h)
        comes first.
    first-step-twice: each word goes through one passage too many, with the slopes of its own state once more -> From a
        state to itself there is no passage. -> Count the passages of the last word: none.
    built-forwards-turned: your product grows from the first word to the last, and then the result is turned round ->
        What it holds at a word are the steps before it; the nudge goes through those that come after. -> Begin at the
        end, and go back.
    reversed: your result runs from the last word to the first -> You went back through time, and wrote down as you
        went. -> Put each number in the place of its word.
    one-step-only: you measure how a word moves its own state, not the last one -> From there the nudge has to go
        through all later steps. -> Multiply by these steps, too.
    from-the-first: you measure how the first word moves each state -> That has the same roads, but the other way round.
        The question is what the *last* state hears of each word. -> Begin at the end, and go back.
    built-forwards: your product grows from the first word to the last, and you measure it at each word on its way -> At
        word t it holds the steps that lie before it; the nudge goes through those that come after. -> Begin at the end,
        and go back.
    last-slope-missing: the slope of the last step is left out -> The last state comes out of a tanh, as all others. ->
        The product ends with the slopes of h_n.
    one-step-too-far: each word has one `W_h` too many on its way -> From word t to the last there are n − t passages (t
        counted from 1), and the last word has none. -> How many passages does your loop make for the last word?
    one-step-too-few: each word but the last has one `W_h` too few on its way -> From the last word but one there is one
        passage already. -> Count the passages of the first of three words.
    lengths-multiplied: you multiply the norms of the steps instead of the steps -> A product is never longer than that,
        but often much shorter: what one step stretches the next one may shrink. -> Multiply the matrices, and measure
        at the end.
    sum-of-state: you follow the sum of the last state's numbers, not each of them -> Where one rises as another falls,
        the sum stays, and a strong effect looks like none. -> Begin with the identity matrix: a row for each number.
    entry-by-entry: of the products on the way one is taken entry by entry -> `W_h`, or a diagonal matrix of the slopes:
        `*` pairs each number with the one in the same place; a passage adds up over all coordinates of the state. -> A
        product of matrices is `@`.
    starts-at-the-bias: the states that you take the slopes from begin at the bias -> Nothing has been heard before the
        first word: there the state is zeros. -> Take the states from `rnn_states`.
    bias-forgotten: the states that you take the slopes from were made without the bias -> The bias shifts each sum, and
        so its slope. -> Take the states from `rnn_states`, with all its arguments.
    squared
    sum-of-entries
    sum-of-sizes
    largest-stretch
    sum-of-stretches
    largest-column
    largest-row
    normalised: you divide by the sum, or by the largest -> Then one can no longer say whether anything arrives at all.
        -> The norms as they are.
    """,
)
def rnn_reach(X, W_x, W_h, b, wrong=frozenset()):
    """How strongly each word moves the last state, with mistakes as switches."""
    X, W_x, W_h, b = (np.asarray(one, dtype=float) for one in (X, W_x, W_h, b))
    H = rnn_states(X, W_x, W_h, 0 * b if "bias-forgotten" in wrong else b)
    n, d_h = H.shape
    if "starts-at-the-bias" in wrong:
        old = b
        for t in range(n):
            H[t] = old = np.tanh(X[t] @ W_x + old @ W_h + b)
    if "state-transposed" in wrong:
        W_h = W_h.T
    if "passages-forgotten" in wrong:
        W_h = np.eye(d_h)
    if wrong & {"inner-slopes-missing", "only-own-slope", "one-passage"}:
        return np.array([measured(by_hand(W_x, W_h, 1 - H[t:] ** 2, wrong), wrong) for t in range(n)])
    slopes = {
        "slope-of-the-word-alone": lambda: 1 - np.tanh(X @ W_x + b) ** 2,
        "slope-of-a-sigmoid": lambda: H * (1 - H),
        "no-slopes": lambda: np.ones_like(H),
        "slope-not-squared": lambda: 1 - H,
        "slope-of-the-size": lambda: 1 - np.abs(H),
        "difference-squared": lambda: (1 - H) ** 2,
        "slope-added": lambda: 1 + H**2,
        "one-slope-for-all": lambda: np.repeat(1 - (H**2).sum(axis=1, keepdims=True), d_h, axis=1),
        "mean-slope": lambda: np.repeat(1 - (H**2).mean(axis=1, keepdims=True), d_h, axis=1),
        "slope-is-square": lambda: H**2,
        "slope-of-state": lambda: 1 - np.tanh(H) ** 2,
        "slope-a-step-late": lambda: 1 - np.vstack([0 * H[:1], H[:-1]]) ** 2,
        "slope-of-the-word-before": lambda: 1 - np.roll(H, 1, axis=0) ** 2,
        "slope-of-the-word-after": lambda: 1 - np.vstack([H[1:], H[-1:]]) ** 2,
        "slope-of-the-next-step": lambda: 1 - np.vstack([H[1:], 0 * H[:1]]) ** 2,
        "last-slope-everywhere": lambda: 1 - np.tile(H[-1], (n, 1)) ** 2,
        "last-slope-only": lambda: 1 - np.vstack([0 * H[:-1], H[-1:]]) ** 2,
    }
    D = slip(wrong, slopes, lambda: 1 - H**2)()
    if "last-slope-missing" in wrong:
        D[-1] = 1
    enter = {"input-forgotten": np.eye(d_h), "input-transposed": W_x.T}
    into = slip(wrong, enter, W_x)
    if into.shape[1] != d_h:  # a transpose fits only where both sizes are equal
        into = into[:, :1] @ np.ones((1, d_h))
    if "of-all-states" in wrong:
        all_together = nudged(lambda X: states(X, W_x, W_h, b), X, NUDGE, NUDGE)
        return measured(all_together.reshape(n, X.shape[1], -1), wrong)
    if "word-taken-out" in wrong:
        without = X * ~np.eye(n, dtype=bool)[:, :, None]
        return np.linalg.norm(last_state(without, W_x, W_h, b) - H[-1], axis=-1)
    if nudges := nudges_of(wrong):
        J = nudged(lambda X: last_state(X, W_x, W_h, b), X, *nudges, together="entries-together" in wrong)
        return measured(J, wrong)
    if "lengths-multiplied" in wrong:
        steps = [np.linalg.norm(W_h * D[t]) for t in range(n)]
        return np.array([np.linalg.norm(W_x * D[t]) * np.prod(steps[t + 1 :]) for t in range(n)])
    if "norms-of-matrices" in wrong:
        by_step = np.linalg.norm(D, axis=1)
        passages = [np.linalg.norm(W_h) ** (n - 1 - t) for t in range(n)]
        return np.array([np.linalg.norm(W_x) * passages[t] * np.prod(by_step[t:]) for t in range(n)])
    if "entry-by-entry" in wrong:
        J, found = np.eye(d_h), []
        for t in reversed(range(n)):
            J = D[t][:, None] * J
            found.append(measured(W_x @ J, wrong))
            J = W_h * J
        return np.array(found[::-1])
    if wrong & {"built-forwards", "built-forwards-turned"}:
        J, found, turned = np.eye(d_h), [], "built-forwards-turned" in wrong
        for t in range(n):
            J = J * D[t] if turned else D[t][:, None] * J
            found.append(measured(W_x @ J, wrong))
            J = J @ W_h if turned else W_h @ J
        return np.array(found[::-1] if turned else found)
    if "joined-behind" in wrong:
        J, found = np.eye(d_h), []
        for t in reversed(range(n)):
            J = J * D[t]
            found.append(measured(W_x @ J, wrong))
            J = J @ W_h
        return np.array(found[::-1])
    found = []
    for t in range(n):
        last = t if "one-step-only" in wrong else n - 1
        first = 0 if "from-the-first" in wrong else t
        last = t if "from-the-first" in wrong else last
        J = np.eye(d_h) if "own-slope-missing" in wrong else np.diag(D[first])
        if "first-step-twice" in wrong:
            J = J @ (W_h * D[t])
        if "passages-on-the-far-side" in wrong:
            found.append(measured(W_x * np.prod(D[t:], axis=0) @ np.linalg.matrix_power(W_h, n - 1 - t), wrong))
            continue
        if "slopes-on-the-far-side" in wrong:
            found.append(measured(W_x @ np.linalg.matrix_power(W_h, n - 1 - t) * np.prod(D[t:], axis=0), wrong))
            continue
        for s in range(first + 1, last + 1):
            if "one-step-too-few" in wrong and s == last:
                continue
            if "slope-on-the-wrong-side" in wrong:
                J = J @ (D[s][:, None] * W_h)
            elif "order-turned" in wrong:
                J = (W_h * D[s]) @ J
            else:
                J = J @ (W_h * D[s])
        if "one-step-too-far" in wrong:
            J = W_h @ J
        J = J @ W_x.T if "input-on-the-far-side" in wrong else into @ J
        if "begins-with-ones" in wrong:
            J = J @ np.ones((d_h, d_h))
        if "last-slope-twice" in wrong:
            J = J * D[-1]
        if "entries-together" in wrong:
            J = J.sum(axis=0, keepdims=True)
        if "sum-of-state" in wrong:
            J = J.sum(axis=1, keepdims=True)
        if "times-the-word" in wrong:
            J = X[t : t + 1] @ J
        found.append(measured(J, wrong))
    found = np.array(found)
    if "normalised" in wrong:
        found = found / found.sum()
    return found[::-1].copy() if "reversed" in wrong else found
