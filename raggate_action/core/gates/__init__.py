"""The gates on one case, in order of diagnosis, and the row that is kept of it.

May import everything of the core but `comparison` and `decision`: a gate on a case knows no other case.
"""
