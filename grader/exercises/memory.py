"""Part 2, notebook 3: attention as a memory that is read by its contents."""

from functools import cache, partial

import numpy as np

from attnlib import context_vector, load_word_vectors, softmax
from grader.exercise import (
    Case,
    ChoiceExercise,
    FunctionExercise,
    Misconception,
    Part,
    Property,
    SearchExercise,
    ValueExercise,
)
from grader.exercises.inputs import matrix, moved, square, telling, tenths

# ---------------------------------------------------------------- the prediction

predict_memory = ChoiceExercise(
    id="predict-memory",
    points=1,
    task="type the letter of your prediction",
    right="c",
    because={
        "a": "a good memory does that, and this one does, too, if beta is large enough. But what is left of the scores "
        "when each is multiplied by nearly 0?",
        "b": "an update returns a mixture of what is stored. The spoilt picture itself was never stored: it only asks.",
        "c": "with beta near 0 all products beta times score are nearly 0, so all weights are equal, and the memories "
        "blend into their average. Section 7 shows the blur.",
        "d": "beta multiplies the scores, not the result. The weights sum to 1 whatever beta is, so something always "
        "comes back.",
    },
)


# ---------------------------------------------------------------- soft_lookup


def weights_of(scores, beta, wrong):
    """The weights that a memory gives its contents, with the mistakes that they have in common."""
    if "beta-forgotten" in wrong:
        beta = 1.0
    if "ratio" in wrong:
        return scores / scores.sum(axis=-1, keepdims=True)
    if "beta-after" in wrong:
        return beta * softmax(scores)
    if "hard" in wrong:
        return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]
    scores = scores / beta if "beta-divides" in wrong else scores * beta
    if "no-maximum" in wrong:
        powers = np.exp(scores)
        return powers / powers.sum(axis=-1, keepdims=True)
    return softmax(scores)


def soft_lookup_model(query, keys, values, beta, wrong=frozenset()):
    """A soft look-up, with mistakes as switches."""
    query, keys, values = (np.asarray(array, dtype=float) for array in (query, keys, values))
    scores = keys @ query
    if "scaled" in wrong:
        scores = scores / np.sqrt(len(query))
    if "distance" in wrong:
        scores = -((keys - query) ** 2).sum(axis=1)
    weights = weights_of(scores, beta, wrong)
    if "weights-returned" in wrong:
        return weights
    return weights @ (keys if "keys-returned" in wrong else values)


BETA_FORGOTTEN = Misconception(
    "beta-forgotten",
    "beta is not used",
    "The memory is always equally decided, whatever is asked for.",
    "Multiply the scores by beta before the softmax.",
)
BETA_DIVIDES = Misconception(
    "beta-divides",
    "you divide by beta instead of multiplying by it",
    "Beta is one over a temperature: a large beta must make the best memory stand out more, not less.",
    "Multiply the scores by beta.",
)
BETA_AFTER = Misconception(
    "beta-after",
    "beta multiplies the weights, after the softmax",
    "Then the weights sum to beta, not to 1, and none of them stands out more than before.",
    "Beta belongs inside: it multiplies the scores.",
)
RATIO = Misconception(
    "ratio",
    "you divide the scores by their sum, without the exponential",
    "A ratio of raw scores retrieves nothing: beta cancels, a query and its opposite read the same, and a sum of zero "
    "has no answer.",
    "Put the scores through softmax.",
)
HARD = Misconception(
    "hard",
    "you return the best memory alone, whatever beta is",
    "That is the limit of a large beta. A smaller beta lets the others be heard.",
    "Mix all of them by their weights.",
)
OVERFLOW = Misconception(
    "no-maximum",
    "large scores overflow to NaN",
    "exp(1000) is infinity, and infinity divided by infinity is NaN.",
    "Use the `softmax` of Part 1: it takes the largest score off first.",
)
WEIGHTS_RETURNED = Misconception(
    "weights-returned",
    "you return the weights",
    "The weights only say how much of each memory is wanted.",
    "Multiply them with what is stored.",
)


