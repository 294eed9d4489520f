"""Adapters for other frameworks; importing one of them requires its framework."""
