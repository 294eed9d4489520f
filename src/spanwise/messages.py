"""Fixed texts returned in place of an answer. Each component has its own, so a reader can tell which one gave up."""

from __future__ import annotations

NO_RELEVANT_INFORMATION = "No relevant information found in the documents."
"""Returned by the extractive generator when it was given no section with text."""

NO_INFORMATION = "I don\u2019t have any information on that..."
"""Returned by the guarded synthesis when no passage supports an answer."""

INSUFFICIENT_CONTEXT = "INSUFFICIENT_CONTEXT"
"""The reply that a model is told to give when the context lacks the answer; a sentinel, never shown to a user."""

DONT_KNOW = "I don't know."
"""Replaces a single sentence that is not supported."""

NOT_FOUND = "not found in this document"
"""Returned for a typed question that nothing in the document answers."""

REFUSAL = "Unable to provide a confident response. Please rephrase your query."
"""Returned by the simple pipeline when no answer passed the judge."""

EMPTY_RESPONSE = "Empty Response"
"""Returned by a response mode that was given nothing to read, or whose model replied with nothing."""
