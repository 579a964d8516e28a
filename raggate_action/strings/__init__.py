"""Texts and numbers as people see them, and passages found again in them; where the templates are.

May import `errors` alone.
"""
