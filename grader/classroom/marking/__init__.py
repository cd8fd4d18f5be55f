"""Grading a class: from a folder of submissions to graded notebooks, the gradebook, records, a report and marks.

`grade` is the main program; workers (`workers`) do `submission` for one student each, on their way through a `flight`.
"""

from grader.classroom.marking.again import judge_again
from grader.classroom.marking.grade import grade, report

__all__ = ["grade", "judge_again", "report"]
