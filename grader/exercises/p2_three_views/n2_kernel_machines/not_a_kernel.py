import numpy as np

from grader.exercises.inputs import numbers
from grader.exercises.kinds import Property, search
from grader.exercises.p2_three_views.n2_kernel_machines.learned_kernel import learned_kernel

CAT_SAT = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])
CLEARLY = 1e-6  # of the largest entry: far beyond rounding


def cat_sat_kernel(projections):
    return learned_kernel(CAT_SAT, CAT_SAT, *projections)


def is_not_symmetric(projections):
    kernel = cat_sat_kernel(projections)
    gap = np.abs(kernel - kernel.T).max()
    if gap > CLEARLY * kernel.max():
        return None
    return f"the kernel matrix is symmetric: mirrored entries differ by {gap:.2g} at most"


def is_not_positive(projections):
    kernel = cat_sat_kernel(projections)
    least = np.linalg.eigvalsh((kernel + kernel.T) / 2).min()
    if least < -CLEARLY * kernel.max():
        return None
    return f"z G z is never negative: the smallest eigenvalue of (G + G.T) / 2 is {least:.3g}"


@search(
    points=2,
    task="find W_q and W_k whose kernel is neither symmetric nor positive semi-definite",
    properties=(
        Property("the kernel matrix is not symmetric", is_not_symmetric, 0.5),
        Property("it is not positive semi-definite", is_not_positive, 0.5),
    ),
    shows={
        "equal-projections": lambda pair: bool(np.allclose(*pair)),
        "symmetric-product": lambda pair: bool(np.allclose(pair[0] @ pair[1].T, (pair[0] @ pair[1].T).T)),
        "still-positive": lambda pair: is_not_symmetric(pair) is None and is_not_positive(pair) is not None,
    },
    mistakes="""
    equal-projections: W_q and W_k are the same matrix -> Then the score is a dot product of the vectors in one and the
        same space: always a proper kernel. -> Let asking and answering differ.
    symmetric-product: the product of W_q and the transpose of W_k is a symmetric matrix -> The kernel sees the
        projections only through that product; if it is symmetric, so is the kernel. -> Make W_q W_k.T differ from its
        own transpose: for example, let one coordinate ask and another answer.
    still-positive: the kernel is not symmetric, but still positive -> The smallest z G z is not below 0: no mixture of
        the tokens comes out negative. -> Make the tokens score low with themselves and high with others, by a sign or
        by crossing coordinates.
    """,
)
def not_a_kernel(value):
    """The learner's two matrices; raises ValueError in words."""
    value = list(value) if isinstance(value, np.ndarray) and value.ndim else value
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise ValueError("expected a pair of matrices, [W_q, W_k]")
    try:
        W_q, W_k = (numbers(W) for W in value)
    except ValueError:
        raise ValueError("W_q and W_k must be matrices of numbers") from None
    for name, W in (("W_q", W_q), ("W_k", W_k)):
        if W.ndim != 2 or W.shape[0] != 2:
            raise ValueError(f"{name} must have shape (2, d_k), a row for each of the 2 coordinates; got {W.shape}")
    if W_q.shape != W_k.shape:
        raise ValueError(f"W_q and W_k must have the same shape; got {W_q.shape} and {W_k.shape}")
    if not (np.isfinite(W_q).all() and np.isfinite(W_k).all()):
        raise ValueError("all numbers must be finite")
    if max(np.abs(W_q).max(initial=0), np.abs(W_k).max(initial=0)) > 1e100:  # their products would overflow
        raise ValueError("keep the numbers below 1e100")
    largest = ((CAT_SAT @ W_q) @ (CAT_SAT @ W_k).T).max()
    if largest > 20:
        raise ValueError(f"a dot product is {largest:.4g}; keep them below 20")
    return W_q, W_k
