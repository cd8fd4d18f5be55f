import numpy as np

READ = {"the_prefers": "sat", "cat_on_sat": 0.33, "not_themselves": ["The"], "it_on_cat": 0.5, "shape": (2, 5)}


VARIANTS = [
    READ,
    READ | {"the_prefers": "Sat", "not_themselves": "the", "shape": [2, 5]},
    READ | {"cat_on_sat": np.float64(0.33), "not_themselves": ("The",), "shape": np.array([2, 5])},
]


WRONG = [
    (READ | {"it_on_cat": 0.58, "shape": (5, 2)}, "reads-columns"),
    (READ | {"the_prefers": "The", "not_themselves": []}, "each-itself"),
    (READ | {"shape": (2, 3)}, "with-d"),
    (READ | {"shape": (2, 5, 3)}, "d-kept"),
    (READ | {"shape": (5, 2)}, "shape-swapped"),
    (READ | {"it_on_cat": 0.58}, "column-first"),
    (READ | {"the_prefers": "The"}, "itself"),
    (READ | {"not_themselves": ["cat", "sat"]}, "those-who-do"),
    (READ | {"shape": 10}, "how-many"),
    (READ | {"shape": "2 x 5"}, None),
    ({"the_prefers": "sat"}, None),
    (["sat", 0.33], None),
]
