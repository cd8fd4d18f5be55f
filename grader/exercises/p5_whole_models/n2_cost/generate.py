import numpy as np

from grader.exercises.inputs import matrix
from grader.exercises.kinds import Case, Property, Sign, function
from grader.exercises.stages import number, slip, softmax

#: So far is every number drawn from the border of two tokens.
CLEAR = 2e-3
JUST_BELOW_1 = np.nextafter(1.0, 0.0)
#: With these, the model hears zeros where nothing has been drawn yet.
PADDED = {"one-zero-behind", "zeros-behind", "as-many-as-rounds"}


def one_text(ids):
    """The ids of a text; a model of the task takes no batch of texts."""
    if ids is None:
        raise TypeError("next_logits takes the ids of one text; got a NoneType")
    if np.ndim(ids) != 1:
        raise ValueError(f"next_logits takes the ids of one text, of shape (t,); got {np.shape(ids)}")
    return np.asarray(ids, dtype=float).astype(int)


def model(rng, n_tokens, scale=1.0):
    """A function from a text to logits, in which every token of the text has its say, the last ones most."""
    says, bias = scale * matrix(rng, n_tokens, n_tokens, scale=1.3), scale * matrix(rng, n_tokens, scale=0.7)

    def next_logits(ids):
        ids = one_text(ids) % n_tokens
        return bias + (0.75 ** np.arange(len(ids))[::-1]) @ says[ids] if len(ids) else bias

    return next_logits


def writing(n_tokens, t, steps, temperature, scale=1.0):
    """Some of the numbers are near to 1, where others are found by whoever leaves out what is not likely, and some near
    to 0, so that token 0 comes."""

    def drawn(rng):
        while True:
            order, few = rng.permutation(steps), steps // 6
            low, high = np.where(order < few, 0.93, 0.02), np.where(order >= steps - few, 0.07, 0.98)
            made = {
                "next_logits": model(rng, n_tokens, scale),
                "ids": rng.integers(0, n_tokens, size=t),
                "uniforms": rng.uniform(low, high),
                "temperature": temperature,
            }
            if _clear(**made):
                return made

    return drawn


def _clear(next_logits, ids, uniforms, temperature):
    texts = _texts(next_logits, ids, uniforms, temperature)
    for u, text in zip(uniforms, texts, strict=True):
        if np.abs(np.cumsum(softmax(next_logits(text) / temperature)) - u).min() < CLEAR:
            return False
    return True


def near_a_border(rng):
    """Each u is nearer to a border than three decimals tell, and farther than single precision errs; some lie between
    a sum and what it is with four decimals. What errs by a thousandth shows as well, at one of them."""
    while True:
        ask, ids, uniforms = model(rng, 7), rng.integers(0, 7, size=3), []
        text = ids
        for _ in range(8):
            sums = np.cumsum(softmax(ask(text)))
            border, away = rng.choice(sums[:-1]), rng.choice([-1, 1]) * rng.uniform(1e-4, 4e-4)
            rounded = border.round(4) - border
            uniforms.append(border + (0.6 * rounded if np.abs(rounded) > 2.5e-5 and rng.random() < 0.5 else away))
            text = generate(ask, ids, np.array(uniforms), 1.0)
            if np.sort(np.abs(sums - uniforms[-1]))[1] < CLEAR or not 0 < uniforms[-1] < 1:
                break
        else:
            made = {"next_logits": ask, "ids": ids, "uniforms": np.array(uniforms), "temperature": 1.0}
            shown = ("half-precision", "temperature-added=0.001", *(f"sums-rounded={digits}" for digits in (2, 3, 4)))
            others = (generate(**made, wrong=frozenset([one])) for one in shown)
            if all((one != text).any() for one in others):
                return made


def cold(rng):
    """A temperature at which the likeliest token has all the probability.

    At one place the powers of e to the logits overflow, and those of the probabilities all become 0; there, what NaN
    leads to (token 0, the last one, or the first whose power overflows) is wrong.
    """
    while True:
        made = writing(5, 3, 6, 0.001)(rng)
        logits = [made["next_logits"](text) for text in _texts(**made)]
        clear = min(np.diff(np.sort(one))[-1] for one in logits) > 0.05
        if clear and any(softmax(one).max() < 0.45 and _misleads(one) for one in logits):
            return made


def _misleads(logits):
    """True if the likeliest token is neither the first nor the last, and the power of one before it overflows."""
    best = int(logits.argmax())
    return 0 < best < len(logits) - 1 and (logits[:best] > 0.75).any()


