import time

import numpy as np

from grader.exercises.inputs import example, matrix, tenths
from grader.exercises.kinds import Case, Property, Sign, function
from grader.exercises.properties import too_much
from grader.exercises.stages import number, slip, softmax


def tokens(n, d_k, d_v, draw=matrix, scale=1.0, dtype=float):
    def drawn(rng):
        made = {"Q": scale * draw(rng, n, d_k), "K": scale * draw(rng, n, d_k), "V": 2 * draw(rng, n, d_v)}
        return {name: value.astype(dtype) for name, value in made.items()}

    return drawn


def clear(make):
    """The same inputs, drawn anew until no sum below the line is so near 0 that a rounding, or a millionth that is
    added to it or to z, would decide; a hundred-thousandth shows."""

    def drawn(rng):
        while True:
            made = make(rng)
            Q, K, V = (np.asarray(one, dtype=float) for one in made.values())
            # With no phi, or with one that may be negative, a sum can come near 0 for any numbers.
            ways = [(Q, K), (phi(Q), K), (Q, phi(K)), *((phi(Q, way), phi(K, way)) for way in (ELU, PLUS_1))]
            sums = [np.tril(q @ k.T).sum(axis=-1) for q, k in ways]
            below = np.tril(phi(Q) @ phi(K).T).sum(axis=-1)
            sizes = np.abs(causal_linear_attention(Q, K, V)).max(axis=-1)
            shows = (8e-6 * sizes / below > 1e-6 * (sizes.max() + sizes)).any()
            hidden = (phi(Q).sum(axis=-1) * sizes / below < 0.8 * (sizes.max() + sizes)).all()
            if min(np.abs(one).min() for one in sums) > 0.02 and below.min() > 0.75 and shows and hidden:
                return made

    return drawn


ELU, PLUS_1 = frozenset(["elu"]), frozenset(["plus-1-everywhere"])


def below_zero(rng):
    """All features are about 0.1, so that the first sum below the line is about 0.02: a ten-millionth that is added to
    it shows, and a hundred-millionth does not. The first value is the largest, so that its context counts."""
    Q, K = (rng.uniform(-2.3, -2.2, size=(4, 2)) for _ in range(2))
    V = rng.uniform(-2, 2, size=(4, 3))
    V[0] = rng.uniform(3, 4, size=3) * rng.choice([-1, 1], size=3)
    return {"Q": Q, "K": K, "V": V}


def whole_values(rng):
    """The first context is the first value, and 0, so that no rounding decides to what it is cut."""
    made = clear(tokens(4, 3, 2))(rng)
    return made | {"V": np.vstack([np.zeros((1, 2), dtype=int), rng.integers(-9, 10, size=(3, 2))])}


def large(rng):
    """One number of a query and one of a key are so large that their exponentials overflow."""
    made = clear(tokens(5, 3, 2))(rng)
    for name in ("Q", "K"):
        made[name][rng.integers(1, 4), rng.integers(3)] = rng.uniform(800, 900)
    return made


def beginnings_are_kept(call, rng):
    inputs = clear(tokens(7, 3, 5))(rng)
    for name in ("Q", "K"):
        inputs[name][:, 0] = 0.1 + np.abs(inputs[name][:, 0])  # no query is without a key, whatever the features are
    whole = call(*inputs.values())
    for n in (1, 3):
        gap = np.abs(call(*(one[:n] for one in inputs.values())) - whole[:n]).max()
        if not gap < 1e-4:
            return f"read alone, the first {n} of 7 tokens have another context: {gap:.3g} apart"
    return None