def best_and_nearest(rng):
    """A query whose best key is ahead, but not by far, and is not the nearest; keys and values."""
    while True:
        query, keys, values = matrix(rng, 3), matrix(rng, 5, 3), matrix(rng, 5, 2)
        scores, distances = keys @ query, ((keys - query) ** 2).sum(axis=1)
        best, second = np.sort(scores)[[-1, -2]]
        apart = np.abs(values - values[scores.argmax()]).max(axis=-1) > 0.2
        clear = np.diff(np.sort(distances))[0] > 0.1 and apart.sum() == 4
        if clear and best > 1 and 0.2 < best - second < 2 and distances.argmin() != scores.argmax():
            return query, keys, values


def large_beta_fetches_the_best(call, rng):
    query, keys, values = best_and_nearest(rng)
    best = values[(keys @ query).argmax()]
    got = call(query, keys, values, 5000.0)
    if not np.isfinite(got).all():
        return "with beta = 5000 the result is NaN or infinite"
    return None if np.allclose(got, best, atol=1e-3) else "with beta = 5000 it is not the value of the best key"


def zero_beta_is_the_mean(call, rng):
    query, keys, values = matrix(rng, 3), matrix(rng, 5, 3), matrix(rng, 5, 2)
    gap = np.abs(call(query, keys, values, 1e-9) - values.mean(axis=0)).max()
    return None if gap < 1e-3 else f"with beta = 1e-9 it differs by {gap:.3g} from the mean of the values"


soft_lookup = FunctionExercise(
    id="soft_lookup",
    points=3,
    task="write `soft_lookup(query, keys, values, beta)`",
    model=soft_lookup_model,
    returns="value",
    cases=(
        Case(
            "3 keys of two numbers, values of five",
            telling(
                lambda rng: {
                    "query": tenths(rng, 2),
                    "keys": tenths(rng, 3, 2),
                    "values": tenths(rng, 3, 5),
                    "beta": 2.0,
                },
                soft_lookup_model,
                *("hard", "scaled", "beta-forgotten", "distance"),
            ),
            0.25,
        ),
        Case(
            "7 keys of five numbers, values of three, beta below 1",
            lambda rng: {
                "query": matrix(rng, 5),
                "keys": matrix(rng, 7, 5),
                "values": matrix(rng, 7, 3),
                "beta": float(rng.uniform(0.2, 0.6)),
            },
            0.2,
        ),
        Case(
            "5 keys and values of five numbers",
            lambda rng: {
                "query": matrix(rng, 5),
                "keys": square(rng, 5),
                "values": square(rng, 5),
                "beta": float(rng.uniform(0.3, 0.7)),
            },
            0.15,
        ),
    ),
    properties=(
        Property("beta near 0 gives the mean of the values", zero_beta_is_the_mean, 0.15),
        Property("beta = 5000 gives the value of the best key, without overflow", large_beta_fetches_the_best, 0.15),
    ),
    misconceptions=(
        BETA_FORGOTTEN,
        BETA_DIVIDES,
        BETA_AFTER,
        Misconception(
            "keys-returned",
            "you mix the keys instead of the values",
            "The keys are the addresses. What the reader wants is what lies there.",
            "Multiply the weights with `values`.",
        ),
        RATIO,
        HARD,
        WEIGHTS_RETURNED,
        OVERFLOW,
        Misconception(
            "scaled",
            "you divide the scores by the square root of the dimension",
            "That is for later (Part 3); here beta alone sets the scale.",
            "Leave the division out.",
        ),
        Misconception(
            "distance",
            "you score by distance instead of by dot product",
            "Both agree only if all keys have the same length.",
            "Use the dot products of the keys with the query.",
        ),
    ),
)


# ---------------------------------------------------------------- memory_context


def memory_context_model(X, memory_keys, memory_values, wrong=frozenset()):
    """Tokens that read an external memory, with mistakes as switches."""
    X, keys, values = (np.asarray(array, dtype=float) for array in (X, memory_keys, memory_values))
    scores = X @ keys.T
    if "scaled" in wrong:
        scores = scores / np.sqrt(X.shape[1])
    if "memory-asks" in wrong:
        scores = scores.T
    if "columns" in wrong:
        weights = softmax(scores.T).T
    elif "ratio" in wrong:
        weights = scores / scores.sum(axis=-1, keepdims=True)
    else:
        weights = weights_of(scores, 1.0, wrong)
    if "tokens-read-tokens" in wrong:
        return softmax(X @ X.T) @ X
    if "weights-returned" in wrong:
        return weights
    context = weights @ (X if "memory-asks" in wrong else keys if "keys-returned" in wrong else values)
    return context + X if "added-to-tokens" in wrong else context


