"""Clauses that a sentence does not simply assert: denied, reported, asked, supposed, conditional, withdrawn."""
