"""Claims and what supports them: the context as shown, labels, quotation, suspects."""
