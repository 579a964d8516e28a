"""What all that call over a network share: which addresses are asked, why none answered, how long to wait.

May import `errors` alone.
"""
