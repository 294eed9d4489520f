import pytest
from sets.tatqa import load, score

from spanwise.evaluation.cases import Case, Observation


def seen(text, *notes, decision="ship"):
    return Observation(decision, text, 0.9, 0.9, None, (), (), 0.0, notes)


def number(gold, scale):
    return Case("a", "?", (gold,), (), "arithmetic", ("table", f"scale {scale}"))


def span(*gold, scale=""):
    return Case("a", "?", gold, (), "span", ("table", f"scale {scale}"))


@pytest.mark.parametrize(
    ("text", "gold", "scale", "value", "with_scale"),
    [
        ("USD 200,000", "200", "thousand", True, True),
        ("200 thousand", "200", "thousand", True, True),
        ("200", "200", "thousand", True, False),
        ("-22.22 %", "-22.22", "percent", True, True),
        ("-22.22", "-22.22", "percent", True, False),
        ("22.22 %", "-22.22", "percent", False, False),
        ("201 thousand", "200", "thousand", False, False),
        ("between 200 and 300", "200", "", False, False),
    ],
)
def test_numbers_are_compared_with_and_without_their_scale(text, gold, scale, value, with_scale):
    metrics = score(number(gold, scale), seen(text))
    assert (metrics["value"], metrics["with scale"]) == (value, with_scale)


def test_silence_is_no_number():
    metrics = score(number("200", ""), seen("200", decision="not_found"))
    assert (metrics["value"], metrics["right"]) == (False, False)


@pytest.mark.parametrize(
    ("text", "gold", "em", "f1"),
    [
        ("The Netherlands", ("Netherlands",), 1, 1),
        ("- 2019\n- 2018", ("2018", "2019"), 1, 1),
        ("- 2019", ("2018", "2019"), 0, 0.5),
        ("$1,200", ("1,200",), 1, 1),
        ("$1,300", ("1,200",), 0, 0),
        ("paid by distributors", ("by distributors",), 0, 0.8),
    ],
)
def test_texts_are_compared_by_words_and_without_order(text, gold, em, f1):
    metrics = score(span(*gold), seen(text))
    assert metrics["em"] == em
    assert metrics["f1"] == pytest.approx(f1)


def test_a_figure_has_the_scale_that_the_answer_tells():
    case = span("240", scale="thousand")
    assert score(case, seen("240", "The table counts in thousands."))["em with scale"] == 1
    assert score(case, seen("240"))["em with scale"] == 0


def test_a_context_is_one_document_with_a_pipe_table(data):
    [job] = load(data, 0)
    assert str(job.document.content).startswith("| (in thousands) | 2019 | 2018 |\n| --- | --- | --- |\n")
    assert [case.kind for case in job.cases] == ["arithmetic", "span"]
