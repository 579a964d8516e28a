"""The commands, one file each, named as it is typed; each turns options into calls below and ends with an exit code.

May import everything but the parser, which alone is loaded before a command is chosen.
"""
