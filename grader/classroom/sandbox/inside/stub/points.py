"""Full points, by exercise; written anew for the notebooks of a class."""

POINTS: dict[str, float] = {}
