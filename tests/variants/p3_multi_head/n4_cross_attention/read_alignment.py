WRONG = [
    ({"car": "automobile", "struck": "hit", "stone": "rock", "street": "road"}, None),
    ({"automobile": "was", "hit": "a", "rock": "by", "road": "on"}, "the-example"),
]
