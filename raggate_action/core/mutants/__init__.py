"""Mutants: a run's own passing traces, each with one fault put in, that the gates must catch.

May import nothing of the core: that they are caught is found out by asking the gates, in the pipeline.
"""
