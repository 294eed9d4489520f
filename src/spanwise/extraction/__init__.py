"""Extraction: from many documents to rows of values, each with its citation."""
