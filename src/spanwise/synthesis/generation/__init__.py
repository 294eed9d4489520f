"""Typed answers by a model: prompts made from what the question asks for, with rows of globally numbered lines."""