def long_texts(call, rng):
    some, many = 3_000, 15_000
    took = dict.fromkeys((some, many), np.inf)
    # What is wrong already for few, or holds a matrix, need not read all of them; and row by row, n² pairs are read in
    # time if a key is small enough. Where a matrix is looked for keys are small, since lists of them take much room.
    for n, d_k in ((11, 80), (2_000, 7), *[(some, 130), (many, 130)] * 3):
        drawn = tokens(500, d_k, 1)(rng).values()  # so many of their own would take longer to draw than to judge
        Q, K, V = (one[rng.integers(500, size=n)] for one in drawn)
        right = causal_linear_attention(Q, K, V)
        began = time.perf_counter()
        context, held = call.held(Q, K, V) if n == 2_000 else (call(Q, K, V), 0)
        took[n] = min(took.get(n, np.inf), time.perf_counter() - began)
        gap = np.abs(context - right).max()
        if not gap < 1e-2:  # so many sums in single precision are off by so much
            which = f"{n:,} tokens" if n == many else f"the {n:,} tokens that are tried first"
            return f"over {which} the context is {gap:.3g} off"
        if held is None:
            return None  # nobody sees a matrix of all pairs, and that of so many tokens would fill the machine
        if words := too_much(held, 8 * n * n, "2,000 x 2,000 weights", "all-pairs"):
            return words
        # Five times as many tokens take a state five times as long, and pairs 25 times; how fast the machine is does
        # not matter then. Other work on it is no one's fault: who seems slow is timed again, and the best counts.
        if n == many and (took[many] < 1 or took[many] < 13 * took[some]):
            return None
    return Sign(f"{many:,} tokens take {took[many] / took[some]:.0f} times as long as {some:,}", "all-pairs")


TELLING = (
    "not-causal", "excludes-itself", "only-itself", "turned-round", "normaliser-of-all", "state-of-all",
    "no-normaliser", "mean", "phi-of-product", "no-phi", "phi-of-keys-only", "phi-of-queries-only", "scaled",
    "softmax-of-features",
    "softmax-over-zeros", "softmax-for-phi", "softmax-attention", "exp", "relu", "elu", "relu-and-1",
    "z-not-added", "z-of-weights",
    "z-summed", "last-sum-for-all", "divided-behind-the-loop", "query-in-the-state", "phi-twice", "phi-of-keys-twice",
)  # fmt: skip
#: What shows by three tokens and must not be a matter of luck there.
AT_FIRST = (
    "S-on-another-axis", "S-on-the-last-axis", "z-on-another-axis", "scaled-both", "corrected", "forgets",
    "z-one-number", "features-divided", "features-unit", "excludes-itself-0", "excludes-itself-v", "S-of-bare-keys",
    "divided-by-columns", "query-of-the-next", "query-of-the-one-before", "written-a-round-late", "branches-exchanged",
)  # fmt: skip


