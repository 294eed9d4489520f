"""Questions whose words the document does not have: it says the same in others, or the opposite."""

import pytest

import spanwise

NOTE = """\
Discharge note

Pip, a four-year-old spaniel, was admitted on Monday after he had been sick twice. Dr Moss removed a pebble on the same
day. Amoxicillin is given every twelve hours for a week.

Mr Hale married Joan Reed in 1962. He died in 2001.

The permit contains the terms of the mooring. It was paid for by the harbour trust.
"""


@pytest.fixture(scope="module")
def ask():
    with spanwise.Corpus.of([spanwise.read(NOTE.encode(), name="note.txt")]) as corpus:
        yield spanwise.Engine(corpus).ask


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who was Joan Reed's husband?", "Mr Hale"),
        ("Who funded the permit?", "the harbour trust"),
    ],
)
def test_other_words_say_the_same(ask, question, said):
    result = ask(question)
    assert said in result.text


@pytest.mark.parametrize(
    "question", ["What does not contain the terms of the mooring?", "Who never married Joan Reed?"]
)
def test_what_affirms_is_no_answer_to_what_is_denied(ask, question):
    assert not ask(question).claims