def large_scores(rng):
    """Tokens of which one has scores beyond what an exponential can hold."""
    X, keys, values = matrix(rng, 3, 5), matrix(rng, 7, 5), matrix(rng, 7, 2)
    X[0] = 400 * keys[np.linalg.norm(keys, axis=1).argmax()]
    return {"X": X, "memory_keys": keys, "memory_values": values}


def order_does_not_matter(call, rng):
    X, keys, values = matrix(rng, 3, 5), matrix(rng, 7, 5), matrix(rng, 7, 2)
    order = moved(rng, 7)
    gap = np.abs(call(X, keys[order], values[order]) - call(X, keys, values)).max()
    return None if gap < 1e-3 else f"storing the same memories in another order moves the result by {gap:.3g}"


memory_context = FunctionExercise(
    id="memory_context",
    points=3,
    task="write `memory_context(X, memory_keys, memory_values)`",
    model=memory_context_model,
    returns="context",
    cases=(
        Case(
            "2 tokens, 3 memories of five numbers",
            lambda rng: {
                "X": tenths(rng, 2, 2),
                "memory_keys": tenths(rng, 3, 2),
                "memory_values": tenths(rng, 3, 5),
            },
            0.25,
        ),
        Case(
            "7 tokens, 5 memories of two numbers",
            lambda rng: {
                "X": matrix(rng, 7, 3),
                "memory_keys": matrix(rng, 5, 3),
                "memory_values": matrix(rng, 5, 2),
            },
            0.2,
        ),
        Case(
            "all sizes equal to 5",
            lambda rng: {"X": square(rng, 5), "memory_keys": square(rng, 5), "memory_values": square(rng, 5)},
            0.15,
        ),
        Case(
            "a token with very large scores",
            large_scores,
            0.15,
        ),
    ),
    properties=(Property("the order of the memories does not matter", order_does_not_matter, 0.15),),
    misconceptions=(
        Misconception(
            "keys-returned",
            "you mix the memory's keys instead of its values",
            "The keys are the addresses. What the tokens want is what lies there.",
            "Multiply the weights with `memory_values`.",
        ),
        Misconception(
            "memory-asks",
            "the memories ask and the tokens answer",
            "Then there is a row for each memory. Each token shall read: the tokens are the queries.",
            "Tokens in the rows of the scores, memories in the columns.",
        ),
        Misconception(
            "tokens-read-tokens",
            "the tokens read each other, not the memory",
            "That is Part 1's context, with the tokens as queries, keys and values.",
            "Only the queries come from the sentence; keys and values come from the memory.",
        ),
        Misconception(
            "columns",
            "you normalised down the columns",
            "Down a column the tokens compete for a memory. Each token divides its own attention among the memories.",
            "One softmax for each row of the scores.",
        ),
        RATIO,
        HARD,
        WEIGHTS_RETURNED,
        OVERFLOW,
        Misconception(
            "added-to-tokens",
            "you add what was read to the tokens",
            "Large models do add it (a residual connection), but as a step of its own.",
            "Return what was read, alone.",
        ),
        Misconception(
            "scaled",
            "you divide the scores by the square root of the dimension",
            "That is for later (Part 3); here the plain dot scores are asked for.",
            "Leave the scores as they are.",
        ),
    ),
)


# ---------------------------------------------------------------- the atlas

CITIES = ("paris", "tokyo", "london", "rome", "madrid", "moscow", "beijing", "cairo")
PLACES = np.array(  # degrees north and east, to one decimal
    [[48.9, 2.4], [35.7, 139.7], [51.5, -0.1], [41.9, 12.5], [40.4, -3.7], [55.8, 37.6], [39.9, 116.4], [30.0, 31.2]]
)
SHARPNESS = 20.0


@cache
def atlas(word, mistake=""):
    """What a word reads from a memory of cities: degrees north and east."""
    vocabulary, E = load_word_vectors()
    token = E[[vocabulary[word]]].astype(float)
    cities = E[[vocabulary[city] for city in CITIES]].astype(float)
    if mistake == "east-first":
        return atlas(word)[::-1]
    sharpness = 1.0 if mistake == "not-sharpened" else SHARPNESS
    if mistake == "hard":
        return PLACES[(token @ cities.T).argmax()]
    return memory_context_model(sharpness * token, cities, PLACES)[0]


