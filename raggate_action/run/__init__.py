"""A run from suite to decision: asking, judging, counting, concluding; the same road for a stored run read again.

May import everything but `action`, `cli` and the face.
"""
