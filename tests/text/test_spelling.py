"""Misspelled words, and words beyond the question's."""

import runpy
from pathlib import Path

import pytest

from spanwise.text.related import implied, is_filler, opposite, related
from spanwise.text.spelling import corrected, corrections
from spanwise.text.terms import stem, words

TEXT = (
    "The landlord shall receive the deposit. The warranties exclude termination. Mr Jansson repaired the gearbox twice."
)


class Told:
    """The words of one text."""

    def similar_terms(self, word):
        stems = {stem(one): 1 for one in words(TEXT)}
        own = stem(word)
        return {own: 1} if own in stems else {one: 1 for one in stems if one[0] == word[0]}

    def words_like(self, _word):
        return set(words(TEXT))


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("Who must recieve it?", "Who must receive it?"),
        ("What does the landlrod own?", "What does the landlord own?"),
        ("When is the terminaton?", "When is the termination?"),
        ("Waht about the deposit?", "What about the deposit?"),
        ("Which waranty is there?", "Which warranty is there?"),
        ("Who fixed the gaerbox?", "Who fixed the gearbox?"),
        ("What did Janson do?", "What did Jansson do?"),
    ],
)
def test_a_misspelled_word_is_corrected(asked, meant):
    assert corrected(asked, corrections(asked, Told())) == meant


@pytest.mark.parametrize(
    "asked",
    [
        "What is the penalty?",
        "Who is the landlady?",
        "What did Janssen do?",
        "What is the RECIEVE code?",
        "See recieve.example.com or a_recieve",
        "What are 5depsit and 2021?",
        "What exactly did the landlord do?",
        "recieve " * 100,
    ],
)
def test_other_words_stay(asked):
    assert corrections(asked, Told()) == []


def test_related_words():
    assert stem("buy") in related(stem("bought"))
    assert stem("purchase") in related(stem("bought"))
    assert stem("decision") in related(stem("decide"))
    assert related(stem("buy"))[stem("bought")] > related(stem("buy"))[stem("purchase")]
    assert not related("zyx")


def test_relation_goes_both_ways():
    assert all(one in related(other) for one in ("vehicl", "fix", "symptom") for other in related(one))


def test_words_that_imply_another_one():
    assert stem("married") in implied(stem("husband"))
    assert stem("amoxicillin") in implied(stem("antibiotics"))
    assert stem("husband") not in implied(stem("amoxicillin"))
    assert not implied("zyx")


def test_opposites():
    assert opposite("before", "after")
    assert opposite("start", "ended")
    assert opposite("limited", "unlimited")
    assert not opposite("start", "start")
    assert not opposite("form", "inform")


def test_fillers():
    assert is_filler(stem("exactly"))
    assert not is_filler(stem("penalty"))


def test_the_stems_of_related_words_are_those_of_the_tables_written_for_them():
    root = Path(__file__).parents[2]
    made = runpy.run_path(str(root / "fitting" / "related.py"))
    shipped = root / "src" / "spanwise" / "text"
    assert made["stemmed"]() == (shipped / "related.json").read_text("utf-8")
    assert made["phrased"]() == (shipped / "paraphrases.json").read_text("utf-8")
