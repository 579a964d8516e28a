"""The questions job: what people would ask, and the sentences of documents that answer it."""
