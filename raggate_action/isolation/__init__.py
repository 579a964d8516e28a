"""What a run isolates: the suite's programs from our process, and secrets from everything that is written.

May import `errors`, `schema` and `strings` only.
"""
