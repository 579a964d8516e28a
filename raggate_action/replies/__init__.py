"""What apps reply, read without being told how: where answer and evidence stand, and what a chunk looks like."""
