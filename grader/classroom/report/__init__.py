"""What an instructor gets of a graded part: one HTML page to read, and the marks as CSV for an LMS."""

from grader.classroom.report.write import write_report

__all__ = ["write_report"]
