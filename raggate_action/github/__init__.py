"""GitHub, at arm's length: what a workflow run tells us, where its baseline is, what it is told."""
