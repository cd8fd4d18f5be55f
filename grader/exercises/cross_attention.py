"""Part 3, notebook 4: one sequence asks, another answers."""

import numpy as np

from attnlib import cosine_scores, load_word_vectors, tokenize
from grader.exercise import Case, ChoiceExercise, FunctionExercise, Misconception, Part, Property, ValueExercise
from grader.exercises.inputs import matrix, moved, tenths

# ---------------------------------------------------------------- the prediction

predict_cross = ChoiceExercise(
    id="predict-cross",
    points=1,
    task="type the letter of your prediction",
    right="b",
    because={
        "a": "the number is right: each query gets one context. But a context is an average of values. "
        "Which sentence do the values come from?",
        "b": "one context vector for each query, and every one is an average of the values, which come from the "
        "source. "
        "The target decides how many questions are asked, the source supplies all that can be heard.",
        "c": "that is the number of values. How many questions are asked?",
        "d": "that is the number of scores: one for each pair. The average over the keys takes one of the two axes "
        "away.",
    },
)


# ---------------------------------------------------------------- cross_attention


def _softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def cross_attention_model(X_target, X_source, W_q, W_k, W_v, source_mask=None, wrong=frozenset()):
    """Cross-attention, with the mistakes that people make as switches."""
    X_target, X_source = np.asarray(X_target, dtype=float), np.asarray(X_source, dtype=float)
    asks = X_source if wrong & {"queries-from-source", "swapped-sequences"} else X_target
    keys_from = X_target if wrong & {"keys-from-target", "all-from-target", "swapped-sequences"} else X_source
    values_from = X_target if wrong & {"values-from-target", "all-from-target", "swapped-sequences"} else X_source
    Q, K, V = asks @ W_q, keys_from @ W_k, values_from @ W_v
    if "matrices-swapped" in wrong:
        Q, K = asks @ W_k, keys_from @ W_q
    if "keys-values-swapped" in wrong:
        K, V = values_from @ W_v, keys_from @ W_k
    scores = Q @ K.T
    if "scale-d-model" in wrong:
        scores = scores / np.sqrt(X_target.shape[-1])
    elif "divided-by-d-k" in wrong:
        scores = scores / Q.shape[-1]
    elif "no-scale" not in wrong:
        scores = scores / np.sqrt(Q.shape[-1])
    axis = 0 if "columns" in wrong else -1
    if source_mask is None or "mask-ignored" in wrong:
        weights = _softmax(scores, axis)
        return weights @ V, weights
    mask = np.asarray(source_mask)
    if "mask-inverted" in wrong:
        mask = ~mask
    if "mask-drops-rows" in wrong:
        weights = _softmax(scores[:, mask], axis)
        return weights @ V[mask], weights
    if "mask-after" in wrong:
        weights = _softmax(scores, axis) * mask
    elif "mask-zero" in wrong:
        weights = _softmax(scores * mask, axis)
    elif "mask-on-queries" in wrong:
        weights = _softmax(np.where(mask[:, None], scores, -np.inf), axis)
    elif "mask-blanks-queries" in wrong:
        weights = np.where(mask[:, None], _softmax(scores, axis), 0.0)
    else:
        # A large negative number instead of -inf: no column is ever NaN, whatever the axis.
        weights = _softmax(np.where(mask, scores, -1e30), axis)
    return weights @ V, weights


def _some_of(rng, n):
    """A mask with at least two True, so that their scores matter, and at least one False."""
    mask = np.arange(n) < rng.integers(2, n)
    return rng.permutation(mask)


def _two_sequences(rng, n_target, n_source, d_target, d_source, d_k, d_v, *, masked=False, draw=matrix):
    inputs = {
        "X_target": draw(rng, n_target, d_target),
        "X_source": draw(rng, n_source, d_source),
        "W_q": draw(rng, d_target, d_k),
        "W_k": draw(rng, d_source, d_k),
        "W_v": draw(rng, d_source, d_v),
    }
    if masked:
        inputs["source_mask"] = _some_of(rng, n_source)
    return inputs


def _rows_sum_to_one(call, rng):
    weights = call(*_two_sequences(rng, 5, 3, 7, 2, 3, 11).values())[1]
    worst = np.abs(weights.sum(axis=-1) - 1).max()
    return None if worst < 1e-3 else f"a row of weights sums to {weights.sum(axis=-1)[0]:.4g}"


