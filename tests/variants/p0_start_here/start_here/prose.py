"""The numbers in the prose of this notebook."""

import numpy as np

SENTENCE = np.array([[1.0, 2.0, 3.0, 6.0], [4.0, 0.0, 4.0, 0.0], [5.0, 5.0, 5.0, 5.0]])
NUMBERS = [("`[3. 2. 5.]`", lambda: f"`{SENTENCE.mean(axis=1)}`")]
