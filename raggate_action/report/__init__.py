"""Records become text: views say what is to be read, in neutral spans and sections, and sinks write and escape it.

Decides nothing about a run. May import `schema` and `strings`; not the core, and no clock or file but the templates.
"""
