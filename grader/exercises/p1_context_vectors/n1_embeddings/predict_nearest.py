from grader.exercises.kinds import choice

predict_nearest = choice(
    "predict-nearest",
    task='type the letter in quotation marks, for example `predict_nearest = "a"`',
    right="c",
    because="""
    a: a freezing thing is cold, so this is a fair guess, and it is among the ten nearest. But the vectors were learnt
        from the company that words keep: which word can stand almost wherever `cold` can?
    b: ice is near, but it is a thing, and `cold` says how a thing is. They stand in different places of a sentence.
        Which word can stand almost wherever `cold` can?
    c: `warm` is nearest, at a cosine of 0.50. Weather, water, hands, soup: whatever can be cold can be warm. Words that
        keep the same company get similar vectors, and opposites keep the same company. `winter` (0.42), `freezing`
        (0.38) and `ice` (0.34) follow.
    d: winter is cold, and it is near. But it names a season, where `cold` says how something is. Which word can stand
        almost wherever `cold` can?
    """,
)
