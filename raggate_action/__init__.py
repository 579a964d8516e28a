"""raggate: a release gate for RAG applications."""

__version__ = "0.1.0"
