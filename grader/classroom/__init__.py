"""A folder of submissions -> marks, a report and feedback.

The way in: `release` (what learners get) and `collect`. A submission: `repair`, `running` in the `sandbox`, `marking`.
The way out: `records`, `gradebook`, `report`, `feedback`. `course` knows the folders, `autograde` is nbgrader's door.
"""
