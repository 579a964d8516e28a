"""What a run keeps apart: secrets from whatever is written.

Which values are secret, and how they are found again however an app spells them.
"""
