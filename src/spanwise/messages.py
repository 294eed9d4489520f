"""The literal texts that stand where an answer would: one for each component, so that a reader can tell them apart."""

from __future__ import annotations

NO_RELEVANT_INFORMATION = "No relevant information found in the documents."
"""The extractive generator was given no section with text."""

NO_INFORMATION = "I don\u2019t have any information on that..."
"""The guarded synthesis found no support for an answer."""

INSUFFICIENT_CONTEXT = "INSUFFICIENT_CONTEXT"
"""What a model says when the context does not hold the answer; a sentinel, never shown to a user."""

DONT_KNOW = "I don't know."
"""Stands in place of one unsupported sentence."""

NOT_FOUND = "not found in this document"
"""The typed route: nothing in the document answers the question."""

REFUSAL = "Unable to provide a confident response. Please rephrase your query."
"""The simple pipeline: no answer passed the judge."""

EMPTY_RESPONSE = "Empty Response"
"""A response mode was given nothing to read, or the model answered nothing."""
