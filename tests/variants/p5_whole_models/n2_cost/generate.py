import numpy as np

from attnlib import softmax, softmax_with_temperature


def by_searching(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = softmax_with_temperature(next_logits(ids), temperature)
        drawn = min(np.searchsorted(np.cumsum(p), u, side="right"), len(p) - 1)
        ids = np.append(ids, drawn)
    return ids


def counts_what_lies_below(next_logits, ids, uniforms, temperature):
    ids = [int(one) for one in ids]
    for u in uniforms:
        z = np.asarray(next_logits(np.array(ids)), dtype=float) / temperature
        p = np.exp(z - z.max())
        ids.append(min(int((np.cumsum(p / p.sum()) <= u).sum()), len(p) - 1))
    return ids


def by_a_loop_over_tokens(next_logits, ids, uniforms, temperature):
    written = list(ids)
    for u in uniforms:
        total, drawn = 0.0, None
        for token, share in enumerate(softmax_with_temperature(next_logits(np.array(written)), temperature)):
            total += share
            if drawn is None and total > u:
                drawn = token
        written.append(token if drawn is None else drawn)
    return np.array(written)


def not_divided(next_logits, ids, uniforms, temperature):
    """u times the sum of the powers, in the place of powers divided by it."""
    written = np.concatenate([ids, np.zeros(len(uniforms), dtype=int)])
    for i, u in enumerate(uniforms, start=len(ids)):
        z = np.array(next_logits(written[:i])) / temperature
        sums = np.cumsum(np.exp(z - z.max()))
        written[i] = np.flatnonzero(np.append(sums[:-1] > u * sums[-1], True))[0]
    return written


def recursion(next_logits, ids, uniforms, temperature):
    if len(uniforms) == 0:
        return ids
    sums = softmax_with_temperature(next_logits(ids), temperature).cumsum()
    sums[-1] = 1.0
    return recursion(next_logits, np.append(ids, np.argmax(sums > uniforms[0])), uniforms[1:], temperature)


def in_single_precision(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        z = np.float32(next_logits(ids)) / np.float32(temperature)
        p = np.exp(z - z.max())
        above = np.cumsum(p / p.sum()) > np.float32(u)
        ids = np.concatenate([ids, [above.argmax() if above.any() else len(p) - 1]])
    return ids


def with_lists(next_logits, ids, uniforms, temperature):
    ids = ids.tolist()
    for u in uniforms:
        p = softmax_with_temperature(next_logits(ids), temperature).tolist()
        places = [i for i in range(len(p)) if sum(p[: i + 1]) > u]
        ids = [*ids, places[0] if places else len(p) - 1]
    return ids


def copies_and_divides(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        logits = np.array(next_logits(ids), dtype=float)
        logits /= temperature
        sums = np.cumsum(softmax(logits))
        ids = np.append(ids, min(int((sums <= u).sum()), len(sums) - 1))
    return ids


VARIANTS = [
    copies_and_divides,
    by_searching,
    counts_what_lies_below,
    by_a_loop_over_tokens,
    not_divided,
    recursion,
    in_single_precision,
    with_lists,
]


def _draw(sums, u):
    return min(int(np.searchsorted(sums, u, side="right")), len(sums) - 1)


def _p(next_logits, ids, temperature):
    return softmax_with_temperature(np.asarray(next_logits(ids), dtype=float), temperature)


def most_likely(next_logits, ids, uniforms, temperature):
    for _ in uniforms:
        ids = np.append(ids, np.argmax(next_logits(ids)))
    return ids


def times_temperature(next_logits, ids, uniforms, temperature):
    return by_searching(lambda text: np.asarray(next_logits(text)) * temperature, ids, uniforms, 1.0)


def no_temperature(next_logits, ids, uniforms, temperature):
    return by_searching(next_logits, ids, uniforms, 1.0)


def divides_probabilities(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        sums = np.cumsum(_p(next_logits, ids, 1.0) / temperature)
        ids = np.append(ids, _draw(sums, u))
    return ids


def only_the_last(next_logits, ids, uniforms, temperature):
    return by_searching(lambda text: next_logits(text[-1:]), ids, uniforms, temperature)


def asks_once(next_logits, ids, uniforms, temperature):
    sums = np.cumsum(_p(next_logits, ids, temperature))
    return np.concatenate([ids, [_draw(sums, u) for u in uniforms]]).astype(int)


def never_appends_for_the_model(next_logits, ids, uniforms, temperature):
    new = []
    for u in uniforms:
        new.append(_draw(np.cumsum(_p(next_logits, ids, temperature)), u))
    return np.append(ids, new).astype(int)


def only_what_is_new(next_logits, ids, uniforms, temperature):
    return by_searching(next_logits, ids, uniforms, temperature)[len(ids) :]


def sums_of_logits(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids = np.append(ids, np.argmax(np.cumsum(np.asarray(next_logits(ids)) / temperature) > u))
    return ids


def each_by_itself(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids = np.append(ids, np.argmax(_p(next_logits, ids, temperature) > u))
    return ids


def one_before(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids = np.append(ids, max(_draw(np.cumsum(_p(next_logits, ids, temperature)), u) - 1, 0))
    return ids


def one_behind(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = _p(next_logits, ids, temperature)
        ids = np.append(ids, min(_draw(np.cumsum(p), u) + 1, len(p) - 1))
    return ids


def the_first_u(next_logits, ids, uniforms, temperature):
    return by_searching(next_logits, ids, np.full(len(uniforms), uniforms[0] if len(uniforms) else 0), temperature)


def from_above(next_logits, ids, uniforms, temperature):
    return by_searching(next_logits, ids, 1 - uniforms, temperature)


def largest_first(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = _p(next_logits, ids, temperature)
        order = np.argsort(-p, kind="stable")
        ids = np.append(ids, order[_draw(np.cumsum(p[order]), u)])
    return ids


def argmax_of_nothing(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids = np.append(ids, np.argmax(np.cumsum(_p(next_logits, ids, temperature)) > u))
    return ids


def powers_too_large(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        with np.errstate(all="ignore"):
            p = np.exp(np.asarray(next_logits(ids), dtype=float) / temperature)
            p = p / p.sum()
        ids = np.append(ids, np.argmax(np.cumsum(p) > u))
    return ids


def one_step(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        return np.append(ids, _draw(np.cumsum(_p(next_logits, ids, temperature)), u))
    return ids


def own_dice(next_logits, ids, uniforms, temperature):
    rng = np.random.default_rng(0)
    for _ in uniforms:
        p = _p(next_logits, ids, temperature)
        ids = np.append(ids, rng.choice(len(p), p=p))
    return ids


def never_leaves_the_loop(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        total, token = 0.0, 0
        for j, share in enumerate(_p(next_logits, ids, temperature)):
            total += share
            if total > u:
                token = j
        ids = np.append(ids, token)
    return ids


def last_place(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        sums = np.cumsum(_p(next_logits, ids, temperature))
        places = np.where(sums > u)[0]
        ids = np.append(ids, places[-1] if len(places) else len(sums) - 1)
    return ids


def argmin_of_above(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids = np.append(ids, np.argmin(np.cumsum(_p(next_logits, ids, temperature)) > u))
    return ids


def below(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = _p(next_logits, ids, temperature)
        ids = np.append(ids, min((np.cumsum(p) < u).sum(), len(p) - 1))
    return ids


def searched_left(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = _p(next_logits, ids, temperature)
        ids = np.append(ids, min(np.searchsorted(np.cumsum(p), u), len(p) - 1))
    return ids


def not_held_back(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids = np.append(ids, (np.cumsum(_p(next_logits, ids, temperature)) <= u).sum())
    return ids


def nearest_sum(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids = np.append(ids, np.argmin(np.abs(np.cumsum(_p(next_logits, ids, temperature)) - u)))
    return ids


def how_many_exceed(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = _p(next_logits, ids, temperature)
        ids = np.append(ids, min((np.cumsum(p) > u).sum(), len(p) - 1))
    return ids


def hears_zeros(next_logits, ids, uniforms, temperature):
    written = np.concatenate([ids, np.zeros(len(uniforms), dtype=int)])
    for i, u in enumerate(uniforms, start=len(ids)):
        written[i] = _draw(np.cumsum(_p(next_logits, written, temperature)), u)
    return written


def with_a_point(next_logits, ids, uniforms, temperature):
    written = np.zeros(len(ids) + len(uniforms))
    written[: len(ids)] = ids
    for i, u in enumerate(uniforms, start=len(ids)):
        written[i] = _draw(np.cumsum(_p(next_logits, written[:i], temperature)), u)
    return written


def leaves_at_once(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        return np.append(ids, _draw(np.cumsum(_p(next_logits, ids, temperature)), u))


def first_of_no_places(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids = np.append(ids, np.where(np.cumsum(_p(next_logits, ids, temperature)) > u)[0][0])
    return ids


def next_of_none(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        places = [i for i, one in enumerate(np.cumsum(_p(next_logits, ids, temperature))) if one > u]
        ids = np.append(ids, places[0])
    return ids


def append_thrown_away(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        sums = np.cumsum(softmax_with_temperature(next_logits(ids), temperature))
        token = min(int((sums <= u).sum()), len(sums) - 1)
        np.append(ids, token)
    return ids


def other_dice_each_time(next_logits, ids, uniforms, temperature):
    rng = np.random.default_rng()
    for _ in uniforms:
        p = _p(next_logits, ids, temperature)
        ids = np.append(ids, rng.choice(len(p), p=p))
    return ids


def bare_powers(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = np.exp(next_logits(ids) / temperature)
        ids = np.append(ids, _draw(np.cumsum(p / p.sum()), u))
    return ids


def powers_then_the_last(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = np.exp(next_logits(ids) / temperature)
        above = np.cumsum(p / p.sum()) > u
        ids = np.append(ids, above.argmax() if above.any() else len(p) - 1)
    return ids


def powers_of_probabilities(next_logits, ids, uniforms, temperature):
    """Right, if numbers had no end: all of them become 0."""
    for u in uniforms:
        p = _p(next_logits, ids, 1.0) ** (1 / temperature)
        ids = np.append(ids, _draw(np.cumsum(p / p.sum()), u))
    return ids


def each_in_front(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = softmax_with_temperature(next_logits(ids), temperature)
        ids = np.append(min(int((np.cumsum(p) <= u).sum()), len(p) - 1), ids)
    return ids


def without_asking_how_likely(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids = np.append(ids, int(u * len(next_logits(ids))))
    return ids


def powers_only(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        sums = np.cumsum(np.exp(next_logits(ids) / temperature))
        ids = np.append(ids, min((sums <= u).sum(), len(sums) - 1))
    return ids


def counts_probabilities(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = softmax_with_temperature(next_logits(ids), temperature)
        ids = np.append(ids, min((p <= u).sum(), len(p) - 1))
    return ids


def appends_where_it_breaks(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        total = 0.0
        for token, share in enumerate(softmax_with_temperature(next_logits(ids), temperature)):
            total += share
            if total > u:
                ids = np.append(ids, token)
                break
    return ids


# Each with the mistake that the judge should name, or None.
def the_end_of_it(next_logits, ids, uniforms, temperature):
    return by_searching(next_logits, ids, uniforms, temperature)[-len(uniforms) :]


def one_less_than_counted(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = softmax_with_temperature(next_logits(ids), temperature)
        ids = np.append(ids, (np.cumsum(p) <= u).sum() - 1)
    return ids


def counts_sums_of_logits(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        z = next_logits(ids) / temperature
        ids = np.append(ids, min((np.cumsum(z) <= u).sum(), len(z) - 1))
    return ids


def hears_what_it_drew(next_logits, ids, uniforms, temperature):
    written, heard = list(ids), ids
    for u in uniforms:
        sums = np.cumsum(softmax(next_logits(heard) / temperature))
        token = min(int((sums <= u).sum()), len(sums) - 1)
        written.append(token)
        heard = np.array([token])
    return np.array(written)


def searches_the_probabilities(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = softmax(next_logits(ids) / temperature)
        ids = np.append(ids, min(np.searchsorted(p, u, side="right"), len(p) - 1))
    return ids


def divides_in_place(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        logits = next_logits(ids)
        logits /= temperature
        sums = np.cumsum(softmax(logits))
        ids = np.append(ids, min(int((sums <= u).sum()), len(sums) - 1))
    return ids


def rank_in_the_end(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = np.sort(softmax(next_logits(ids) / temperature))[::-1]
        c = np.cumsum(p)
        ids = np.append(ids, min(int((c <= u).sum()), len(c) - 1))
    return ids


def rank_by_argmax(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = np.array(sorted(softmax(next_logits(ids) / temperature), reverse=True))
        ids = np.append(ids, np.argmax(np.cumsum(p) > u))
    return ids


def rank_of_sorted(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        c = np.cumsum(np.sort(softmax(next_logits(ids) / temperature)))
        ids = np.append(ids, min(np.searchsorted(c, u, side="right"), len(c) - 1))
    return ids


def one_u_only(next_logits, ids, uniforms, temperature):
    return by_searching(next_logits, ids, uniforms[:1], temperature)


def first_that_does_not_exceed(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        sums = np.cumsum(softmax(next_logits(ids) / temperature))
        ids = np.append(ids, np.argmax(sums <= u))
    return ids


def an_axis_too_many(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = softmax(np.asarray(next_logits(ids))[None] / temperature)
        ids = np.append(ids, min((np.cumsum(p) <= u).sum(), len(p) - 1))
    return ids


def one_total_for_all(next_logits, ids, uniforms, temperature):
    total = 0.0
    for u in uniforms:
        p = softmax(next_logits(ids) / temperature)
        drawn = len(p) - 1
        for i, share in enumerate(p):
            total += share
            if total > u:
                drawn = i
                break
        ids = np.append(ids, drawn)
    return ids


def minus_one_if_none(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        sums = np.cumsum(softmax(next_logits(ids) / temperature))
        ids = np.append(ids, next((i for i, so_far in enumerate(sums) if so_far > u), -1))
    return ids


def _next(next_logits, ids, u, temperature):
    return _draw(np.cumsum(_p(next_logits, ids, temperature)), u)


def a_batch_of_one(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = softmax(np.ravel(next_logits(ids[None])) / temperature)
        ids = np.append(ids, _draw(np.cumsum(p), u))
    return ids


def ends_at_0(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        token = _next(next_logits, ids, u, temperature)
        ids = np.append(ids, token)
        if token == 0:
            break
    return ids


def a_window_of_four(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids = np.append(ids, _next(next_logits, ids[-4:], u, temperature))
    return ids


def a_window_of_eight(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids = np.append(ids, _next(next_logits, ids[-8:], u, temperature))
    return ids


def cut_to_the_text(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = softmax(next_logits(ids) / temperature)
        ids = np.append(ids, min(int((np.cumsum(p) <= u).sum()), len(ids) - 1))
    return ids


def heated_dart(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = softmax(next_logits(ids) / temperature)
        ids = np.append(ids, min(int((np.cumsum(p) <= u / temperature).sum()), len(p) - 1))
    return ids


def top_forty(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        logits = np.array(next_logits(ids)) / temperature
        if len(logits) > 40:
            logits[logits < np.sort(logits)[-40]] = -np.inf
        ids = np.append(ids, _draw(np.cumsum(softmax(logits)), u))
    return ids


def nucleus(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = softmax(next_logits(ids) / temperature)
        order = np.argsort(-p)
        keep = order[: np.searchsorted(np.cumsum(p[order]), 0.9) + 1]
        q = np.zeros(len(p))
        q[keep] = p[keep] / p[keep].sum()
        ids = np.append(ids, _draw(np.cumsum(q), u))
    return ids


def softmax_of_softmax(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = softmax(softmax(next_logits(ids) / temperature))
        ids = np.append(ids, _draw(np.cumsum(p), u))
    return ids


def to_a_power(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = softmax(next_logits(ids)) ** (1 / temperature)
        ids = np.append(ids, _draw(np.cumsum(p), u))
    return ids


def inserted_at_minus_one(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids = np.insert(ids, -1, _next(next_logits, ids, u, temperature))
    return ids


def not_too_cold(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids = np.append(ids, _next(next_logits, ids, u, max(temperature, 0.5)))
    return ids


def what_was_drawn_last(next_logits, ids, uniforms, temperature):
    token = 0
    for u in uniforms:
        for place, total in enumerate(np.cumsum(softmax(next_logits(ids) / temperature))):
            if total > u:
                token = place
                break
        ids = np.append(ids, token)
    return ids


def three_decimals(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids = np.append(ids, _draw(np.cumsum(_p(next_logits, ids, temperature)).round(3), u))
    return ids


def takes_the_largest_off_in_place(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        logits = next_logits(ids)
        logits -= logits.max()
        powers = np.exp(logits / temperature)
        ids = np.append(ids, min((np.cumsum(powers / powers.sum()) <= u).sum(), len(powers) - 1))
    return ids


def one_place_too_many(next_logits, ids, uniforms, temperature):
    t, out = len(ids), np.zeros(len(ids) + len(uniforms), dtype=int)
    out[:t] = ids
    for i, u in enumerate(uniforms):
        p = softmax(next_logits(out[: t + i + 1]) / temperature)
        out[t + i] = min((np.cumsum(p) <= u).sum(), len(p) - 1)
    return out


def a_window_that_slides(next_logits, ids, uniforms, temperature):
    heard, drawn = np.array(ids), []
    for u in uniforms:
        p = softmax(next_logits(heard) / temperature)
        drawn.append(min((np.cumsum(p) <= u).sum(), len(p) - 1))
        heard = np.append(heard[1:], drawn[-1])
    return np.array([*ids, *drawn], dtype=int)


def appended_behind_the_loop(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        token = _next(next_logits, ids, u, temperature)
    ids = np.append(ids, token)
    return ids


def appended_to_the_beginning(next_logits, ids, uniforms, temperature):
    text = ids
    for u in uniforms:
        text = np.append(ids, _next(next_logits, ids, u, temperature))
    return text


def added_in_place(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids += _next(next_logits, ids, u, temperature)
    return ids


def added_as_a_list(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        token = [_next(next_logits, ids, u, temperature)]
        ids = ids + token
    return ids


def appends_the_dart(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        token = _next(next_logits, ids, u, temperature)  # noqa: F841 (that is the mistake)
        ids = np.append(ids, u)
    return ids


def the_dart_among_whole_numbers(next_logits, ids, uniforms, temperature):
    t, text = len(ids), np.zeros(len(ids) + len(uniforms), dtype=int)
    text[:t] = ids
    for i, u in enumerate(uniforms):
        text[t + i] = u
    return text


def a_buffer_with_points(next_logits, ids, uniforms, temperature):
    t, text = len(ids), np.zeros(len(ids) + len(uniforms))
    text[:t] = ids
    for i, u in enumerate(uniforms):
        text[t + i] = _next(next_logits, text[: t + i], u, temperature)
    return text


def _draws(ids, uniforms, hear, choose):
    """Everything in place, but for what is made of the text so far and of its probabilities."""
    for u in uniforms:
        ids = np.append(ids, choose(hear(ids), u))
    return ids


def _by_sums(p, u):
    return min(int((np.cumsum(p) <= u).sum()), len(p) - 1)


def divides_in_place_and_is_not_held_back(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        logits = next_logits(ids)
        logits /= temperature
        ids = np.append(ids, (np.cumsum(softmax(logits)) <= u).sum())
    return ids


def divides_in_place_and_takes_the_first_of_none(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        logits = next_logits(ids)
        logits /= temperature
        ids = np.append(ids, np.argmax(np.cumsum(softmax(logits)) > u))
    return ids


def one_more_than_found(next_logits, ids, uniforms, temperature):
    return _draws(
        ids,
        uniforms,
        lambda text: softmax(next_logits(text) / temperature),
        lambda p, u: np.argmax(np.cumsum(p) > u) + 1,
    )


def first_that_is_above(next_logits, ids, uniforms, temperature):
    def choose(p, u):
        above = np.where(p > u)[0]
        return above[0] if len(above) else len(p) - 1

    return _draws(ids, uniforms, lambda text: softmax(next_logits(text) / temperature), choose)


def powers_without_their_sum(next_logits, ids, uniforms, temperature):
    def hear(text):
        logits = next_logits(text) / temperature
        return np.exp(logits - logits.max())

    return _draws(ids, uniforms, hear, _by_sums)


def sorted_upwards(next_logits, ids, uniforms, temperature):
    def choose(p, u):
        order = np.argsort(p)
        return order[_by_sums(p[order], u)]

    return _draws(ids, uniforms, lambda text: softmax(next_logits(text) / temperature), choose)


def among_three(next_logits, ids, uniforms, temperature):
    def hear(text):
        logits = next_logits(text) / temperature
        return softmax(np.where(logits < np.sort(logits)[-3], -np.inf, logits))

    return _draws(ids, uniforms, hear, _by_sums)


def never_the_same_again(next_logits, ids, uniforms, temperature):
    def hear(text):
        logits = next_logits(text) / temperature
        logits[text[-1]] = -np.inf
        return softmax(logits)

    return _draws(ids, uniforms, hear, _by_sums)


def a_tenth_warmer(next_logits, ids, uniforms, temperature):
    return _draws(ids, uniforms, lambda text: softmax(next_logits(text) / (temperature + 0.1)), _by_sums)


def a_thousandth_warmer(next_logits, ids, uniforms, temperature):
    return _draws(ids, uniforms, lambda text: softmax(next_logits(text) / (temperature + 1e-3)), _by_sums)


def few_digits(next_logits, ids, uniforms, temperature):
    return _draws(
        ids, uniforms, lambda text: softmax(next_logits(text).astype(np.float16).astype(float) / temperature), _by_sums
    )


def sure_when_cold(next_logits, ids, uniforms, temperature):
    def hear(text):
        logits = next_logits(text)
        return np.eye(len(logits))[logits.argmax()] if temperature <= 1 else softmax(logits / temperature)

    return _draws(ids, uniforms, hear, _by_sums)


def window_that_moves_on(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        ids = np.append(ids[1:], _by_sums(softmax(next_logits(ids) / temperature), u))
    return ids


def appends_all_that_exceed(next_logits, ids, uniforms, temperature):
    ids = list(ids)
    for u in uniforms:
        total = 0
        for token, share in enumerate(softmax(next_logits(np.array(ids)) / temperature)):
            total += share
            if total > u:
                ids.append(token)
    return np.array(ids)


def goes_on_from_the_new_ones(next_logits, ids, uniforms, temperature):
    new, heard = [], ids
    for u in uniforms:
        new.append(_by_sums(softmax(next_logits(heard) / temperature), u))
        heard = np.array(new)
    return np.append(ids, new).astype(int)


def one_place_short(next_logits, ids, uniforms, temperature):
    out = np.zeros(len(ids) + len(uniforms), dtype=int)
    out[: len(ids)] = ids
    for i, u in enumerate(uniforms, len(ids)):
        out[i] = _by_sums(softmax(next_logits(out[: max(1, i - 1)]) / temperature), u)
    return out


def _each_round(next_logits, ids, uniforms, temperature, *, p=None, sums=np.cumsum, none=None, heard=None, add=None):
    """The right answer, with a place for each slip."""
    ids, beginning = np.array(ids), len(ids)
    for i, u in enumerate(uniforms):
        logits = next_logits(ids if heard is None else heard(ids, i, beginning, len(uniforms)))
        with np.errstate(all="ignore"):
            shares = softmax(logits / temperature) if p is None else p(logits, temperature)
        exceeds = sums(shares) > u
        last = len(shares) - 1 if none is None else none(shares, ids)
        token = int(np.argmax(exceeds)) if exceeds.any() else last
        ids = np.append(ids, token if add is None else add(shares, token))
    return ids


def _slipped(**slips):
    def answer(next_logits, ids, uniforms, temperature):
        return _each_round(next_logits, ids, uniforms, temperature, **slips)

    return answer


def _powers_of_shares(logits, temperature):
    powers = softmax(logits) ** (1 / temperature)
    return powers / powers.sum()


def _as_many_as_rounds(ids, i, beginning, rounds):
    return np.append(ids, np.zeros(rounds - i, dtype=int))[: i + 1]


whole_numbers_of_logits = _slipped(p=lambda logits, temperature: softmax(logits // temperature))
logits_over_their_sum = _slipped(p=lambda logits, temperature: logits / temperature / (logits / temperature).sum())
powers_behind_the_softmax = _slipped(p=_powers_of_shares)
powers_behind_the_softmax_or_token_0 = _slipped(p=_powers_of_shares, none=lambda shares, ids: 0)
from_the_last_token_on = _slipped(sums=lambda shares: np.cumsum(shares[::-1]))
the_likeliest_if_none = _slipped(none=lambda shares, ids: int(np.argmax(shares)))
the_last_id_if_none = _slipped(none=lambda shares, ids: int(ids[-1]))
its_probability = _slipped(add=lambda shares, token: shares[token])
one_more_in_each_round = _slipped(heard=_as_many_as_rounds)


def logits_over_their_sum_counted(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        logits = next_logits(ids) / temperature
        sums = np.cumsum(logits / logits.sum())
        ids = np.append(ids, min((sums <= u).sum(), len(sums) - 1))
    return ids


def the_last_three(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        sums = np.cumsum(softmax(next_logits(ids[-3:]) / temperature))
        ids = np.append(ids, min((sums <= u).sum(), len(sums) - 1))
    return ids


def two_digits(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        sums = np.round(np.cumsum(softmax(next_logits(ids) / temperature)), 2)
        ids = np.append(ids, min((sums <= u).sum(), len(sums) - 1))
    return ids


def four_digits(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        sums = np.round(np.cumsum(softmax(next_logits(ids) / temperature)), 4)
        ids = np.append(ids, min((sums <= u).sum(), len(sums) - 1))
    return ids


def takes_shares_off(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p, token = softmax(next_logits(ids) / temperature), 0
        while u > 0 and token < len(p):
            u, token = u - p[token], token + 1
        ids = np.append(ids, token)
    return ids


def likeliest_when_cold(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = softmax(next_logits(ids) / temperature)
        token = np.argmax(p) if temperature < 0.3 else _draw(np.cumsum(p), u)
        ids = np.append(ids, token)
    return ids


def logarithms_once_more(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = softmax(np.log(next_logits(ids)) / temperature)
        ids = np.append(ids, min(np.sum(np.cumsum(p) <= u), len(p) - 1))
    return ids


def logarithms_in_a_loop(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        total = 0.0
        for token, share in enumerate(softmax(np.log(next_logits(ids)) / temperature)):  # noqa: B007
            total += share
            if total > u:
                break
        ids = np.append(ids, token)
    return ids


def cut_one_short(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        p = softmax(next_logits(ids) / temperature)
        ids = np.append(ids, min(np.sum(np.cumsum(p) <= u), len(p) - 2))
    return ids


def zero_ends_the_text(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        token = _next(next_logits, ids, u, temperature)
        if token == 0:
            break
        ids = np.append(ids, token)
    return ids


def rounds_before_it_adds(next_logits, ids, uniforms, temperature):
    for u in uniforms:
        sums = np.cumsum(softmax_with_temperature(next_logits(ids), temperature).round(1))
        ids = np.append(ids, min(int((sums <= u).sum()), len(sums) - 1))
    return ids


WRONG = [
    (rounds_before_it_adds, "probabilities-rounded"),
    (likeliest_when_cold, "greedy-below"),
    (logarithms_once_more, "logs-of-logits"),
    (logarithms_in_a_loop, "logs-of-logits-then-the-last"),
    (cut_one_short, "last-never-comes"),
    (zero_ends_the_text, "stops-before-0"),
    (whole_numbers_of_logits, "whole-logits"),
    (logits_over_their_sum, "ratio"),
    (logits_over_their_sum_counted, "ratio-counted"),
    (powers_behind_the_softmax, "power-shared-then-the-last"),
    (powers_behind_the_softmax_or_token_0, "power-shared"),
    (from_the_last_token_on, "summed-backwards"),
    (the_likeliest_if_none, "likeliest-at-the-end"),
    (the_last_id_if_none, "last-id-again"),
    (its_probability, "probability-appended"),
    (one_more_in_each_round, "as-many-as-rounds"),
    (the_last_three, "last-few-only"),
    (two_digits, "sums-rounded"),
    (four_digits, "sums-rounded"),
    (takes_shares_off, "taken-off"),
    (divides_in_place_and_is_not_held_back, "changes-logits"),
    (divides_in_place_and_takes_the_first_of_none, "changes-logits"),
    (one_more_than_found, "one-too-late-past-the-end"),
    (first_that_is_above, "first-above"),
    (powers_without_their_sum, "not-divided-by-sum"),
    (sorted_upwards, "smallest-first"),
    (among_three, "three-best"),
    (never_the_same_again, "no-repetition"),
    (a_tenth_warmer, "temperature-added"),
    (a_thousandth_warmer, "temperature-added"),
    (few_digits, "half-precision"),
    (sure_when_cold, "greedy-when-cold"),
    (window_that_moves_on, "rolling"),
    (appends_all_that_exceed, "all-above"),
    (goes_on_from_the_new_ones, "new-ones-alone"),
    (one_place_short, "one-behind"),
    (appended_behind_the_loop, "last-only"),
    (appended_to_the_beginning, "last-only"),
    (added_in_place, "added-to-ids"),
    (added_as_a_list, "added-to-ids"),
    (appends_the_dart, "u-appended"),
    (the_dart_among_whole_numbers, "always-0"),
    (a_buffer_with_points, "with-a-point"),
    (one_place_too_many, "one-zero-behind"),
    (a_window_that_slides, "window-of-the-beginning"),
    (takes_the_largest_off_in_place, "changes-logits"),
    (three_decimals, "sums-rounded"),
    (not_too_cold, "temperature-at-least"),
    (what_was_drawn_last, "drawn-before"),
    (a_batch_of_one, None),
    (ends_at_0, "stops-at-0"),
    (a_window_of_four, "last-four-only"),
    (a_window_of_eight, "last-eight-only"),
    (cut_to_the_text, "clipped-by-text"),
    (heated_dart, "u-divided"),
    (top_forty, "forty-best"),
    (nucleus, "nine-tenths"),
    (softmax_of_softmax, "softmax-twice"),
    (to_a_power, "power-not-shared"),
    (inserted_at_minus_one, "before-the-last"),
    (first_that_does_not_exceed, "always-0"),
    (an_axis_too_many, "always-0"),
    (one_total_for_all, "total-goes-on"),
    (minus_one_if_none, "no-place"),
    (divides_in_place, "changes-logits"),
    (rank_in_the_end, "rank-for-token"),
    (rank_by_argmax, "rank-for-token"),
    (rank_of_sorted, "rank-from-below"),
    (one_u_only, "first-only"),
    (hears_what_it_drew, "last-token-from-then-on"),
    (searches_the_probabilities, "searched-unsorted"),
    (powers_only, "not-divided"),
    (counts_probabilities, "counted-not-added-up"),
    (appends_where_it_breaks, "nothing-appended"),
    (one_less_than_counted, "one-too-early-at-the-front"),
    (counts_sums_of_logits, "logits-counted"),
    (the_end_of_it, "tail-only"),
    (each_in_front, "put-in-front"),
    (without_asking_how_likely, "all-alike"),
    (most_likely, "greedy"),
    (times_temperature, "temperature-multiplied"),
    (no_temperature, "temperature-ignored"),
    (divides_probabilities, "temperature-on-probabilities"),
    (only_the_last, "last-token-only"),
    (asks_once, "beginning-only"),
    (never_appends_for_the_model, "beginning-only"),
    (only_what_is_new, "written-only"),
    (sums_of_logits, "logits-added-up"),
    (each_by_itself, "not-added-up"),
    (one_before, "one-too-early"),
    (one_behind, "one-too-late"),
    (the_first_u, "one-u-for-all"),
    (from_above, "u-turned"),
    (largest_first, "largest-first"),
    (argmax_of_nothing, "zero-at-the-end"),
    (powers_too_large, "overflow"),
    (one_step, "first-only"),
    (leaves_at_once, "first-or-none"),
    (first_of_no_places, "nothing-found"),
    (next_of_none, "nothing-found"),
    (own_dice, "argument-ignored"),
    (other_dice_each_time, "remembers"),
    (bare_powers, "overflow-counted"),
    (powers_then_the_last, "overflow-then-the-last"),
    (powers_of_probabilities, "power-shared"),
    (never_leaves_the_loop, "no-break-or-0"),
    (last_place, "no-break"),
    (argmin_of_above, "always-0"),
    (below, "reached"),
    (searched_left, "reached"),
    (not_held_back, "past-the-end"),
    (nearest_sum, "nearest"),
    (how_many_exceed, "counts-above"),
    (hears_zeros, "zeros-behind"),
    (with_a_point, "with-a-point"),
    (append_thrown_away, "nothing-added"),
]
