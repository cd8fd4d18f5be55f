import numpy as np

from grader.exercises.kinds import Entry, values

SENTENCE = ("The", "cat", "sat")
X = np.array([[0.2, 0.5], [0.8, 0.1], [0.3, 0.9]])
ASKERS = np.array([[0.6, 0.2], [0.4, 1.0]])


def favourites(wrong):
    """For each token of the sentence, the token that it is taken to score highest."""
    scores = X @ X.T
    if "each-itself" in wrong:
        return list(SENTENCE)
    return [SENTENCE[j] for j in (scores.argmin(axis=1) if "smallest" in wrong else scores.argmax(axis=1))]


@values(
    points=3,
    task="fill in the dict `read_score_matrix`",
    entries=(
        Entry("the_prefers", "the token that The scores highest", 0.2),
        Entry("cat_on_sat", "the score that the query cat gives the key sat", 0.2),
        Entry("not_themselves", "the tokens that do not score themselves highest", 0.2),
        Entry("it_on_cat", "the score that the query it gives the key cat", 0.2),
        Entry("shape", "the shape of the scores for 2 queries and 5 keys", 0.2, decimals=0),
    ),
    mistakes="""
    reads-columns: you read the matrix by columns -> A row belongs to who asks, a column to who answers. In a matrix
        with Q = K = X you do not notice the difference; with other queries you do. -> Find the query's row first, then
        go along it to the key's column.
    column-first: you read down a column: that is what another query scores another key -> The row says who asks, the
        column who answers. In a matrix with Q = K = X you do not notice when they are mixed up; here others ask than
        answer. -> Find the row of the query first, then go along it to the column of the key.
    shape-swapped: rows and columns are swapped in the shape -> The shape names the number of rows first. The rows
        belong to those who ask. -> Count the queries first, then the keys.
    each-itself: you took it for granted that each token scores itself highest -> The diagonal holds the squared
        lengths. A dot product can do better with a longer neighbour. -> Go along each row and compare.
    smallest: you took the smallest score for the best -> Small is good for a distance. A score is large where a key
        answers well. -> Look for the largest number of each row.
    itself: you took it for granted that The scores itself highest -> The diagonal holds the squared lengths. A dot
        product can do better with a longer neighbour. -> Go along the row of The and compare.
    those-who-do: you name the tokens that do score themselves highest -> The question is about the others: in whose row
        does the largest number stand off the diagonal? -> Read the question once more; your reading of the matrix is
        right.
    d-kept: the d numbers of a vector are still in your shape -> A dot product adds the d products up: each pair of
        query and key is left with one number, and the axis of length d vanishes. -> Ask how many axes are needed to say
        who asks and who answers.
    how-many: you gave how many scores there are, not the shape -> A shape has a number for each axis: how many rows,
        and how many columns. -> Leave the two numbers apart, as a pair.
    with-d: you gave the shape of Q instead of that of the scores -> The numbers of a vector are used up by the dot
        product: none of them is left in the scores. -> Each query gets one number from each key.
    """,
)
def read_score_matrix(wrong=frozenset()):
    favourite = dict(zip(SENTENCE, favourites(wrong), strict=True))
    asked = ASKERS @ X.T
    shape = [5, 2] if wrong & {"reads-columns", "shape-swapped"} else [2, 5]
    if wrong & {"with-d", "d-kept"}:
        shape = [2, 3] if "with-d" in wrong else [2, 5, 3]
    if "how-many" in wrong:
        shape = 10
    return {
        "the_prefers": "The" if "itself" in wrong else favourite["The"],
        "cat_on_sat": float((X @ X.T)[1, 2]),
        "not_themselves": [word for word in SENTENCE if (word != favourite[word]) != ("those-who-do" in wrong)],
        "it_on_cat": float(asked[1, 0] if wrong & {"reads-columns", "column-first"} else asked[0, 1]),
        "shape": np.array(shape),
    }
