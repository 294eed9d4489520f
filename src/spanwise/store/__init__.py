"""Stores of documents: a database is the source of truth, and a search index over passages is derived from it."""
