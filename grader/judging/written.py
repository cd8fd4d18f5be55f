"""Written questions: a model answer, for whoever has written an answer of their own."""

import difflib
import re
from typing import Any

from grader.exercises.model_answers import MODEL_ANSWERS
from grader.judging.cells import notebook_shell, saved_notebooks
from grader.notebook import grade_id
from grader.words import plural

FEWEST_WORDS = 40
STUB = "*Your answer here.*"


def model_answer(question: str) -> None:
    """Show a model answer to a written question, once the saved notebook has an answer of at least 40 words.

    Parameters
    ----------
    question : str
        Id of the question.

    Raises
    ------
    KeyError
        If there is no such question; the message names those that are near.
    """
    if question not in MODEL_ANSWERS:
        near = difflib.get_close_matches(str(question), MODEL_ANSWERS, n=3, cutoff=0.4) or MODEL_ANSWERS
        raise KeyError(f"there is no written question {question!r}; there are: {', '.join(near)}")
    words = own_words(question)
    if words is None:
        print("This notebook's file was not found, so your answer could not be read. Open the notebook by `make lab`.")
    elif words < FEWEST_WORDS:
        so_far = f"{plural(words, 'word')} so far" if words else "nothing yet"
        print(
            f"Your own answer first: the saved notebook has {so_far}.\n"
            f"Write at least {FEWEST_WORDS} words, save the notebook (Ctrl+S, or Cmd+S on a Mac), and run this cell.\n"
            "It will show a model answer then."
        )
    elif notebook_shell():
        from IPython.display import Markdown, display

        display(Markdown(f"**A model answer**, to compare yours with:\n{MODEL_ANSWERS[question]}"))
    else:
        print(MODEL_ANSWERS[question].strip())


def own_words(question: str) -> int | None:
    """How many words the learner's answer has in the saved notebook; None where there is no such cell."""
    for _, cells in saved_notebooks():
        for cell in cells:
            if _is_answer_to(question, cell):
                return len(re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", cell["source"].replace(STUB, "")))
    return None


def _is_answer_to(question: str, cell: dict[str, Any]) -> bool:
    # An editor may have dropped what nbgrader wrote into the cell; its id is the same.
    return cell.get("cell_type") == "markdown" and question in (grade_id(cell), cell.get("id"))
