"""The answer job: whether an answer is what people wrote of a right one, and whether it is to the question."""
