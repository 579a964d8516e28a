"""The head run against the baseline run: what regressed, what is new, what moved, which cases a scope chooses.

May import `counting` and `support`.
"""
