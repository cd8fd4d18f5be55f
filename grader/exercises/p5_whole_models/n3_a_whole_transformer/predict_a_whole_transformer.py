from grader.exercises.kinds import choice

predict_a_whole_transformer = choice(
    "predict-a-whole-transformer",
    right="d",
    because="""
    a: before the first layer a *bank* knows its own word and its place, and nothing of its neighbours. From where could
        it know which meaning is meant?
    b: attention lets each word hear all others, and six layers do it one after the other. What would they be for, if
        nothing came of it?
    c: before the first layer nothing of the sentence has reached the word. How often would you be right if you had to
        guess one of two?
    d: before the first layer the word itself is the same in all twelve, and only its place differs: guessing does
        nearly as well. After six layers the neighbours' meaning has become part of it.
    """,
)
