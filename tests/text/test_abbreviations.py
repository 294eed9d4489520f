import pytest

from spanwise.domain.passage import Passage
from spanwise.text.related import abbreviations, spelled_out
from spanwise.text.terms import terms


def known(text, question):
    return abbreviations([Passage("p", "a.txt", 1, 1, 1, text, None)], terms(question))


@pytest.mark.parametrize(
    ("text", "question", "short", "long"),
    [
        ("Self-Encrypting Drives (SEDs) are common.", "Which self-encrypting drives?", "sed", "self-encrypting drive"),
        (
            "Cryptographic Erase (CE), as described",
            "How long does cryptographic erase take?",
            "ce",
            "cryptographic erase",
        ),
        ("the Office of Management and Budget (OMB);", "What does the OMB do?", "omb", "office management budget"),
        ("Open Mon-Fri 9-18, Sat 9-13", "Is it open on Saturday?", "sat", "saturday"),
        ("Closed in Sept.", "When in September is it closed?", "sep", "september"),
        ("a Configuration Item (\u201cCI\u201d) is", "What is a configuration item?", "ci", "configuration item"),
    ],
)
def test_an_abbreviation_stands_for_the_words_before_it(text, question, short, long):
    assert known(text, question)[short] == frozenset(terms(long))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("It was sold (SEE below) for little.", "What was sold?"),
        ("Cryptographic Erase (CE) is fast.", "What is a drive?"),
        ("Erase (E) is one letter.", "What is erase?"),
        ("(NIST) stands first.", "What is NIST?"),
    ],
)
def test_other_words_in_brackets_do_not(text, question):
    assert known(text, question) == {}


def test_both_ways_of_saying_it_are_one():
    short = {"ce": frozenset(["cryptograph", "eras"])}
    assert spelled_out(frozenset(["ce", "fast"]), short) == {"ce", "fast", "cryptograph", "eras"}
    assert spelled_out(frozenset(["cryptograph", "eras"]), short) == {"ce", "cryptograph", "eras"}
    assert spelled_out(frozenset(["eras"]), short) == {"eras"}