def _source_order_is_nothing(call, rng):
    inputs = _two_sequences(rng, 3, 7, 5, 2, 3, 11)
    order = moved(rng, 7)
    shuffled = {**inputs, "X_source": inputs["X_source"][order]}
    first, second = call(*inputs.values())[0], call(*shuffled.values())[0]
    difference = np.abs(first - second).max()
    return None if difference < 1e-3 * (1 + np.abs(first).max()) else f"it moves a context by {difference:.3g}"


def _heard_when_unmasked(rng):
    """Sequences whose masked tokens would have clear weights."""
    while True:
        inputs = _two_sequences(rng, 3, 7, 5, 2, 3, 11, masked=True)
        weights = cross_attention_model(**{**inputs, "source_mask": None})[1]
        if weights[:, ~inputs["source_mask"]].sum(axis=-1).min() > 0.05:
            return inputs


def _masked_tokens_are_not_heard(call, rng):
    *arguments, mask = _heard_when_unmasked(rng).values()
    context, weights = call(*arguments, source_mask=mask)
    if np.abs(weights[:, ~mask]).max() > 1e-6:
        return f"a masked source token has the weight {np.abs(weights[:, ~mask]).max():.3g}"
    changed = np.where(mask[:, None], arguments[1], rng.normal(size=arguments[1].shape))
    again = call(arguments[0], changed, *arguments[2:], source_mask=mask)[0]
    difference = np.abs(again - context).max()
    return None if difference < 1e-3 * (1 + np.abs(context).max()) else "a masked source token changes a context"


cross_attention = FunctionExercise(
    id="cross_attention",
    points=4,
    task="write `cross_attention(X_target, X_source, W_q, W_k, W_v, source_mask=None)`",
    model=cross_attention_model,
    returns=("context", "weights"),
    keywords=("source_mask",),
    cases=(
        Case("two words ask five", lambda rng: _two_sequences(rng, 2, 5, 3, 3, 7, 4, draw=tenths), 0.2),
        Case("embeddings of different widths", lambda rng: _two_sequences(rng, 7, 5, 3, 11, 2, 13), 0.15),
        Case("with a source mask", lambda rng: _two_sequences(rng, 3, 7, 5, 2, 11, 5, masked=True), 0.15),
        Case("as many source tokens as target tokens", lambda rng: _two_sequences(rng, 5, 5, 5, 5, 5, 5), 0.1),
        Case("the same, masked", lambda rng: _two_sequences(rng, 5, 5, 5, 5, 3, 3, masked=True), 0.1),
    ),
    properties=(
        Property("each row of weights sums to 1", _rows_sum_to_one, 0.05),
        Property("the order of the source tokens changes no context", _source_order_is_nothing, 0.05),
        Property("a masked source token has weight 0 and is not heard", _masked_tokens_are_not_heard, 0.1),
    ),
    misconceptions=(
        Misconception(
            "swapped-sequences",
            "target and source have changed places: the source asks, and the target answers",
            "The result has one row for each source token. A decoder needs one for each token that it is writing.",
            "Whoever wants to know something supplies the queries. That is the target.",
        ),
        Misconception(
            "queries-from-source",
            "the queries come from the source",
            "The source then attends to itself, and the target is never read: that is self-attention.",
            "Project the target with `W_q`. Only keys and values come from the source.",
        ),
        Misconception(
            "all-from-target",
            "queries, keys and values all come from the target",
            "The target attends to itself, and the source is never read: that is self-attention.",
            "Keys and values have to come from the sequence that knows the answer.",
        ),
        Misconception(
            "keys-from-target",
            "the keys come from the target",
            "A weight then says which target token matches, and is spent on a source token that stands at the same "
            "place.",
            "Key and value of one token belong together: both come from the source.",
        ),
        Misconception(
            "values-from-target",
            "the values come from the target",
            "The source only decides on the weights; what is mixed is the target itself.",
            "Key and value of one token belong together: both come from the source.",
        ),
        Misconception(
            "keys-values-swapped",
            "keys and values have changed places",
            "`W_k` makes what a token is found by, `W_v` what it says. Swapped, you average what should be matched.",
            "Scores need the keys; only the last product needs the values.",
        ),
        Misconception(
            "matrices-swapped",
            "`W_q` and `W_k` have changed places",
            "`W_q` turns the target into questions, `W_k` makes the source findable. "
            "With embeddings of one width nothing complains.",
            "Check which sentence each matrix is multiplied with.",
        ),
        Misconception(
            "no-scale",
            "the scores are not divided by the square root of d_k",
            "The longer the vectors, the larger the scores, and the closer the weights come to all or nothing.",
            "Divide before the softmax, as in the notebook on scaling.",
        ),
        Misconception(
            "scale-d-model",
            "you divide by the square root of the embedding's width instead of d_k",
            "The dot product runs over d_k products, so its spread is that of d_k numbers, however wide the "
            "embeddings are.",
            "Take the length from the projected queries: their last axis.",
        ),
        Misconception(
            "divided-by-d-k",
            "you divide by d_k instead of its square root",
            "The spread of a score grows with the square root of d_k. Dividing by more makes the weights too flat.",
            "Put the square root in.",
        ),
        Misconception(
            "columns",
            "you normalised down the columns (axis 0)",
            "Each row belongs to one target token, and its weights must sum to 1.",
            "Take the softmax along the last axis, over the source tokens.",
        ),
        Misconception(
            "mask-ignored",
            "the source mask has no effect",
            "Padding in the source then takes part of every weight.",
            "Where the mask is False the score must not count: replace it before the softmax.",
        ),
        Misconception(
            "mask-inverted",
            "the mask is turned round: you attend to exactly what is forbidden",
            "In this course True means: may attend. Some libraries use the reverse.",
            "Replace the scores where the mask is False.",
        ),
        Misconception(
            "mask-drops-rows",
            "you leave the masked source tokens out: their columns are missing in the weights",
            "The context is right, but nobody can tell any more which column belongs to which source word.",
            "Keep all columns, and let the masked ones have the weight 0.",
        ),
        Misconception(
            "mask-after",
            "you mask the weights after the softmax",
            "What is taken away is missing: the rows sum to less than 1.",
            "Mask the scores before the softmax; then the rest shares the whole.",
        ),
        Misconception(
            "mask-zero",
            "you multiply the scores by the mask",
            "A score of 0 is an ordinary score: e to the 0 is 1, so that a masked token keeps a weight.",
            "A forbidden score has to be minus infinity, or so low that its power is 0.",
        ),
        Misconception(
            "mask-on-queries",
            "the mask lies on the axis of the queries: whole rows are masked, and become NaN",
            "The mask tells which source tokens may be heard. The target tokens are the rows; the source is the "
            "columns.",
            "A mask of shape (n_source,) already fits the columns; it needs no further axis at its end.",
        ),
        Misconception(
            "mask-blanks-queries",
            "the mask lies on the axis of the queries: whole rows of weights are zero",
            "The mask tells which source tokens may be heard, not which target tokens may ask.",
            "A mask of shape (n_source,) already fits the columns of the scores.",
        ),
    ),
)


