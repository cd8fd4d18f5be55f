"""A whole transformer: from text to vector, search by meaning, words in their context, and the exam."""

EXERCISES = """predict-a-whole-transformer sentence_vector sentence_vectors search_sentences word_in_context senses
diagnose"""
SLIPS = """
cls-only: you take the row of `[CLS]` alone -> Some models are trained so that this row speaks for the sentence. This
    one was trained on the mean of all rows. -> Average all rows.
sep-only: you take the row of `[SEP]` alone -> In models that see only the past the last row has heard most. Here
    every row hears all, and the mean was trained. -> Average all rows.
specials-left-out: `[CLS]` and `[SEP]` are missing from the mean -> They are no words, but the model was trained with
    them in the mean. -> Average all rows of the sentence, from `[CLS]` to `[SEP]`.
cls-left-out: `[CLS]` is missing from the mean -> It is no word, but the model was trained with it in the mean. ->
    Average all rows.
sep-left-out: `[SEP]` is missing from the mean -> It is no word, but the model was trained with it in the mean. ->
    Average all rows, to the last.
largest: you take the largest of each column instead of the mean -> This model was trained on the mean of the rows. ->
    Average them.
median: you take the median of each column instead of the mean -> This model was trained on the mean of the rows. ->
    Average them.
tanh-of-cls: you take the row of `[CLS]`, through a tanh -> BERT's own pooler does so, behind a matrix that it has
    learned for that. This model was trained on the mean of all rows, as they are. -> Average all rows.
words-once: of a word that comes twice the model reads one only -> A set, or a dict, holds each once. -> All words that
    `tokenize` gives.
words-sorted: your words are sorted -> The model has learned with positions: who bites whom is in the order. -> Leave
    them as `tokenize` gives them.
words-sorted-once: your words are sorted, and each of them comes once -> The model has learned with positions, and has
    read what comes twice. -> Leave them as `tokenize` gives them.
unit-rows-first: you bring every token's row to length 1, average, and leave the mean as long as it is -> Then a
    long row counts no more than a short one, and a sentence's vector has not the length 1. -> Average the rows as
    they are, and divide once, in the end.
unit-rows-averaged: you bring every row to length 1 before you average -> Then a long row counts no more than a short
    one. -> Average the rows as they are, and divide once, in the end.
not-unit: what you return has not the length 1 -> A dot product is a cosine only between vectors of length 1. ->
    Divide the mean by its length, and keep what comes out: a line `m / ...` alone changes nothing, `m = m / ...` does.
five-layers: only five layers have run -> The sixth changes most of what is compared. -> How far does your loop go?
first-layer-left-out: the first layer is missing -> Layers are counted from 0. -> Where does your loop begin?
first-layer-only: only the first layer has run -> A `return` inside a loop ends it in the first round; and a loop that
    always hands the same input on keeps only one layer. -> Hand on what comes out, and return behind the loop.
last-layer-only: only the last layer has run -> Each round takes the input anew, instead of what the layer before has
    made of it. -> `X = ...` in the loop, with X on both sides.
first-layer-six-times: the first layer runs six times -> Each of the six has learned something else. -> The loop runs
    over the layers: each of them once, in their order.
last-layer-six-times: the last layer runs six times -> Each of the six has learned something else. -> The loop runs over
    the layers: each of them once, in their order.
layers-reversed: the layers run from the last to the first -> Each has learned to go on from the one before it. -> Begin
    with `layers[0]`.
no-layers: no layer has run: you average what goes in -> Then each word has the same vector in every sentence, but for
    its place. -> Run all six layers.
no-positions: the positions are missing -> Without them the model reads a bag of words. -> Leave `encoder_input` as it
    is.
pre-norm: your blocks norm first and add then -> This model's blocks add first and norm then. -> `post_norm_block`.
causal: your blocks have a mask that forbids what comes later -> That is for models which write. This one reads: each
    token hears all. -> Leave that mask out.
path-added-twice: the path is added twice: `X + post_norm_block(X, ...)` -> A block adds it already, before each of its
    norms. -> `X = post_norm_block(X, ...)`.
attention-only: only the attentions have run, without the paths, the norms and the feed-forward layers -> A layer is
    more than its attention. -> `post_norm_block` runs all of it.
layers-twice: the six layers have run twice -> The model has learned with six. -> Is there a loop around your loop, or
    is the same cell's X taken anew?
one-head: the attention runs with one large head -> The model has learned with twelve. -> `num_heads` is 12.
split-by-spaces: you cut the text at its spaces -> "River." with its capital letter and its full stop is no word of the
    vocabulary. -> `tokenize` knows better.
"""
