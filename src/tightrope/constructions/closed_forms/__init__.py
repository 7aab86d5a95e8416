"""Mechanisms in closed form: geometric, planar, staircase and line noise, randomized response."""
