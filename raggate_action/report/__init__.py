"""Records become text: views choose what is shown, in neutral spans and sections; sinks write and escape it.

Decides nothing about a run. May import `schema` and `strings`; not the core, and no clock or file but the templates.
"""
