"""GitHub at arm's length: what started a workflow, where its baseline is, what is published and how.

May import `schema`, `network`, `strings`, `errors` and `version`; decides nothing about a run. `pygithub_client`,
`artifact_download` and `artifact_upload` alone open connections.
"""
