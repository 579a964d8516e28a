"""Text that must not be repeated: how it is recognised, and what is kept of a trace that repeats it."""
