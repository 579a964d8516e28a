"""Answers and chunks as text: sentences, blocks, citations, what declines, what is quoted.

May import nothing of the core.
"""
