import numpy as np

from attnlib import unit_rows
from grader.exercises.inputs import example, matrix
from grader.exercises.kinds import Case, Property, Sign, function
from grader.exercises.stages import number, slip, softmax


def pairs(n, d, d_v, dtype=float, value=lambda rng, d_v: 2 * matrix(rng, d_v), twice=()):
    """Keys of length 1, none at a right angle to another; the first value has a number below 0.

    A millionth that is added to a length of 1 never shows, so that no rounding decides whether it does. Pairs at the
    places `twice` are those before them once more.
    """

    def drawn(rng):
        while True:
            keys = unit_rows(matrix(rng, n, d))
            if np.abs(keys @ keys.T).min() < 0.05:
                continue
            for i in twice:
                keys[i] = keys[i - 1]
            values = news(rng, keys, lambda: value(rng, d_v), twice)
            if values is not None and not a_millionth_shows(keys, values, 0.85 if dtype is float else 0.6):
                return {"keys": keys.astype(dtype), "values": values.astype(dtype if values.dtype == float else int)}

    return drawn


def news(rng, keys, draw, twice):
    """Values of which M says none nearly, nor one of its numbers, nor all its signs, and less is missing of the last.

    Whoever leaves out what is nearly known, or stores only what is above 0, has the same mark whatever is drawn. None
    where no value is found: what M says may be far from all that is drawn.
    """
    values = [draw()]
    M = np.zeros((len(values[0]), keys.shape[1]))
    for i, key in enumerate(keys):
        said = M @ key
        for _ in range(0 if i in twice else 40):
            value = draw()
            missing = value - said
            near = np.abs(missing).min() < 0.15 or np.linalg.norm(missing) < max(0.7, 0.6 * np.linalg.norm(value))
            signs = (said * value > 0).all() if i else value.min() > -0.1
            if not near and not signs and abs(missing.sum()) > 0.1 and (i < len(keys) - 1 or missing.sum() < 0):
                break
        else:
            if i not in twice:
                return None
        values[i:] = [value]
        M = M + np.outer(value - said, key)
    return np.array(values)


def a_millionth_shows(keys, values, limit=0.85):
    """True if it may be seen in M that a millionth was added to a length of 1."""
    right = corrected_memory(keys, values)
    for way in ("divided-by-more", "shortened"):
        other = corrected_memory(keys, values, frozenset([f"{way}=1e-06"]))
        if (np.abs(other - right) > limit * 1e-6 * (np.abs(right).max() + np.abs(right))).any():
            return True
    return False


def whole(rng, d_v):
    """A value of whole numbers, as counts are."""
    return rng.integers(-9, 10, size=d_v)


def replaced_by_a_small_one(rng):
    """A key comes again with a value that is much smaller: what is left of the large one shows. Single precision holds
    all that is computed exactly."""
    keys, values = rng.choice([-0.5, 0.5], size=(1, 4)), rng.integers(9, 17, size=(1, 2)) / 8
    return {"keys": np.vstack([keys, keys]), "values": np.vstack([45 * values, values])}


def nearly_known(rng):
    """Of five keys, all at right angles, four come again: three with a value a little changed, of which less than 0 is
    missing of the first, and one with a value of which one number is the same, and no other is near."""
    keys = np.linalg.qr(matrix(rng, 5, 5))[0]
    values = rng.choice([-1.0, 1.0], size=(5, 3)) * rng.uniform(0.6, 3, size=(5, 3))
    change = np.array([[-43e-3], [8.7e-3], [0.87e-3], [-2.0]]) * [1, 0.1, 0.1] * rng.uniform(0.8, 1, size=(4, 1))
    change[3, 1:] = np.sign(values[3, 1:]) * [0, 4]
    return {"keys": np.vstack([keys, keys[:4]]), "values": np.vstack([values, values[:4] + change])}


def last_comes_back(call, rng):
    keys, values = pairs(5, 3, 7)(rng).values()  # of seven numbers one always shows that M has three digits
    M = call(keys, values)
    gap = np.abs(M @ keys[-1] - values[-1]).max()
    if gap < 1e-4:
        return None
    words = f"the value of the last pair comes back changed by {gap:.3g}"
    return Sign(words, "half-precision") if np.array_equal(np.float16(M), M) and gap < 0.1 else words


def nothing_new(call, rng):
    keys, values = pairs(3, 5, 2)(rng).values()
    once = call(keys, values)
    again = call(np.vstack([keys, keys[-1:]]), np.vstack([values, values[-1:]]))
    gap = np.abs(again - once).max()
    return None if gap < 1e-2 else f"what M says already, stored once more, changes it by {gap:.3g}"


