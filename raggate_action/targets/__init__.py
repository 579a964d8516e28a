"""The app under test: `interface` says what every target is, one file each how an app is asked, `build` which.

May import `schema`, `isolation`, `mapping` and the ground; not the core, so that no target knows what is judged.
"""
