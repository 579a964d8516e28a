"""The fix job: an answer without what nothing backs."""
