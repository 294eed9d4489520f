import json
from pathlib import Path

import pytest
from sets.planted.faults import FAULT_NAMES, planted
from sets.planted.measuring import documents_in, measure
from sets.planted.originals import KINDS, originals

import spanwise
from spanwise.cli.evaluating import run_eval
from spanwise.errors import InputError

EXAMPLES = Path(__file__).parents[2] / "examples" / "documents"
REPORT = """\
Consolidated statements (in millions)
                  2019     2018
Net revenues   $ 6,489  $ 7,500
Product costs    1,656    1,719
Restructuring   (1,132)  (1,150)
Operating loss  (1,607)  (1,988)
On March 15, 2019 the board declared a dividend of $283 million and paid it on 9 May 2019.
The company bought back shares for $1,250,000 in the second quarter of the year under review.
Nothing of it was paid out to the members of the board or to the managers of the company.
"""


@pytest.fixture(scope="module")
def report():
    return spanwise.read((REPORT * 3).encode(), name="report.txt")


def test_every_planted_fault_is_found_and_nothing_else_is_complained_of(report):
    measured = measure([report])
    assert {name for name, count in measured.planted.items() if count} == set(FAULT_NAMES)
    assert {name for name, count in measured.originals.items() if count} == set(KINDS)
    assert measured.found == measured.planted
    assert measured.missed == []


def test_the_shipped_documents_too():
    measured = measure(document for document in documents_in(EXAMPLES) if document.format == "pdf")
    assert measured.documents == 4
    assert measured.planted.total() > 50
    assert measured.found == measured.planted
    assert measured.missed == []


def test_a_fault_changes_a_copy(report):
    for original in originals(report, 3):
        before = original.answer.model_dump_json()
        assert all(one.answer.model_dump_json() != before for one in planted(original, report))
        assert original.answer.model_dump_json() == before


def test_the_command_prints_what_it_measured(capfdbinary, tmp_path):
    (tmp_path / "pdfs").mkdir()
    (tmp_path / "pdfs" / "report.txt").write_text(REPORT)
    assert run_eval("planted", str(tmp_path), None, None, None, as_json=True) == 0
    counts = json.loads(capfdbinary.readouterr().out)
    assert counts["found"]["sign"][0] == counts["found"]["sign"][1] > 0
    assert run_eval("planted", str(tmp_path), None, None, 1, as_json=False) == 0
    assert b"100.00%" in capfdbinary.readouterr().out


def test_a_folder_without_documents_is_told(tmp_path):
    with pytest.raises(InputError, match="no document"):
        run_eval("planted", str(tmp_path), None, None, None, as_json=False)
    with pytest.raises(InputError, match="no rows"):
        run_eval("planted", str(tmp_path), "rows.jsonl", None, None, as_json=False)
