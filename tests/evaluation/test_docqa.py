import pytest
from sets import docqa, everyday
from tiny_sets import docqa_documents, docqa_rows, everyday_rows, write

import spanwise
from spanwise.evaluation.answer_card import OTHER
from spanwise.evaluation.run_rows import SentenceRanking
from spanwise.evaluation.runner import EvidencePlaces
from spanwise.evaluation.sets import EvaluationDataError


def read(text: str, name: str = "notes.txt"):
    return spanwise.read(text.encode(), name=name)


def test_every_document_is_a_job_under_its_title(data):
    jobs = docqa.load("norquad", data, None)
    assert [(job.part, job.document.name) for job in jobs] == [("en", "Normans.txt"), ("en", "Delaware.txt")]


def test_offsets_become_lines(data):
    own = {case.id: case for job in docqa.load("norquad", data, None) for case in job.cases}
    assert [own[name].evidence for name in ("q1", "q2", "q3", "q4")] == [((3, 3),), ((5, 5),), ((3, 3),), ((5, 5),)]


def test_a_place_over_line_ends_of_any_kind(data):
    first, second = docqa_documents()
    first["text"] = "One.\r\nTwo.\rThree\nfour. Five."
    asked = docqa_rows()[0] | {"evidence": [{"start": first["text"].index("Three"), "end": first["text"].index(" F")}]}
    write(data / "piaf" / "documents.jsonl.gz", [first, second])
    write(data / "piaf" / "questions.jsonl.gz", [asked])
    (job,) = docqa.load("piaf", data, None)
    assert job.cases[0].evidence == ((3, 4),)
    assert spanwise.read(first["text"].encode(), name="a.txt").text(3, 4) == "Three\nfour. Five."


def test_titles_of_two_documents_give_way_to_ids_and_tables_are_markdown(data):
    documents = [row | {"title": "The same/title", "kind": "table"} for row in docqa_documents()]
    write(data / "arcd" / "documents.jsonl.gz", documents)
    assert [job.document.name for job in docqa.load("arcd", data, None)] == ["d1.md", "d2.md"]


def test_a_set_without_unanswerable_questions_gets_some_of_other_documents(data):
    (first, second) = docqa.load("norquad", data, None)
    strangers = [(job.document.name, case) for job in (first, second) for case in job.cases if OTHER in case.tags]
    ((name, stranger),) = strangers  # one for four
    assert not stranger.answerable
    assert not stranger.evidence
    assert stranger.id.endswith("of d2" if name == "Normans.txt" else "of d1")
    assert docqa.load("norquad", data, None) == [first, second]


@pytest.mark.parametrize("changed", ["language", "answer", "unanswerable"])
def test_questions_that_another_document_may_answer_are_not_asked_of_it(data, changed):
    first, second = docqa_documents()
    questions = docqa_rows()
    if changed == "language":
        second["language"] = "de"
    elif changed == "answer":
        questions = [row | {"answers": ["in"]} for row in questions]
    else:
        questions[0] = questions[0] | {"unanswerable": True}
    write(data / "drcd" / "documents.jsonl.gz", [first, second])
    write(data / "drcd" / "questions.jsonl.gz", questions)
    assert not [case for job in docqa.load("drcd", data, None) for case in job.cases if OTHER in case.tags]


def test_everyday_files_are_jobs_with_groups_and_quotes(data):
    (job,) = everyday.load(data, None)
    asked, unknown = job.cases
    assert job.part == "terms of service"
    assert asked.match == (("1.5%", "1.5 percent"), ("per month", "a month"))
    assert not unknown.answerable
    document = spanwise.read(job.document.content)
    assert EvidencePlaces(document).lines_of(asked.evidence) == ((2, 2),)


def test_a_missing_everyday_file_is_named(data):
    write(data / "everyday" / "questions.jsonl", [everyday_rows()[0] | {"doc": "gone.pdf"}])
    with pytest.raises(EvaluationDataError, match=r"gone\.pdf"):
        everyday.load(data, None)


def test_a_quote_is_found_wherever_it_stands_and_over_lines():
    places = EvidencePlaces(read("The fee is\n5 dollars.\n\nAgain: the fee is 5 dollars.\n"))
    assert places.lines_of(("The fee is 5 dollars", (7, 8), "nothing of the kind, ever")) == ((1, 2), (4, 4), (7, 8))


def test_the_baseline_is_the_sentence_with_the_rarest_words_of_the_question():
    ranking = SentenceRanking(
        read("The tower is old. The bell of the tower rings\nat noon. The tower fell.\n\nA bell.\n")
    )
    best = ranking.best("When does the bell of the tower ring?")
    assert (best.text, best.lines) == ("The bell of the tower rings\nat noon.", (1, 2))
    assert ranking.best("zebra") is None


def test_the_baseline_knows_the_stops_of_other_scripts():
    ranking = SentenceRanking(read("塔 很 老。鐘 在 中午 響。\n"))
    assert ranking.best("鐘").text == "鐘 在 中午 響。"
