"""Answers compared blind: of two arms, and of a run and its baseline."""
