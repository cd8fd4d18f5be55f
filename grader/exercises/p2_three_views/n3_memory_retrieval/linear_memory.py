import numpy as np

from attnlib import unit_rows
from grader.exercises.inputs import arrays, example, matrix, square, tenths
from grader.exercises.kinds import Case, Property, function
from grader.exercises.p2_three_views.n3_memory_retrieval.shared import some_of
from grader.exercises.properties import order_is_free
from grader.exercises.stages import slip

EXAMPLE = {
    "keys": np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
    "values": np.array([[10.0], [20.0], [30.0]]),
}

in_any_order = order_is_free(
    arrays(keys=(7, 3), values=(7, 5)),
    "keys values",
    "storing the same memories in another order moves the matrix by {gap}",
)


def right_angles_read_exactly(call, rng):
    keys, values = np.linalg.qr(matrix(rng, 5, 5))[0][:3], matrix(rng, 3, 2)
    gap = np.abs(call(keys, values) @ keys.T - values.T).max()
    return None if gap < 1e-3 else f"with keys of length 1 at right angles, a value comes back changed by {gap:.3g}"


@function(
    points=3,
    returns="M",
    cases=(
        Case("2 keys of three numbers, values of five", arrays(tenths, keys=(2, 3), values=(2, 5)), 0.25),
        Case("7 keys of five numbers, values of three", arrays(keys=(7, 5), values=(7, 3)), 0.2),
        Case("5 keys and values of five numbers", arrays(keys=(square, 5), values=(square, 5)), 0.15),
        Case("the example of the task", example(**EXAMPLE), 0.05),
    ),
    properties=(
        Property("the order of the memories does not matter", in_any_order, 0.1),
        Property("with keys of length 1 at right angles, M @ key is the value", right_angles_read_exactly, 0.15),
    ),
    mistakes="""
    turned: keys and values have changed places -> Then M has shape (d, d_v), and a query with d numbers fits behind it
        only if d_v is d. -> A row of M for each number of a value, a column for each number of a key.
    keys-with-keys: the keys are multiplied with the keys -> The values appear nowhere, so nothing that was stored can
        come back. -> Each product has a value and its own key.
    values-with-values: the values are multiplied with the values -> The keys appear nowhere, so no address finds
        anything. -> Each product has a value and its own key.
    values-by-keys: each value is compared with each key -> That sums over the columns, and leaves a table of memories
        against memories. -> Sum over the memories: what is left is a number of a value against a number of a key.
    mean: you divide by the number of memories -> The task asks for a sum: what is stored does not fade when another
        memory comes. -> Leave the division out.
    divided-by-width: you divide by the number of coordinates -> The network of 1982 is often written so; here the plain
        sum is asked for. -> Leave the division out.
    scaled: you divide by the square root of the dimension -> That is for later (Part 3); here the plain sum is asked
        for. -> Leave the division out.
    product-of-sums: you add up keys and values first, and multiply the sums -> Then every value is stored under every
        key. -> First the product of a value and its own key, for each memory; then the sum.
    weighted: a softmax is in it -> This memory is the one without softmax: values times keys, added up. -> Leave the
        softmax out.
    unit-keys: the keys have been brought to length 1 -> The sum is asked for with the keys as they come. -> Use `keys`
        as it is.
    best-fit: your matrix is the one that reads every stored value as exactly as possible -> That is a better memory,
        but one has to know all keys to make it. The task asks for a sum that grows memory by memory. -> Value times
        key, added up.
    not-summed: the products are there, one matrix for each memory -> One matrix is to hold them all. -> Add them up
        over the memories.
    only-the-error: you store only what the memory does not yet answer itself (the delta rule) -> That is another
        memory, and in it the order counts. -> Add up value times key, whatever is stored already.
    no-diagonal: the diagonal of your matrix is zero -> The network of 1982 leaves out what a pixel says about itself;
        here the whole sum is asked for. -> Leave the diagonal as it comes.
    inner-products: you multiply two vectors to a single number -> `@` and `np.dot` of two vectors add up the products
        of their numbers, and want the same length; `.T` of a vector changes nothing. A column times a row is a table:
        each number of the one with each of the other. -> `np.outer` makes that, or a column `v[:, None]` times a row.
    inner-products-added: you multiply two vectors to a single number, and add it to every place of the table -> `@` and
        `np.dot` of two vectors add up the products of their numbers, and want the same length; `.T` of a vector changes
        nothing. A column times a row is a table: each number of the one with each of the other. -> `np.outer` makes
        that, or a column `v[:, None]` times a row.
    whole-numbers: the products are cut down to whole numbers -> A table with `dtype=int` holds no others. -> Leave
        `dtype` out.
    largest: you take the largest of the products in each place -> Then most of what a memory holds is lost. -> Add
        them up over the memories.
    squeezed: where a value is a single number, your result has lost an axis -> `np.squeeze` takes every axis of length
        1 away, wanted or not. -> Leave it out: the product has the right shape.
    two-only: only the first two memories are in your matrix -> All of them are to be added up. -> Let `range(len(...))`
        or a product of matrices count them.
    three-only: only the first three memories are in your matrix -> All of them are to be added up. -> Let
        `range(len(...))` or a product of matrices count them.
    last-only: only the last memory is in your matrix -> In a loop each round overwrites what the round before had
        found. -> Begin with zeros, and add in each round.
    first-only: only the first memory is in your matrix -> A `return` in a loop ends it in its first round. -> Begin
        with zeros, add in each round, and return after the loop.
    first-twice
    first-missing: the first memory is not in your matrix -> All of them are to be added up. -> Places count from 0.
    last-missing: the last memory is not in your matrix -> All of them are to be added up. -> `range(n)` ends before n
        all by itself.
    """,
)
def linear_memory(keys, values, wrong=frozenset()):
    """A memory that is one matrix, with mistakes as switches."""
    keys, values = some_of(np.asarray(keys, dtype=float), wrong), some_of(np.asarray(values, dtype=float), wrong)
    n, d = keys.shape
    if wrong & {"inner-products", "inner-products-added"}:
        added = float(sum(value @ key for value, key in zip(values, keys, strict=True)))
        return added if "inner-products" in wrong else np.full((values.shape[1], d), added)
    if "unit-keys" in wrong:
        keys = unit_rows(keys)
    if "values-by-keys" in wrong:
        return values @ keys.T
    if "product-of-sums" in wrong:
        return np.outer(values.sum(axis=0), keys.sum(axis=0))
    if "not-summed" in wrong:
        return values[:, :, None] * keys[:, None, :]
    if "best-fit" in wrong:
        return values.T @ np.linalg.pinv(keys).T
    if "weighted" in wrong:
        powers = np.exp(keys - keys.max(axis=-1, keepdims=True))
        keys = powers / powers.sum(axis=-1, keepdims=True)
    pairs = {"turned": (keys, values), "keys-with-keys": (keys, keys), "values-with-values": (values, values)}
    left, right = slip(wrong, pairs, (values, keys))
    M = left.T @ right / slip(wrong, {"mean": n, "divided-by-width": d, "scaled": np.sqrt(d)}, 1)
    if "only-the-error" in wrong:
        M = np.zeros(M.shape)
        for value, key in zip(left, right, strict=True):
            M = M + np.outer(value - M @ key, key)
    if "first-twice" in wrong:
        M = M + np.outer(left[0], right[0])
    if "no-diagonal" in wrong:
        np.fill_diagonal(M, 0)
    if "whole-numbers" in wrong:
        M = sum(np.trunc(np.outer(value, key)) for value, key in zip(left, right, strict=True))
    if "largest" in wrong:
        M = (left[:, :, None] * right[:, None, :]).max(axis=0)
    if "squeezed" in wrong:
        return np.squeeze(M)
    return M
