WRONG = [({"unscaled": 0.25, "scaled": 0.25}, None), ({"unscaled": "small", "scaled": 1}, None)]
