"""The guard measured: sets of judged answers and claims, and sentences with one thing changed."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from sets.grounding.changing import CHANGES, changed_pairs
from sets.grounding.guardsets import measure_all
from sets.grounding.items import GUARD_SETS, LOADERS, spread
from sets.grounding.measuring import measure
from sets.grounding.pairs import count
from sets.grounding.shipping import fate_of, is_marked, outcome_of, synthesized
from sets.grounding.shipping import measure as measure_shipped

from spanwise.cli.evaluating import run_eval
from spanwise.errors import InputError

TEXT = (
    "The Vendor shall pay a late fee of 12.5% on every overdue invoice of the Client in Canada. "
    "Revenue was $52 million in the last year, which is up from $41 million in the year before. "
    "The agreement was signed in the city of Toronto on March 14, 2019 by both of the parties. "
    "The goods are delivered to the warehouse in Hamburg within the first week of each month. "
    "The members of the board were elected by the holders of the shares in a meeting in Geneva."
)


def guard_row(id: str, response: str, label: str, labels: list[dict[str, object]] | None) -> dict[str, object]:
    return {"id": id, "set": "s", "task": "summary", "passages": [TEXT], "question": None, "response": response,
            "labels": labels, "label": label, "source_id": id, "granularity": "span"}  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    sentences = TEXT.split(". ")
    wrong = sentences[3].replace("Hamburg", "Lisbon")
    rows = {
        "ragtruth/dev": [
            {"id": "1", "source_id": 1, "task": "QA", "question": "Who pays?", "passages": [TEXT],
             "response": f"{sentences[0]}.", "labels": []},
            {"id": "2", "source_id": 2, "task": "QA", "question": None, "passages": [TEXT], "response": f"{wrong}.",
             "labels": [{"start": 43, "end": 49, "type": "Evident Conflict"}]},
        ],
        "ragtruth/rest": [],
        "wice/dev_claims": [
            {"id": "1", "claim": sentences[1], "label": "supported", "evidence": [f"{one}." for one in sentences],
             "supporting_sets": [[1]], "claim_title": "a"},
            {"id": "2", "claim": "Penguins breed there.", "label": "not_supported", "evidence": [sentences[0]],
             "supporting_sets": [[]], "claim_title": "b"},
        ],
        "contractnli/dev_docs": [{"doc_id": 1, "text": TEXT, "spans": [[0, 90], [91, 180]]}],
        "contractnli/dev_items": [
            {"id": "1", "doc_id": 1, "hypothesis": "The Vendor shall pay a late fee.", "label": "Entailment",
             "evidence_spans": [0]},
            {"id": "2", "doc_id": 1, "hypothesis": "The Vendor shall not pay a late fee.", "label": "Contradiction",
             "evidence_spans": [0]},
        ],
        "expertqa/val_claims": [
            {"id": "1", "question_id": "q", "question": "?", "claim": sentences[0], "evidence": [TEXT],
             "support": "Complete"},
            {"id": "2", "question_id": "q", "question": "?", "claim": "Penguins breed there.", "evidence": [TEXT],
             "support": "Incomplete"},
        ],
    }  # fmt: skip
    for name in GUARD_SETS:
        rows[f"{name}/{name}"] = [
            guard_row("1", f"{sentences[0]}.", "supported", []),
            guard_row("2", f"{wrong}.", "contradicted", [{"start": 43, "end": 49, "type": "contradicted"}]),
            guard_row("3", f"{wrong}.", "contradicted", None if name == "frank" else []),
        ]
    for name, lines in rows.items():
        path = tmp_path / f"{name}.jsonl.gz"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    return tmp_path


@pytest.mark.parametrize("name", ["ragtruth", "wice", "contractnli", "expertqa"])
def test_judged_sets(name: str, data: Path) -> None:
    measured = measure(name, data)
    assert measured.items == 2
    assert [value for name, (value, _) in measured.figures.items() if name.endswith("AUROC")] == [1.0] * sum(
        name.endswith("AUROC") for name in measured.figures
    )
    assert measured.as_text().startswith("2 answers and claims")


def test_spans_evidence_and_contradictions(data: Path) -> None:
    figures = measure("ragtruth", data).as_values()["figures"]
    assert isinstance(figures, dict)
    assert figures["contradicted: precision"] == {"value": 1.0, "n": 1}
    assert figures["contradicted: recall of conflicts"] == {"value": 1.0, "n": 1}
    assert measure("wice", data).figures["a full set of lines found"] == (1.0, 1)
    assert measure("contractnli", data).figures["evidence among 4 places"] == (1.0, 2)


def test_contradictions_of_contractnli_are_counted(data: Path) -> None:
    figures = measure("contractnli", data).figures
    assert figures["contradicted: precision"] == (1.0, 1)
    assert figures["contradicted: recall of conflicts"] == (1.0, 1)


def test_a_guard_set_with_and_without_ranges(data: Path) -> None:
    figures = measure("bump", data).figures
    assert figures["summary: AUROC"] == (1.0, 3)
    assert figures["sentences: F1 of what is not supported"] == (1.0, 2)  # the third has an error without a place
    assert figures["contradicted: precision"] == (1.0, 2)
    assert figures["contradicted: recall of conflicts"] == (1.0, 2)


def test_all_guard_sets_in_one_table(data: Path) -> None:
    figures = measure_all(data)
    assert figures.mean_auroc == 1.0
    assert figures.natural.called == figures.natural.found == 18
    assert [line.split()[0] for line in figures.as_text().splitlines()[1 : len(GUARD_SETS) + 1]] == list(GUARD_SETS)
    assert json.dumps(figures.as_values())
    one_each = measure_all(data, limit=1)
    assert one_each.mean_auroc is None
    assert "mean AUROC -" in one_each.as_text()


def test_a_claim_is_wrong_where_a_range_says_so_or_where_it_is_all_that_was_judged(data: Path) -> None:
    right, placed, whole = LOADERS["bump"](data)
    assert right.is_wrong(0, 10) is False
    assert placed.is_wrong(45, 60) is True
    assert placed.is_wrong(0, 20) is False
    assert whole.is_wrong(0, len(whole.text) - 1) is True
    assert whole.is_wrong(0, 20) is None


def test_a_sample_is_the_same_every_time_and_in_order(data: Path) -> None:
    items = LOADERS["bump"](data)
    assert spread(items, 2) == spread(items, 2) == [item for item in items if item in spread(items, 2)]
    assert spread(items, 0) == spread(items, None) == items


def test_what_becomes_of_judged_answers(data: Path) -> None:
    shipped = measure_shipped(data)
    assert shipped.faultless["ragtruth QA"] == {"whole": 1}
    assert shipped.faults["ragtruth QA"] == {"gone": 1}
    assert shipped.faultless["mtrag summary"] == {"whole": 1}
    assert "ragtruth QA" in shipped.as_text()
    assert json.dumps(shipped.as_values())


def test_a_removed_sentence_changes_an_answer_and_a_flagged_one_is_marked(data: Path) -> None:
    right, *_ = LOADERS["bump"](data)
    sentences = TEXT.split(". ")
    long = replace(right, text=f"{'. '.join(sentences)} The late fee on every overdue invoice is 99%.")
    output = synthesized(long)
    assert outcome_of(output) == "changed"
    assert fate_of(output, "99%") == "gone"
    assert fate_of(output, "shall pay a late fee") == "unmarked"
    marked = output.model_copy(update={"claims": [replace(claim, verdict="flag") for claim in output.claims]})
    assert outcome_of(marked) == "marked"
    assert is_marked(marked, "shall pay a late fee")
    assert fate_of(marked, "shall pay a late fee") == "marked"


def test_changes_are_found_and_nothing_else() -> None:
    kinds = {pair.kind for pair in changed_pairs("a", TEXT, ["Lisbon", "Norway"], 1)}
    assert kinds >= {"number", "negation", None}
    counted = count([("a", TEXT), ("b", TEXT.replace("Hamburg", "Bremen"))])
    assert counted.found == counted.planted
    assert counted.alarms == 0
    assert counted.untouched == counted.planted.total()
    assert all(kind in counted.as_text() for kind in CHANGES)


def test_the_command(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_eval("wice", str(data), None, None, None, as_json=True) == 0
    assert json.loads(capsys.readouterr().out)["items"] == 2
    run_eval("changed", str(data), None, None, 1, as_json=False)
    assert "untouched" in capsys.readouterr().out
    assert run_eval("guardsets", str(data), None, None, 2, as_json=True) == 0
    assert set(json.loads(capsys.readouterr().out)["sets"]) == set(GUARD_SETS)
    with pytest.raises(InputError, match="--rows"):
        run_eval("ragtruth", str(data), "rows.jsonl", None, None, as_json=False)


def test_plain_claims_are_half_true_and_half_false(data):
    items = LOADERS["plain"](data)
    assert sum(item.supported for item in items) * 2 == len(items) == 1680
    assert len({item.id for item in items}) == len(items)
    figures = measure("plain", data, limit=60).as_values()["figures"]
    assert {"read: false ones that are called supported", "unread: true ones that are not"} <= figures.keys()
