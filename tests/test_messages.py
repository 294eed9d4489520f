"""The literal texts."""

from spanwise import messages

TEXTS = {
    "NO_RELEVANT_INFORMATION": "No relevant information found in the documents.",
    "NO_INFORMATION": "I don\u2019t have any information on that...",
    "INSUFFICIENT_CONTEXT": "INSUFFICIENT_CONTEXT",
    "DONT_KNOW": "I don't know.",
    "NOT_FOUND": "not found in this document",
    "REFUSAL": "Unable to provide a confident response. Please rephrase your query.",
    "EMPTY_RESPONSE": "Empty Response",
}


def test_every_text_is_as_promised() -> None:
    assert {name: getattr(messages, name) for name in TEXTS} == TEXTS


def test_r204_no_two_texts_are_the_same() -> None:
    assert len(set(TEXTS.values())) == len(TEXTS)
