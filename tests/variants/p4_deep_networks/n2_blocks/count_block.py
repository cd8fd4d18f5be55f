def counted(**entries):
    names = {"feed_forward": "feed-forward", "six_blocks": "six blocks"}
    right = {"attention": 591360, "feed-forward": 1181568, "norms": 1536, "six blocks": 10646784}
    return right | {names.get(name, name): value for name, value in entries.items()}


WRONG = [
    (counted(attention=4 * (384 * 32 + 32)), "attention-of-one-head"),
    (counted(norms=4 * 768), "norms-doubled"),
    (counted(norms=3 * 768), "three-norms"),
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
    (counted(attention=4 * 384 * 384 + 384), "attention-one-bias"),
    (counted(feed_forward=384 * 1536 + 1536), "ffn-first-product"),
    (counted(feed_forward=1536 * 384 + 384), "ffn-second-product"),
    (counted(feed_forward=590784), "value-halved"),
    (counted(feed_forward=590783), None),
    (counted(six_blocks=3263), "value-root"),
    *((counted(six_blocks=value), None) for value in (1, 7, 100, 5000, 0, -5)),
]
