WRONG = [("a", "chose-a"), ("c", "chose-c"), ("d", "chose-d")]
