import numpy as np

from grader.exercises.kinds import Case, Property, function
from grader.exercises.p2_three_views.n3_memory_retrieval.hopfield_update import hopfield_update
from grader.exercises.p2_three_views.n3_memory_retrieval.shared import stored
from grader.exercises.stages import slip


def spoilt(rng, n, d, beta, steps):
    """A spoilt picture, and a beta so small that every step and every grey matters."""
    while True:
        patterns = stored(rng, n, d)
        picture = patterns[int(rng.integers(n))].copy()
        picture[rng.permutation(d)[: d // 4]] *= -1
        inputs = {"picture": picture, "patterns": patterns, "beta": beta, "steps": steps}
        right = recall(**inputs)
        others = ["one-step-more", "rounds-each-step", "beta-forgotten", "one-step-less", "one-step"][: 4 + (steps > 1)]
        results = [recall(**inputs, wrong=frozenset([other])) for other in others]
        if steps > 1 and (results[1] == np.where(right >= 0, 1, -1)).all():
            continue
        if min(np.abs(result - right).max() for result in results) > 0.01:
            return inputs


def stored_pictures_stay(call, rng):
    patterns = stored(rng, 3, 37)
    for pattern in patterns:
        gap = np.abs(call(pattern, patterns, 2.0, 3) - pattern).max()
        if not gap <= 1e-3:  # NaN neither
            return f"a stored picture, handed in unspoilt, changes by {gap:.3g}"
    return None


def spoilt_pictures_come_back(call, rng):
    patterns = stored(rng, 5, 61)
    for pattern in patterns[:3]:
        picture = pattern.copy()
        picture[rng.permutation(61)[:8]] *= -1
        if not np.abs(call(picture, patterns, 1.0, 3) - pattern).max() <= 1e-3:
            return "with 8 of 61 pixels flipped and beta = 1, a picture does not come back"
    return None


@function(
    points=2,
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
    mistakes="""
    one-step: the result is that of a single update, whatever `steps` says -> Either there is no loop, or every round
        starts from the spoilt picture again. -> Feed each new state into the next update.
    one-step-more: you update once too often -> `range(steps)` makes exactly `steps` rounds; an update before the loop
        is one more. -> Start the loop from the picture as it was handed in.
    one-step-less: you update once too few -> `range(1, steps)` makes only `steps - 1` rounds. -> `range(steps)` makes
        exactly `steps` rounds.
    signs: you round the result to ink and paper -> The greys tell how sure the memory is; the task asks for the state
        itself. -> Return the last state as it is.
    rounds-each-step: you round to ink and paper after each update -> The greys say which memories are still in play.
        Rounding throws that away too early. -> Pass the state on as it is.
    all-steps: you return the states of all steps -> Asked for is where the memory arrives. -> Return the last state.
    beta-forgotten
    """,
)
def recall(picture, patterns, beta, steps, wrong=frozenset()):
    """Several updates in a row, with mistakes as switches."""
    state, patterns = np.asarray(picture, dtype=float), np.asarray(patterns, dtype=float)
    mistakes = wrong & {"beta-forgotten"}
    steps = slip(wrong, {"one-step": 1, "one-step-less": steps - 1, "one-step-more": steps + 1}, steps)
    states = []
    for _ in range(steps):
        state = hopfield_update(state, patterns, beta, mistakes)
        if "rounds-each-step" in wrong:
            state = np.where(state >= 0, 1.0, -1.0)
        states.append(state)
    if "all-steps" in wrong and states:
        return np.array(states)
    return np.where(state >= 0, 1.0, -1.0) if "signs" in wrong else state
