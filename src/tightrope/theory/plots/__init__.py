"""Figures of the research results."""
