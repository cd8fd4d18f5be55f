import numpy as np

VARIANTS = [
    [2 * np.eye(2), -2 * np.array([[1.0, 0.005], [0.0, 1.0]])],
    [50 * np.eye(2), -50 * np.array([[1.0, 2.0], [0.0, 1.0]])],
]


WRONG = [
    ([np.eye(2), np.array([[1.0, 1e-12], [0.0, 1.0]])], None),
    ([5 * np.eye(2), np.array([[5.0, 2.0], [0.0, 5.0]])], None),  # dot products above 20
    ([np.eye(2), np.eye(2)], "equal-projections"),
    ([np.zeros((2, 3)), np.zeros((2, 3))], "equal-projections"),
    ([np.diag([1.0, 2.0]), np.diag([3.0, 4.0])], "symmetric-product"),
    ([np.diag([2.0, 2.0]), np.array([[2.0, 0.5], [0.0, 2.0]])], "still-positive"),
    ([np.eye(3), np.eye(3)], None),
    (np.eye(2), None),
    ([4 * np.eye(2), np.array([[4.0, 0.2], [0.0, 4.0]])], "still-positive"),
]
