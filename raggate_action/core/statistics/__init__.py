"""Agreement, intervals, tests and rates corrected for a judge's errors. May import `schema` only."""
