"""Questions, parsed."""
