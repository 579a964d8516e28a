"""What a run keeps apart: the suite's programs from our process, rights and time, secrets from whatever is written.

May import `errors`, `schema` and `strings` only.
"""
