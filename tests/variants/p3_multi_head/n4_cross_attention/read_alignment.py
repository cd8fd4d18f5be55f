WRONG = [({"car": "automobile", "struck": "hit", "stone": "rock", "street": "road"}, None)]
