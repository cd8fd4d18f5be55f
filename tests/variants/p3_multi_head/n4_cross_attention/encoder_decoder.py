WRONG = [
    (
        {"queries": "decoder", "keys": "encoder", "values": "encoder", "weights": (5, 7), "context": (5, 3)},
        "width-of-keys",
    ),
    (
        {"queries": "encoder", "keys": "decoder", "values": "decoder", "weights": (5, 7), "context": (5, 11)},
        "roles-swapped",
    ),
]
