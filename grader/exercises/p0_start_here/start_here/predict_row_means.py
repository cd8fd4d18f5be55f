from grader.exercises.kinds import choice

predict_row_means = choice(
    "predict-row-means",
    task='type the letter in quotation marks, for example `predict_row_means = "a"`',
    right="b",
    because="""
    a: That many numbers come out when each column is averaged. Which of the two axes counts the tokens?
    b: One mean for each row: the axis of the four numbers has been averaged away, and the 3 rows remain.
    c: A mean makes one number out of many, so something has to get shorter. Which axis disappears?
    d: One single number is the mean of the whole matrix; here each row is to have its own.
    """,
)
