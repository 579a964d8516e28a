"""What the action does around a run: target, baseline, requirements, announcement.

May import everything but `commands` and the parser.
"""
