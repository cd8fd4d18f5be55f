VARIANTS = ["c", " C "]


WRONG = [("a", "chose-a"), ("b", "chose-b"), ("d", "chose-d"), ("sat", None)]
