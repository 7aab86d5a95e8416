"""Mechanisms that see the dataset: sequences of sets of answers, one set after the other."""
