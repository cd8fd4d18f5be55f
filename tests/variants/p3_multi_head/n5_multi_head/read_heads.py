WRONG = [
    ({"previous word": 2, "bank to river": 0, "bank to money": 4}, "words-exchanged"),
    ({"previous word": 2, "bank to river": 4, "bank to money": 1}, "transposed-bank"),
]
