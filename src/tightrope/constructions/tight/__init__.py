"""The tight-constraints mechanism: where it exists, how good it is, grids of a million cells."""
