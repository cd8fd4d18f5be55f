WRONG = [("a", "chose-a"), ("b", "chose-b"), ("c", "chose-c")]
