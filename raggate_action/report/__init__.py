"""Records become text: rows of a view, escaped once, laid out by templates. Decides nothing.

May import `schema`, `errors` and `visible_text`; not the core, and no clock or file but the templates.
"""
