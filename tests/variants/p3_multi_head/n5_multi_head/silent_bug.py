HEADS = {"head 0": ["she", "left"], "head 1": ["left", "her", "book"], "head 2": ["book", "here"]}

WRONG = [
    (HEADS | {"harmless": 0}, "how-many-harmless"),
    (HEADS | {"harmless": 3}, "heads-of-the-example"),
    (HEADS | {"harmless": 5}, None),
    (HEADS | {"head 0": ["she"] * 6 + ["left"] * 4, "harmless": 1}, "too-many"),
    (
        {
            "head 0": ["she"] * 6 + ["left"] * 4,
            "head 1": ["left"] * 2 + ["her"] * 6 + ["book"] * 2,
            "head 2": ["book"] * 4 + ["here"] * 6,
            "harmless": 1,
        },
        "every-number",
    ),
    ({"head 0": ["she", "left"], "head 1": ["her", "book"], "head 2": ["here"], "harmless": 1}, "neighbours"),
]
