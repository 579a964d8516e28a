"""A run from suite to decision: asking, judging, counting, concluding.

May import everything but `action`, `commands` and the parser.
"""
