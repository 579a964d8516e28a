"""GitHub at arm's length: what started a workflow, where its baseline is, what is published and how.

May import `schema`, `errors` and `version`; decides nothing about a run, and `connection` alone opens connections.
"""
