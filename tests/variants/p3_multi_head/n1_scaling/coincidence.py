WRONG = [
    ({"half = sqrt": [4], "log2 = sqrt": [4], "half = log2": [4]}, "only-four"),
    ({"half = sqrt": [], "log2 = sqrt": [], "half = log2": []}, None),
    ([4, 16], None),
    ({"half = sqrt": [4], "log2 = sqrt": [16], "half = log2": [2]}, "first-pair-only"),
]
