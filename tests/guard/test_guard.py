import pytest

import spanwise
from spanwise.contract.answers import BooleanAnswer, TextAnswer
from spanwise.contract.items import BooleanItem, TextItem
from spanwise.contract.result import Draft
from spanwise.contract.values import Span
from spanwise.guard.drafts.check import check


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("guard") / "a.txt"
    path.write_text("A late fee of 1.5% per\nmonth will apply.\n\nNothing else is due.\n")
    with spanwise.Corpus.of([spanwise.read(path)]) as corpus:
        yield corpus


def draft(*items: TextItem) -> Draft:
    answer = TextAnswer(
        items=list(items),
        extraction_method="verbatim",
        confidence=1,
        answer_found=True,
        complete_answer_found=True,
        context_completeness_weak=1,
        context_structured=True,
        conflicting_evidence=False,
    )
    return Draft(answer, tuple(("a.txt",) * len(item.spans) for item in items), 1.0)


def item(text: str, first: int = 1, last: int = 2) -> TextItem:
    return TextItem(text=text, spans=[Span(line_start=first, line_end=last)])


@pytest.mark.parametrize("text", ["A late fee of 1.5% per month will apply.", "LATE FEE OF 1.5%", "1.5% per\nmonth"])
def test_words_of_the_cited_lines_are_kept(corpus, text):
    checked = check(draft(item(text)), corpus)
    assert [kept.text for kept in checked.answer.items] == [text]
    assert checked.citations[0].quote == "A late fee of 1.5% per\nmonth will apply."
    assert checked.warnings == ()


@pytest.mark.parametrize(
    "wrong",
    [
        item("A late fee of 5% per month will apply."),
        item("A late fee of 15% per month will apply."),
        item("5% per month will apply."),
        item("No late fee will apply."),
        item("A late fee of 1.5% per month will apply.", 3, 4),
        item("A late fee of 1.5% per month will apply.", 1, 1),
        item("late fee", 1, 99),
        item("late fee", 0, 1),
        item("late fee", 2, 1),
        item("   "),
        TextItem(text="late fee"),
    ],
    ids=[
        "number",
        "digit",
        "half a number",
        "negated",
        "wrong line",
        "too narrow",
        "no such line",
        "line 0",
        "reversed",
        "blank",
        "uncited",
    ],
)
def test_what_the_cited_lines_do_not_hold_is_removed_and_named(corpus, wrong):
    good = item("Nothing else is due.", 4, 4)
    checked = check(draft(good, wrong), corpus)
    assert [kept.text for kept in checked.answer.items] == ["Nothing else is due."]
    assert checked.warnings == ("unsupported_claim",)
    assert checked.warning_details[0]["text"] == wrong.text
    assert not checked.answer.complete_answer_found
    assert check(draft(wrong), corpus).answer.answer_found is False


def test_ranges_of_several_items_point_at_their_words(corpus):
    checked = check(draft(item("late fee"), item("Nothing else", 4, 4)), corpus)
    assert checked.text == "- late fee\n- Nothing else"
    assert [checked.text[slice(*citation.at)] for citation in checked.citations] == ["late fee", "Nothing else"]
    assert [(claim.start, claim.end) for claim in checked.claims] == [citation.at for citation in checked.citations]


def said(yes: bool, sentence: str, question: str, first: int = 1, last: int = 4) -> Draft:
    answer = BooleanAnswer(
        items=[BooleanItem(boolean=yes, spans=[Span(line_start=first, line_end=last)])],
        extraction_method="inferred",
        confidence=1,
        answer_found=True,
        complete_answer_found=True,
        context_completeness_weak=1,
        context_structured=True,
        conflicting_evidence=False,
    )
    return Draft(answer, (("a.txt",),), 1.0, asked=question, sentences=(sentence,))


def test_a_yes_that_its_sentence_states_is_kept_with_the_sentence(corpus):
    checked = check(said(True, "A late fee of 1.5% per month will apply.", "Will a late fee apply?"), corpus)
    assert checked.text == "Yes. A late fee of 1.5% per month will apply."
    assert [claim.text for claim in checked.claims] == [checked.text]


@pytest.mark.parametrize(
    ("yes", "sentence", "question"),
    [
        (False, "A late fee of 1.5% per month will apply.", "Will a late fee apply?"),
        (True, "A late fee of 2% per month will apply.", "Will a late fee apply?"),
        (True, "A late fee of 1.5% per month will apply.", "Will a late fee apply to members?"),
        (True, "A late fee of 1.5% per month will apply.", "Will a discount apply?"),
    ],
)
def test_a_yes_or_no_that_does_not_follow_is_removed_and_named(corpus, yes, sentence, question):
    checked = check(said(yes, sentence, question), corpus)
    assert checked.answer.items == []
    assert not checked.answer.answer_found
    assert checked.warnings == ("unsupported_claim",)
