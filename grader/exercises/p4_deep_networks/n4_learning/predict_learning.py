from grader.exercises.kinds import choice

predict_learning = choice(
    "predict-learning",
    points=1,
    task='type the letter in quotation marks, for example `predict_learning = "a"`',
    right="c",
    because="""
    a: its steps are longer than right ones, since the Jacobian makes smaller what comes back. But to explode, each step
        would have to make the next one longer, and here the loss falls.
    b: the scores would have to move at random for that. They move, and not at random: what raises the weight of a good
        value is still known.
    c: measured with five seeds: all of them reach 100 %, as with the right gradient. The wrong one mostly points the
        same way. A head that learns proves nothing about its gradient; section 5 shows what does.
    d: then something would have to stop it. What would? The matrices go on moving as long as the loss is not 0.
    """,
)
