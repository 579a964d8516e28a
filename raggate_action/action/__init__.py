"""What the action does around a run in a workflow: job, target, baseline, requirements, announcement.

May import everything but `cli` and the face.
"""
