"""The app under test: `interface` defines a target, each way to reach an app has a file, and `build` chooses.

May import `schema`, `isolation`, `mapping` and the ground; not the core, so that no target knows what is judged.
"""