# ---------------------------------------------------------------- the order of the source

shuffled_source = ChoiceExercise(
    id="shuffled-source",
    points=1,
    task="type the letter of your answer",
    right="c",
    because={
        "a": "a row of the context belongs to a target token. The target was not touched: who asks, and in which "
        "order?",
        "b": "nothing in a score knows where a word stands. Follow one source word: what happens to its key, and to "
        "its value?",
        "c": "each source word takes its key and its value along to its new place, so that the columns of the weights "
        "move with it. An average does not care about the order of what it adds up.",
        "d": "look at the columns of the weights: a column belongs to one source word.",
    },
)


# ---------------------------------------------------------------- additive_scores


def additive_scores_model(Q, K, W_1, W_2, v, wrong=frozenset()):
    """Additive scores, with the mistakes that people make as switches."""
    Q, K, W_1, W_2, v = (np.asarray(array, dtype=float) for array in (Q, K, W_1, W_2, v))
    if "projections-swapped" in wrong:
        W_1, W_2 = W_2, W_1
    asked, offered = Q @ W_1, K @ W_2
    if "dot-product" in wrong:
        return asked @ offered.T
    if "one-to-one" in wrong:
        return np.tanh(asked + offered) @ v
    a, b = asked[:, None, :], offered[None, :, :]
    if "tanh-each" in wrong:
        hidden = np.tanh(a) + np.tanh(b)
    elif "product" in wrong:
        hidden = np.tanh(a * b)
    elif "difference" in wrong:
        hidden = np.tanh(a - b)
    elif "no-tanh" in wrong or "tanh-last" in wrong:
        hidden = a + b
    elif "sigmoid" in wrong:
        hidden = 1 / (1 + np.exp(-(a + b)))
    elif "relu" in wrong:
        hidden = np.maximum(a + b, 0)
    else:
        hidden = np.tanh(a + b)
    scores = hidden.sum(axis=-1) if "no-v" in wrong else hidden @ v
    if "tanh-last" in wrong:
        scores = np.tanh(scores)
    if "scaled" in wrong:
        scores = scores / np.sqrt(len(v))
    if "softmaxed" in wrong:
        scores = _softmax(scores)
    return scores