def _texts(next_logits, ids, uniforms, temperature):
    """What the model is asked with."""
    written = generate(next_logits, ids, uniforms, temperature)
    return [written[: len(ids) + i] for i in range(len(uniforms))]


def counting(ids):
    """Each token most likely follows the one before it."""
    last = one_text(ids)[-1]
    return np.where(np.arange(4) == (last + 1) % 4, 2.0, 0.0)


def just_below_one(call, rng):
    def next_logits(ids):  # the last token has so large a share that sums in single precision leave room for it
        logits = ask(ids)
        return np.append(logits[:-1], max(logits[-1], logits.max() - 2))

    beginning, ask = np.array([1, 2]), model(rng, 7)
    while np.cumsum(softmax(next_logits(beginning)))[-1] > JUST_BELOW_1:  # of the first u, too, none of them is above
        ask = model(rng, 7)
    # The second time others are drawn in between: whoever writes what was drawn last is seen.
    for uniforms, every in ((np.full(40, JUST_BELOW_1), 1), (np.tile([0.3, JUST_BELOW_1], 40), 2)):
        written = np.asarray(call(next_logits, beginning, uniforms, 1.0))[1 + every :: every]
        wrong = np.flatnonzero(written != 6)
        if len(wrong):
            came = f"token {written[wrong[0]]:g} came"
            return f"with u just below 1 the last of 7 tokens, token 6, has to come, whatever was rounded; {came}"
    return None


def whole_numbers(call, rng):
    ask, kinds = model(rng, 5), set()

    def next_logits(ids):
        kinds.add(np.asarray(ids).dtype.kind)
        return ask(ids)

    call(next_logits, np.array([1, 2]), np.array([0.3, 0.6, 0.9]), 1.0)
    if kinds <= {"i", "u"}:
        return None
    words = "a model looks its ids up in a table, so they must be whole numbers; yours have a point (`dtype=int` helps)"
    return Sign(words, "with-a-point")


def table_stays(call, rng):
    table = matrix(rng, 3, 3)
    table.flags.writeable = False
    rest = rng.integers(0, 3, size=2), rng.uniform(0.02, 0.98, size=12), 0.5
    if "read-only" not in call.outcome(lambda ids: table[one_text(ids)[-1] % 3], *rest).message:
        return None
    return Sign("the numbers that the model hands out are its own: they cannot be changed in place", "changes-logits")


def border(ids):
    """Token 0 has no probability at all, tokens 1 and 2 one half each."""
    one_text(ids)
    return np.array([-2000.0, 0.0, 0.0])


TELLING = (
    "greedy", "temperature-multiplied", "temperature-ignored", "last-token-only", "beginning-only",
    "logits-added-up", "not-added-up", "one-too-early", "one-too-late", "one-u-for-all", "u-turned", "largest-first",
    "temperature-on-probabilities", "no-break", "always-0", "nearest", "counts-above", "zeros-behind",
    "first-above", "not-divided-by-sum", "smallest-first", "no-repetition", "one-behind", "new-ones-alone",
    "rank-for-token", "rank-from-below", "last-only", "added-to-ids", "u-appended",
)  # fmt: skip
WARM = tuple(name for name in TELLING if "temperature" not in name)
#: What is seen in the first case, whatever the others draw: without that one nothing counts. The rarest come first.
FIRST = (
    "three-best", "last-eight-only", "stops-at-0", "stops-before-0", "nine-tenths", "temperature-added",
    "clipped-by-text", "first-above", "u-divided", "last-four-only", "new-ones-alone", "summed-backwards",
    "as-many-as-rounds", "last-few-only", "ratio", "ratio-counted", "whole-logits", *TELLING,
)  # fmt: skip
#: Here it is cold, but no token is likely.
NEAR = (*TELLING, "greedy-when-cold", "temperature-added=0.001", "temperature-at-least")
#: What shows where there are many tokens, and none of them is likely.
MANY = "forty-best", "nine-tenths"
COLD = (
    "temperature-multiplied", "temperature-ignored", "temperature-on-probabilities", "last-token-only",
    "beginning-only", "logits-added-up", "one-too-early", "one-too-late", "overflow", "nearest",
    "temperature-at-least", "temperature-added",
)  # fmt: skip


