"""Queries and single numbers: linear queries, noise on the line, medians and modes."""
