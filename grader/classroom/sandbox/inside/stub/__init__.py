"""What a notebook finds under the name `grader` while a class is graded: nothing that could be fooled.

The judge is in another process. It reads the notebook's own check cells and asks this process for the answers; a call
of `check` anywhere else says so, and returns what a right answer would have got: a learner's own line may ask for that.
"""

#: Full points, by exercise; they come in where this is written for the notebooks of a class.
POINTS: dict[str, float] = {}


def check(exercise_id, answer=None):
    """Say that the judging happens elsewhere; returns full points."""
    print(f"{exercise_id}: only the check cells of the course count, and they are judged outside this notebook.")
    return POINTS.get(exercise_id, 0.0)


def model_answer(question):
    """Say that there is none here."""
    print(f"{question}: a model answer is shown in your own notebook only.")


def judge(exercise_id, answer=None, seed=None):
    """Raise: there is no judge here."""
    raise RuntimeError("answers are judged outside this notebook while a class is graded")
