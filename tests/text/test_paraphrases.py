"""Everyday phrases of a question, and the words of papers that say the same."""

from every import every

import spanwise
from spanwise.text.paraphrases import worded
from spanwise.text.passage_reading import read_passage
from spanwise.text.terms import stem, terms

RULES = """\
Rules of the boathouse

Refuse is disposed of in the green containers. Persons arriving after 10 pm have no access. Telephone the warden in case
of damage. Sails cost 12 euros a day. The warden is Ms Oyelaran. The reception keeps umbrellas.
"""


def read(question):
    """The question's stems, and those of the first passage of the rules as it reads them."""
    document = spanwise.read(RULES.encode(), name="rules.txt")
    with spanwise.Corpus.of([document]) as corpus:
        reading = read_passage(corpus.passages(document.name)[0])
    wording = worded(question, terms(question))
    return wording.stems, wording.beyond([reading]).read(reading)


@every(
    "question, own, sentence",
    [
        ("How do I get rid of it?", "rid", "Refuse is disposed of"),
        ("How do I throw the leftovers away?", "throw", "Refuse is disposed of"),
        ("What happens if I turn up after ten?", "turn", "Persons arriving after"),
        ("Who do I ring?", "ring", "Telephone the warden"),
        ("What does a sail set me back?", "set", "Sails cost 12"),
        ("Where do I leave my brolly?", "brolli", "The reception keeps umbrellas"),
        ("What do the front desk people do?", "front", "The reception keeps umbrellas"),
    ],
)
def test_a_phrase_is_said_where_papers_say_the_same(question, own, sentence):
    stems, reading = read(question)
    assert own in stems
    said = [one for one in reading.sentences if own in one.stems]
    assert any(one.text.startswith(sentence) for one in said)
    assert own in reading.text


def test_a_phrase_that_asks_nothing_is_not_looked_for():
    stems, _ = read("What happens if I break an oar?")
    assert "happen" not in stems
    assert stem("oar") in stems


def test_a_word_that_the_paper_has_is_not_looked_for_in_others():
    _, reading = read("What is the damage to the sails?")
    (named,) = (one for one in reading.sentences if one.text.startswith("Sails cost"))
    assert "damag" not in named.stems


def test_phrases_are_of_english_only():
    assert not worded("Wo muss ich ring up", ("ring",), "de").meant


def test_a_text_in_place_of_a_question_is_left_as_it_is():
    long = "ring " * 5000
    assert worded(long, ("ring",)).stems == ("ring",)
