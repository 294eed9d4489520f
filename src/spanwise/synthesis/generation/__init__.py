"""Typed answers by a model: the prompt assembled from what the question asks for, rows with global line numbers."""
