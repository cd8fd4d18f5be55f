from grader.exercises.kinds import choice

predict_neighbours = choice(
    "predict-neighbours",
    right="c",
    because="""
    a: if all vectors were equally long, yes. But the dot product also counts how long a candidate is, and these lengths
        differ. How often does that decide?
    b: that would be one in eighty. The lengths differ by more than that: the longest vector is about twice as long as
        the shortest. Count in section 4.
    c: about one in eight. The lengths differ enough to change the winner now and then, and too little to do it mostly.
        Section 4 counts.
    d: that would be two of three. The best direction is often far ahead of the next; a little more length does not
        catch up so often. Count in section 4.
    """,
)
