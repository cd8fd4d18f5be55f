def counted(**entries):
    right = {"attention": 591360, "feed-forward": 1181568, "norms": 1536, "six blocks": 10646784}
    return right | {name.replace("_", " "): value for name, value in entries.items()}


WRONG = [
    (
        {"attention": 589824, "feed-forward": 1179648, "norms": 1536, "six blocks": 6 * (589824 + 1179648 + 1536)},
        "no-biases",
    ),
    (
        {"attention": 591360, "feed-forward": 1181568, "norms": 768, "six blocks": 6 * (591360 + 1181568 + 768)},
        "half-of-the-norms",
    ),
    (counted(six_blocks=1774464), "one-block"),
    (counted(six_blocks=12 * 1774464), "twelve-blocks"),
]
