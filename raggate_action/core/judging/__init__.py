"""The panel's votes become verdicts, and people's labels say whose votes count. Pure."""
