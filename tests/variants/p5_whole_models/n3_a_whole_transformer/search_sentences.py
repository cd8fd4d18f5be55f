import numpy as np


def as_it_is_said(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(-scores, kind="stable")[:k]
    return indices, scores[indices]


def by_sorted(query_vector, vectors, k):
    scores = [sum(a * b for a, b in zip(row, query_vector, strict=True)) for row in vectors.tolist()]
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    return order[:k], [scores[i] for i in order[:k]]


def by_lexsort(query_vector, vectors, k):
    scores = np.sum(vectors * query_vector, axis=1)
    order = np.lexsort((np.arange(len(scores)), -scores))
    return order[:k], np.take(scores, order[:k])


def by_finding_the_best(query_vector, vectors, k):
    scores = vectors @ query_vector
    left, indices = scores.copy(), []
    for _ in range(k):
        best = int(np.argmax(left))  # of equal ones the first
        indices.append(best)
        left[best] = -np.inf
    return np.array(indices), scores[indices]


def by_tuples(query_vector, vectors, k):
    scores = np.einsum("nd,d->n", vectors, query_vector)
    best = sorted((-score, i) for i, score in enumerate(scores.tolist()))[:k]
    return tuple(i for _, i in best), tuple(-score for score, _ in best)


def from_behind(query_vector, vectors, k):
    scores = query_vector @ vectors.T
    order = np.argsort(scores[::-1], kind="stable")[::-1]
    indices = len(scores) - 1 - order
    return indices[:k], scores[indices][:k]


VARIANTS = [as_it_is_said, by_sorted, by_lexsort, by_finding_the_best, by_tuples, from_behind]


def upwards(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(scores, kind="stable")[:k]
    return indices, scores[indices]


def turned(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(scores, kind="stable")[::-1][:k]
    return indices, scores[indices]


def the_last_k(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(scores)[-k:]
    return indices, scores[indices]


def scores_first(query_vector, vectors, k):
    return as_it_is_said(query_vector, vectors, k)[::-1]


def scores_as_they_were(query_vector, vectors, k):
    scores = vectors @ query_vector
    return np.argsort(-scores, kind="stable")[:k], scores[:k]


def all_scores(query_vector, vectors, k):
    scores = vectors @ query_vector
    return np.argsort(-scores, kind="stable")[:k], scores


def sorted_scores(query_vector, vectors, k):
    scores = vectors @ query_vector
    return np.argsort(-scores, kind="stable")[:k], np.sort(scores)[::-1]


def by_distance(query_vector, vectors, k):
    distances = np.linalg.norm(vectors - query_vector, axis=1)
    indices = np.argsort(distances, kind="stable")[:k]
    return indices, distances[indices]


def sign_left_turned(query_vector, vectors, k):
    scores = -(vectors @ query_vector)
    indices = np.argsort(scores, kind="stable")[:k]
    return indices, scores[indices]


def without_the_nearest(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(-scores, kind="stable")[1 : k + 1]
    return indices, scores[indices]


def all_of_them(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(-scores, kind="stable")
    return indices, scores[indices]


def turned_as_it_comes(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(scores)[::-1][:k]
    return indices, scores[indices]


def upwards_as_it_comes(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(scores)[:k]
    return indices, scores[indices]


def by_size(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = sorted(range(len(scores)), key=lambda i: -abs(scores[i]))[:k]
    return indices, scores[indices]


def sizes(query_vector, vectors, k):
    scores = np.abs(vectors @ query_vector)
    indices = np.argsort(-scores, kind="stable")[:k]
    return indices, scores[indices]


def the_vectors_themselves(query_vector, vectors, k):
    scores = vectors @ query_vector
    best = np.argsort(-scores, kind="stable")[:k]
    return vectors[best], scores[best]


def upwards_and_the_last(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(scores, kind="stable")[-k:]
    return indices, scores[indices]


def takes_it_out(query_vector, vectors, k):
    left, indices, scores = vectors @ query_vector, [], []
    for _ in range(k):
        indices.append(int(left.argmax()))
        scores.append(float(left[indices[-1]]))
        left = np.delete(left, indices[-1])
    return indices, scores


def zero_for_found(query_vector, vectors, k):
    scores = vectors @ query_vector
    left, indices = scores.copy(), []
    for _ in range(k):
        indices.append(int(np.argmax(left)))
        left[indices[-1]] = 0
    return indices, scores[indices]


def first_place_of_each_score(query_vector, vectors, k):
    scores = (vectors @ query_vector).tolist()
    best = sorted(scores, reverse=True)[:k]
    return [scores.index(one) for one in best], best


def one_array_of_both(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(-scores, kind="stable")[:k]
    return np.array([indices, scores[indices]])


def found_ones_get_minus_one(query_vector, vectors, k):
    scores = vectors @ query_vector
    left, indices = scores.copy(), []
    for _ in range(k):
        indices.append(int(np.argmax(left)))
        left[indices[-1]] = -1
    return np.array(indices), scores[indices]


def equal_to_two_decimals(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(-np.round(scores, 2), kind="stable")[:k]
    return indices, scores[indices]


def equal_to_three_decimals(query_vector, vectors, k):
    scores = [float(row @ query_vector) for row in vectors]
    order = sorted(range(len(scores)), key=lambda i: (-round(scores[i], 3), i))[:k]
    return order, [scores[i] for i in order]


def in_half_precision(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(-scores.astype(np.float16), kind="stable")[:k]
    return indices, scores[indices]


def farthest_first(query_vector, vectors, k):
    distances = np.linalg.norm(vectors - query_vector, axis=1)
    indices = np.argsort(-distances, kind="stable")[:k]
    return indices, distances[indices]


def only_the_scores_cut(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(-scores, kind="stable")
    return indices, scores[indices][:k]


def found_ones_are_0(query_vector, vectors, k):
    left, indices, found = vectors @ query_vector, [], []
    for _ in range(k):
        indices.append(int(np.argmax(left)))
        found.append(left[indices[-1]])
        left[indices[-1]] = 0
    return np.array(indices), np.array(found)


def found_ones_are_minus_1(query_vector, vectors, k):
    left, indices, found = vectors @ query_vector, [], []
    for _ in range(k):
        indices.append(int(np.argmax(left)))
        found.append(left[indices[-1]])
        left[indices[-1]] = -1
    return np.array(indices), np.array(found)


def sorted_twice(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(np.argsort(-scores))[:k]
    return indices, scores[indices]


def loop_from_zero(query_vector, vectors, k):
    scores, indices, found = (vectors @ query_vector).tolist(), [], []
    for _ in range(k):
        best, largest = 0, 0
        for j, score in enumerate(scores):
            if score > largest:
                best, largest = j, score
        indices.append(best)
        found.append(scores[best])
        scores[best] = 0
    return indices, found


def cuts_before_it_turns(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(scores)[:k][::-1]
    return indices, scores[indices]


def cuts_a_stable_sort_before_it_turns(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(scores, kind="stable")[:k][::-1]
    return indices, scores[indices]


def a_dict_of_scores(query_vector, vectors, k):
    places = {float(score): i for i, score in enumerate(vectors @ query_vector)}
    best = sorted(places, reverse=True)[:k]
    return np.array([places[score] for score in best]), np.array(best)


def both_remedies(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(-scores, kind="stable")[::-1][:k]
    return indices, scores[indices]


def both_remedies_of_any(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(-scores)[::-1][:k]
    return indices, scores[indices]


def last_of_the_negated(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(-scores, kind="stable")[-k:]
    return indices, scores[indices]


def last_of_the_negated_of_any(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(-scores)[-k:]
    return indices, scores[indices]


def last_of_the_negated_turned(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.argsort(-scores, kind="stable")[-k:][::-1]
    return indices, scores[indices]


def list_chosen_by_an_array(query_vector, vectors, k):
    scores = [float(row @ query_vector) for row in vectors]
    indices = np.argsort(-np.array(scores), kind="stable")[:k]
    return indices, scores[indices]


def marks_are_read(query_vector, vectors, k):
    scores, indices = vectors @ query_vector, []
    for _ in range(k):
        indices.append(int(np.argmax(scores)))
        scores[indices[-1]] = -np.inf
    return np.array(indices), scores[indices]


def marks_of_minus_two_are_read(query_vector, vectors, k):
    scores, indices = vectors @ query_vector, []
    for _ in range(k):
        indices.append(int(np.argmax(scores)))
        scores[indices[-1]] = -2
    return np.array(indices), scores[indices]


def zeros_are_read(query_vector, vectors, k):
    scores, indices = vectors @ query_vector, []
    for _ in range(k):
        indices.append(int(np.argmax(scores)))
        scores[indices[-1]] = 0
    return np.array(indices), scores[indices]


def lowest_marks(query_vector, vectors, k):
    scores = vectors @ query_vector
    left, indices = scores.copy(), []
    for _ in range(k):
        indices.append(int(np.argmax(left)))
        left[indices[-1]] = left.min()
    return np.array(indices), scores[indices]


def nan_marks(query_vector, vectors, k):
    left, indices, found = vectors @ query_vector, [], []
    for _ in range(k):
        i = int(np.argmax(left))
        indices.append(i)
        found.append(left[i])
        left[i] = np.nan
    return np.array(indices), np.array(found)


def a_sum_of_everything(query_vector, vectors, k):
    scores = np.sum(vectors * query_vector)
    indices = np.argsort(-scores, kind="stable")[:k]
    return indices, scores[indices]


def partition_not_mapped_back(query_vector, vectors, k):
    scores = vectors @ query_vector
    some = np.argpartition(-scores, k - 1)[:k]
    order = np.argsort(-scores[some], kind="stable")
    return order, scores[some][order]


def counts_its_rounds(query_vector, vectors, k):
    scores, indices, found = vectors @ query_vector, [], []
    for j, i in enumerate(np.argsort(-scores, kind="stable")[:k]):
        indices.append(j)
        found.append(scores[i])
    return indices, found


def nothing_is_sorted(query_vector, vectors, k):
    scores = vectors @ query_vector
    return np.arange(k), scores[:k]


def keys_of_lexsort_exchanged(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices = np.lexsort((-scores, np.arange(len(scores))))[:k]
    return indices, scores[indices]


def sizes_upwards(query_vector, vectors, k):
    scores = np.abs(vectors @ query_vector)
    indices = np.argsort(scores)[:k]
    return indices, scores[indices]


def sizes_turned(query_vector, vectors, k):
    scores = np.abs(vectors @ query_vector)
    indices = np.argsort(scores)[::-1][:k]
    return indices, scores[indices]


def nothing_below_0(query_vector, vectors, k):
    scores = np.clip(vectors @ query_vector, 0, 1)
    indices = np.argsort(-scores, kind="stable")[:k]
    return indices, scores[indices]


def from_0_to_1(query_vector, vectors, k):
    scores = (1 + vectors @ query_vector) / 2
    indices = np.argsort(-scores, kind="stable")[:k]
    return indices, scores[indices]


def in_percent(query_vector, vectors, k):
    scores = 100 * (vectors @ query_vector)
    indices = np.argsort(-scores, kind="stable")[:k]
    return indices, scores[indices]


def similarity_by_distance(query_vector, vectors, k):
    similar = 1 / (1 + np.linalg.norm(vectors - query_vector, axis=1))
    indices = np.argsort(-similar, kind="stable")[:k]
    return indices, similar[indices]


def rounded_to_four(query_vector, vectors, k):
    scores = np.round(vectors @ query_vector, 4)
    indices = np.argsort(-scores, kind="stable")[:k]
    return indices, scores[indices]


def city_blocks(query_vector, vectors, k):
    indices = np.argsort(np.abs(vectors - query_vector).sum(axis=1), kind="stable")[:k]
    return indices, (vectors @ query_vector)[indices]


def all_but_the_last(query_vector, vectors, k):
    scores = np.array([float(vectors[i] @ query_vector) for i in range(len(vectors) - 1)])
    indices = np.argsort(-scores, kind="stable")[:k]
    return indices, scores[indices]


def keeps_k_and_replaces_the_smallest(query_vector, vectors, k):
    scores = [float(row @ query_vector) for row in vectors]
    kept = [(scores[i], i) for i in range(k)]
    for i in range(k, len(scores)):
        smallest = min(kept)
        if scores[i] > smallest[0]:
            kept.remove(smallest)
            kept.append((scores[i], i))
    kept.sort(reverse=True)
    return [i for _, i in kept], [score for score, _ in kept]


def sums_of_columns(query_vector, vectors, k):
    scores = (vectors * query_vector).sum(axis=0)
    indices = np.argsort(-scores, kind="stable")[:k]
    return indices, scores[indices]


def used_ones_and_a_best_of_zero(query_vector, vectors, k):
    scores = vectors @ query_vector
    indices, _ = used_ones_and_a_best_of_zero_returned(query_vector, vectors, k)
    return indices, scores[indices]


def used_ones_and_a_best_of_zero_returned(query_vector, vectors, k):
    scores, used, indices, found = vectors @ query_vector, set(), [], []
    for _ in range(k):
        best, place = 0, 0
        for i in range(len(scores)):
            if i not in used and scores[i] > best:
                best, place = scores[i], i
        used.add(place)
        indices.append(place)
        found.append(best)
    return np.array(indices), np.array(found)


def looks_the_scores_up(query_vector, vectors, k):
    scores = vectors @ query_vector
    best = np.sort(scores)[::-1][:k]
    return [int(np.where(scores == one)[0][0]) for one in best], best


def the_kth_alone(query_vector, vectors, k):
    scores = vectors @ query_vector
    order = np.argsort(-scores, kind="stable")
    return order[k - 1], scores[order[k - 1]]


def sorted_where_they_stand(query_vector, vectors, k):
    scores = vectors @ query_vector
    scores.sort()
    order = np.argsort(-scores, kind="stable")[:k]
    return order, scores[order]


def a_little_off_for_each_place(query_vector, vectors, k):
    scores = vectors @ query_vector - 1e-3 * np.arange(len(vectors))
    order = np.argsort(-scores, kind="stable")[:k]
    return order, scores[order]


def scores_of_half_precision(query_vector, vectors, k):
    scores = (vectors @ query_vector).astype(np.float16)
    order = np.argsort(-scores, kind="stable")[:k]
    return order, scores[order]


def the_last_of_a_list_gives_way(query_vector, vectors, k):
    kept = []
    for place, vector in enumerate(vectors):
        score = vector @ query_vector
        if len(kept) < k:
            kept.append((score, place))
        elif score > kept[-1][0]:
            kept[-1] = (score, place)
    kept.sort(key=lambda pair: -pair[0])
    return np.array([place for _, place in kept]), np.array([score for score, _ in kept])


def sorts_the_scores_before_it_reads(query_vector, vectors, k):
    s = vectors @ query_vector
    i = np.argsort(-s, kind="stable")[:k]
    s = np.sort(s)[::-1]
    return i, s[i]


def last_place_of_each_score(query_vector, vectors, k):
    s = vectors @ query_vector
    top = np.sort(s)[::-1][:k]
    i = np.array([int(np.where(s == x)[0][-1]) for x in top])
    return i, s[i]


def a_little_more_for_each_place(query_vector, vectors, k):
    s = vectors @ query_vector
    s = s + np.arange(len(s)) * 1e-6
    i = np.argsort(-s)[:k]
    return i, s[i]


def one_less_the_distance(query_vector, vectors, k):
    scores = 1 - np.linalg.norm(vectors - query_vector, axis=1)
    order = np.argsort(-scores, kind="stable")[:k]
    return order, scores[order]


WRONG = [
    (one_less_the_distance, "one-minus-distance"),
    (sorts_the_scores_before_it_reads, "scores-of-sorted"),
    (last_place_of_each_score, "last-of-equals"),
    (a_little_more_for_each_place, "tie-break-upwards"),
    (sorted_where_they_stand, "sorted-first"),
    (a_little_off_for_each_place, "tie-break-added"),
    (scores_of_half_precision, "half-precision"),
    (the_last_of_a_list_gives_way, "last-of-kept-replaced"),
    (both_remedies, "turned-twice"),
    (both_remedies_of_any, "turned-twice-of-any"),
    (last_of_the_negated, "last-of-negated"),
    (last_of_the_negated_of_any, "last-of-negated-of-any"),
    (last_of_the_negated_turned, "turned-twice"),
    (list_chosen_by_an_array, "list-by-array"),
    (marks_are_read, "read-too-late"),
    (marks_of_minus_two_are_read, "read-too-late"),
    (zeros_are_read, "zero-read"),
    (lowest_marks, "minimum-at"),
    (nan_marks, "not-a-number"),
    (a_sum_of_everything, "indexed-a-number"),
    (partition_not_mapped_back, "ranks-returned"),
    (counts_its_rounds, "ranks-returned"),
    (nothing_is_sorted, "unsorted"),
    (keys_of_lexsort_exchanged, "unsorted"),
    (sizes_upwards, "sizes-returned"),
    (sizes_turned, "sizes-returned"),
    (nothing_below_0, "cut-at-0"),
    (from_0_to_1, "halved"),
    (in_percent, "in-percent"),
    (similarity_by_distance, "one-by-one-and-distance"),
    (rounded_to_four, "rounded-first"),
    (city_blocks, "manhattan"),
    (all_but_the_last, "last-left-out"),
    (keeps_k_and_replaces_the_smallest, "smallest-replaced"),
    (sums_of_columns, "summed-over-sentences"),
    (used_ones_and_a_best_of_zero, "from-zero-and-read"),
    (used_ones_and_a_best_of_zero_returned, "best-of-zero"),
    (looks_the_scores_up, "first-of-equals"),
    (the_kth_alone, None),
    (cuts_before_it_turns, "worst-turned-of-any"),
    (cuts_a_stable_sort_before_it_turns, "worst-turned"),
    (a_dict_of_scores, "equals-lost"),
    (loop_from_zero, "from-zero"),
    (only_the_scores_cut, "indices-not-cut"),
    (found_ones_are_0, "zeroed-and-read"),
    (found_ones_are_minus_1, "minus-one-and-read"),
    (sorted_twice, "ranks-of-any"),
    (equal_to_two_decimals, "near-is-equal"),
    (equal_to_three_decimals, "near-is-equal"),
    (in_half_precision, None),
    (farthest_first, "ascending"),
    (found_ones_get_minus_one, "minus-one"),
    (upwards_and_the_last, "last-k-upwards"),
    (takes_it_out, "deleted"),
    (zero_for_found, "zeroed"),
    (first_place_of_each_score, "first-of-equals"),
    (one_array_of_both, "wrong-kind"),
    (the_vectors_themselves, "vectors-returned"),
    (turned_as_it_comes, "reversed"),
    (upwards, "ascending"),
    (turned, "ties-to-the-higher"),
    (the_last_k, "last-k"),
    (scores_first, "exchanged"),
    (scores_as_they_were, "first-scores"),
    (all_scores, "scores-unsorted"),
    (sorted_scores, "scores-not-cut"),
    (by_distance, "distances"),
    (sign_left_turned, "negated"),
    (without_the_nearest, "nearest-left-out"),
    (all_of_them, "all-returned"),
    (upwards_as_it_comes, "upwards"),
    (by_size, "sizes"),
    (sizes, "sizes-returned"),
]
