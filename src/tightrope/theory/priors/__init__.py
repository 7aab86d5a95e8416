"""Priors and levels: thresholds of tight constraints, regular priors, leakage."""