@function(
    points=3,
    returns="ids",
    budget=6_000,
    cases=(
        Case("twenty-one tokens of nine drawn after four", writing(9, 4, 21, 0.65), 0.2, telling=FIRST),
        Case(
            "a temperature of 0.02, and logits as near to each other", writing(11, 3, 9, 0.02, 0.02), 0.1, telling=NEAR
        ),
        Case("u close to the border of two tokens", near_a_border, 0.05, telling=("sums-rounded",)),
        Case("a temperature of 2", writing(7, 5, 9, 2.0), 0.05, telling=TELLING),
        Case("a temperature of 1", writing(7, 2, 9, 1.0), 0.05, telling=WARM),
        Case("a model of 64 tokens", writing(64, 2, 8, 1.0, 0.3), 0.05, telling=MANY),
        Case("a temperature of 0.001, so that logits grow to thousands", cold, 0.05, telling=COLD),
        Case(
            "u at the border of two tokens",
            lambda rng: {
                "next_logits": border,
                "ids": np.array([1]),
                "uniforms": np.array([0.0, 0.5, 0.25]),
                "temperature": 1.0,
            },
            0.05,
            telling=("reached",),
        ),
        Case("nothing to draw", writing(5, 3, 0, 1.0), 0.05),
        Case(
            "the example of the task",
            lambda rng: {
                "next_logits": counting,
                "ids": np.array([0]),
                "uniforms": np.array([0.5, 0.05, 0.9, 0.3]),
                "temperature": 1.0,
            },
            0.05,
        ),
    ),
    properties=(
        Property("a model that reads its numbers from a table finds them as they were", table_stays, 0.1),
        Property("u just below 1 draws the last token", just_below_one, 0.05),
        Property("the model is asked with whole numbers", whole_numbers, 0.05),
    ),
    mistakes="""
    greedy: you always take the most likely token -> Then the numbers u have no effect, and a text soon runs in circles.
        -> Add the probabilities up, and take the first token at which the sum exceeds u.
    temperature-multiplied: you multiply by the temperature -> Then heat makes the model surer; it is to make it bolder.
        -> Divide.
    whole-logits: what you divide by the temperature is cut to whole numbers -> `//` leaves out what is behind the
        point, and with it most of what the model says. -> `/`.
    temperature-ignored: the temperature has no effect -> It decides how bold the text is. -> Divide the logits by it.
    temperature-on-probabilities: the temperature divides the probabilities, not the logits -> Then they no longer add
        up to 1, and their order of size has not changed at all. -> Divide before the softmax.
    last-token-only: the model hears the last token only -> Then it does not know what the sentence is about. -> Hand it
        all the ids so far.
    last-token-from-then-on: after the first token, the model hears only the one that was drawn last -> Then it does not
        know what the sentence is about. -> Append each token to the ids, and hand over all of them.
    new-ones-alone: after the first token, the model hears only what was drawn, without the beginning -> Then it does
        not know how the text began. -> Append each token to the ids, and hand over all of them.
    one-behind: the model hears all but the token that was drawn last -> It is the one that it should go on from. -> Up
        to the place that is to be filled, and no less.
    rolling: for each token that is written, the first one of the text is thrown away -> Then the model forgets how the
        text began, and it is missing in what you return. -> Append to all ids: `np.append(ids, token)`.
    searched-unsorted: you search u among the probabilities themselves -> `np.searchsorted` wants numbers that grow, and
        it is the sums that reach from 0 to 1. -> `np.cumsum` first.
    beginning-only: the model never hears what has been written -> Each token is drawn as if it were the first after the
        beginning. -> Append each token to the ids, and ask again.
    put-in-front: each new token is put in front of the ids -> A text is written forwards: the model hears what comes
        last as the last. -> Append it at the end.
    all-alike: u times the number of tokens gives your token: what the model says has no effect -> Then all tokens are
        as likely. -> Add the probabilities up, and look where the sum exceeds u.
    written-only: what you return are the new tokens without the beginning -> The text is the beginning and what
        follows. -> Return all ids.
    tail-only: you return as many tokens from the end as were drawn: the beginning is missing -> The text is the
        beginning and what follows. -> Return all ids.
    logits-added-up: you add up the logits, where probabilities belong -> Logits may be negative, and do not add up to
        1. -> Softmax first.
    logits-counted: you add up the logits, where probabilities belong -> Logits may be negative, and their sum is not 1.
        -> Divide by the temperature, put them through the softmax, then add up.
    not-added-up: each probability is compared with u by itself -> Most of them are below u, even if u is in the middle.
        -> Add them up, in the order of the tokens.
    first-above: your token is the first whose own probability exceeds u -> It is the sums that reach from 0 to 1; most
        tokens never have so much by themselves. -> `np.cumsum` first.
    all-above: every token behind the one that is hit is written as well -> All sums behind it exceed u, too. -> The
        first one counts: leave the loop there (`break`).
    ratio: you divide the logits by their sum -> Logits may be negative, and a sum of them near 0 or below it. -> e to
        their power first: `softmax`.
    ratio-counted: you divide the logits by their sum -> Logits may be negative, and a sum of them near 0 or below it.
        -> e to their power first: `softmax`.
    not-divided-by-sum: your probabilities are powers of e, with the maximum taken off, but not divided by their sum ->
        Then they do not add up to 1. -> `softmax`: divide by the sum of the powers.
    not-divided: your probabilities are powers of e, not divided by their sum -> Then they do not add up to 1, and
        already the first sums exceed u. -> `softmax`: divide by the sum of the powers.
    counted-not-added-up: you count the probabilities that do not exceed u, each by itself -> It is their sums, added up
        in the order of the tokens, that reach from 0 to 1. -> `np.cumsum` first, then count.
    nothing-appended: if no sum exceeds u, you write nothing -> Sums of rounded numbers may end a little below 1; then
        your loop finds no place, and the text is one token short. -> Then the last token is meant.
    one-too-early: your token stands one place before the right one -> The first sum that *exceeds* u belongs to the
        token itself. -> Count how many sums do not exceed u: that is its place, from 0 on.
    one-too-early-at-the-front: your token stands one place before the right one, and before the first stands −1 -> The
        number of sums that do not exceed u is the number of tokens that are passed; the next one is hit. -> Take that
        number itself.
    one-too-late: your token stands one place behind the right one -> Places count from 0: if no sum stays below u, it
        is token 0. -> Count how many sums do not exceed u.
    one-u-for-all: the same u serves every token -> Each token has a u of its own. -> Let the loop go over them.
    one-too-late-past-the-end: your token stands one place behind the right one, and behind the last stands one that
        does not exist -> Places count from 0: the place of the first sum that exceeds u is the token itself. -> Add
        nothing to it.
    u-turned: u is counted from the other end -> As likely, but another text. -> Add up from token 0 on, and compare
        with
        u itself.
    summed-backwards: you add up the probabilities from the last token on, and your token is a place in these sums ->
        Place 0 among them belongs to the last token. -> Add up from token 0 on.
    taken-off: your token stands one place behind the right one, except for u = 0 -> If you take the probabilities off u
        until nothing is left, the token whose turn it was is the one; a counter that grows behind it is one further. ->
        Try u = 0.1 with probabilities of one half each: token 0 has to come.
    largest-first: you add up the probabilities from the largest to the smallest -> That is a good way too, but gives
        other tokens for the same u. -> In the order of the tokens.
    smallest-first: you add up the probabilities from the smallest to the largest -> That is a good way too, but gives
        other tokens for the same u. -> In the order of the tokens.
    rank-for-token: your token is a rank: 0 stands for the largest probability, whichever token has it -> Where
        probabilities are sorted, their places no longer say whose they are. -> Add them up in the order of the tokens,
        unsorted.
    rank-from-below: your token is a rank: 0 stands for the smallest probability, whichever token has it -> Where
        probabilities are sorted, their places no longer say whose they are. -> Add them up in the order of the tokens,
        unsorted.
    changes-logits: the numbers that the model gave are not left as they were -> A model may read them from a table, and
        would find them changed when it is asked again: `/=` and `-=` change an array in place. ->
        `logits / temperature` makes a new one, and so does `logits - logits.max()`.
    overflow: your softmax overflows at low temperatures -> exp(1000) is infinity, and infinity / infinity NaN. ->
        `softmax` of Part 1 takes the maximum off first.
    overflow-then-the-last: your softmax overflows at low temperatures -> exp(1000) is infinity, and infinity / infinity
        NaN, which exceeds nothing. -> `softmax` of Part 1 takes the maximum off first.
    overflow-counted: your softmax overflows at low temperatures -> exp(1000) is infinity, and infinity / infinity NaN,
        from which nothing is below u. -> `softmax` of Part 1 takes the maximum off first.
    nothing-added: what you draw is never added to the ids -> `np.append` changes nothing: it makes a new array. ->
        `ids = np.append(ids, token)`.
    last-only: only one token is added to the text, the one of the last u -> Those of the others were drawn and thrown
        away: the line that appends stands behind the loop, or appends to the beginning each time. -> Append inside of
        the loop, to what the rounds before have written.
    added-to-ids: the number of each token is added to all ids, and the text never grows -> Of an array, `ids + token`
        and `ids += token` are sums; only a list grows by `+`. -> `np.append(ids, token)`.
    u-appended: u itself is written into the text -> It only says where to look among the sums; the text is made of
        tokens, the places that are found there. -> Append the token.
    probability-appended: the probability of the token is written into the text -> The text is made of tokens: the
        places that are found among the sums. -> Append the token itself.
    with-a-point: the model is asked with ids that have a point (2.0 for 2) -> A model looks its ids up in a table, and
        no place in it has decimals. `np.zeros` and `np.empty` make numbers with a point, if not told otherwise.
        -> `np.zeros(..., dtype=int)`, or keep the ids in a list.
    first-only: only one token is drawn -> A `return` in the loop ends it in its first round; or the loop has no more
        than one. -> One round for each of `uniforms`, and return after the loop.
    first-or-none: only one token is drawn, and where there is nothing to draw nothing is returned -> A `return` in a
        loop ends it in its first round. -> Return after the loop.
    nothing-found: if no sum exceeds u, you reach for the first of no places -> Sums of rounded numbers may end a little
        below 1, and then nothing is found. -> Then the last token is meant.
    zero-at-the-end: if no sum exceeds u, you take token 0 -> Sums of rounded numbers may end a little below 1;
        `np.argmax` of nothing but False is 0. -> Then the last token is meant.
    past-the-end: if no sum exceeds u, you write a token that does not exist -> Sums of rounded numbers may end a little
        below 1; then as many sums as there are tokens do not exceed u. -> Then the last token is meant.
    no-break: whatever u is, the last token comes -> Many sums exceed u, and the very last one always does. -> The first
        one counts: leave the loop there (`break`), or take the first place that you find.
    no-break-or-0: whatever u is, the last token comes, or token 0 if no sum exceeds u -> Many sums exceed u, and the
        very last one always does, but for rounding. -> The first one counts: leave the loop there (`break`), or take
        the first place that you find. If there is none, the last token is meant.
    always-0: whatever u is, token 0 comes -> Perhaps you take the first sum that does *not* exceed u, mostly that of
        token 0; or there is an axis too many, with a single place; or u itself is written among whole numbers. ->
        Print for one u the sums, their shape and the comparison: it has to be True from the first sum on that *exceeds*
        u.
    reached: a sum that only reaches u counts already -> With u = 0 a token of probability 0 would come. -> The first
        sum that *exceeds* u.
    nearest: you take the place of what lies nearest to u -> What lies below u may be nearer, but there the token's part
        has ended. -> The first sum that exceeds u.
    total-goes-on: the running sum goes on from one token to the next -> After the first token it stands near 1 already,
        or above. -> Each u begins with a sum of 0.
    no-place: if no sum exceeds u, you write −1 -> Sums of rounded numbers may end a little below 1; and there is no
        such token. -> Then the last token is meant.
    stops-at-0: you stop at token 0 -> It is a token like any other here: one is drawn for each of `uniforms`. -> No
        condition but the end of `uniforms`.
    stops-before-0: you stop where token 0 would come -> It is a token like any other here: one is drawn for each of
        `uniforms`. -> No condition but the end of `uniforms`.
    last-four-only: the model hears the last four tokens only -> Then it does not know what came before. -> Hand it all
        the ids so far.
    last-eight-only: the model hears the last eight tokens only -> Then it does not know what came before. -> Hand it
        all the ids so far.
    last-few-only=: the model hears a few of the last tokens only -> Then it does not know what came before. -> Hand it
        all the ids so far.
    clipped-by-text: your token is cut to the length of the text -> What it has to be cut to, if rounding leads beyond
        the last, is the number of tokens that there are. -> `len(p) - 1`, not `len(ids) - 1`.
    temperature-at-least=: you do not let the temperature be lower than a number of your own -> At 0.001 the likeliest
        token is to come, and nothing else. -> Divide by it as it is; `softmax` bears large numbers.
    u-divided: you divide u by the temperature -> The temperature makes the probabilities flatter; u is compared with
        their sums as it is. -> Divide the logits.
    temperature-added=: you add a number of your own to the temperature -> It is never 0 here; and at a low one your
        number makes the text bolder. -> Divide by it as it is.
    half-precision: the logits are cut to few digits (`float16`) -> Then the border of two tokens is not where it
        belongs. -> Keep them as they are.
    greedy-when-cold: where the temperature is not above 1, you take the most likely token -> A temperature below 1
        makes the model surer, but not sure. -> The same way for every temperature.
    greedy-below=: below a temperature of your own, you always take the most likely token -> Where two logits are nearly
        alike, a low temperature leaves something to the second as well. -> The same way for every temperature;
        `softmax` bears large numbers.
    no-repetition: a token is never drawn twice in a row -> Many programs do that, to keep a text from running in
        circles; here each token has its share. -> Leave the logits as they come.
    three-best: you draw among the three likeliest tokens -> Many programs do that, to keep nonsense out; here each
        token has its share. -> Add up all probabilities.
    forty-best: you draw among the 40 likeliest tokens -> Many programs do that, to keep nonsense out; here each token
        has its share. -> Add up all probabilities.
    nine-tenths: you draw among the likeliest tokens that have nine tenths of all probability together -> Many programs
        do that, to keep nonsense out; here each token has its share. -> Add up all probabilities.
    softmax-twice: your probabilities went through a softmax once more -> Then they are nearly equal. -> Once.
    power-not-shared: your probabilities are those of temperature 1 to a power, and do not add up to 1 -> Whoever raises
        them to 1 / temperature has to divide by their sum once more. -> Divide the logits before the softmax.
    power-shared: you take the softmax without a temperature, and then powers of the probabilities -> On paper that is
        right. But at a low temperature a power of 1,000 makes a 0 of each of them, and 0/0 is NaN. -> The temperature
        belongs before the softmax: divide the logits.
    power-shared-then-the-last: you take the softmax without a temperature, and then powers of the probabilities -> On
        paper that is right. But at a low temperature a power of 1,000 makes a 0 of each of them, and 0/0 is NaN, which
        exceeds nothing. -> The temperature belongs before the softmax: divide the logits.
    before-the-last: each new token is put in front of the last one -> `np.insert(ids, -1, token)` does so. ->
        `np.append(ids, token)`.
    logs-of-logits: you take the logarithm of the logits -> They are logarithms already, of powers that become
        probabilities. Many are negative: their logarithm is NaN, and to every comparison with it the answer is False.
        -> Divide the logits by the temperature as they are; softmax of that.
    logs-of-logits-then-the-last: you take the logarithm of the logits -> They are logarithms already, of powers that
        become probabilities. Many are negative: their logarithm is NaN, and to every comparison with it the answer is
        False. -> Divide the logits by the temperature as they are; softmax of that.
    last-never-comes: the last token never comes: one before it stands in its place -> Of n tokens the last is n - 1,
        where n is how many there are. -> Cut to `len(p) - 1`.
    likeliest-at-the-end: if no sum exceeds u, you write the most likely token -> Sums of rounded numbers may end a
        little below 1; what is missing belongs to the end of the sums. -> Then the last token is meant.
    last-id-again: if no sum exceeds u, you write the last id of the text once more -> Sums of rounded numbers may end a
        little below 1. -> Then the last token is meant: of those that there are, not of the text.
    probabilities-rounded=: you round the probabilities -> A u that is near a border finds another token; and rounded
        ones do not add up to 1, so that a large u finds none. -> Leave them as they are.
    sums-rounded=: you round the sums -> A u that is nearer to a border than that finds another token. -> Leave them as
        they are.
    drawn-before: if no sum exceeds u, you write the token that was drawn before -> Sums of rounded numbers may end a
        little below 1; then a loop finds nothing, and its variable keeps what it had. -> Then the last token is meant.
    counts-above: you count the sums that exceed u -> They belong to the token that is hit and to those behind it. ->
        Count those that do *not* exceed u.
    one-zero-behind: the model hears the one place behind the text, where a 0 stands -> Token 0 is a token like any
        other: it would be the last word of the text. -> A slice of what is written ends before the place to be filled.
    as-many-as-rounds: the model hears one token in the first round, two in the second, and so on -> The beginning is
        there from the first round on. -> As many as the beginning has, and those that were drawn.
    window-of-the-beginning: the model hears only as many tokens as the beginning has -> Then it forgets how the text
        began. -> Hand it all the ids so far.
    zeros-behind: the model hears the zeros that stand where nothing is written yet -> Token 0 is a token like any
        other: it would be the last word of the text. -> Hand it what is written so far only.
    """,
)
def generate(next_logits, ids, uniforms, temperature, wrong=frozenset()):
    """Tokens drawn one after the other, with mistakes as switches."""
    ids, uniforms = np.asarray(ids), np.asarray(uniforms, dtype=float)
    written, total, last = ids.copy(), 0.0, 0
    if "first-or-none" in wrong and not len(uniforms):
        return None
    some = {"first-only": uniforms[:1], "first-or-none": uniforms[:1], "last-only": uniforms[-1:]}
    for i, u in enumerate(slip(wrong, some, uniforms)):
        drawn = written[len(ids) :]
        padded = np.append(written, np.zeros(len(uniforms) - i)).astype(int) if wrong & PADDED else written
        changed = {
            "new-ones-alone": drawn if len(drawn) else ids,
            "one-behind": written[: max(1, len(written) - 1)],
            "last-token-only": written[-1:],
            "last-token-from-then-on": written[-1:] if i else written,
            "beginning-only": ids,
            "last-four-only": written[-4:],
            "last-eight-only": written[-8:],
            "one-zero-behind": padded[: len(written) + 1],
            "window-of-the-beginning": written[len(written) - len(ids) :],
            "zeros-behind": padded,
            "as-many-as-rounds": padded[: i + 1],
        }
        if few := number(wrong, "last-few-only", 3):
            changed["last-few-only"] = written[-max(1, int(min(few, len(written)))) :]
        heard = slip({one.partition("=")[0] for one in wrong}, changed, written)
        logits = np.asarray(next_logits(heard.astype(float) if "with-a-point" in wrong else heard.copy()), dtype=float)
        if "no-repetition" in wrong and len(written):
            logits = np.where(np.arange(len(logits)) == written[-1], -np.inf, logits)
        if "changes-logits" in wrong:
            logits -= 0  # an error, where they are not to be changed
        asked = {"one-u-for-all": uniforms[0], "u-turned": 1 - u, "u-divided": u / temperature}
        u = slip(wrong, asked, u)
        token = int(u * len(logits)) if "all-alike" in wrong else _drawn(logits, u - total, temperature, wrong)
        if "total-goes-on" in wrong:
            total += np.cumsum(softmax(logits / temperature))[token]
        if token is None and wrong & {"drawn-before", "last-id-again"}:
            token = last if "drawn-before" in wrong else int(written[-1])
        if token is None:
            continue
        last = token
        if "all-above" in wrong:
            written = np.append(written, np.arange(token, len(logits)))
            continue
        if "clipped-by-text" in wrong:
            token = min(token, len(written) - 1)
        if "added-to-ids" in wrong:
            written = written + token
            continue
        if wrong & {"u-appended", "probability-appended"}:
            written = np.append(written, u if "u-appended" in wrong else softmax(logits / temperature)[token])
            continue
        if "stops-before-0" in wrong and token == 0:
            break
        place = slip(wrong, {"put-in-front": 0, "before-the-last": -1}, None)
        written = np.append(written, token) if place is None else np.insert(written, place, token)
        if "stops-at-0" in wrong and token == 0:
            break
        if "rolling" in wrong:
            written = written[1:]
    if "nothing-added" in wrong:
        return ids
    if "tail-only" in wrong:
        return written[-len(uniforms) :]
    return written[len(ids) :] if "written-only" in wrong else written


