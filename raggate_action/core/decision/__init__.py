"""May this ship: bars, slices, hard rules, the release report. Reads what was counted and compared, never a trace.

May import `counting`.
"""
