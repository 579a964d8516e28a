"""The rules of the product as pure functions on records: gates on a case, counting, comparison, decision.

May import `schema` and the ground beside it; no clock, no files, no network.
"""
