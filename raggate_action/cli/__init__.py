"""The command line: options and help (`commands`), parsing (`parser`), one file per command, exit codes (`main`).

`main` loads a command's file when it was typed. A command turns options into calls below and ends with an exit code; it
may import everything but the parser, which alone is loaded before a command is chosen.
"""
