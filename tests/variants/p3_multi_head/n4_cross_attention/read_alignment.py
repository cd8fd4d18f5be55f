WRONG = [
    ({"car": "automobile", "struck": "hit", "stone": "rock", "street": "road"}, None),
    ({"automobile": "was", "hit": "a", "rock": "by", "road": "on"}, "the-example"),
    ({"automobile": "the", "hit": "street", "rock": "by", "road": "stone"}, "columns"),
    ({"automobile": "big", "hit": "rock", "rock": "road", "road": "hit"}, "columns-of-the-target"),
]
