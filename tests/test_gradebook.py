"""Marks in nbgrader's gradebook, by themselves."""

import pytest
from nbgrader.api import Gradebook

from grader.classroom.gradebook.cells import _points_by_hand

pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")


@pytest.fixture
def book():
    """Return a gradebook with a part of one check and one essay, and a part beside it."""
    with Gradebook("sqlite:///:memory:", "course") as book:
        for part in ("part", "other"):
            book.add_assignment(part)
            book.add_notebook("n", part)
            book.add_grade_cell("check", "n", part, max_score=3, cell_type="code")
            book.add_grade_cell("essay", "n", part, max_score=2, cell_type="markdown")
            book.add_solution_cell("essay", "n", part)
        yield book


def hand_in(book, student, part="part", penalty=None, **scores):
    """Store a submission with its scores: the automatic one, the one by hand, and extra credit."""
    book.update_or_create_student(student)
    submission = book.add_submission(part, student)
    (notebook,) = submission.notebooks
    notebook.late_submission_penalty = penalty
    for grade in notebook.grades:
        grade.auto_score, grade.manual_score, grade.extra_credit = scores[grade.name]
    book.db.commit()


def test_points_by_hand_are_all_but_the_automatic_ones(book):
    hand_in(book, "essay", check=(1, None, None), essay=(None, 2, 0.5))
    hand_in(book, "late", penalty=0.25, check=(1, None, None), essay=(0, None, None))
    hand_in(book, "changed", check=(1, 3, None), essay=(None, 0, None))
    hand_in(book, "extra", check=(1, None, 0.5), essay=(0, None, None))
    hand_in(book, "first", check=(None, 1.5, None), essay=(None, 1, None))
    expected = {"essay": 2.5, "late": -0.25, "changed": 2.0, "extra": 0.5, "first": 2.5}
    assert _points_by_hand(book.db, "part") == expected


def test_a_student_with_something_still_to_be_marked_is_not_there(book):
    hand_in(book, "done", check=(1, None, None), essay=(None, 1, None))
    hand_in(book, "waiting", check=(1, None, None), essay=(None, None, None))
    hand_in(book, "done", part="other", check=(1, None, None), essay=(None, None, None))
    assert _points_by_hand(book.db, "part") == {"done": 1.0}
    assert _points_by_hand(book.db, "other") == {}
