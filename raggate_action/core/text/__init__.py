"""Answers and chunks as text: sentences, blocks, citations, what declines, what is quoted."""
