"""Pairs of sources made from sentences, and what is counted over them."""

import gzip
import json

import pytest
from every import every
from sets.conflicts import rewrites
from sets.conflicts.changes import CONFLICTS, TRAPS, changed
from sets.conflicts.measuring import HALVES, KINDS, Source, measure, pairs_of, sources_in

from spanwise.cli.evaluating import run_eval
from spanwise.errors import InputError

SENTENCE = "On March 15, 2021, the Vendor shall pay Acme a fee of $1,500,000 within 30 days of the invoice."
TEXT = " ".join(
    f"On March {day}, 2021, the Vendor shall pay to the Agency of {place} a fee of ${day},500,000 for all of it, "
    f"and within {day} days of a written notice the Agency shall confirm to both parties that nothing is outstanding."
    for day, place in enumerate("Rome Oslo Bern Riga Lima Kyiv Doha Lome Male Nuuk Apia Suva".split(), 3)
)


@pytest.mark.parametrize("change", [change for change in CONFLICTS + TRAPS if change != "unrelated sentence"])
def test_a_change_changes_the_sentence_and_is_the_same_every_time(change):
    once = changed(SENTENCE, change, "key")
    assert once not in (None, SENTENCE)
    assert changed(SENTENCE, change, "key") == once


@pytest.mark.parametrize("change", [change for change in CONFLICTS + TRAPS if change != "unrelated sentence"])
def test_a_sentence_without_a_place_for_it_is_left_out(change):
    assert changed("Nothing here to speak of.", change, "key") is None


def test_pairs_of_each_sort_are_told_apart():
    source = Source("contracts", "a.txt", TEXT)
    pairs = list(pairs_of(source, 2))
    assert {pair.kind for pair in pairs} == {*CONFLICTS, *TRAPS}
    assert all(pair.conflict == (pair.kind in CONFLICTS) for pair in pairs)
    measured = measure([source], 2)
    precision, recall = measured.rates(source.half)
    assert min(precision, recall) >= 0.8
    assert measured.as_values()["changed"][source.half]["documents"] == 1
    assert "precision" in measured.as_text()


REWRITTEN = {
    "day": "The bridge was opened on 3 May 1921.",
    "month": "The bridge was opened on 3 May 1921.",
    "year": "The bridge was opened on 3 May 1921.",
    "date in another form": "The bridge was opened on 3 May 1921.",
    "figure": "The bridge has 14 arches of stone.",
    "number word": "The bridge has seven arches of stone.",
    "amount": "The bridge cost $1,400 in all.",
    "percent": "The bridge took 14% of the money.",
    "duration": "The bridge was closed for six weeks.",
    "name": "The bridge was built by Moss.",
    "negation": "The bridge is open at night.",
    "opposite": "The bridge is wide.",
    "quantifier": "The bridge is always wet.",
    "modality": "Carts must stop at the bridge.",
    "bound": "Carts pay within 5 days.",
    "roles": "Anna visited Carl.",
    "same date": "The bridge was opened on 3 May 1921.",
    "same figure": "The bridge has seven arches of stone.",
    "same duration": "The bridge was closed for six weeks.",
    "paraphrase": "Carts shall stop at the bridge.",
    "other subject": "Anna has seven carts of hay.",
    "other period": "The bridge has seven arches of stone.",
    "other version": "The bridge has seven arches of stone.",
    "part of the whole": "The bridge has seven arches of stone.",
    "hedged": "The bridge has seven arches of stone.",
    "reciprocal duty": "The Buyer shall insure and defend the Seller at all times.",
}


@every(("kind", "sentence"), REWRITTEN.items())
def test_the_second_generator_makes_each_kind_of_pair(kind, sentence):
    made = [rewrites.rewritten(sentence, kind, str(key)) for key in range(4)]
    assert any(made)
    assert all(pair is None or pair[0] != pair[1] for pair in made)
    assert made == [rewrites.rewritten(sentence, kind, str(key)) for key in range(4)]
    assert rewrites.rewritten("Nothing here", kind, "key") is None


def test_every_kind_of_the_second_generator_is_tested():
    assert {*REWRITTEN, rewrites.NEIGHBOUR} == set(KINDS["rewritten"])


def test_sentences_of_the_second_generator_are_told_apart():
    text = " ".join(sentence for sentence in dict.fromkeys(REWRITTEN.values()))
    source = Source("stories", "a story", text, "rewritten")
    measured = measure([source], 2)
    precision, recall = measured.rates(source.half, "rewritten")
    assert min(precision, recall) >= 0.9
    assert measured.rates(source.half, "changed") == (None, None)


def test_nothing_measured_is_no_rate():
    measured = measure([])
    assert measured.rates() == (None, None)
    assert "-" in measured.as_text()


@pytest.fixture
def data(tmp_path):
    for folder, name, row in (
        ("cuad", "contracts", {"doc_id": "a", "text": TEXT}),
        ("financebench", "pages", {"doc": "b", "page": 1, "text": TEXT}),
    ):
        (tmp_path / folder).mkdir()
        with gzip.open(tmp_path / folder / f"{name}.jsonl.gz", "wt") as file:
            file.write(json.dumps(row) + "\n")
    return tmp_path


def test_sources_of_the_data_and_the_command(data, capfdbinary):
    assert [source.name for source in sources_in(data)] == ["a", "b", "a"]
    assert run_eval("conflicts", str(data), None, None, None, as_json=True) == 0
    counts = json.loads(capfdbinary.readouterr().out)
    assert sum(counts[made][half]["documents"] for made in KINDS for half in HALVES) == 3
    run_eval("conflicts", str(data), None, None, None, as_json=False)
    assert b"precision" in capfdbinary.readouterr().out
    with pytest.raises(InputError, match="no rows"):
        run_eval("conflicts", str(data), "rows.jsonl", None, None, as_json=False)
