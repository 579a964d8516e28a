"""What every network client shares: addresses, one transport with bounded replies, attempts, reasons of failures.

May import `errors` alone.
"""
