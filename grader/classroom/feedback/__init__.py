"""What of a graded notebook people look at, made harmless: feedback pages, and formgrader's view of a submission."""
