"""Post-processing and its order: generality, excesses, sufficient sets, batches."""
