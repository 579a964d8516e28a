"""Answers and chunks as text: tokens, values, sentences, blocks, citations, what declines, what is quoted.

May import nothing of the core.
"""