TELLING = ("plain", "added", "from-the-end", "first-only", "last-only", "best-fit", "wiped-only")

#: A model goes through its pairs no more often than this.
MOST_PASSES = 1_000


@function(
    points=2,
    returns="M",
    cases=(
        Case("two pairs: keys of three numbers, values of four", pairs(2, 3, 4), 0.25, telling=("plain", "turned")),
        Case("seven pairs: keys of three numbers, values of five", pairs(7, 3, 5), 0.1, telling=TELLING),
        Case("five pairs, all of five numbers, of which the first comes twice", pairs(5, 5, 5, twice=(1,)), 0.1,
             telling=("turned",)),
        Case("keys that come again with nearly the same value", nearly_known, 0.1),
        Case("values without a point", pairs(3, 3, 2, value=whole), 0.05, telling=("whole-numbers",)),
        Case("a key that comes again, with a value that is much smaller", replaced_by_a_small_one, 0.05),
        Case("single precision", pairs(4, 7, 2, np.float32), 0.05),
        Case(
            "the example of the task",
            example(keys=np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), values=np.array([[10.0], [20.0], [30.0]])),
            0.05,
        ),
    ),
    properties=(
        Property("the last pair comes back exactly", last_comes_back, 0.1),
        Property("what M says already changes nothing", nothing_new, 0.05),
    ),
    mistakes="""
    plain: you add value times key, whatever M says already -> That is `linear_memory` of Part 2: what other keys have
        left in this direction stays in the answer. -> Ask the M of that round first, and store what is missing.
    stored-if-missing: where M does not say the value already, you add the whole value times key -> Then what M says to
        this key comes on top of the value. -> What is missing is a difference: the value less what M says.
    largest-number-only: of each key you use its largest number alone, as if all others were 0 -> That is so in the
        example; other keys point in between. -> `np.outer` of what is missing and the whole key.
    added: what M says is added to the value, not taken off -> Then the answer gets farther from the value. -> What is
        missing is the value less what M says.
    difference-turned: you take the value off what M says, not the other way round -> Then M goes away from the value,
        in each round. -> What is missing is the value less what M says.
    wiped-only: you take off what M says to this key, and do not store the value -> Then M forgets, and learns nothing.
        -> Store the value in the same round.
    turned: keys and values have changed places -> A row of M for each number of a value, a column for each number of a
        key. -> `M @ key` has to be a value.
    best-fit: your matrix reads all pairs as well as possible -> For that one has to know all of them at once; here they
        come one after the other, and the last one is read exactly. -> One pair in each round.
    from-the-end: you begin with the last pair -> The pair that comes last is the one that must come back exactly. ->
        From the first to the last.
    first-only: only the first pair is in your matrix -> A `return` in the loop ends it in its first round; or each
        round takes the same pair. -> One pair in each round, and return after the loop.
    last-only: only the last pair is in your matrix -> M is made anew in each round, or the line that adds to it stands
        behind the loop. -> Make it once, before the loop, and add to it in each round.
    replaced-each-round: your M holds what the last round has stored, and nothing else -> In the loop, `=` overwrites
        what the rounds before have found. -> Add to M.
    begins-with-identity: your memory begins with the identity -> It says something of keys that nobody has stored. ->
        Begin with zeros.
    last-corrected-only: your memory begins with all pairs, and only the last is corrected -> It is to begin with zeros,
        and to take the pairs one after the other. -> In each round ask what M says to the key, and store what is
        missing.
    taken-off-twice: what M says to a key is taken off twice -> To erase it, and to store the difference, is the same
        thing done in two ways. -> One of the two: `M += np.outer(value - M @ key, key)`.
    stored-if-unknown: you store a pair only where M says nothing to its key yet -> What it says may be wrong: then the
        difference is missing. -> Store `value - M @ key`, always.
    starts-full: your M begins with all pairs, as `linear_memory` makes it -> It is to begin with zeros, and to take the
        pairs one after the other. -> Begin with zeros.
    same-key-replaced: you take off only what was stored under the very same key -> What other keys have left in this
        direction is in the answer as well. -> Ask M itself what it says to this key: `M @ key`.
    corrected-at-the-end: you store all pairs, and then what is missing of each, all at one go -> What one correction
        stores is news to the next. -> One pair in each round: ask, and store.
    twice-through: the pairs go in twice -> In the second round each finds what later ones have stored. -> Once, from
        the first to the last.
    shared-correction=: the correction is multiplied by a factor -> With keys of length 1 the whole difference is
        stored. -> Leave the factor out.
    divided-by-d: the correction is divided by how many numbers a key has -> Its length is 1, however many they are.
        -> Store the whole difference.
    divided-by-more=: a number of yours is added to the length of a key, below the line -> It is 1, so that nothing can
        be 0 there; and what is stored is a little less than what is missing. -> Nothing is to be divided by.
    shortened=: a number of yours is added to the length by which you divide the keys -> They have length 1, and become
        a little shorter: what is stored is a little less than what is missing. -> Leave the keys as they are.
    whole-numbers: where the values are whole numbers, your M is cut to whole numbers -> An array of the kind of
        `values` holds what they hold: no decimals, if they have none. -> Let M hold decimals, as `np.zeros` does.
    whole-numbers-each-round: where the values are whole numbers, your M is cut to whole numbers in each round -> An
        array of the kind of `values` holds what they hold: no decimals, if they have none. -> Let M hold decimals, as
        `np.zeros` does.
    erased-again: you store the value first, and then take off what M says to the key -> By then M says the new value as
        well: nothing is left of it. -> Ask M first, then store the difference.
    asks-the-plain-memory: you ask the memory that `linear_memory` makes of all pairs -> It says also what later pairs
        will store, and nothing of the corrections. -> Ask the M of that round: `M @ key`.
    corrected-by-values: what is missing is reckoned with the earlier values, not with what was stored of them -> What
        M holds of an earlier pair is its correction. -> Ask the M of that round: `M @ key`.
    asks-with-all-keys: you ask M with all keys at once, and add up what it says -> What is missing under this key is
        what M says to *this* key, and what it should say. -> The same key to ask and to store: `M @ key`.
    asks-with-the-key-before: you ask M with the key of the round before -> What is missing under this key is what M
        says to *this* key, and what it should say. -> The same key to ask and to store.
    asks-with-the-key-after: you ask M with the key of the round after -> What is missing under this key is what M says
        to *this* key, and what it should say. -> The same key to ask and to store.
    pair-before-only: you take off what the pair before would say, and no other -> All earlier pairs are in M, and what
        it holds of each is its correction. -> Ask the M of that round: `M @ key`.
    asked-by-softmax: what is known already you ask by a softmax over the earlier keys -> That is another memory, which
        keeps all pairs; what M says is a product. -> Ask the M of that round: `M @ key`.
    one-number-said: you take one number off all numbers of the value -> M says a number for each row of its own, and a
        sum over all of M mixes them. -> `M @ key` has as many numbers as a value.
    said-by-root-d: what M says to a key is divided by the root of how many numbers a key has -> That belongs to the
        scores of attention, before a softmax. Here no softmax comes. -> Take off `M @ key` as it is.
    said-by-sum-of-keys: what M says to a key is divided by its product with the sum of the keys -> That makes a mean of
        what has been added up. Here M holds what is missing, and says the value itself. -> Take off `M @ key` as it is.
    features-of-keys: you make features of the keys first -> Linear attention needs them in the place of the softmax;
        here the keys have length 1 already, and features have not. -> Ask and store with the keys as they are.
    never-below-zero: of what is missing you store only the numbers above 0 -> Where M says too much, something has to
        be taken off. -> The difference as it is, with its signs.
    stored-if-positive: you store a pair only where the sum of what is missing is above 0 -> Where M says too much,
        something has to be taken off. -> Store what is missing, always.
    skipped-if-near=: you leave out a pair that M says nearly -> Nearly is not exactly: a little is missing, and it is
        to be stored. -> No question is needed: where nothing is missing, the difference is 0 by itself.
    skipped-if-same-signs: you leave out a pair if what M says has the signs of its value -> Signs do not tell how much
        is missing. -> No question is needed: where nothing is missing, the difference is 0 by itself.
    known-in-part=: you leave out a pair as soon as M says one number of its value -> The others are missing still. ->
        No question is needed: where nothing is missing, the difference is 0 by itself.
    faded=: in each round all that M holds is multiplied by a number of yours -> Some memories forget in that way. This
        one forgets only what stands under the key that comes. -> `M` as it is, and the correction.
    faded-first=: in each round all that M holds is multiplied by a number of yours -> Some memories forget in that way.
        This one forgets only what stands under the key that comes. -> `M` as it is, and the correction.
    falling-rate: the correction is divided by the number of the round -> That makes a mean of all that came. But each
        value is to come back whole. -> Store the whole difference.
    divided-by-pairs: the correction is divided by how many pairs there are -> That makes a mean of all that came. But
        each value is to come back whole. -> Store the whole difference.
    erased-where-touched: you empty the columns of M where the key is not 0, and store the value -> That is so in the
        example; most keys touch every column, and what earlier keys have stored there is lost. -> Take off what M says
        to the key, and no more.
    said-through-softmax: what M says goes through a softmax before you take it off -> A value is made of any numbers; a
        softmax makes shares of them. -> `M @ key`, as it is.
    erased-by-squares: you erase number by number, by the squares of the key -> A key stands for a direction: what M
        holds there is `M @ key`, and it is taken off along the whole key. -> `np.outer(M @ key, key)`.
    passes=: you go through the pairs several times -> In the second round each finds what later ones have stored. ->
        Once, from the first to the last.
    all-in-each-round: in each round you correct all pairs at one go -> What one correction stores is news to the next.
        -> One pair in each round, and each pair once.
    whole-numbers-always: your M is cut to whole numbers in each round -> What is missing is rarely a whole number. ->
        Let M hold decimals, as `np.zeros` does if it is told no kind.
    whole-numbers-at-the-end: your M is cut to whole numbers at the end -> What is missing is rarely a whole number. ->
        Return M as it is.
    whole-corrections: what you store in each round is cut to whole numbers -> What is missing is rarely a whole number.
        -> Let M hold decimals, as `np.zeros` does if it is told no kind, and add the correction as it is.
    half-precision: your M holds numbers of half precision (`float16`) -> They have three digits, and each round rounds
        anew. -> `np.zeros` with the shape alone.
    first-pair-lost: the first pair is not in your matrix -> Places count from 0. -> Let the loop begin with the pair
        at place 0.
    second-pair-lost: the second pair is not in your matrix -> If the first is stored before the loop, the loop goes on
        with the pair at place 1. -> Where does your `range` begin? Or begin with zeros, and store all in the loop.
    last-pair-lost: the last pair is not in your matrix -> The end of a range is not included. -> Up to the number of
        pairs, which is not a place any more.
    """,
    budget=4_000,
)  # fmt: skip
def corrected_memory(keys, values, wrong=frozenset()):
    """A memory that stores differences, with mistakes as switches."""
    whole = np.asarray(values).dtype.kind in "iu"
    if "whole-numbers" in wrong and whole:
        return np.trunc(corrected_memory(keys, values, wrong - {"whole-numbers"}))
    if "whole-numbers-at-the-end" in wrong:
        return np.trunc(corrected_memory(keys, values, wrong - {"whole-numbers-at-the-end"}))
    keys, values = np.asarray(keys, dtype=float), np.asarray(values, dtype=float)
    cut = "whole-numbers-each-round" in wrong and whole
    keys = keys / (1 + (number(wrong, "shortened", 1e-6) or 0))
    factor = number(wrong, "shared-correction", 0.5)
    factor = (1 if factor is None else factor) / (1 + (number(wrong, "divided-by-more", 1e-6) or 0))
    factor = factor / keys.shape[1] if "divided-by-d" in wrong else factor
    if "best-fit" in wrong:
        return values.T @ np.linalg.pinv(keys).T
    if "last-corrected-only" in wrong:
        M = values.T @ keys
        return M + np.outer(values[-1] - M @ keys[-1], keys[-1])
    if "corrected-at-the-end" in wrong:
        M = values.T @ keys
        return M + (values - keys @ M.T).T @ keys
    if "asks-the-plain-memory" in wrong:
        return (values - keys @ keys.T @ values).T @ keys
    if "corrected-by-values" in wrong:
        return (values - np.tril(keys @ keys.T, -1) @ values).T @ keys
    return _stored(keys, values, factor, wrong, cut or "whole-numbers-always" in wrong)


