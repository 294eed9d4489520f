"""Passages that are records: their keys and values as facts, attributes and opening hours among them."""
