"""What the rows of a blind panel come to. Pure: the same rows in any order give the same aggregate."""
