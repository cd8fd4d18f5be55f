import numpy as np

from attnlib import unit_rows
from grader.exercises.inputs import example, matrix
from grader.exercises.kinds import Case, Property, function
from grader.exercises.stages import number, slip


def pairs(n, d, d_v, dtype=float):
    """Keys of length 1, none at a right angle to another; the first value has a number below 0.

    A millionth that is added to a length of 1 never shows, so that no rounding decides whether it does.
    """

    def drawn(rng):
        while True:
            keys, values = unit_rows(matrix(rng, n, d)), 2 * matrix(rng, n, d_v)
            apart = np.abs(keys @ keys.T).min() > 0.05 and values[0].min() < -0.1
            if apart and not a_millionth_shows(keys, values, 0.85 if dtype is float else 0.6):
                return {"keys": keys.astype(dtype), "values": values.astype(dtype)}

    return drawn


def a_millionth_shows(keys, values, limit=0.85):
    """True if it may be seen in M that a millionth was added to a length of 1."""
    right = corrected_memory(keys, values)
    for way in ("divided-by-more", "shortened"):
        other = corrected_memory(keys, values, frozenset([f"{way}=1e-06"]))
        if (np.abs(other - right) > limit * 1e-6 * (np.abs(right).max() + np.abs(right))).any():
            return True
    return False


def first_comes_twice(rng):
    while True:
        made = pairs(5, 5, 5)(rng)
        for rows in made.values():
            rows[1] = rows[0]
        if not a_millionth_shows(**made):
            return made


def whole_values(rng):
    """Values that are whole numbers, as counts are."""
    while True:
        made = pairs(3, 3, 2)(rng) | {"values": rng.integers(-9, 10, size=(3, 2))}
        if not a_millionth_shows(**made):
            return made


def replaced_by_a_small_one(rng):
    """A key comes again with a value that is much smaller: what is left of the large one shows. Single precision holds
    all that is computed exactly."""
    keys, values = rng.choice([-0.5, 0.5], size=(1, 4)), rng.integers(9, 17, size=(1, 2)) / 8
    return {"keys": np.vstack([keys, keys]), "values": np.vstack([45 * values, values])}


def last_comes_back(call, rng):
    keys, values = pairs(5, 3, 2)(rng).values()
    gap = np.abs(call(keys, values) @ keys[-1] - values[-1]).max()
    return None if gap < 1e-4 else f"the value of the last pair comes back changed by {gap:.3g}"


def nothing_new(call, rng):
    keys, values = pairs(3, 5, 2)(rng).values()
    once = call(keys, values)
    again = call(np.vstack([keys, keys[-1:]]), np.vstack([values, values[-1:]]))
    gap = np.abs(again - once).max()
    return None if gap < 1e-4 else f"what M says already, stored once more, changes it by {gap:.3g}"


TELLING = ("plain", "added", "from-the-end", "first-only", "last-only", "best-fit", "wiped-only")


@function(
    points=2,
    returns="M",
    cases=(
        Case("two pairs: keys of three numbers, values of four", pairs(2, 3, 4), 0.25, telling=("plain", "turned")),
        Case("seven pairs: keys of three numbers, values of five", pairs(7, 3, 5), 0.1, telling=TELLING),
        Case("five pairs, all of five numbers, of which the first comes twice", first_comes_twice, 0.15,
             telling=("turned",)),
        Case("values without a point", whole_values, 0.05, telling=("whole-numbers",)),
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
        Property("what M says already changes nothing", nothing_new, 0.1),
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
    corrected-by-values: what is missing is reckoned with the earlier values, not with what was stored of them -> What
        M holds of an earlier pair is its correction. -> Ask the M of that round: `M @ key`.
    asks-with-the-key-before: you ask M with the key of the round before -> What is missing under this key is what M
        says to *this* key, and what it should say. -> The same key to ask and to store.
    """,
)  # fmt: skip
def corrected_memory(keys, values, wrong=frozenset()):
    """A memory that stores differences, with mistakes as switches."""
    whole = np.asarray(values).dtype.kind in "iu"
    if "whole-numbers" in wrong and whole:
        return np.trunc(corrected_memory(keys, values, wrong - {"whole-numbers"}))
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
    if "corrected-by-values" in wrong:
        return (values - np.tril(keys @ keys.T, -1) @ values).T @ keys
    rounds = list(zip(keys, values, strict=True))
    if "twice-through" in wrong:
        rounds *= 2
    rounds = slip(wrong, {"from-the-end": rounds[::-1], "first-only": rounds[:1], "last-only": rounds[-1:]}, rounds)
    M = np.zeros((values.shape[-1], keys.shape[-1]))
    if "begins-with-identity" in wrong:
        M = np.eye(*M.shape)
    if "starts-full" in wrong:
        M = values.T @ keys
    kept = {}
    if "largest-number-only" in wrong:
        for key, value in rounds:
            M[:, np.argmax(key)] = value
        return M
    for i, (key, value) in enumerate(rounds):
        asked = rounds[i - 1][0] if "asks-with-the-key-before" in wrong else key
        said = kept.get(key.tobytes(), 0.0) if "same-key-replaced" in wrong else M @ asked
        kept[key.tobytes()] = value
        missing = slip(
            wrong,
            {
                "plain": value,
                "erased-again": value,
                "stored-if-missing": value * (not np.allclose(said, value)),
                "added": value + said,
                "taken-off-twice": value - 2 * said,
                "stored-if-unknown": value * np.allclose(said, 0),
                "difference-turned": said - value,
                "wiped-only": value * (i == 0) - said,
            },
            value - said,
        )
        M = factor * np.outer(missing, key) + (0 if "replaced-each-round" in wrong else M)
        if "erased-again" in wrong:
            M = M - np.outer(M @ key, key)
        M = np.trunc(M) if cut else M
    return M.T if "turned" in wrong else M
