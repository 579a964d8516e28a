"""The judges: models asked about what rules leave open, each behind an endpoint that speaks the chat API.

May import `schema` and what stands below the rooms; no other room is known here.
"""
