"""The warning of a result near whose evidence there is text that nobody sees and that speaks of what was asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.text.terms import terms

HIDDEN_EVIDENCE = "hidden_evidence"
_MOST_DOCUMENTS = 3
"""Documents are looked through in the order in which they were found; the first ones are what an answer rests on."""
_LEAST_SHARED = 0.6
_MOST_STRETCHES = 500
"""Of a document; one that hides more hides nothing by chance, and its notices say so."""


def hidden_evidence(question: Question, store: Store, documents: Iterable[str]) -> Mapping[str, object] | None:
    """Document, page and reason of hidden text that would have been evidence; None where there is none.

    It is named and not quoted: who hides text in a document wants it to be passed on.
    """
    asked = set(question.stems)
    if not asked:
        return None
    needed = max(_LEAST_SHARED * len(asked), min(2, len(asked)))
    for name in islice(dict.fromkeys(documents), _MOST_DOCUMENTS):
        for hidden in store.hidden(name)[:_MOST_STRETCHES]:
            if len(asked.intersection(terms(hidden.text, question.language))) >= needed:
                return {
                    "code": HIDDEN_EVIDENCE,
                    "message": f"Page {hidden.page} of {name} holds text that nobody sees ({hidden.reason}) "
                    "and that speaks of what was asked; it was not answered from.",
                    "document": name,
                    "page": hidden.page,
                    "reason": hidden.reason,
                }
    return None