def _network(rng, n_queries, n_keys, d_q, d_k, d_hidden, draw=matrix):
    return {
        "Q": draw(rng, n_queries, d_q),
        "K": draw(rng, n_keys, d_k),
        "W_1": draw(rng, d_q, d_hidden),
        "W_2": draw(rng, d_k, d_hidden),
        "v": draw(rng, d_hidden),
    }


def _never_beyond_v(call, rng):
    Q, K, W_1, W_2, _ = _network(rng, 3, 5, 2, 7, 11).values()
    # All of the first query's and the first key's numbers count upwards, so that too much is too much on every draw.
    v = rng.uniform(0.3, 0.8, size=11)
    W_1, W_2 = W_1 * np.sign(Q[0] @ W_1), W_2 * np.sign(K[0] @ W_2)
    largest = np.abs(call(100 * Q, K, W_1, W_2, v)).max()
    bound = np.abs(v).sum()
    if largest <= bound * (1 + 1e-3):
        return None
    return f"the absolute values of v add up to {bound:.3g}, but a score is {largest:.3g} in size"


additive_scores = FunctionExercise(
    id="additive_scores",
    points=3,
    task="write `additive_scores(Q, K, W_1, W_2, v)`",
    model=additive_scores_model,
    returns="scores",
    cases=(
        Case("two queries, three keys", lambda rng: _network(rng, 2, 3, 2, 2, 5, draw=tenths), 0.25),
        Case("queries and keys of different widths", lambda rng: _network(rng, 7, 5, 3, 2, 11), 0.25),
        Case("as many queries as keys", lambda rng: _network(rng, 5, 5, 5, 5, 5), 0.2),
        Case("many keys", lambda rng: _network(rng, 2, 11, 3, 5, 7), 0.1),
    ),
    properties=(Property("no score is larger than the absolute values of v together", _never_beyond_v, 0.1),),
    misconceptions=(
        Misconception(
            "no-tanh",
            "the tanh is missing",
            "Without it the score is a part of the query plus a part of the key: every query prefers the same key.",
            "Bend the sum by `np.tanh` before it meets `v`.",
        ),
        Misconception(
            "tanh-last",
            "the tanh comes after `v`, around the finished score",
            "The hidden units have to be bent one by one; around the whole, query and key still do not interact.",
            "First the tanh of each hidden unit, then the weighted sum by `v`.",
        ),
        Misconception(
            "tanh-each",
            "you take two tanh and add them",
            "Then each key gets the same extra score from every query. Query and key have to meet before they are "
            "bent.",
            "Add first, and bend the sum.",
        ),
        Misconception(
            "product",
            "you multiply the projected query and key instead of adding them",
            "This score is called additive because its hidden units start from a sum.",
            "Put a plus between the two projections.",
        ),
        Misconception(
            "difference",
            "you subtract the projected key instead of adding it",
            "Trained weights would learn the other sign, but these are given: the formula has a plus.",
            "Put a plus between the two projections.",
        ),
        Misconception(
            "no-v",
            "the hidden units are added up without `v`",
            "`v` says how much each hidden unit counts, and in which direction.",
            "Weight the hidden units by `v` in the last sum.",
        ),
        Misconception(
            "dot-product",
            "you take the dot product of the projections",
            "That is the other family of scores, which this one is an alternative to.",
            "Add the projections, bend them, and weight by `v`.",
        ),
        Misconception(
            "one-to-one",
            "each query meets only the key in the same place",
            "Every query has to meet every key; with numbers of their own the two cannot even be added.",
            "Give the queries an axis for the keys, and the keys one for the queries; the sum then spreads over both.",
        ),
        Misconception(
            "projections-swapped",
            "`W_1` and `W_2` have changed places",
            "`W_1` belongs to the queries; on keys of another width it does not even fit.",
            "Queries with `W_1`, keys with `W_2`.",
        ),
        Misconception(
            "sigmoid",
            "you bend by the logistic function instead of tanh",
            "It lies between 0 and 1, so that a hidden unit can no longer speak against a key.",
            "Use `np.tanh`, which lies between -1 and 1.",
        ),
        Misconception(
            "relu",
            "you cut off negative sums instead of bending by tanh",
            "The sum then grows without bound on one side and is lost on the other.",
            "Use `np.tanh`.",
        ),
        Misconception(
            "scaled",
            "you divide by the square root of the hidden size",
            "The tanh already keeps every unit between -1 and 1. This score is not scaled.",
            "Leave the sum as it is.",
        ),
        Misconception(
            "softmaxed",
            "you return weights instead of scores",
            "The softmax comes later and is the same for both families of scores.",
            "Return the scores as they are.",
        ),
    ),
)


