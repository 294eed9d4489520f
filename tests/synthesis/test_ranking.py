"""The ranker: which sentences are looked at, what speaks for each, and in which order they answer."""

from __future__ import annotations

import pytest

import spanwise
from spanwise.questions.parse import parse_question
from spanwise.retrieval.retriever import retrieve
from spanwise.synthesis.extractive.features import FIRST_LOOK, NAMES, Asked, View, first_look
from spanwise.synthesis.extractive.ranking import MOST, ranked, shortlist
from spanwise.text.passage_reading import read_passage

HANDBOOK = """# Cabin handbook

## Heating

The stove is lit with birch logs from the shed. It must never be left alone while it burns.
Ash is emptied every morning because a full pan smothers the fire.

## Keys

The caretaker, Ruth Adler, keeps three keys in the blue box.
Please bring:
- a torch
- a sleeping bag

## Visits

Why is the lake closed in May?
Because the ice is thin. Swimming starts on 10 June.

The lake is patrolled.
"""


@pytest.fixture(scope="module")
def asked():
    document = spanwise.read(HANDBOOK.encode(), name="handbook.md")
    with spanwise.Corpus.of([document]) as corpus:

        def make(text: str) -> Asked:
            question = parse_question(text, document=document)
            hits = retrieve(question, corpus, k=20)
            best = max((hit.score for hit in hits), default=1.0)
            return Asked(question, [read_passage(hit.passage) for hit in hits], [hit.score / best for hit in hits])

        yield make


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who keeps the keys?", "Ruth Adler"),
        ("How many keys are there?", "three keys"),
        ("Why is the ash emptied every morning?", "because a full pan"),
        ("When does swimming start?", "10 June"),
        ("What is the stove lit with?", "birch logs"),
    ],
)
def test_the_sentence_that_answers_comes_first(asked, question, answer):
    assert answer in ranked(asked(question))[0].view.sentence.text


def test_chances_fall_from_the_first_on(asked):
    chances = [one.chance for one in ranked(asked("Who keeps the keys?"))]
    assert chances == sorted(chances, reverse=True)
    assert all(0 < one < 1 for one in chances)


def test_a_question_of_other_things_gets_a_small_chance(asked):
    about = ranked(asked("Who keeps the keys?"))[0].chance
    other = ranked(asked("What is the interest rate of the mortgage?"))
    assert not other or other[0].chance < about / 2


def test_headings_are_not_looked_at(asked):
    wanted = asked("Keys?")
    assert all(wanted.readings[rank].sentences[at].role != "heading" for rank, at in shortlist(wanted))


def test_a_heading_that_dates_what_is_asked_is_looked_at():
    text = "# 2.4.0 (3 May 2023)\n\n* Files close at once.\n\n# 2.3.0 (1 March 2023)\n\n* Colours were added.\n"
    with spanwise.Corpus.of([spanwise.read(text.encode(), name="changes.md")]) as corpus:
        result = spanwise.Engine(corpus).ask("When was 2.3.0 released?")
    assert "1 March 2023" in result.text.split("\n")[0]


def test_no_more_sentences_are_looked_at_than_the_bound():
    text = "\n\n".join(f"The valve number {number} is tested on day {number}." for number in range(MOST * 2))
    with spanwise.Corpus.of([spanwise.read(text.encode(), name="valves.txt")]) as corpus:
        question = parse_question("When is the valve tested?")
        hits = retrieve(question, corpus, k=20)
        wanted = Asked(question, [read_passage(hit.passage) for hit in hits], [1.0] * len(hits))
        assert len(shortlist(wanted)) == MOST


def _texts(content: str, name: str, question: str) -> list[str]:
    document = spanwise.read(content.encode(), name=name)
    with spanwise.Corpus.of([document]) as corpus:
        parsed = parse_question(question, document=document)
        readings = [read_passage(hit.passage) for hit in retrieve(parsed, corpus, k=20)]
        wanted = Asked(parsed, readings, [1.0] * len(readings))
        return [readings[rank].sentences[at].text for rank, at in shortlist(wanted)]


def test_the_title_of_a_plain_text_is_not_looked_at():
    text = "Harbour crane\n\nThe harbour crane lifts 40 tonnes. It was built in 1931.\n"
    assert _texts(text, "crane.txt", "How much does the harbour crane lift?")[0].startswith("The harbour crane lifts")
    assert "Harbour crane" not in _texts(text, "crane.txt", "How much does the harbour crane lift?")
    sender = "Marlow Mills Limited, Dover\n\nDear tenant, the lease of the barn ends in May.\n"
    assert "Marlow Mills Limited, Dover" in _texts(sender, "letter.txt", "Where is Marlow, who lets the barn?")


def test_the_heads_of_columns_are_not_looked_at_though_they_hold_figures():
    table = "| Boat | Races 2023 | Races 2024 |\n|---|---|---|\n| Dora | 4 | 6 |\n| Ina | 7 | 9 |\n"
    assert not any("Races 2023" in text for text in _texts(table, "boats.md", "How many races did Dora sail in 2024?"))
    labelled = "| Lease no. | 4471 |\n|---|---|\n| Tenant | Ina Dahl |\n"
    assert any("4471" in text for text in _texts(labelled, "lease.md", "What is the lease no.?"))


def _feature(asked: Asked, name: str, words: str) -> float:
    for rank, reading in enumerate(asked.readings):
        for at, sentence in enumerate(reading.sentences):
            if words in sentence.text:
                return FIRST_LOOK[name](View(asked, rank, at))
    raise AssertionError(words)


def test_what_leads_to_a_sentence_counts_for_it(asked):
    wanted = asked("Why is the lake closed in May?")
    assert _feature(wanted, "lead", "the ice is thin") > 0.9
    assert _feature(wanted, "lead", "Swimming starts") > 0.9  # the whole paragraph answers the question
    assert _feature(wanted, "lead", "The lake is patrolled") == 0.0
    items = asked("What should guests bring?")
    assert _feature(items, "lead", "a torch") > _feature(items, "lead", "Ruth Adler")


def test_a_pronoun_is_told(asked):
    wanted = asked("May the stove be left alone?")
    assert _feature(wanted, "pronoun", "It must never") == 1.0
    assert _feature(wanted, "pronoun", "The stove is lit") == 0.0


def test_a_value_said_of_what_is_asked_is_told(asked):
    wanted = asked("How many keys are there?")
    assert _feature(wanted, "bound", "keeps three keys") == 0.0  # words for numbers are no figures
    dated = asked("When does swimming start?")
    assert _feature(dated, "bound", "Swimming starts") > 0.0


def test_every_feature_is_a_number_in_its_place(asked):
    wanted = asked("Who keeps the keys?")
    rows = first_look([View(wanted, *place) for place in shortlist(wanted)])
    assert {len(row) for row in rows} == {len(NAMES)}
    assert first_look([]) == []
