"""What every network client shares: valid addresses, bounds of replies, reasons of failed connections, waits.

May import `errors` alone.
"""
