from dataclasses import replace

import pytest
from sets import SETS, lay, nist, squad2, yes_or_no

from spanwise.errors import InputError
from spanwise.evaluation.runner import run_set
from spanwise.evaluation.sets import EvaluationDataError


def timeless(rows: list) -> list:
    return [replace(row, seconds=0.0) for row in rows]


@pytest.mark.parametrize("name", sorted(SETS.keys() - {"lay", "yesno"}))
def test_every_set_runs_to_its_figures(data, name):
    rows = run_set(SETS[name], data, workers=1)
    assert not [row for row in rows if row.decision == "error"]
    figures = {figure.name: figure for figure in SETS[name].figures(rows)}
    assert figures["right or rightly silent"].n == len([row for row in rows if row.part == rows[-1].part])
    assert figures["gold contained in the answer"].value == (0.5 if name == "financebench" else 1.0)


@pytest.mark.parametrize(("own", "count"), [(lay, 1528), (yes_or_no, 336)], ids=["lay", "yesno"])
def test_a_set_of_our_own_is_asked_whole_or_in_part(data, own, count):
    jobs = own.load(data, 0)
    for job in jobs:
        assert all(case.evidence[0] in job.document.content for case in job.cases if case.answerable)
    assert sum(len(job.cases) for job in jobs) == count
    rows = run_set(own.SET, data, limit=28, workers=1)
    assert len(rows) == 28
    assert {row.part for row in rows} <= {"read", "unread"}
    assert not [row for row in rows if row.decision == "error"]


def test_several_processes_give_the_rows_of_one(data):
    assert timeless(run_set(squad2.SET, data, workers=2)) == timeless(run_set(squad2.SET, data, workers=1))


def test_progress_counts_questions(data):
    seen = []
    run_set(squad2.SET, data, workers=1, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(2, 4), (3, 4), (4, 4)]


def test_a_missing_pdf_is_named(data):
    (data / "pdfs" / "Terms.pdf").unlink()
    with pytest.raises(EvaluationDataError, match=r"Terms\.pdf"):
        run_set(nist.SET, data, workers=1)


def test_a_negative_limit_is_refused(data):
    with pytest.raises(InputError, match="--limit -1"):
        run_set(nist.SET, data, limit=-1)
