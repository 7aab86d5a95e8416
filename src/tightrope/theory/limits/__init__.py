"""Accuracy against ε: the smallest ε for a radius, covers, packings, compatible families."""
