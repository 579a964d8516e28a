"""What every network client shares: valid addresses, reasons of failed connections, waits.

May import `errors` alone.
"""