def place_of(word):
    return lambda wrong=frozenset(): atlas(word, next(iter(wrong), "")).copy()


read_the_atlas = ValueExercise(
    id="read-the-atlas",
    points=2,
    task="let three words read the atlas, sharpened by 20",
    parts=(
        Part("japan", 'where "japan" reads', place_of("japan"), 0.3, decimals=1),
        Part("egypt", 'where "egypt" reads', place_of("egypt"), 0.3, decimals=1),
        Part("europe", 'where "europe" reads', place_of("europe"), 0.4, decimals=1),
    ),
    misconceptions=(
        Misconception(
            "not-sharpened",
            "the scores are not sharpened",
            "Word vectors are short: their dot products differ by less than 1, so that all cities blend.",
            "Multiply the tokens by 20 before they read.",
        ),
        Misconception(
            "east-first",
            "north and east have changed places",
            "The atlas stores north first: its first column holds the degrees north.",
            "Return each row as `memory_context` gives it.",
        ),
        Misconception(
            "hard",
            "each word gets the place of its best city alone",
            '"europe" has no single city: several of them answer.',
            "Use your `memory_context`: it mixes.",
        ),
    ),
)


# ---------------------------------------------------------------- hopfield_update


def hopfield_update_model(state, patterns, beta, wrong=frozenset()):
    """One update of a modern Hopfield network, with mistakes as switches."""
    state, patterns = np.asarray(state, dtype=float), np.asarray(patterns, dtype=float)
    scores = patterns @ state
    if "scaled" in wrong:
        scores = scores / np.sqrt(len(state))
    if "no-softmax" in wrong:
        return (1.0 if "beta-forgotten" in wrong else beta) * scores @ patterns
    weights = weights_of(scores, beta, wrong)
    if "weights-returned" in wrong:
        return weights
    new = weights @ patterns
    if "added-to-state" in wrong:
        new = new + state
    return np.where(new >= 0, 1.0, -1.0) if "signs" in wrong else new


def stored(rng, n, d):
    """Patterns of ink (1) and paper (-1), of which no two are alike or opposite."""
    while True:
        patterns = rng.choice([-1.0, 1.0], size=(n, d))
        overlaps = np.abs(patterns @ patterns.T) - d * np.eye(n)
        if overlaps.max() < 0.75 * d:
            return patterns


