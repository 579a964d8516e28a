"""Claims and what supports them: the context as shown, labels, quotation, suspects.

May import `text` and `evidence_checks`.
"""
