"""Public sets of claims with their sources: whether the guard tells what is supported, and where."""
