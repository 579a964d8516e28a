"""What a run keeps apart: the suite's programs from our process and rights, secrets from whatever is written.

May import `errors`, `schema` and `visible_text` only.
"""
