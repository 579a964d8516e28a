"""Children, their environment and user, and secrets, kept from them and struck from what they say.

May import `errors` and `schema` only.
"""