@function(
    points=4,
    returns="context",
    cases=(
        Case("three tokens of two numbers", clear(tokens(3, 2, 3, tenths)), 0.25, telling=(*AT_FIRST, *TELLING)),
        Case("seven tokens of three numbers, values of five", clear(tokens(7, 3, 5)), 0.1, telling=TELLING),
        Case("five tokens, all of five numbers", clear(tokens(5, 5, 5)), 0.1),
        Case("queries and keys with numbers below −2", below_zero, 0.05),
        Case("a query and a key with numbers of some 1,000", large, 0.05, telling=TELLING),
        Case("single precision", clear(tokens(11, 2, 3, dtype=np.float32)), 0.05),
        Case("values without a point", whole_values, 0.05, telling=("whole-contexts",)),
        Case(
            "the example of the task",
            example(Q=np.array([[1.0], [0.0]]), K=np.array([[0.0], [1.0]]), V=np.array([[10.0], [40.0]])),
            0.05,
        ),
    ),
    properties=(
        Property("the context of a beginning does not depend on what follows", beginnings_are_kept, 0.05),
        Property("15,000 tokens in the time and the room that a state needs", long_texts, 0.15, slow="all-pairs"),
    ),
    mistakes="""
    all-pairs: the numbers are right, but a long text takes more time, or more room, than a state needs -> Where each
        token looks at all before it once more, row by row or in one matrix, there are n² pairs: what a state saves.
        And a loop of Python's that goes over the numbers of a state as well is too slow, though it passes one on. -> Go
        from token to token, with whole arrays in each round: S and z hold all that the next one needs of those before.
    query-in-the-state: each pair goes into the state by the weight that its own query gives it -> Then the queries that
        come later have no say: what they would make of that key is fixed already. -> Into S go φ(k) and v, into z φ(k);
        the query comes from outside, when the state is read.
    S-of-queries: your S is made of the queries: φ(q) and v go into it -> A value is found by its key; the query comes
        from outside, when the state is read. -> φ(k) for S, as for z.
    S-divided-each-round: your S itself is divided in each round -> Then the next token finds a state that is divided
        already, and divides it once more. -> Divide what is read, and leave S as it is.
    softmax-of-scaled-features: the weights are a softmax of φ(q) · φ(k), divided by the root of d_k -> φ stands in the
        place of the exponential: behind a softmax, no state could hold the sums. -> φ(q) · φ(k), divided by the sum of
        these.
    S-forgets=: your S fades by a number of your own in each round, and z does not -> Here nothing is forgotten: every
        token before counts. -> Add to S, and take nothing away.
    not-causal: each token looks at all tokens, also at those that come later -> A token is written before the next one
        is there. And a list that holds one and the same array n times holds its last state only: `S += ...` changes
        it in place. -> Let the state grow token by token, and read it in between.
    excludes-itself: the state is read before the token's own key and value are in it -> Token i looks at j up to i,
        itself included; the first one would find nothing. -> Write first, then read.
    excludes-itself-0: the state is read before the token's own key and value are in it, and the first context is 0 ->
        Token i looks at j up to i, itself included. What the first one finds, 0/0, says that nothing has been written
        yet: a 0 in its place covers that up for one row, and each other one misses itself still. -> Write first, then
        read; then nothing has to be mended.
    excludes-itself-v: the state is read before the token's own key and value are in it, and the first context is the
        first value -> That one is right. But token i looks at j up to i, itself included, and each other one misses
        itself. -> Write first, then read; then the first token needs no line of its own.
    written-a-round-late: in each round the key and value of the token before go into the state, and in the first one
        those of the last -> Token i looks at j up to i, itself included; and place −1 is the end of an array. -> The
        key and value of the round's own token.
    S-read-first: the state is read before the token's own value is in it, while the sum below the line counts its key
        already -> Then the first token finds nothing, and each other one misses itself. -> Write S and z first, then
        read both.
    z-read-first=: the sum below the line is read before the token's own key is in it -> Above the line that key counts
        already; for the first token there is nothing below, or only a small number that you put there. -> Write S and z
        first, then read both.
    first-never-read: the first token never comes in: its row is 0, and the state begins with the second -> A token
        looks at itself as well, and the first one has itself. -> Let the loop begin with token 0.
    only-itself: each token looks at itself only -> What the tokens before have left is not there: S and z are made
        anew in each round, or added up along another axis than that of the tokens. -> Each token adds to what those
        before it have left.
    S-on-another-axis: `S` is added up along the features of a key, not along the tokens -> Then a token finds nothing
        of those before it. -> Of an array (n, d_k, d_v), the tokens are axis 0.
    S-on-the-last-axis: `S` is added up along the numbers of a value, not along the tokens -> Then a token finds nothing
        of those before it. -> Of an array (n, d_k, d_v), the tokens are axis 0.
    z-on-another-axis: `z` is added up along the features of a key, not along the tokens -> Then the keys before are not
        counted below the line. -> Of an array (n, d_k), the tokens are axis 0.
    turned-round: each token looks at itself and at those that come later -> Causal means: what has been there so far.
        -> Begin with the first token.
    normaliser-of-all: the sums below the line run over all tokens -> Then the weights of an early token do not add up
        to 1. -> The sum of the keys grows with the state, token by token.
    last-sum-for-all: all contexts are divided by one number: what the last query makes of the last z -> Behind the loop
        z and q hold what the last round has left; each token has a sum of its own. -> Divide inside of the loop, in the
        round that reads the state.
    divided-behind-the-loop: only the last context is divided -> A line behind the loop runs once, with what the last
        round has left. -> Divide inside of the loop, in the round that reads the state.
    state-of-all: the sums above the line run over all tokens -> Then a token hears what comes later. -> The state grows
        token by token.
    no-normaliser: you do not divide by the sum of the weights -> Then a context grows with every token. -> Keep the sum
        of the keys' features as well, z: what the query makes of it stands below the line.
    z-not-added: you divide by the token's own weight only -> z begins anew in each round. -> Add the new key's features
        to what z holds already.
    state-not-added: above the line stands the token's own key and value only -> The state begins anew in each round. ->
        Add to what S holds already.
    z-of-weights: you add up what earlier queries made of their keys -> Each query weighs all keys itself. -> Add up the
        features of the keys alone, and multiply by the query afterwards.
    z-of-bare-keys: z adds up the keys themselves, without φ -> Below the line stand the same weights as above. -> `z`
        adds up what `phi` makes of the keys.
    S-of-bare-keys: `S` adds up products with the keys themselves, without φ -> Above the line stand the same weights as
        below. -> `S` adds up products with what `phi` makes of the keys.
    S-averaged: `S` holds a mean of what has been written, and z a sum -> Their quotient is too small, by as many tokens
        as have been read. -> Add up both.
    divided-by-columns: what stands below the line is added up down the columns of the weights -> A column is one key,
        as all queries see it, later ones too; a context is divided by the weights of its own query. -> A row is a
        query: `axis=1`.
    query-of-the-next: row i is read with the query of token i + 1 -> Context i is what token i asks for. -> The same i
        for the query, and for the key and value that are written last.
    query-of-the-one-before: row i is read with the query of the token before -> Context i is what token i asks for. ->
        The same i for the query, and for the key and value that are written last.
    z-counts: z counts the tokens: 1 is added in each round -> Below the line stand the same weights as above. -> `z`
        adds up what `phi` makes of the keys.
    first-twice: the first token is counted twice -> What is in the state before the loop begins comes once more in its
        first round. -> Begin with zeros, or with the second token.
    z-of-queries: you add up the features of the queries, where those of the keys belong -> The sum below the line is
        that of the weights, and a weight is made of a query and a key. -> Add the new key's features to z.
    z-one-number: below the line stands the sum of the query's features times that of all keys' features -> That pairs
        each feature with each other one; a weight pairs the first with the first, and so on. -> z has as many numbers
        as a key: add up the keys, and keep their features apart.
    corrected: what the state says already is taken off a value before it is written -> That is the rule of
        `corrected_memory`; here each pair is added as it is. -> `S` plus the new pair.
    forgets=: in each round the state is made smaller by a factor of your own -> Many models forget in this way; here an
        old token counts as much as a new one. -> Only add.
    window=: the state loses again what is older than a number of tokens of your own -> The state holds all that has
        been read. -> Only add.
    z-summed: you divide by the sum of the keys' features, without the query -> Below the line stands what *this* query
        makes of them. -> Multiply z by the query's features.
    z-begins-with-ones: z begins with ones -> Then every sum below the line is too large, as if a key had been there
        before the first. -> Nothing has been read yet: zeros.
    z-begins-with=: z begins with a number of yours -> φ is positive, so that what stands below the line is never 0. But
        where queries and keys lie below 0 it is small, and your number shows. -> Nothing has been read yet: zeros.
    S-begins-with-ones: `S` begins with ones -> Then something stands above the line that no token has brought. ->
        Nothing has been read yet: zeros.
    S-begins-with-identity: `S` begins with the identity -> Then something stands above the line that no token has
        brought. -> Nothing has been read yet: zeros.
    one-added-below: 1 is added to the sum below the line -> Then the weights do not add up to 1. -> Token i looks at
        itself as well, and all weights are positive: nothing can be 0 there.
    added-below=: a number of yours keeps the sum below the line from being 0 -> φ is positive, so that this sum is
        never 0. But where queries and keys lie below 0 it is small, and your number shows. -> Divide by the sum as it
        is.
    phi-of-z: the keys are added up first, and phi is taken of their sum -> Below the line stands the sum of the
        weights, and a weight is made of one key. -> phi of each key, then add.
    mean: you divide by the number of tokens so far -> The weights do not add up to that. -> Divide by the query's
        features times the sum of the keys' features.
    phi-of-product: phi is taken of the product of query and key -> Then it cannot be pulled apart any more, and no
        state of fixed size will do. -> phi of the query, phi of the key, and then their product.
    phi-of-keys-only: the queries go in without phi -> Then a weight may be negative, and the sum below the line 0. ->
        phi of both.
    phi-of-queries-only: the keys go in without phi -> Then a weight may be negative, and the sum below the line 0. ->
        phi of both.
    no-phi: there is no phi -> Then a weight may be negative, and the sum below the line 0. -> phi of queries and keys.
    phi-of-values: phi is taken of the values as well -> A value may be negative; only weights must not. -> Leave V as
        it is.
    phi-twice: phi is taken twice, of queries and of keys -> What it has made is positive, so that it adds 1 once more.
        -> phi before the loop or in it, not both.
    phi-of-keys-twice: phi is taken of the keys twice -> What it has made is positive, so that it adds 1 once more. ->
        phi before the loop or in it, not both.
    whole-contexts: where the values are whole numbers, your contexts are cut to whole numbers -> An array that is made
        like V (`np.zeros_like(V)`, `V.copy()`) holds what V holds: no decimals, if V has none. -> `np.zeros(V.shape)`
        holds any number.
    scaled: you scale queries or scores by the square root of d_k before phi -> Here nothing saturates, and the task
        does not ask for it. -> phi of the numbers as they come.
    scaled-both: you scale queries and keys by the fourth root of d_k before phi -> Here nothing saturates, and the task
        does not ask for it. -> phi of the numbers as they come.
    features-divided: you divide the features of each key by their sum -> Then all keys weigh as much, whatever they
        hold; the sum below the line is that of the weights. -> Leave the features as phi makes them.
    features-unit: you bring the features to length 1 -> Then all keys weigh as much, whatever they hold; the sum below
        the line is that of the weights. -> Leave the features as phi makes them.
    softmax-of-features: there is a softmax over the products -> Those of features are weights already, once
        they are divided by their sum. -> No exponential but that in phi.
    softmax-over-zeros: there is a softmax over the products, in which later tokens have a 0 -> e to the power of 0 is
        1: they take their share. And products of features are weights already. -> No softmax: divide by their sum.
    softmax-for-phi: your phi is a softmax over the numbers of a query or key -> It is positive, but it is another
        function: there numbers depend on their neighbours. -> x + 1 above 0, e^x elsewhere, number by number.
    softmax-attention: that is causal softmax attention -> It needs all keys again for each query. -> Weights are
        phi(q) · phi(k), divided by their sum.
    exp: your phi is e^x everywhere -> Above 0 it is x + 1: it grows slowly there, and does not overflow. -> Choose by
        the sign, number by number: `np.where`.
    relu-and-1: your phi is 1 everywhere below 0 -> Then all keys below 0 look alike. -> e^x for what is not above 0.
    relu-and-little=: your phi cuts off what is below 0, and adds a number of yours -> Then all keys below 0 look alike.
        -> e^x for what is not above 0; that is never 0, and nothing has to be added.
    relu: your phi cuts off what is below 0 -> Then all weights of a query may be 0. -> e^x for what is not above 0.
    elu: your phi is x above 0, and e^x − 1 elsewhere -> That is ELU, and may be negative. -> Add 1 to it.
    plus-1-everywhere: your phi is x + 1 everywhere -> Below −1 it is negative, and so may be a weight. -> e^x for what
        is not above 0: `np.where`.
    squares: your phi is x² -> It is positive, but small on both sides of 0 alike, so that a key and its opposite look
        the same. -> x + 1 above 0, e^x elsewhere: `np.where`.
    sizes: your phi is |x| -> Then a key and its opposite look the same. -> x + 1 above 0, e^x elsewhere: `np.where`.
    softplus: your phi is ln(1 + e^x) -> It is positive and grows, but it is another function. -> x + 1 above 0, e^x
        elsewhere: `np.where`.
    divided-by-place: you divide the query's features by z, number by number -> The weights' sum is one number for each
        query. -> Multiply the query's features by z and add up; divide the context by that.
    branches-exchanged: your phi is e^x above 0, and x + 1 elsewhere -> The two have changed places: below −1 yours is
        negative. -> `np.where` takes its second argument where the condition is true.
    one-missing: your phi is x above 0, not x + 1 -> Then it jumps at 0, from 1 down to 0. -> x + 1 above 0.
    one-too-many: your phi is e^x + 1 where x is not above 0 -> Then it jumps at 0, from 2 down to 1. -> e^x alone
        there.
    overflow-nan: your phi is not a number where x is large -> Both branches are computed everywhere; infinity times 0
        is NaN. -> `np.where` picks, where a product would multiply; or hand `np.minimum(x, 0)` to the exponential.
    keys-mixed
    weights-returned
    """,
)
def causal_linear_attention(Q, K, V, wrong=frozenset()):
    """Causal linear attention, with mistakes as switches."""
    if "whole-contexts" in wrong and np.asarray(V).dtype.kind in "iu":
        return np.trunc(causal_linear_attention(Q, K, V, wrong - {"whole-contexts"}))
    Q, K, V = (np.asarray(one, dtype=float) for one in (Q, K, V))
    n, d_k = Q.shape
    scale = np.sqrt(d_k)
    if "first-never-read" in wrong:
        rest = causal_linear_attention(Q[1:], K[1:], V[1:], wrong - {"first-never-read"})
        return np.vstack([np.zeros((1, V.shape[1])), rest])
    covered_up = {"excludes-itself-0": 0.0, "excludes-itself-v": V[:1]}
    if made := wrong & covered_up.keys():
        contexts = causal_linear_attention(Q, K, V, wrong - made | {"excludes-itself"})
        contexts[:1] = slip(made, covered_up, None)
        return contexts
    others = {"query-of-the-next": np.minimum(np.arange(n) + 1, n - 1), "query-of-the-one-before": np.arange(n) - 1}
    Q = Q[slip(wrong, others, slice(None))]
    if "written-a-round-late" in wrong:
        K, V = np.roll(K, 1, axis=0), np.roll(V, 1, axis=0)
    with np.errstate(all="ignore"):
        if "softmax-attention" in wrong:
            return softmax(np.where(np.tri(n, dtype=bool), Q @ K.T / scale, -np.inf)) @ V
        if "scaled" in wrong:
            Q = Q / scale
        if "scaled-both" in wrong:
            Q, K = Q / np.sqrt(scale), K / np.sqrt(scale)
        phi_Q = Q if wrong & {"no-phi", "phi-of-keys-only", "phi-of-product"} else phi(Q, wrong)
        phi_K = K if wrong & {"no-phi", "phi-of-queries-only", "phi-of-product"} else phi(K, wrong)
        phi_Q = phi(phi_Q, wrong) if "phi-twice" in wrong else phi_Q
        phi_K = phi(phi_K, wrong) if wrong & {"phi-twice", "phi-of-keys-twice"} else phi_K
        if "features-divided" in wrong:
            phi_Q, phi_K = (one / one.sum(axis=-1, keepdims=True) for one in (phi_Q, phi_K))
        if "features-unit" in wrong:
            phi_Q, phi_K = (one / np.linalg.norm(one, axis=-1, keepdims=True) for one in (phi_Q, phi_K))
        V = phi(V, wrong) if "phi-of-values" in wrong else K if "keys-mixed" in wrong else V
        V = _corrected(phi_K, V) if "corrected" in wrong else V
        added = number(wrong, "added-below", 1e-6) or 1.0 * ("one-added-below" in wrong)
        begun = number(wrong, "z-begins-with", 1e-6) or 1.0 * ("z-begins-with-ones" in wrong)
        wrong = frozenset(one for one in wrong if one.partition("=")[0] not in ("added-below", "z-begins-with"))
        if not wrong - {"scaled", "no-phi", "phi-of-keys-only", "phi-of-queries-only", "phi-of-values", "keys-mixed",
                        "exp", "relu", "relu-and-1", "elu", "one-missing", "one-too-many", "overflow-nan",
                        "squares", "sizes", "softplus", "z-begins-with-ones", "one-added-below", "branches-exchanged",
                        "plus-1-everywhere", "phi-twice", "phi-of-keys-twice", "whole-contexts",
                        "softmax-for-phi"}:  # fmt: skip
            return _with_state(phi_Q, phi_K, V, begun, added)
        if "divided-by-place" in wrong:
            phi_Q = phi_Q / np.cumsum(phi_K, axis=0)
        scores = phi_Q @ phi_K.T
        back = np.arange(n)[:, None] - np.arange(n)
        if kept := number(wrong, "forgets", 0.9):
            scores = scores * kept ** np.maximum(back, 0)
        of_queries = phi_Q @ phi_Q.T
        if "softmax-of-scaled-features" in wrong:
            return softmax(np.where(np.tri(n, dtype=bool), scores / scale, -np.inf)) @ V
        if longest := number(wrong, "window", 64):
            scores = scores * (back < longest)
        if "phi-of-product" in wrong:
            scores = phi(scores, wrong)
        if "softmax-of-features" in wrong:
            return softmax(np.where(np.tri(n, dtype=bool), scores, -np.inf)) @ V
        if "softmax-over-zeros" in wrong:
            return softmax(np.tril(scores)) @ V
        full = np.ones((n, n))
        masks = {
            "not-causal": full,
            "excludes-itself": np.tri(n, k=-1),
            "only-itself": np.eye(n),
            "turned-round": full - np.tri(n, k=-1),
        }
        mask = slip(wrong, masks, np.tri(n))
        if "first-twice" in wrong:
            mask[:, 0] *= 2
        if "state-not-added" in wrong:
            return np.diag(scores)[:, None] * V / (scores * mask).sum(axis=-1, keepdims=True)
        others = {"state-of-all": full, "S-read-first": masks["excludes-itself"]}
        kinds = {"S-of-bare-keys": phi_Q @ K.T, "S-of-queries": of_queries}
        above = _masked(slip(wrong, kinds, scores), slip(wrong, others, mask))
        if kept := number(wrong, "S-forgets", 0.9):
            above = above * kept ** np.maximum(back, 0)
        above = above / np.arange(1, n + 1)[:, None] if "S-averaged" in wrong else above
        below = _masked(scores, full if "normaliser-of-all" in wrong else mask).sum(axis=-1, keepdims=True)
        if "divided-by-columns" in wrong:
            below = _masked(scores, mask).sum(axis=0)[:, None]
        if (first := number(wrong, "z-read-first", 0.0)) is not None:
            below = (scores * np.tri(n, k=-1)).sum(axis=-1, keepdims=True) + first
        if wrong & {"no-normaliser", "divided-by-place"}:
            below = np.ones_like(below)
        if "phi-of-z" in wrong:
            below = (phi_Q * phi(np.cumsum(K, axis=0), wrong)).sum(axis=-1, keepdims=True)
        if "z-not-added" in wrong:
            below = np.diag(scores)[:, None]
        if "z-one-number" in wrong:
            below = (phi_Q.sum(axis=-1) * np.cumsum(phi_K.sum(axis=-1)))[:, None]
        if "z-on-another-axis" in wrong:
            below = (phi_Q * np.cumsum(phi_K, axis=1)).sum(axis=-1, keepdims=True)
        if "S-on-another-axis" in wrong:
            return (phi_Q * np.cumsum(phi_K, axis=1)).sum(axis=-1, keepdims=True) * V / below
        if "S-on-the-last-axis" in wrong:
            return np.diag(scores)[:, None] * np.cumsum(V, axis=1) / below
        if "query-in-the-state" in wrong:
            own = np.diag(scores)[:, None]
            return np.cumsum(own * V, axis=0) / np.cumsum(own, axis=0)
        if "z-of-weights" in wrong:
            below = np.cumsum(np.diag(scores))[:, None]
        if "z-of-bare-keys" in wrong:
            below = (phi_Q * np.cumsum(K, axis=0)).sum(axis=-1, keepdims=True)
        if "z-counts" in wrong:
            below = phi_Q.sum(axis=-1, keepdims=True) * np.arange(1, n + 1)[:, None]
        if "z-of-queries" in wrong:
            below = (phi_Q * np.cumsum(phi_Q, axis=0)).sum(axis=-1, keepdims=True)
        if "z-summed" in wrong:
            below = np.cumsum(phi_K.sum(axis=-1))[:, None]
            below = np.full_like(below, below[-1]) if "normaliser-of-all" in wrong else below
        if "mean" in wrong:
            below = np.arange(1, n + 1)[:, None]
        if "last-sum-for-all" in wrong:
            below = np.full_like(below, below[-1])
        if "divided-behind-the-loop" in wrong:
            below[:-1] = 1
        below = below + added
        if begun:  # 0 times infinity would be NaN
            below = below + begun * phi_Q.sum(axis=-1, keepdims=True)
        if "S-divided-each-round" in wrong:
            return _divided_each_round(phi_Q, phi_K, V, below)
        if "weights-returned" in wrong:
            return above / below
        ones, identity = np.ones((phi_K.shape[1], V.shape[1])), np.eye(phi_K.shape[1], V.shape[1])
        begins = {"S-begins-with-ones": phi_Q @ ones, "S-begins-with-identity": phi_Q @ identity}
        return (above @ V + slip(wrong, begins, 0.0)) / below


