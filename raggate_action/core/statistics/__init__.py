"""Agreement, intervals and rates corrected for a judge's errors. May import `schema` only."""