def question(rng, n, d, beta):
    """A state near to one of several patterns, with grey pixels."""
    patterns = stored(rng, n, d)
    state = patterns[int(rng.integers(n))] * rng.uniform(0.2, 1.0, size=d)
    flipped = rng.permutation(d)[: d // 4]
    state[flipped] *= -1
    return {"state": state.round(1), "patterns": patterns, "beta": beta}


def is_attention(call, rng):
    state, patterns = matrix(rng, 5, scale=0.5), matrix(rng, 7, 5)
    beta = float(rng.uniform(1.4, 2))
    gap = np.abs(call(state, patterns, beta) - context_vector(beta * state, patterns, patterns)).max()
    return None if gap < 1e-4 else f"for beta = {beta:.2f}, attention with K = V = patterns differs by {gap:.3g}"


def near_another(rng):
    """Stored patterns, and the place of one that is like another, so that a small beta would mix the two."""
    while True:
        patterns = stored(rng, 3, 11)
        place = int(rng.integers(3))
        if np.sort(patterns @ patterns[place])[-2] >= 5:
            return patterns, place


def stable_update(call, rng):
    patterns, place = near_another(rng)
    got = call(patterns[place], patterns, 300.0)
    if not np.isfinite(got).all():
        return "with beta = 300 the result is NaN or infinite"
    return None if np.allclose(got, patterns[place], atol=1e-3) else "with beta = 300 a stored pattern does not stay"


hopfield_update = FunctionExercise(
    id="hopfield_update",
    points=3,
    task="write `hopfield_update(state, patterns, beta)`",
    model=hopfield_update_model,
    returns="state",
    cases=(
        Case("3 patterns of five pixels", lambda rng: question(rng, 3, 5, 0.5), 0.25),
        Case("7 patterns of 13 pixels, beta below 1", lambda rng: question(rng, 7, 13, 0.2), 0.2),
        Case(
            "5 patterns of five numbers",
            telling(
                lambda rng: {"state": matrix(rng, 5), "patterns": square(rng, 5), "beta": float(rng.uniform(1.5, 2.0))},
                hopfield_update_model,
                *("hard", "beta-forgotten", "scaled"),
            ),
            0.15,
        ),
    ),
    properties=(
        Property("it is attention with keys = values = patterns and query beta times state", is_attention, 0.2),
        Property("beta = 300 works without overflow", stable_update, 0.1),
    ),
    misconceptions=(
        BETA_FORGOTTEN,
        BETA_DIVIDES,
        BETA_AFTER,
        Misconception(
            "no-softmax",
            "you mix the patterns by their raw scores, without softmax",
            "That is the classical network of 1982. Many patterns with small scores add up and drown the right one.",
            "Turn the scores into weights first.",
        ),
        RATIO,
        HARD,
        Misconception(
            "signs",
            "you round the new state to ink and paper",
            "The update itself leaves greys: they tell how sure the memory is, and the next update needs them.",
            "Return the mixture as it is.",
        ),
        Misconception(
            "scaled",
            "you divide the scores by the square root of the dimension",
            "That is for later (Part 3); here beta alone sets the scale.",
            "Leave the division out.",
        ),
        Misconception(
            "added-to-state",
            "you add the mixture to the old state",
            "The old state asks, but it is not kept: its wrong pixels have to go.",
            "Return the mixture alone.",
        ),
        WEIGHTS_RETURNED,
        OVERFLOW,
    ),
)


# ---------------------------------------------------------------- hopfield_energy


def hopfield_energy_model(state, patterns, beta, wrong=frozenset()):
    """Energy of a state, Ramsauer et al. (2021), eq. 2, with mistakes as switches."""
    wrong = frozenset(wrong)
    state, patterns = np.asarray(state, dtype=float), np.asarray(patterns, dtype=float)
    scores = patterns @ state
    inside = 1.0 if "beta-not-inside" in wrong else beta
    outside = 1.0 if "beta-not-outside" in wrong else beta
    if "overflow" in wrong:
        lse = np.log(np.exp(inside * scores).sum()) / outside
    else:
        top = scores.max()
        lse = (inside * top + np.log(np.exp(inside * (scores - top)).sum())) / outside
    if "plus-lse" in wrong:
        lse = -lse
    lengths = (patterns**2).sum(axis=1)
    longest = lengths.mean() if "mean-length" in wrong else lengths.max()
    if "length-not-squared" in wrong:
        longest = np.sqrt(longest)
    own = state @ state / (1 if wrong & {"no-half", "no-half-state"} else 2)
    if "no-constants" in wrong:
        return float(-lse + own)
    count = state.size if "counts-pixels" in wrong else len(patterns)
    crowd = np.log(count) / (1.0 if "count-not-divided" in wrong else beta)
    longest = longest / (1 if wrong & {"no-half", "no-half-longest"} else 2)
    return float(-lse + own + crowd * ("no-count" not in wrong) + longest * ("no-longest" not in wrong))


def lengths_differ(rng, n, d, beta):
    """A state and patterns of different lengths."""
    return {"state": matrix(rng, d), "patterns": matrix(rng, n, d) * rng.uniform(0.5, 1.5, size=(n, 1)), "beta": beta}


def falls_with_each_update(call, rng):
    inputs = rising_with_a_mistake(rng)
    return rise(energies_on_the_way(call, inputs))


def energies_on_the_way(energy, inputs):
    """The energy of a state and of three updates of it."""
    state, energies = 2 * inputs["state"], []
    for _ in range(4):
        energies.append(float(energy(state, inputs["patterns"], inputs["beta"])))
        state = hopfield_update_model(state, inputs["patterns"], inputs["beta"])
    return energies


def rise(energies, more=1e-3):
    """What is wrong with energies that should fall, in words; None if nothing is."""
    if not np.isfinite(energies).all():
        return "the energy is NaN or infinite"
    if energies[0] - energies[-1] < more:
        return f"three updates take it from {energies[0]:.4f} to {energies[-1]:.4f}"
    return None if max(np.diff(energies)) < more else "an update raises it"


def rising_with_a_mistake(rng):
    """Inputs whose energy clearly falls, and does not with the mistakes that can make it rise."""
    while True:
        inputs = lengths_differ(rng, 7, 5, float(rng.uniform(0.15, 0.3)))
        ways = {
            slip: energies_on_the_way(partial(hopfield_energy_model, wrong={slip}), inputs)
            for slip in ("", "plus-lse", "beta-not-inside", "beta-not-outside", "no-half-state")
        }
        right = ways.pop("")
        if right[0] - right[-1] > 0.01 and all(max(np.diff(way)) > 0.01 for way in ways.values()):
            return inputs


def one_pattern_has_no_energy(call, rng):
    pattern = matrix(rng, 5)
    pattern *= rng.uniform(1.5, 3) / np.linalg.norm(pattern)
    energy = float(call(pattern, pattern[None, :], 0.7))
    return None if abs(energy) < 1e-3 else f"a state on the only pattern has energy {energy:.4g}, not 0"


def stable_energy(call, rng):
    patterns = matrix(rng, 3, 5) * 30
    longest = np.linalg.norm(patterns, axis=1).argmax()  # its energy is small, so that small mistakes show
    inputs = {"state": patterns[longest], "patterns": patterns, "beta": 10.0}
    got = float(call(*inputs.values()))
    if not np.isfinite(got):
        return "scores in the thousands give infinity"
    expected = hopfield_energy_model(**inputs)
    return None if np.isclose(got, expected, rtol=1e-3, atol=1e-2) else "scores in the thousands give a wrong energy"


hopfield_energy = FunctionExercise(
    id="hopfield_energy",
    points=4,
    task="write `hopfield_energy(state, patterns, beta)`",
    model=hopfield_energy_model,
    returns="energy",
    cases=(
        Case(
            "2 patterns of three numbers",
            lambda rng: {"state": tenths(rng, 3), "patterns": tenths(rng, 2, 3), "beta": 2.0},
            0.25,
        ),
        Case("7 patterns of five numbers", lambda rng: lengths_differ(rng, 7, 5, float(rng.uniform(0.3, 0.7))), 0.2),
        Case("5 patterns of five numbers", lambda rng: lengths_differ(rng, 5, 5, float(rng.uniform(2, 4))), 0.1),
    ),
    properties=(
        Property("it falls with each update", falls_with_each_update, 0.15),
        Property("a state on the only pattern has energy 0", one_pattern_has_no_energy, 0.1),
        Property("finite for large scores", stable_energy, 0.1),
    ),
    misconceptions=(
        Misconception(
            "plus-lse",
            "the first term has the wrong sign",
            "A state that matches a memory well has a large lse. It must have a low energy.",
            "Minus lse, plus the rest.",
        ),
        Misconception(
            "beta-not-inside",
            "beta does not multiply the scores inside the exponential",
            "Without it, a decided memory and an undecided one have the same valleys.",
            "lse has beta twice: inside times the scores, outside as a divisor.",
        ),
        Misconception(
            "beta-not-outside",
            "the logarithm is not divided by beta",
            "lse shall be close to the largest score; the division brings it back to that size.",
            "lse has beta twice: inside times the scores, outside as a divisor.",
        ),
        Misconception(
            "no-constants",
            "the two constants are missing",
            "They do not change where the valleys are, but they lift the energy so that it is never negative.",
            "Look at the last two terms of the formula.",
        ),
        Misconception(
            "no-count",
            "the term with the number of patterns is missing",
            "It does not move the valleys, but without it the energy can be negative.",
            "Count the terms of the formula: there are four.",
        ),
        Misconception(
            "no-longest",
            "the term with the longest pattern is missing",
            "It does not move the valleys, but it lifts their floor from far below zero.",
            "Count the terms of the formula: there are four.",
        ),
        Misconception(
            "count-not-divided",
            "the logarithm of the number of patterns is not divided by beta",
            "With it divided, a single number is left for all betas: the energy of a state on the only memory is 0.",
            "Look at what stands before ln N in the formula.",
        ),
        Misconception(
            "no-half-state",
            "the half before the squared length of the state is missing",
            "Without it, the slope of the energy no longer vanishes where the update stands still.",
            "Compare the second term with the formula.",
        ),
        Misconception(
            "no-half-longest",
            "the half before the squared length of the longest pattern is missing",
            "Then the floor of the valleys lies too high.",
            "Compare the last term with the formula.",
        ),
        Misconception(
            "no-half",
            "the halves are missing",
            "Without the half, the slope of the energy no longer vanishes where the update stands still.",
            "Half the squared length of the state, half the squared length of the longest pattern.",
        ),
        Misconception(
            "length-not-squared",
            "you take the length of the longest pattern, but not its square",
            "M is the length of the longest pattern; the formula has its square.",
            "Sum of squares, without the root.",
        ),
        Misconception(
            "mean-length",
            "you took the average of the patterns' squared lengths instead of the largest",
            "M is the length of the longest pattern. With less, the energy could be negative.",
            "Use the maximum over the patterns.",
        ),
        Misconception(
            "counts-pixels",
            "the logarithm counts the pixels instead of the patterns",
            "N is how many patterns are stored.",
            "How many rows has `patterns`?",
        ),
        Misconception(
            "overflow",
            "large scores overflow to infinity",
            "exp(1000) is too large for a float.",
            "Take the largest of beta times the scores off before the exponential, and add it after the logarithm.",
        ),
    ),
)


# ---------------------------------------------------------------- recall


def recall_model(picture, patterns, beta, steps, wrong=frozenset()):
    """Several updates in a row, with mistakes as switches."""
    state, patterns = np.asarray(picture, dtype=float), np.asarray(patterns, dtype=float)
    mistakes = wrong & {"beta-forgotten"}
    if "one-step" in wrong:
        steps = 1
    if "one-step-less" in wrong:
        steps = steps - 1
    elif "one-step-more" in wrong:
        steps = steps + 1
    states = []
    for _ in range(steps):
        state = hopfield_update_model(state, patterns, beta, mistakes)
        if "rounds-each-step" in wrong:
            state = np.where(state >= 0, 1.0, -1.0)
        states.append(state)
    if "all-steps" in wrong and states:
        return np.array(states)
    return np.where(state >= 0, 1.0, -1.0) if "rounded" in wrong else state


def spoilt(rng, n, d, beta, steps):
    """A spoilt picture, and a beta so small that every step and every grey matters."""
    while True:
        patterns = stored(rng, n, d)
        picture = patterns[int(rng.integers(n))].copy()
        picture[rng.permutation(d)[: d // 4]] *= -1
        inputs = {"picture": picture, "patterns": patterns, "beta": beta, "steps": steps}
        right = recall_model(**inputs)
        others = [
            "one-step-more",
            "rounds-each-step",
            "beta-forgotten",
            "one-step-less",
            *(["one-step"] if steps > 1 else []),
        ]
        results = [recall_model(**inputs, wrong=frozenset([other])) for other in others]
        if steps > 1 and (results[1] == np.where(right >= 0, 1, -1)).all():
            continue
        if min(np.abs(result - right).max() for result in results) > 0.01:
            return inputs


def stored_pictures_stay(call, rng):
    patterns = stored(rng, 3, 37)
    for pattern in patterns:
        gap = np.abs(call(pattern, patterns, 2.0, 3) - pattern).max()
        if gap > 1e-3:
            return f"a stored picture, handed in unspoilt, changes by {gap:.3g}"
    return None


def spoilt_pictures_come_back(call, rng):
    patterns = stored(rng, 5, 61)
    for pattern in patterns[:3]:
        picture = pattern.copy()
        picture[rng.permutation(61)[:8]] *= -1
        if np.abs(call(picture, patterns, 1.0, 3) - pattern).max() > 1e-3:
            return "with 8 of 61 pixels flipped and beta = 1, a picture does not come back"
    return None


recall = FunctionExercise(
    id="recall",
    points=2,
    task="write `recall(picture, patterns, beta, steps)`",
    model=recall_model,
    returns="state",
    cases=(
        Case("3 patterns of seven pixels, two updates", lambda rng: spoilt(rng, 3, 7, 0.3, 2), 0.3),
        Case("5 patterns of eleven pixels, five updates", lambda rng: spoilt(rng, 5, 11, 0.1, 5), 0.2),
        Case("7 patterns of seven pixels, one update", lambda rng: spoilt(rng, 7, 7, 0.2, 1), 0.1),
    ),
    properties=(
        Property("a stored picture stays as it is", stored_pictures_stay, 0.15),
        Property("a spoilt picture comes back", spoilt_pictures_come_back, 0.15),
    ),
    misconceptions=(
        Misconception(
            "one-step",
            "the result is that of a single update, whatever `steps` says",
            "Either there is no loop, or every round starts from the spoilt picture again.",
            "Feed each new state into the next update.",
        ),
        Misconception(
            "one-step-more",
            "you update once too often",
            "`range(steps)` makes exactly `steps` rounds; an update before the loop is one more.",
            "Start the loop from the picture as it was handed in.",
        ),
        Misconception(
            "one-step-less",
            "you update once too few",
            "`range(1, steps)` makes only `steps - 1` rounds.",
            "`range(steps)` makes exactly `steps` rounds.",
        ),
        Misconception(
            "rounded",
            "you round the result to ink and paper",
            "The greys tell how sure the memory is; the task asks for the state itself.",
            "Return the last state as it is.",
        ),
        Misconception(
            "rounds-each-step",
            "you round to ink and paper after each update",
            "The greys say which memories are still in play. Rounding throws that away too early.",
            "Pass the state on as it is.",
        ),
        Misconception(
            "all-steps",
            "you return the states of all steps",
            "Asked for is where the memory arrives.",
            "Return the last state.",
        ),
        BETA_FORGOTTEN,
    ),
)


# ---------------------------------------------------------------- where the view breaks

LOST_BETA = 8.0


def read_patterns(value):
    """Two patterns as an array of shape (2, 2); raises ValueError in words."""
    patterns = np.asarray(value, dtype=float)
    if patterns.shape != (2, 2):
        raise ValueError(
            f"expected two patterns of two numbers, as [[1.0, 0.0], [0.0, 1.0]]; got shape {patterns.shape}"
        )
    if not np.isfinite(patterns).all():
        raise ValueError("all four numbers must be finite")
    if np.abs(patterns).max() > 1e6:
        raise ValueError("keep the numbers below a million")
    return patterns


def patterns_differ(patterns):
    gap = np.linalg.norm(patterns[0] - patterns[1])
    return None if gap > 0.1 else f"the two patterns lie {gap:.3g} apart; more than 0.1 is needed to tell them apart"


def second_scores_more(patterns):
    """True if the first pattern scores more with the second than with itself."""
    return bool(patterns[0] @ patterns[1] > patterns[0] @ patterns[0])


def first_is_lost(patterns):
    recalled = hopfield_update_model(patterns[0], patterns, LOST_BETA)
    own, other = np.linalg.norm(recalled - patterns, axis=1)
    if other < 0.1 * np.linalg.norm(patterns[0] - patterns[1]) and other < own:
        return None
    return f"it recalls {recalled.round(2).tolist()}, which is not near enough to the second pattern"


lost_memory = SearchExercise(
    id="lost-memory",
    points=2,
    task="find two patterns of which the first recalls the second",
    reads=read_patterns,
    tests=(
        ("the two patterns differ", patterns_differ, 0.0),
        ("the first one, unspoilt, recalls the second (beta = 8)", first_is_lost, 1.0),
    ),
    misconceptions=(
        (
            Misconception(
                "the-same",
                "you stored the same pattern twice",
                "Then it does not matter which of the two is recalled.",
                "Make two patterns that a reader would want to tell apart.",
            ),
            lambda patterns: np.linalg.norm(patterns[0] - patterns[1]) < 1e-6,
        ),
        (
            Misconception(
                "equal-length",
                "your patterns have the same length",
                "Among patterns of equal length, each has its largest dot product with itself, so it finds itself.",
                "What does a dot product reward besides the right direction?",
            ),
            lambda patterns: bool(np.isclose(*np.linalg.norm(patterns, axis=1))),
        ),
        (
            Misconception(
                "wrong-way-round",
                "it is the second pattern that recalls the first",
                "You found a lost memory, but the first pattern is to be the lost one.",
                "Swap the two rows.",
            ),
            lambda patterns: first_is_lost(patterns[::-1]) is None,
        ),
        (
            Misconception(
                "lead-too-small",
                "the second pattern scores more than the first, but beta times its lead is too small",
                "The weights are then still shared, and the update returns a mixture of both patterns.",
                "Make both patterns longer: scores grow with the lengths of both.",
            ),
            second_scores_more,
        ),
        (
            Misconception(
                "right-angle",
                "your patterns are nearly at a right angle",
                "Then the first scores about 0 with the second, however long that is.",
                "Let the second point to the same side as the first.",
            ),
            lambda patterns: abs(patterns[0] @ patterns[1]) < 0.1 * np.prod(np.linalg.norm(patterns, axis=1)),
        ),
    ),
)
