"""Positions."""

EXERCISES = """predict-positions sees_order sinusoidal_positions rotate rotary_scores lost-head shift_matrix"""
SLIPS = """
base-ignored=: `base` has no effect: yours is always the same -> The base says how far the speeds of the clocks lie
    apart, and models choose others. -> Use the argument, wherever the number stood.
exponent-i: your clocks lie too close together: the exponent counts pairs, where it should count columns -> Pair i
    begins at column 2i, and its exponent is 2i / d. -> `np.arange(0, d, 2)` counts in steps of two.
doubled-exponent: your clocks lie too far apart: the factor 2 is in the exponent twice -> `np.arange(0, d, 2)` has it
    already; and a pair's 2i is divided by d, not by half of it. -> Over d; times 2 only if you count pairs 0, 1, 2, ...
multiplied: your clocks get faster from pair to pair: you multiply by the power of the base, where it divides -> A clock
    of a hundred radians a place turns 16 times between two neighbours, and says nothing of where they are. -> Divide,
    or turn the sign of the exponent.
same-angle: all pairs turn at the same speed -> One clock cannot tell a place from another one turn later. -> The
    exponent grows from pair to pair.
last-slowest: your exponent ends at 1: you divide by the number of pairs less one -> Some programs do that. Here the
    exponent is 2i / d, and the last one stays below 1. -> Divide by d.
pairs-from-one: your first clock is slower than 1: the pairs are counted from 1 -> The exponent of the first pair is 0,
    and base to the power of 0 is 1. -> Look where the count of your pairs begins.
degrees: your angles are taken as degrees -> `np.sin` expects radians, and so does the formula. -> Leave the angles as
    they are.
turns: your angles are counted in whole turns: there is a 2 pi in them -> The formula has none: place times speed is the
    angle, in radians. -> Leave it out.
slowest-first: your clocks run from the slowest to the quickest -> Columns 0 and 1 are the clock with the exponent 0,
    whose speed is 1. -> Let the exponents rise from pair to pair.
power-first: your exponent ends too soon: `base ** -2 * i / d` is base to the power of -2, times i, over d -> `**` comes
    before `*` and `/`; here all of it is one exponent. -> Parentheses around the exponent.
divided-last: your exponent ends too soon: the number of columns divides the power, not the exponent -> `**` comes
    before `/`. -> Parentheses around the whole exponent, the division included.
log10-for-log: the base of your powers is e, and the logarithm beside it is that of 10 -> `np.exp` and `np.log` belong
    together. -> Write `base ** ...`, or `np.exp(... * np.log(base))`.
natural: the base of your powers is e, not `base` -> `np.exp` has a base of its own. -> Write `base ** ...`, or
    `np.exp(... * np.log(base))`.
"""
