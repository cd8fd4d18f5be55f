RIGHT = {"scores": 0, "weights": 9, "contexts": 6, "weights_off": 0.174, "contexts_off": 0.104}

WRONG = [
    (RIGHT | {"weights_off": 0.104, "contexts_off": 0.174}, "exchanged"),
    (RIGHT | {"weights_off": 0.10, "contexts_off": 0.17}, "exchanged"),
    (RIGHT | {"weights_off": 0.188, "contexts_off": 0.133}, "columns"),
    (RIGHT | {"weights_off": 0.19, "contexts_off": 0.13}, "columns"),
]
