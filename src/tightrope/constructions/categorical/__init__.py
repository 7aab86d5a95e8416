"""Categorical data: the privacy polytope, protocols for frequencies, splitting a level."""
