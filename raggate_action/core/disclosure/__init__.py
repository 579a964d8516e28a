"""What may be written: text that not everybody may read, how it is recognised, what is kept of a trace that repeats it.

May import `support` and what is below it.
"""
