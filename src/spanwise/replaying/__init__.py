"""A trace, proved again without model or documents."""
