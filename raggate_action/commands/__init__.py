"""One file per command. Only `parser` is loaded before a command is chosen."""
