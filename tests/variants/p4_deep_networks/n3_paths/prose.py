"""The numbers in the prose of this notebook."""

from functools import cache

import numpy as np

from attnlib import context_reach, rnn_reach, rnn_states, softmax, teach_rnn

WORDS = [1.2, -0.6, 0.4, 0.9, -0.3, -1.1, 0.2, 0.7, -0.8, 0.5, 0.1, -0.4]
LONG = [*WORDS, *WORDS[::-1], 0.3, -0.2]
ONE = np.ones((1, 1))


def power(x):
    """A number as a power of ten, as prose writes it."""
    digits, exponent = f"{x:.1e}".split("e")
    return (
        f"{digits} · 10{'⁻' * (int(exponent) < 0)}{''.join('⁰¹²³⁴⁵⁶⁷⁸⁹'[int(one)] for one in str(abs(int(exponent))))}"
    )


# ---- by hand


def by_hand():
    x, network = np.array([[1.0], [0], [0], [0]]), (ONE, 0.8 * ONE, [0.0])
    return rnn_states(x, *network)[:, 0], rnn_reach(x, *network)


def row_of_state(t):
    h, _ = by_hand()
    return f"| {t + 1} | 0 | 0.8 · {h[t - 1]:.3f} = {0.8 * h[t - 1]:.3f} | **{h[t]:.3f}** |"


def row_of_slope(t):
    h, _ = by_hand()
    return f"| {t + 1} | {h[t]:.3f} | {1 - h[t] ** 2:.3f} |"


def product():
    h, reach = by_hand()
    slopes = [f"{1 - one**2:.3f}" for one in h]
    chain = r" \cdot 0.8 \cdot ".join(slopes)
    return f" = {chain} = {reach[0]:.3f}"


def powers():
    return f"$0.9^{{50}} = {0.9**50:.3f}$, and $1.1^{{50}} = {1.1**50:.0f}$"


def example_of_states():
    return f"→ `[{', '.join(f'[{h:.3f}]' for h in by_hand()[0])}]`"


def example_of_reach():
    return f"→ `{by_hand()[1].round(3).tolist()}`"


def attention_by_hand():
    x = np.array([1.0, 0, 0, 0])
    w = softmax(x)
    return x, w, w @ x, context_reach([1.0], x[:, None], ONE, ONE)


def weights_by_hand():
    _, w, c, _ = attention_by_hand()
    return f"the weights **{', '.join(f'{one:.3f}' for one in w)}**, and the context is $c$ = **{c:.3f}**"


def first_road():
    x, w, c, _ = attention_by_hand()
    return f"{w[0]:.3f} · (1 − {c:.3f}) = {w[0] * (x[0] - c):.3f}"


def both_roads():
    x, w, c, reach = attention_by_hand()
    return f"{w[0]:.3f} + {w[0] * (x[0] - c):.3f} = **{reach[0]:.3f}**"


def other_roads():
    _, w, c, reach = attention_by_hand()
    return f"{w[1]:.3f} + {w[1]:.3f} · (0 − {c:.3f}) = {w[1]:.3f} − {w[1] * c:.3f} = **{reach[1]:.3f}**"


def example_of_attention():
    return f"→ `[{', '.join(f'{one:.3f}' for one in attention_by_hand()[3])}]`"


# ---- measured as the cells of the notebook do


def median(measure, draws=50):
    return np.median([measure(np.random.default_rng(seed)) for seed in range(draws)], axis=0)


def random_matrices(rng, d=32):
    return rng.normal(size=(2, d, d)) / np.sqrt(d)


@cache
def of_rnn():
    def measure(rng):
        W_x, W_h = random_matrices(rng)
        return rnn_reach(rng.normal(size=(65, 32)), W_x, W_h, np.zeros(32))

    return median(measure)


def stretching(rng):
    W_x, keeps_lengths = rng.normal(size=(32, 32)) / np.sqrt(32), np.linalg.qr(rng.normal(size=(32, 32)))[0]
    return 0.0001 * rng.normal(size=(65, 32)), W_x, 1.2 * keeps_lengths, np.zeros(32)


@cache
def of_stretching():
    reach = median(lambda rng: rnn_reach(*stretching(rng)))
    assert 1.17 < (reach[0] / reach[16]) ** (1 / 16) < 1.2  # "far back each step multiplies by just that"
    return reach


@cache
def stretching_slopes():
    """The mean slope of each step."""
    made = [1 - rnn_states(*stretching(np.random.default_rng(seed))) ** 2 for seed in range(50)]
    return np.mean(made, axis=(0, 2))


