"""The findings job: what the numbers of a comparison show, in words."""
