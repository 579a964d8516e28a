"""GitHub at arm's length: what started a workflow, where its baseline is, what is published and how.

May import `schema`, `network`, `errors` and `version`; decides nothing about a run. `pygithub_client` and
`artifact_download` alone open connections.
"""