def _divided_each_round(phi_Q, phi_K, V, below):
    """What comes out where S itself is divided, and goes on so."""
    S, contexts = np.zeros((phi_K.shape[1], V.shape[1])), []
    for q, k, v, by in zip(phi_Q, phi_K, V, below, strict=True):
        S = (S + np.outer(k, v)) / by
        contexts.append(q @ S)
    return np.array(contexts).reshape(V.shape)


def _masked(scores, mask):
    """The scores that count, so often as the mask says; where it holds 0, infinity is 0 as well."""
    return np.where(mask != 0, scores * mask, 0.0)


def _corrected(phi_K, V):
    """What is written for each key where the state's answer is taken off first."""
    S, written = np.zeros((phi_K.shape[1], V.shape[1])), []
    for k, v in zip(phi_K, V, strict=True):
        written.append(v - k @ S)
        S = S + np.outer(k, written[-1])
    return np.array(written).reshape(V.shape)


def _with_state(phi_Q, phi_K, V, first=0.0, added=0.0, together=64):
    """The contexts, from a state that grows by some tokens at a time: one by one takes ten times as long.

    z begins with `first`, and all sums below the line are larger by `added`.
    """
    contexts, S, z = np.empty((len(V), V.shape[1])), 0.0, np.full(phi_K.shape[1], first)
    for start in range(0, len(V), together):
        q, k, v = (one[start : start + together] for one in (phi_Q, phi_K, V))
        weights = np.tril(q @ k.T)
        above, below = weights @ v, weights.sum(axis=-1) + q @ z + added
        contexts[start : start + together] = (above + (q @ S if start else 0)) / below[:, None]
        S, z = S + k.T @ v, z + k.sum(axis=0)
    return contexts


def phi(x, wrong=frozenset()):
    """The features of queries and keys."""
    low = np.exp(np.minimum(x, 0))
    if "overflow-nan" in wrong:
        return (x > 0) * (x + 1) + (x <= 0) * np.exp(x)
    little = number(wrong, "relu-and-little", 1e-6)
    slips = {
        "exp": lambda: np.exp(x),
        "softmax-for-phi": lambda: softmax(x),
        "squares": lambda: x**2,
        "plus-1-everywhere": lambda: x + 1,
        "sizes": lambda: np.abs(x),
        "softplus": lambda: np.logaddexp(0, x),
        "relu": lambda: np.maximum(x, 0),
        "relu-and-1": lambda: np.maximum(x, 0) + 1,
        "elu": lambda: np.where(x > 0, x, low - 1),
        "branches-exchanged": lambda: np.where(x > 0, np.exp(x), x + 1),
        "one-missing": lambda: np.where(x > 0, x, low),
        "one-too-many": lambda: np.where(x > 0, x + 1, low + 1),
    }
    right = slip(wrong, slips, lambda: np.where(x > 0, x + 1, low))
    return np.maximum(x, 0) + little if little else right()
