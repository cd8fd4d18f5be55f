WRONG = [
    ({"small": 33, "long": 33, "uneven": 73728, "real": 443520}, "values-from-keys"),
    ({"small": 48, "long": 4036, "uneven": 131072, "real": 443520}, "with-tokens"),
    ({"small": 108, "long": 36000, "uneven": 131072, "real": 443520}, "per-token"),
    ({"small": 12, "long": 12, "uneven": 32768, "real": 147456}, "one-matrix-no-biases"),
    ({"small": 12, "long": 12, "uneven": 32768, "real": 147840}, "one-matrix"),
    ({"small": 36, "long": 36000, "uneven": 131072, "real": 443520}, "per-token-in-long"),
    ({"small": 36, "long": 36, "uneven": 131072, "real": 147840}, "one-matrix-in-real"),
]
