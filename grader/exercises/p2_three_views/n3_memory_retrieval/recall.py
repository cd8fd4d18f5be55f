import numpy as np

from grader.exercises.inputs import example
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p2_three_views.n3_memory_retrieval.hopfield_update import hopfield_update
from grader.exercises.p2_three_views.n3_memory_retrieval.shared import STATE, TWO, stored
from grader.exercises.stages import number, slip, softmax


def spoilt(rng, n, d, beta, steps):
    """A spoilt picture, and a beta so small that every step and every grey matters."""
    while True:
        patterns = stored(rng, n, d)
        picture = patterns[int(rng.integers(n))].copy()
        picture[rng.permutation(d)[: d // 4]] *= -1
        inputs = {"picture": picture, "patterns": patterns, "beta": beta, "steps": steps}
        right = recall(**inputs)
        if np.abs(np.abs(right) - 1).max() < 0.05:  # no grey is left
            continue
        # One by one, first what is seldom told apart: many pictures are drawn until one will do.
        others = ["one-step-more", "rounds-each-step", "beta-forgotten", "one-step-less", "one-step"][: 4 + (steps > 1)]
        for other in others:
            result = recall(**inputs, wrong=frozenset([other]))
            if np.abs(result - right).max() <= 0.01:
                break
            if other == "rounds-each-step" and steps > 1 and (result == np.where(right >= 0, 1, -1)).all():
                break
        else:
            return inputs


def hardly_moving(rng, lean=5e-4, growth=1.08):
    """A picture nearly half-way between two patterns, which an update moves by less than a ten-thousandth at first;
    after all updates it is on its way still.

    How near is up to `lean`; each update moves it by a factor of `growth`."""
    d = 7
    patterns = rng.choice([-1.0, 1.0], size=(2, d))
    differ = rng.permutation(d)[:3]
    patterns[1] = patterns[0]
    patterns[1, differ] *= -1
    lean *= float(rng.uniform(0.8, 1.2)) * rng.choice([-1, 1])
    picture = patterns.mean(axis=0) + lean * (patterns[0] - patterns[1])
    beta = (growth + float(rng.uniform(-0.005, 0.005))) / 3
    return {"picture": picture, "patterns": patterns, "beta": beta, "steps": 61}


def goes_on_however_little(call, rng):
    near, nearer = hardly_moving(rng), hardly_moving(rng, 1e-9, 1.36)
    first = call(*near.values())
    # Single precision cannot tell the nearer picture from one half-way.
    single = np.abs(first - recall(**near)).max() > 1e-9
    right, found = (recall(**near), first) if single else (recall(**nearer), call(*nearer.values()))
    gap = np.abs(found - right).max()
    return None if gap < 1e-3 else f"a picture that hardly moves at first ends {gap:.3g} from where 61 updates bring it"


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
        Case("3 patterns of seven pixels, two updates", lambda rng: spoilt(rng, 3, 7, 0.3, 2), 0.25),
        Case("5 patterns of eleven pixels, five updates", lambda rng: spoilt(rng, 5, 11, 0.1, 5), 0.15),
        Case("7 patterns of seven pixels, one update", lambda rng: spoilt(rng, 7, 7, 0.2, 1), 0.1),
        Case("a picture half-way between two patterns, 61 updates", hardly_moving, 0.05, telling=("stops-early",)),
        Case("the example of the task", example(picture=STATE, patterns=TWO, beta=1.0, steps=2), 0.05),
    ),
    properties=(
        Property("a stored picture stays as it is", stored_pictures_stay, 0.1),
        Property("a spoilt picture comes back", spoilt_pictures_come_back, 0.15),
        Property("all updates are made, however little one changes", goes_on_however_little, 0.05),
    ),
    mistakes="""
    one-step: the result is that of a single update, whatever `steps` says -> Either there is no loop, or every round
        starts from the spoilt picture again, or a `return` stands inside the loop. -> Feed each new state into the next
        update, and return when the loop is over.
    one-step-more: you update once too often -> `range(steps)` makes exactly `steps` rounds; an update before or after
        the loop is one more. -> Count the updates that are made for `steps` = 1.
    one-step-less: you update once too few -> `range(1, steps)` makes only `steps - 1` rounds. -> `range(steps)` makes
        exactly `steps` rounds.
    stops-early=: you stop as soon as an update changes little -> Half-way between two memories a state hardly moves at
        first, and goes far later. -> Make as many updates as `steps` says.
    until-still: you go on until nothing changes, whatever `steps` says -> Asked for is the state after that many
        updates, on its way or arrived. -> Make as many updates as `steps` says.
    signs: you round the result to ink and paper -> The greys tell how sure the memory is; the task asks for the state
        itself. -> Return the last state as it is.
    rounds-each-step: you round to ink and paper after each update -> The greys say which memories are still in play.
        Rounding throws that away too early. -> Pass the state on as it is.
    rounds-between: you round to ink and paper between two updates -> The greys say which memories are still in play.
        Rounding throws that away too early. -> Pass the state on as it is.
    steps-of-your-own=: you make another number of updates than `steps` says, the same for all -> Asked for is the state
        after that many updates, on its way or arrived. -> Let `steps` count the rounds.
    patterns-grow-first: you store the state among the patterns before each update -> Then the memory recalls its own
        guesses. -> The patterns stay as they are.
    weights-updated: from update to update you pass on the weights, without mixing the patterns -> Weights are no
        scores: only a state can ask the patterns anew. -> Mix the patterns in each round, and let that ask.
    stops-close: you stop as soon as an update changes next to nothing -> Half-way between two memories a state hardly
        moves at first, and goes far later. -> Make as many updates as `steps` says.
    stops-before=: you stop as soon as an update changes less than some limit -> Half-way between two memories a state
        hardly moves at first, and goes far later. -> Make as many updates as `steps` says.
    beta-to-the-steps: you make one update, with beta to the power of the number of steps -> A second update starts from
        what the first one found; another beta only makes the first one more or less decided. -> Feed each new state
        into the next update, with the same beta.
    beta-times-steps: you make one update, with beta times the number of steps -> A second update starts from what the
        first one found; a larger beta only makes the first one more decided. -> Feed each new state into the next
        update, with the same beta.
    beta-grows: beta grows from update to update -> Then a memory decides ever harder, and wins by that alone. -> Use
        the same beta in each round.
    beta-counts: beta grows from update to update -> Then a memory decides ever harder, and wins by that alone. -> Use
        the same beta in each round.
    round-as-beta: the number of the round takes the place of beta -> `for beta in range(...)` overwrites the argument.
        In the first round it is then 0, and the picture is forgotten. -> Give the variable of the loop another name.
    beta-shrinks: beta shrinks from update to update -> Then a memory decides ever less. -> Use the same beta in each
        round.
    to-length-one: you bring the state to length 1 after each update -> A state of another length asks more or less
        decidedly: the greys change. -> Pass the state on as it is.
    clipped: you cut the state off at 0 and 1 after each update -> Paper is -1: it would be lost. -> Pass the state on
        as it is.
    half-picture: you mix the picture into each new state -> The picture asks once; its wrong pixels have to go. ->
        Replace the state by what the update returns.
    picture-asks-too: you mix the picture into the state before each update -> The picture asks once; its wrong pixels
        have to go. -> Hand the last state over as it is.
    beta-squared: beta counts twice: as an argument of the update, and times the state as well -> The update multiplies
        the scores by beta itself. -> Hand over the state as it is.
    added-to-input: you add each update to the old state -> The old state asks, but it is not kept: its wrong pixels
        have to go. -> Replace the state by what the update returns.
    picture-kept: you add each update to the picture -> The picture asks once; its wrong pixels have to go. -> Replace
        the state by what the update returns.
    places-exchanged: state and patterns have changed places in a call -> The update takes the state first, then the
        patterns. -> Keep the order of its arguments; what comes back is the new state.
    blended: each new state is half the old one -> The old state asks, but it is not kept: its wrong pixels have to go.
        -> Replace the state by what the update returns.
    best-only: you return a stored pattern itself: the best one for the last state -> That hides how sure the memory is.
        -> Return the last state as it is.
    patterns-grow: you store the states on the way among the patterns -> Then the memory recalls its own guesses. -> The
        patterns stay as they are.
    mean-of-steps: you average the states of all steps -> Asked for is where the memory arrives. -> Return the last
        state.
    sum-of-steps: you add up the states of all steps -> Asked for is where the memory arrives. -> Return the last state.
    decimals=: you round after each update -> What is rounded away is missing in all later updates. -> Pass the
        state on as it is.
    all-steps: you return the states of all steps -> Asked for is where the memory arrives. -> Return the last state.
    picture-and-steps: you return the picture and the states of all steps -> Asked for is where the memory arrives. ->
        Return the last state.
    beta-forgotten
    """,
)
def recall(picture, patterns, beta, steps, wrong=frozenset()):
    """Several updates in a row, with mistakes as switches."""
    state, patterns = np.asarray(picture, dtype=float), np.asarray(patterns, dtype=float)
    if "beta-times-steps" in wrong:
        return hopfield_update(state, patterns, beta * steps)
    if "beta-to-the-steps" in wrong:
        return hopfield_update(state, patterns, beta**steps)
    if "places-exchanged" in wrong:
        return _asked_by_the_patterns(state, patterns, beta, steps)
    steps = slip(wrong, {"one-step": 1, "one-step-less": steps - 1, "one-step-more": steps + 1}, steps)
    digits = number(wrong, "decimals", 1)
    steps = int(min(number(wrong, "steps-of-your-own", 100) or steps, 1000))
    if "weights-updated" in wrong:
        weights = patterns @ state
        for _ in range(steps):
            weights = softmax(beta * weights)
        return weights @ patterns
    behind, ahead = number(wrong, "stops-before", 0.5), number(wrong, "stops-early", 1e-2)
    still = 1e-12 if "until-still" in wrong else behind or ahead
    old = slip(
        wrong,
        {
            "added-to-input": (1, 1, 0),
            "picture-kept": (1, 0, 1),
            "blended": (0.5, 0.5, 0),
            "half-picture": (0.5, 0, 0.5),
        },
        None,
    )
    states, asked = [], steps
    if "until-still" in wrong:  # besides another mistake it may never be still
        steps = 2000 if len(wrong) == 1 else 200
    for turn in range(steps):
        before, asks, sharpness = state, state, beta
        if "patterns-grow-first" in wrong:
            patterns = np.vstack([patterns, state])
        if wrong:
            factors = {"beta-grows": 2.0**turn, "beta-counts": turn + 1, "beta-shrinks": 0.5**turn}
            sharpness = turn if "round-as-beta" in wrong else slip(wrong, factors, 1) * beta
            asks = slip(wrong, {"beta-squared": beta * state, "picture-asks-too": (state + picture) / 2}, state)
        # What `hopfield_update` gives, without asking for its mistakes: this is done dozens of times.
        state = softmax((1.0 if "beta-forgotten" in wrong else sharpness) * (patterns @ asks)) @ patterns
        if still and np.abs(state - before).max() < still:
            return before if behind else state
        if "stops-close" in wrong and np.allclose(state, before):
            return state
        if old:
            state = old[0] * state + old[1] * before + old[2] * picture
        if "rounds-each-step" in wrong or ("rounds-between" in wrong and turn < steps - 1):
            state = np.where(state >= 0, 1.0, -1.0)
        if "to-length-one" in wrong:
            state = state / np.linalg.norm(state)
        if "clipped" in wrong:
            state = np.clip(state, 0, 1)
        if digits:
            state = state.round(int(min(digits, 20)))
        if "patterns-grow" in wrong:
            patterns = np.vstack([patterns, state])
        states.append(state)
    if "best-only" in wrong:
        return patterns[(patterns @ state).argmax()]
    if wrong & {"mean-of-steps", "sum-of-steps"} and states:
        return np.sum(states, axis=0) / (asked if "mean-of-steps" in wrong else 1)
    if "all-steps" in wrong and states:
        return np.array(states)
    if "picture-and-steps" in wrong:
        return np.array([picture, *states])
    return np.where(state >= 0, 1.0, -1.0) if "signs" in wrong else state


def _asked_by_the_patterns(state, patterns, beta, steps):
    """What comes of it if the patterns are handed over as the state: after one update one number, or an exception."""
    for _ in range(steps):
        state = softmax(beta * (state @ patterns)) @ state
    return float(state)