def _stored(keys, values, factor, wrong, cut):
    """What M holds after all rounds; of each correction it takes `factor`, and it is cut to whole numbers or not."""
    if "features-of-keys" in wrong:
        keys = np.where(keys > 0, keys + 1, np.exp(np.minimum(keys, 0)))
    rounds = list(zip(keys, values, strict=True))
    parts = {
        "first-pair-lost": rounds[1:],
        "second-pair-lost": rounds[:1] + rounds[2:],
        "last-pair-lost": rounds[:-1],
        "first-only": rounds[:1],
        "last-only": rounds[-1:],
    }
    rounds = slip(wrong, parts, rounds)
    rounds = rounds[::-1] if "from-the-end" in wrong else rounds
    M = np.zeros((values.shape[-1], keys.shape[-1]))
    if "begins-with-identity" in wrong:
        M = np.eye(*M.shape)
    if "starts-full" in wrong:
        M = values.T @ keys
    if "largest-number-only" in wrong:
        for key, value in rounds:
            M[:, np.argmax(key)] = value
        return M
    passes = number(wrong, "passes", 10)
    passes = 2 if "twice-through" in wrong else 1 if passes is None else int(min(passes, MOST_PASSES))
    for _ in range(passes):
        before = M
        M = _once_through(M, rounds, keys, values, factor, wrong, cut)
        if np.abs(M - before).max() < 1e-12 * (1 + np.abs(M).max()):  # nor will any other pass change it
            break
    return M.T if "turned" in wrong else M


