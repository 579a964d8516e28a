"""A run counted while its rows stream by: outcomes, slices, stages, amounts, waivers.

May import nothing of the core.
"""
