import numpy as np

from grader.exercises.kinds import Entry, values
from grader.exercises.stages import slip

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
    keys-shape: you gave the shape of K instead of that of the scores -> The numbers of a vector are used up by the dot
        product: none of them is left in the scores. -> Each query gets one number from each key.
    keys-twice: both numbers of your shape count the keys -> A row belongs to who asks, a column to who answers; as many
        of both there are only where a sentence asks itself. -> Count the queries first, then the keys.
    queries-twice: both numbers of your shape count the queries -> A row belongs to who asks, a column to who answers;
        as many of both there are only where a sentence asks itself. -> Count the queries first, then the keys.
    of-the-sentence: you gave the shape of the matrix that is printed -> The question is about other scores: of 2
        queries and 5 keys. -> Count the queries first, then the keys.
    least: you name the token that The scores lowest -> Small is good for a distance. A score is large where a key
        answers well. -> Look for the largest number of the row.
    named-cat: among those that do not score themselves highest you name cat alone -> Go along the row of cat: is there
        a number larger than the one on the diagonal? -> Test each row in this way, and name those where there is.
    named-sat: among those that do not score themselves highest you name sat alone -> Go along the row of sat: is there
        a number larger than the one on the diagonal? -> Test each row in this way, and name those where there is.
    cat-itself: for the key sat you read the number on the diagonal -> There stands what cat scores itself. -> The row
        is right; go on to the column of sat.
    cat-on-the: for the key sat you give what cat scores The -> Rows and columns stand in the order of the sentence. ->
        Go along the row of cat to the column of sat.
    the-on-sat: for the query cat you give what The scores sat -> That number stands in the row of The, not in that of
        cat. -> Find the row of cat first.
    sat-itself: for the query cat you give what sat scores itself -> The column is right, and the row is not. -> Find
        the row of cat first.
    it-on-the: for the key cat you give what it scores The -> The row is right, and the column is not: columns stand in
        the order of the sentence. -> Go along the row of it to the column of cat.
    it-on-sat: for the key cat you give what it scores sat -> The row is right, and the column is not: columns stand in
        the order of the sentence. -> Go along the row of it to the column of cat.
    slept-on-cat: for the query it you give what slept scores cat -> The column is right, and the row is not. -> Find
        the row of it first.
    slept-on-sat: for the query it and the key cat you give what slept scores sat -> In code, rows and columns count
        from 0; and rows are in the order of those who ask. -> Find the row of it first, then go along it to cat.
    both-added: you counted queries and keys together -> Who asks and who answers are two things here: the rows are for
        the ones, the columns for the others. -> Count the queries first, then the keys.
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
    shapes = {
        "how-many": 10,
        "both-added": [7, 7],
        "keys-shape": [5, 3],
        "keys-twice": [5, 5],
        "queries-twice": [2, 2],
        "of-the-sentence": [3, 3],
    }
    shape = slip(wrong, shapes, shape)
    of_sentence = X @ X.T
    cat_on_sat = {
        "cat-itself": of_sentence[1, 1],
        "cat-on-the": of_sentence[1, 0],
        "the-on-sat": of_sentence[0, 2],
        "sat-itself": of_sentence[2, 2],
    }
    it_on_cat = {
        "it-on-the": asked[0, 0],
        "it-on-sat": asked[0, 2],
        "slept-on-cat": asked[1, 1],
        "slept-on-sat": asked[1, 2],
        "reads-columns": asked[1, 0],
        "column-first": asked[1, 0],
    }
    not_themselves = [word for word in SENTENCE if (word != favourite[word]) != ("those-who-do" in wrong)]
    return {
        "the_prefers": slip(wrong, {"itself": "The", "least": "cat"}, favourite["The"]),
        "cat_on_sat": float(slip(wrong, cat_on_sat, of_sentence[1, 2])),
        "not_themselves": slip(wrong, {"named-cat": ["cat"], "named-sat": ["sat"]}, not_themselves),
        "it_on_cat": float(slip(wrong, it_on_cat, asked[0, 1])),
        "shape": np.array(shape),
    }
