"""Replies of apps, read without a mapping: where the answer and the evidence are, and what a chunk looks like."""
