"""The page of a run: charts as they are counted, every miss, nothing that a document says as HTML."""

import json
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from test_answer_card import ASKED, UNKNOWN, row
from test_sets import SILENT, said

from spanwise.cli.evaluating import run_eval
from spanwise.errors import StorageError
from spanwise.evaluation.html_report import Bin, PagePicture, Run, calibration_bins, missed, report_page, risk_coverage
from spanwise.evaluation.run_rows import compare_runs
from spanwise.evaluation.sets import EvaluationDataError
from spanwise.evaluation.summary import SetReport, as_text

DOCUMENTS = Path(__file__).parents[2] / "examples" / "documents"
HOSTILE = '</dd><script src="https://evil.example/x.js"></script>\x1b[31m'


def answered(id, text, confidence, case=ASKED):
    return row(replace(case, id=id), replace(said(text), confidence=confidence))


ROWS = [
    answered("a", "There are 84 castles.", 0.9),
    answered("b", "There are 84 castles.", 0.8),
    answered("c", "There are 7 castles.", 0.8),
    row(replace(ASKED, id="d"), SILENT),
    row(UNKNOWN, SILENT),
]


class Page(HTMLParser):
    """What a page loads or runs."""

    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.loaded = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.loaded += [
            value for name, value in attributes if name in {"src", "href", "action"} or name.startswith("on")
        ]


def test_risk_and_calibration_are_counted_over_what_is_shown():
    assert risk_coverage(ROWS) == [(1 / 5, 0.0), (3 / 5, 1 / 3)]  # answers of one confidence come together
    assert calibration_bins(ROWS, 2) == [Bin(0.8, 1.0, 1), Bin(pytest.approx(0.85), 0.5, 2)]
    assert calibration_bins(list(reversed(ROWS)), 2) == calibration_bins(ROWS, 2)
    assert risk_coverage([]) == calibration_bins([]) == []


def test_a_page_tells_every_miss_and_what_changed():
    earlier = [answered("a", "There are 7 castles.", 0.9), *ROWS[1:]]
    run = Run("mine", [], ROWS, compare_runs(earlier, ROWS), earlier)
    made = report_page(run)
    assert [one.id for one in missed(ROWS)] == ["c", "d"]
    assert (
        "5 questions, 4 of which the documents answer. Of those, 2 got a right answer, 1 a wrong one, 1 none." in made
    )
    assert made.count("<article>") == 2
    for words in ("Wrong answer", "Not answered, though the document says it", "84 castles", "Right now, wrong before"):
        assert words in made
    assert made.count('class="line"') == 2
    assert made.count('class="even"') == 2  # where promise and outcome are equal, and the earlier run
    assert report_page(run) == made


def test_what_a_document_says_is_text_on_the_page():
    picture = PagePicture(b"\x89PNG", 1, 600, 800)
    wrong = replace(answered("c", HOSTILE, 0.8), question=HOSTILE, document=HOSTILE, gold=(HOSTILE,))
    failed = SetReport(HOSTILE, 1, 1, (HOSTILE,), 0.1, ())
    page = Page(report_page(Run(HOSTILE, [failed], [wrong], pictures={wrong.key: picture})))
    assert {"script", "iframe", "form", "link"}.isdisjoint(page.tags)
    assert page.loaded == ["data:image/png;base64,iVBORw=="]


def test_the_report_of_your_own_questions_has_the_pages_of_misses(tmp_path):
    shutil.copy(DOCUMENTS / "lease.pdf", tmp_path)
    asked = {"question": "Is a notice by email valid?", "document": "lease.pdf", "answers": ["yes"]}
    more = {"evidence": ["means £8,400 a month"]}
    (tmp_path / "mine.jsonl").write_text(json.dumps(asked) + "\n" + json.dumps(asked | more) + "\n")
    out, rows = tmp_path / "report.html", tmp_path / "rows.jsonl"
    words = (str(tmp_path / "mine.jsonl"), None, str(rows))
    run_eval(*words, None, None, as_json=False, workers=1, report=str(out))
    made = out.read_text()
    assert "Misses (2)" in made
    assert re.findall(r'aria-label="(Page \d)"', made) == ["Page 3", "Page 1"]
    assert made.count('class="cited"') == made.count('class="expected"') == 1
    run_eval(*words[:2], None, str(rows), None, as_json=False, workers=1, report=str(out))
    assert "Compared with the earlier run" in out.read_text()
    with pytest.raises(StorageError, match="name another file for the report"):
        run_eval(*words[:2], None, None, None, as_json=False, report=str(tmp_path / "no" / "report.html"))


def test_questions_that_cannot_be_read_leave_no_empty_report(tmp_path):
    (tmp_path / "mine.jsonl").write_text(
        '{"question": "How?", "document": "lease.pdf", "answers": [], "answer": "yes"}\n'
    )
    out = tmp_path / "report.html"
    with pytest.raises(EvaluationDataError, match="answer: there is no such name"):
        run_eval(str(tmp_path / "mine.jsonl"), None, None, None, None, as_json=False, report=str(out))
    assert not out.exists()


def test_a_table_has_room_on_a_narrow_terminal():
    from spanwise.evaluation.answer_card import COLUMNS, figures

    report = SetReport("mine", 5, 1, (), 0.1, tuple(figures(lambda one: (one.id,))(ROWS)), COLUMNS)
    wide, narrow = as_text([report, report], None), as_text([report, report], None, 40)
    assert max(map(len, narrow.splitlines())) <= 40 < max(map(len, wide.splitlines()))
    assert sorted(set(wide.split())) == sorted(set(narrow.split()))
