"""Judges asked in a run: who, about what, from what evidence, at what cost, and not twice."""
