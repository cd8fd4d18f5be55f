"""nbgrader's gradebook: `cells` (what a part consists of, and marks to read) and `part_book` (marks to write)."""
