"""Pure functions on records: no clock, no files, no network."""