def _once_through(M, rounds, keys, values, factor, wrong, cut):
    kept, summed = {}, np.zeros(keys.shape[-1])
    for i, (key, value) in enumerate(rounds):
        if "all-in-each-round" in wrong:
            M = M + factor * (values - keys @ M.T).T @ keys
            continue
        faded_first, faded = number(wrong, "faded-first", 0.9), number(wrong, "faded", 0.9)
        M = M if faded_first is None else faded_first * M
        said = _said(M, i, rounds, kept, wrong)
        if "said-through-softmax" in wrong:
            said = softmax(said)
        if "said-by-root-d" in wrong:
            said = said / np.sqrt(len(key))
        if "said-by-sum-of-keys" in wrong:
            said = said / (summed @ key or 1)
        kept[key.tobytes()], summed = value, summed + key
        missing = slip(
            wrong,
            {
                "plain": value,
                "erased-again": value,
                "erased-where-touched": value,
                "erased-by-squares": value,
                "stored-if-missing": value * (not np.allclose(said, value)),
                "added": value + said,
                "taken-off-twice": value - 2 * said,
                "stored-if-unknown": value * np.allclose(said, 0),
                "difference-turned": said - value,
                "wiped-only": value * (i == 0) - said,
            },
            value - said,
        )
        if _left_out(said, value, wrong):
            continue
        missing = np.maximum(missing, 0) if "never-below-zero" in wrong else missing
        missing = missing / slip(wrong, {"falling-rate": i + 1, "divided-by-pairs": len(rounds)}, 1)
        if "erased-where-touched" in wrong:
            M = np.where(key == 0, M, 0)
        if "erased-by-squares" in wrong:
            M = M * (1 - key**2)
        M = M if faded is None else faded * M
        stored = factor * np.outer(missing, key)
        stored = np.trunc(stored) if "whole-corrections" in wrong else stored
        M = stored + (0 if "replaced-each-round" in wrong else M)
        if "erased-again" in wrong:
            M = M - np.outer(M @ key, key)
        M = np.trunc(M) if cut else np.float16(M).astype(float) if "half-precision" in wrong else M
    return M


