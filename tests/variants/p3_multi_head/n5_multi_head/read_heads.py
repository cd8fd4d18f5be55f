WRONG = [
    ({"previous word": 2, "same word": 8, "bank to river": 0, "bank to money": 4}, "words-exchanged"),
    ({"previous word": 2, "same word": 8, "bank to river": 4, "bank to money": 1}, "transposed-bank"),
    ({"previous word": 2, "same word": 2, "bank to river": 4, "bank to money": 0}, "previous-for-same"),
    ({"previous word": 3, "same word": 9, "bank to river": 5, "bank to money": 1}, "counted-from-one"),
    ({"previous word": 2, "same word": 8, "bank to river": 27, "bank to money": 0}, "flattened-river"),
    ({"previous word": 2, "same word": 8, "bank to river": 8, "bank to money": 9}, "words-without-the-start"),
]
