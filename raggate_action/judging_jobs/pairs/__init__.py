"""The pair job: which of two answers to one question is better."""