@cache
def of_attention(n=65, draws=50):
    def measure(rng):
        W_k, W_v = random_matrices(rng)
        return context_reach(rng.normal(size=32), rng.normal(size=(n, 32)), W_k, W_v)

    return median(measure, draws)


def vanishes():
    return f"16 steps back {of_rnn()[-17]:.4f} is left, and 64 steps back {power(of_rnn()[0])}"


def explodes():
    last, middle, first = of_stretching()[[-1, -33, 0]]
    told = f"{round(first, -3):,.0f} for the one 64 steps back"
    return f"{last:.1f} for the last word, {middle:.0f} for the one 32 steps back, about {told}"


def mean_slope():
    return f"the slopes near 1: {stretching_slopes().mean():.2f} on average"


def last_slope():
    return f"their slopes, {stretching_slopes()[-1]:.2f} on average at the last word"


def largest_singular_value():
    return f"about {median(lambda rng: np.linalg.norm(random_matrices(rng)[1], 2)):.1f}"


def near_and_far():
    far, near = of_attention()[:16].mean(), of_attention()[-16:].mean()
    assert f"{far:.3f}" == f"{near:.3f}"
    return f"{far:.3f} each"


def nearest_two():
    return f"Its last word reaches {of_rnn()[-1]:.1f}, and the one before {of_rnn()[-2]:.1f}"


def crossing():
    """From how many steps on attention reaches farther."""
    ahead = of_attention()[::-1] > of_rnn()[::-1]
    first = int(ahead.argmax())
    assert ahead[first:].all()
    assert not ahead[:first].any()
    return f"Only from {first} steps on does attention win"


def dilution():
    few, some, many = (float(np.median(of_attention(n, 10))) for n in (8, 64, 512))
    return f"{few / some:.1f} times less, then {some / many:.1f} times less"


def line_of_gradients():
    return f"the farthest words: {of_attention()[:16].mean():.3f} against {power(of_rnn()[0])}"


def not_centred():
    x, w, *_ = attention_by_hand()
    wrong = w * (1 + x)
    return f"{wrong[0]:.3f} and {wrong[1]:.3f} in the example of attention"


# ---- trained


def to_twentieths(share):
    return f"{5 * round(20 * share)} %"


@cache
def first_letter(n_letters, seed=0):
    return teach_rnn(n_letters, seed=seed)


def guesses():
    assert first_letter(10) == 1
    assert abs(first_letter(40) - 1 / 8) < 0.03
    return "with 40 what guessing gives, one in eight"


def dice():
    shares = [100 * first_letter(20, seed) for seed in range(4)]
    assert min(shares) < 20
    assert max(shares) > 95
    return f"four starts gave {shares[0]:.0f}, {shares[1]:.0f}, {shares[2]:.0f} and {shares[3]:.0f} %"


@cache
def all_letters(width, n_letters, reads="last state"):
    return teach_rnn(n_letters, width, n_letters, reads)


def row_of_widths(width):
    return f"| {width} | {' | '.join(to_twentieths(all_letters(width, n)) for n in (2, 4, 8, 16, 32))} |"


def cured():
    assert to_twentieths(all_letters(16, 32)) == "25 %"
    assert all_letters(16, 32, "all states") > 0.97
    return "A quarter from the last state, nearly all from all states"


# ---- the explorer


def rnn(x, w):
    return rnn_reach(np.array(x)[:, None], ONE, w * ONE, [0.0])


def attention(x, q):
    return context_reach([q], np.array(x)[:, None], ONE, ONE)


def at_the_start():
    return (
        f"{rnn(WORDS, 0.8)[0]:.4f} is left in the last state. The context follows at once: {attention(WORDS, 1)[0]:.2f}"
    )


def wave():
    """Of a nudge of the first word, what is left in the first states."""
    left = [rnn(WORDS[: t + 1], 0.8)[0] for t in range(5)]
    return f"{left[0]:.2f}, {left[1]:.2f}, {left[2]:.2f}, {left[3]:.2f}"


def silence():
    still = [0.0] * 12
    assert np.isclose(rnn(still, 1)[0], 1)
    assert np.allclose(attention(still, 1), 1 / 12)
    first, last = rnn(still, 0.8)[0], rnn(still, 1.1)[0]
    ends = f"with w = 1 exactly 1, with w = 1.1 it reaches {last:.1f}"
    return f"With w = 0.8 the first of 12 words reaches {first:.3f}, {ends}"


def brakes():
    reach = [rnn([word] + [0.0] * 11, 1.1)[0] for word in (0.2, 0.5, 1.0)]
    return f"At 0.2 its reach is {reach[0]:.2f}, at 0.5 it is {reach[1]:.2f}, at 1 it is {reach[2]:.3f}"


