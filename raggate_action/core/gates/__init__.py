"""The gates on one case, in order of diagnosis, and the row that is kept of it."""
