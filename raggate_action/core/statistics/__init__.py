"""Agreement, intervals and tests. May import `schema` only."""
