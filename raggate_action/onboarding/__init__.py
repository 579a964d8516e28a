"""The first minutes: one question to an app, and a first suite for it.

May import `schema`, `suite_files`, `targets`, `replies`, `core`, `report` and `pipeline`.
"""