def _drawn(logits, u, temperature, wrong):
    """One token; None for none."""
    last = len(logits) - 1
    below = number(wrong, "greedy-below", 0.5) or 0.0
    if "greedy" in wrong or temperature < below or ("greedy-when-cold" in wrong and temperature <= 1):
        return int(logits.argmax())
    if wrong & {"no-break", "always-0"}:
        return last if "no-break" in wrong else 0
    given, temperature = logits, max(temperature, number(wrong, "temperature-at-least", 0.1) or 0.0)
    temperature += number(wrong, "temperature-added", 0.1) or 0.0
    if "half-precision" in wrong:
        logits = logits.astype(np.float16).astype(float)
    logs = wrong & {"logs-of-logits", "logs-of-logits-then-the-last"}
    if logs:
        with np.errstate(all="ignore"):
            logits = np.log(logits)
    if "temperature-multiplied" in wrong:
        logits = logits * temperature
    elif not wrong & {"temperature-ignored", "temperature-on-probabilities"}:
        logits = logits // temperature if "whole-logits" in wrong else logits / temperature
    with np.errstate(all="ignore"):
        if wrong & {"overflow", "overflow-then-the-last", "overflow-counted"}:
            powers = np.exp(logits)
            p = powers / powers.sum()
            p = np.where(np.isnan(p), 0, p) if "overflow" in wrong else p
        elif "not-divided-by-sum" in wrong:
            p = np.exp(logits - logits.max())
        elif wrong & {"ratio", "ratio-counted"}:
            p = logits / logits.sum()
        elif "not-divided" in wrong:
            p = np.exp(logits)
        else:
            p = logits if wrong & {"logits-added-up", "logits-counted"} else softmax(logits)
    if "temperature-on-probabilities" in wrong:
        p = p / temperature
    if "softmax-twice" in wrong:
        p = softmax(p)
    if made := wrong & {"power-not-shared", "power-shared", "power-shared-then-the-last"}:
        p = softmax(given) ** (1 / temperature)
        with np.errstate(all="ignore"):
            p = p if "power-not-shared" in made else p / p.sum()
    if wrong & {"forty-best", "three-best", "nine-tenths"}:
        best = np.argsort(-p, kind="stable")
        fixed = {"forty-best": 40, "three-best": 3}
        kept = slip(wrong, fixed, 0) or int((np.cumsum(p[best]) < 0.9).sum()) + 1
        p = np.where(np.isin(np.arange(len(p)), best[:kept]), p, 0.0)
        p = p / p.sum()
    if (digits := number(wrong, "probabilities-rounded", 3)) is not None:
        p = p.round(int(min(digits, 15)))
    order = np.argsort(-p, kind="stable") if wrong & {"largest-first", "rank-for-token"} else np.arange(last + 1)
    if wrong & {"rank-from-below", "smallest-first"}:
        order = np.argsort(p, kind="stable")
    sums = p[order] if "not-added-up" in wrong else np.cumsum(p[order])
    if "summed-backwards" in wrong:
        sums = np.cumsum(p[::-1])
    if (digits := number(wrong, "sums-rounded", 3)) is not None:
        sums = sums.round(int(min(digits, 15)))
    if "no-break-or-0" in wrong:
        return last if sums[-1] > u else 0
    if "taken-off" in wrong:
        return int((sums < u).sum()) + 1 if u > 0 else 0
    if "nearest" in wrong:
        return int(np.abs(sums - u).argmin())
    if wrong & {"rank-for-token", "rank-from-below"}:
        order = np.arange(last + 1)
    exceeds = sums >= u if "reached" in wrong else sums > u
    if wrong & {"logits-counted", "overflow-counted", "ratio-counted"}:
        return min(int((sums <= u).sum()), last)
    if "first-above" in wrong:
        return int((p > u).argmax()) if (p > u).any() else last
    if "one-too-late-past-the-end" in wrong:
        return int(exceeds.argmax()) + 1
    if "searched-unsorted" in wrong:
        return min(int(np.searchsorted(p, u, side="right")), last)
    if "counted-not-added-up" in wrong:
        return min(int((p <= u).sum()), last)
    if "one-too-early-at-the-front" in wrong:
        return int((sums <= u).sum()) - 1
    if "counts-above" in wrong:
        return min(int(exceeds.sum()), last)
    if "last-never-comes" in wrong:
        return min(int((sums <= u).sum()), last - 1)
    if "past-the-end" in wrong and not exceeds.any():
        return last + 1
    if "no-place" in wrong and not exceeds.any():
        return -1
    if "likeliest-at-the-end" in wrong and not exceeds.any():
        return int(p.argmax())
    if wrong & {"nothing-appended", "drawn-before", "last-id-again", "all-above"} and not exceeds.any():
        return None
    if "nothing-found" in wrong:
        return int(order[np.flatnonzero(exceeds)[0]])
    if exceeds.any():
        place = int(exceeds.argmax())
    else:
        to_0 = wrong & {"zero-at-the-end", "overflow", "not-added-up", "logits-added-up"}
        to_0 |= wrong & {"power-shared", "logs-of-logits"} if np.isnan(p).any() else frozenset()
        place = 0 if to_0 else last
    place += ("one-too-late" in wrong) - ("one-too-early" in wrong)
    return int(order[min(max(place, 0), last)])
