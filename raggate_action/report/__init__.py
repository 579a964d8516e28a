"""Records become text: rows of a view, escaped once, laid out by templates. Decides nothing, imports no core."""