def _said(M, i, rounds, kept, wrong):
    """What is taken for that which M says to the key of a round."""
    key = rounds[i][0]
    if "same-key-replaced" in wrong:
        return kept.get(key.tobytes(), 0.0)
    if "one-number-said" in wrong:
        return (M * key).sum()
    if "pair-before-only" in wrong:
        return rounds[i - 1][1] * (rounds[i - 1][0] @ key) if i else 0.0
    if "asked-by-softmax" in wrong:
        earlier = rounds[:i]
        return softmax(np.array([one @ key for one, _ in earlier])) @ [value for _, value in earlier] if i else 0.0
    if "asks-with-all-keys" in wrong:
        return M @ np.sum([one for one, _ in rounds], axis=0)
    step = slip(wrong, {"asks-with-the-key-before": -1, "asks-with-the-key-after": 1}, 0)
    return M @ rounds[min(i + step, len(rounds) - 1)][0]


def _left_out(said, value, wrong):
    """True if a round stores nothing, since nothing seems to be missing."""
    near, in_part = number(wrong, "skipped-if-near", 0.1), number(wrong, "known-in-part", 1e-8)
    missing = value - said
    return (
        ("stored-if-positive" in wrong and missing.sum() <= 0)
        or ("skipped-if-same-signs" in wrong and (np.sign(said) == np.sign(value)).all())
        or (near is not None and np.abs(missing).max() < near)
        or (in_part is not None and np.abs(missing).min() < in_part)
    )
