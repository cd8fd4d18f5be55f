"""Attention as a memory that is read by its contents."""

EXERCISES = """predict-memory soft_lookup read-the-atlas hopfield_update recall hopfield_energy
linear_memory lost-memory safe_beta"""
SLIPS = """
beta-forgotten: beta has no effect: it is not used, or it cancels -> The memory is always equally decided, whatever is
    asked for. What is added to all scores alike cancels in the softmax, and what multiplies all weights alike cancels
    if they are divided by their sum. -> Multiply the scores by beta before the softmax.
beta-divides: you divide by beta instead of multiplying by it -> Beta is one over a temperature: a large beta must make
    the best memory stand out more, not less. -> Multiply the scores by beta.
beta-after: beta multiplies the weights, after the softmax -> Then the weights sum to beta, not to 1, and none of them
    stands out more than before. -> Beta belongs inside: it multiplies the scores.
ratio: you divide the scores by their sum, without the exponential -> A ratio of raw scores retrieves nothing: beta
    cancels, a query and its opposite read the same, and a sum of zero has no answer. -> Put the scores through softmax.
best-only: you return the best memory alone, whatever beta is -> That is the limit of a large beta. A smaller beta lets
    the others be heard. -> Mix all of them by their weights.
scaled: you divide the scores by the square root of the dimension -> That is for later (Part 3); here beta alone sets
    the scale. -> Leave the division out.
no-maximum: large scores overflow to NaN -> exp(1000) is infinity, and infinity divided by infinity is NaN. -> Use the
    `softmax` of Part 1: it takes the largest score off first.
two-only: only the first two memories are mixed -> The others have weights as well, and those are lost. -> As many
    weights, so many memories: let `range(len(...))` or a product of matrices count them.
three-only: only the first three memories are mixed -> The others have weights as well, and those are lost. -> As many
    weights, so many memories: let `range(len(...))` or a product of matrices count them.
last-only: only the last memory, times its weight, is left -> In a loop each round overwrites what the round before had
    found. -> Begin with zeros, and add in each round.
first-only: only the first memory, times its weight, is there -> A `return` in a loop ends it in its first round. ->
    Begin with zeros, add in each round, and return after the loop.
last-missing: the last memory is not mixed in -> Its weight is lost. -> `range(n)` ends before n all by itself.
first-missing: the first memory is not mixed in -> Its weight is lost. -> Places count from 0.
raw-scores: you mix the memories by their raw scores, without softmax -> Many memories with small scores add up and
    drown the right one. -> Turn the scores into weights first.
softmax-of-one: all weights are 1, so that the memories are added up -> Each softmax here has a single score to weigh,
    and one share alone is 1: the scores stand in a column, or come one at a time. -> Give softmax all scores at once,
    side by side.
distance-root: you score by distance instead of by dot product -> Both agree only if all that is stored has the same
    length. -> Use dot products.
powers-of-weights: you raise the weights to the power beta, without dividing by their sum again -> Such powers have the
    right proportions, but no longer sum to 1. -> Multiply the scores by beta before the softmax.
not-normalised: the weights are powers of e that are not divided by their sum -> Then the weights of a query do not sum
    to 1, and the mixture has any size. -> Use the `softmax` of Part 1.
softmax-late: softmax comes after the mix instead of before it -> Softmax makes weights out of scores. After the mix
    there are no scores any more, but a blend of what is stored. -> Score, softmax, mix: in this order.
exponent-capped=: exponents beyond a limit are cut off before the exponential -> All beyond the limit count alike then,
    and the best memory loses its lead. -> Use the `softmax` of Part 1: it takes the largest score off first.
halved: the scores, or beta, are halved -> No 2 belongs there: with half of it, softmax is less decided. -> Multiply the
    scores by beta, and by nothing else.
beta-at-least=: a beta below some limit (1, mostly) counts as that limit -> A small beta lets all memories be heard,
    down to the plain mean at 0. -> Multiply the scores by beta, whatever it is.
"""
