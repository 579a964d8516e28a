"""Mutants: a run's own passing traces, each with one fault put in, that the gates must catch."""
