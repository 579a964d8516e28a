"""Keyless evidence checks: rules that find faults in a claim and never certify one.

May import `text` and `counting`.
"""