def eaten():
    return f"Of the first word {rnn(WORDS, 1)[0]:.3f} is left"


def gains():
    level, decided = attention(WORDS, 0), attention(WORDS, 3)
    assert np.allclose(level, level[0])
    few = (decided[1:] < 0.04).sum()
    return f"at q = 0 all reach {level[0]:.3f}, at q = 3 the first one {decided[0]:.2f}, and {few} others below 0.04"


def beyond_one():
    reach, weight = attention(WORDS, 4)[0], softmax(4 * np.array(WORDS))[0]
    more = f"its value brings its weight, {weight:.2f}, and the nudge raises that weight as well"
    return f"At q = 4 it reaches {reach:.2f}, more than 1: {more}, which brings {reach - weight:.2f} more"


NUMBERS = [
    ("| 2 | 0 | 0.8 · 0.762 = 0.609 | **0.544** |", lambda: row_of_state(1)),
    ("| 3 | 0 | 0.8 · 0.544 = 0.435 | **0.409** |", lambda: row_of_state(2)),
    ("| 4 | 0 | 0.8 · 0.409 = 0.328 | **0.316** |", lambda: row_of_state(3)),
    *(
        (f"| {t + 1} | {h} | {slope} |", lambda t=t: row_of_slope(t))
        for t, h, slope in (
            (0, "0.762", "0.420"),
            (1, "0.544", "0.704"),
            (2, "0.409", "0.832"),
            (3, "0.316", "0.900"),
        )
    ),
    (r" = 0.420 \cdot 0.8 \cdot 0.704 \cdot 0.8 \cdot 0.832 \cdot 0.8 \cdot 0.900 = 0.113", product),
    ("$0.9^{50} = 0.005$, and $1.1^{50} = 117$", powers),
    ("→ `[[0.762], [0.544], [0.409], [0.316]]`", example_of_states),
    ("→ `[0.113, 0.338, 0.599, 0.9]`", example_of_reach),
    ("the weights **0.475, 0.175, 0.175, 0.175**, and the context is $c$ = **0.475**", weights_by_hand),
    ("0.475 · (1 − 0.475) = 0.249", first_road),
    ("0.475 + 0.249 = **0.725**", both_roads),
    ("0.175 + 0.175 · (0 − 0.475) = 0.175 − 0.083 = **0.092**", other_roads),
    ("→ `[0.725, 0.092, 0.092, 0.092]`", example_of_attention),
    ("16 steps back 0.0016 is left, and 64 steps back 3.0 · 10⁻¹³", vanishes),
    ("4.7 for the last word, 54 for the one 32 steps back, about 19,000 for the one 64 steps back", explodes),
    ("the slopes near 1: 0.94 on average", mean_slope),
    ("their slopes, 0.82 on average at the last word", last_slope),
    ("about 1.9", largest_singular_value),
    ("0.074 each", near_and_far),
    ("Its last word reaches 3.5, and the one before 2.2", nearest_two),
    ("Only from 9 steps on does attention win", crossing),
    ("8.7 times less, then 7.7 times less", dilution),
    ("0.951 and 0.175 in the example of attention", not_centred),
    ("the farthest words: 0.074 against 3.0 · 10⁻¹³", line_of_gradients),
    ("with 40 what guessing gives, one in eight", guesses),
    ("four starts gave 11, 76, 14 and 100 %", dice),
    ("| 16 | 100 % | 95 % | 60 % | 35 % | 25 % |", lambda: row_of_widths(16)),
    ("| 64 | 100 % | 100 % | 100 % | 80 % | 45 % |", lambda: row_of_widths(64)),
    ("A quarter from the last state, nearly all from all states", cured),
    ("0.0016 is left in the last state. The context follows at once: 0.35", at_the_start),
    ("0.31, 0.24, 0.16, 0.04", wave),
    (
        "With w = 0.8 the first of 12 words reaches 0.086, with w = 1 exactly 1, with w = 1.1 it reaches 2.9",
        silence,
    ),
    ("At 0.2 its reach is 0.91, at 0.5 it is 0.11, at 1 it is 0.014", brakes),
    ("Of the first word 0.012 is left", eaten),
    ("at q = 0 all reach 0.083, at q = 3 the first one 0.92, and 10 others below 0.04", gains),
    (
        "At q = 4 it reaches 1.08, more than 1: its value brings its weight, 0.64, and the nudge raises that weight "
        "as well, which brings 0.44 more",
        beyond_one,
    ),
]
