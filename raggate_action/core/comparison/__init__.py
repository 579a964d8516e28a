"""The head run against the baseline run."""
