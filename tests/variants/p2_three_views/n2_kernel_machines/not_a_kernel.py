import numpy as np

WRONG = [
    ([np.eye(2), np.eye(2)], "equal-projections"),
    ([np.zeros((2, 3)), np.zeros((2, 3))], "equal-projections"),
    ([np.diag([1.0, 2.0]), np.diag([3.0, 4.0])], "symmetric-product"),
    ([np.diag([2.0, 2.0]), np.array([[2.0, 0.5], [0.0, 2.0]])], "still-positive"),
    ([np.eye(3), np.eye(3)], None),
    (np.eye(2), None),
]
