"""Finite families of sets: algebras, measures along chains, unions of rectangles."""
