"""A run counted while its rows stream by."""