# ---------------------------------------------------------------- reading an alignment

TARGET = "The automobile hit a big rock on the road"
SOURCE = "A large stone on the street was struck by the car"


def _alignment(wrong):
    """The source word that each target word attends to most, with mistakes as switches."""
    vocabulary, E = load_word_vectors()
    target, source = tokenize(TARGET), tokenize(SOURCE)
    cosines = cosine_scores(*(E[[vocabulary[word] for word in words]] for words in (target, source)))
    weights = _softmax(cosines / 0.1)
    if "least" in wrong:
        weights = -weights
    best = weights.argmax(axis=-1)
    if "columns" in wrong:
        best = np.minimum(weights.argmax(axis=0)[: len(target)], len(source) - 1)
    if "diagonal" in wrong:
        best = np.arange(len(target))
    return {word: source[j] for word, j in zip(target, best, strict=True)}


def _aligned(word, share):
    return Part(word, f"the source word for “{word}”", lambda wrong=frozenset(): _alignment(wrong)[word], share)


read_alignment = ValueExercise(
    id="read-alignment",
    points=2,
    task="give a dict: the keys are the four target words, the values the source words that they attend to most",
    parts=(_aligned("automobile", 0.25), _aligned("hit", 0.25), _aligned("rock", 0.25), _aligned("road", 0.25)),
    misconceptions=(
        Misconception(
            "diagonal",
            "you paired the words by their places",
            "The two sentences tell the same in another order; attention does not know places at all.",
            "Take the largest weight in each row, wherever it is.",
        ),
        Misconception(
            "columns",
            "you looked for the largest weight in each column",
            "A column belongs to a source word. The question was what each target word looks at, and that is its row.",
            "Search along the last axis.",
        ),
        Misconception(
            "least",
            "you took the smallest weight of each row",
            "The smallest weight marks the word that is heard least.",
            "Take the largest weight in each row.",
        ),
    ),
)


# ---------------------------------------------------------------- who does what in an encoder-decoder


def _role(right, swapped=None, self_attention=None):
    def expected(wrong=frozenset()):
        if "swapped" in wrong and swapped is not None:
            return swapped
        if "self-attention" in wrong and self_attention is not None:
            return self_attention
        return right

    return expected


def _context_shape(wrong=frozenset()):
    return np.array([7 if "swapped" in wrong else 5, 3 if "width-of-keys" in wrong else 11])


encoder_decoder = ValueExercise(
    id="encoder-decoder",
    points=2,
    task="say who supplies what in a translator's cross-attention, as a dict",
    parts=(
        Part("queries", "where the queries come from", _role("decoder", swapped="encoder"), 0.2),
        Part("keys", "where the keys come from", _role("encoder", "decoder", "decoder"), 0.2),
        Part("values", "where the values come from", _role("encoder", "decoder", "decoder"), 0.2),
        Part(
            "weights",
            "the shape of the weights, in the form (2, 3)",
            _role(np.array([5, 7]), np.array([7, 5]), np.array([5, 5])),
            0.2,
        ),
        Part("context", "the shape of the context, in the form (2, 3)", _context_shape, 0.2),
    ),
    misconceptions=(
        Misconception(
            "swapped",
            "encoder and decoder have changed places",
            "The encoder has read the whole source and knows it. The decoder writes, and has to ask.",
            "Queries belong to whoever asks; there is one row of weights for each of them.",
        ),
        Misconception(
            "self-attention",
            "you described the decoder's self-attention",
            "There the decoder asks itself. Cross-attention is the one place where it hears the source.",
            "Keys and values come from the side that knows the source sentence.",
        ),
        Misconception(
            "width-of-keys",
            "you gave the context the width of the keys, d_k",
            "A context is an average of values. The keys only decide on the weights.",
            "Whose rows are added up in the last product?",
        ),
    ),
)
