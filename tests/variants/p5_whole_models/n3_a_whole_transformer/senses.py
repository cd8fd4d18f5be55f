import numpy as np

RIGHT = {"after 1": 0.81, "after 3": 0.96, "after 6": 0.97}

VARIANTS = [
    RIGHT,
    {name: np.float32(value) for name, value in RIGHT.items()},
    {name: np.array(value) for name, value in RIGHT.items()},
    {"after 1": 58 / 72, "after 3": 69 / 72, "after 6": 70 / 72},
    {"after 1": 0.8056, "after 3": 0.9583, "after 6": 0.9722},
    dict(reversed(RIGHT.items())),
]


def named(*shares):
    return dict(zip(RIGHT, shares, strict=True))


# Each with the mistake that the judge should name, or None.
WRONG = [
    (named(1.0, 1.0, 0.94), "dot-and-itself"),
    (named(0.83, 0.94, 0.99), "centred"),
    (named(0.74, 0.89, 0.88), "third"),
    (named(0.54, 0.96, 0.97), "before-the-first"),  # on one machine, and on another
    (named(0.49, 0.96, 0.97), "before-the-first"),
    (named(0.86, 0.92, 0.97), "first-meaning"),
    (named(0.56, 0.46, 0.5), "one-meaning-for-all"),
    (named(0.72, 0.88, 0.88), "border-behind-of-found"),
    (named(80.6, 95.8, 97.2), "percent-with-one-decimal"),
    (named(0.89, 0.96, 0.99), None),  # two mistakes: the first value alone is what one layer too late gives as well
    (named(0.21, 0.08, 0.10), "second-from-below"),
    (named(0.67, 0.79, 0.79), "border-behind"),
    (named(0.69, 0.76, 0.74), "border-before"),
    (named(0.81, 0.89, 0.96), "layers-in-a-row"),
    (named(1.0, 1.0, 1.0), "itself"),
    (named(0.81, 0.94, 0.83), "dot"),
    (named(0.81, 0.94, 0.99), "distance"),
    (named(0.75, 0.92, 0.92), "one-word"),
    (named(0.75, 0.92, 1.0), "last-word"),
    (named(0.75, 1.0, 1.0), "spring-alone"),
    (named(58, 69, 70), "counted"),
    (named(80.56, 95.83, 97.22), "percent"),
    (named(81, 96, 97), "percent-rounded"),
    (named(0.19, 0.04, 0.03), "the-wrong-share"),
    (named(0.4306, 0.4583, 0.4861), "first-meaning-counted"),
    (named(0.63, 0.5, 0.51), "either-of-the-first"),
    (named(0.4028, 0.4722, 0.4861), "even-of-found"),
    (named(0.72, 0.76, 0.78), "later-only"),
    (named(9.67, 11.5, 11.67), "counted-by-word"),
    (named(0.94, 0.91, 0.86), "mean-cosine-with-itself"),
    (named(0.917, 0.972, 0.986), "means-of-cosines"),
    (named(0.82, 0.97, 0.97), "five-words"),
    (named(0.49, 0.81, 0.97), "layers-of-the-question"),
    (named(0.49, 0.82, 0.3), None),
]
