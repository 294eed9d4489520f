from dataclasses import replace

import pytest
from test_sets import SILENT, said

from spanwise.evaluation import answer_card
from spanwise.evaluation.answer_card import REWORDED, score
from spanwise.evaluation.cases import Baseline, Case, Row

ASKED = Case("a", "How many castles?", ("84 castles",), evidence=((3, 3),))
UNKNOWN = Case("b", "Who painted ceilings?", ())
PLACED = {"gold_lines": ((3, 3),), "cited_lines": ((9, 9), (2, 3))}


def row(case: Case, seen, part: str = "en") -> Row:
    return Row(
        set="docqa",
        part=part,
        id=case.id,
        document="d",
        question=case.question,
        answerable=case.answerable,
        kind="",
        tags=(),
        gold=case.gold,
        gold_pages=(),
        decision=seen.decision,
        text=seen.text,
        confidence=seen.confidence,
        score=seen.score,
        pages=(),
        seconds=0.1,
        metrics=score(case, seen),
        review=seen.review,
        path=seen.path,
    )


def figures(*rows: Row) -> dict:
    made = answer_card.figures(lambda one: (one.part,))(rows)
    return {(figure.part, figure.name): figure.value for figure in made}


def test_an_answer_is_contained_and_its_evidence_cited_second():
    metrics = score(ASKED, said("They built 84 castles.", **PLACED))
    assert (metrics["contained"], metrics["line"], metrics["first"], metrics["both"]) == (True, True, False, True)
    assert metrics["sure"]
    assert metrics["sure_right"]


def test_a_possible_answer_is_an_answer_where_there_is_one_and_silence_where_there_is_none():
    possible = score(ASKED, said("They built 84 castles.", review=True, **PLACED))
    assert (possible["answered"], possible["contained"], possible["sure"]) == (True, True, False)
    assert possible["sure_right"] is None
    wrong = score(UNKNOWN, said("Perhaps a painter.", review=True))
    assert (wrong["quiet"], wrong["not_found"], wrong["right"]) == (True, False, True)


def test_an_answer_without_the_mark_is_never_silence():
    metrics = score(UNKNOWN, said("A painter."))
    assert (metrics["quiet"], metrics["right"], metrics["sure_right"], metrics["shown_right"]) == (False,) * 4
    assert "contained" not in metrics


def test_nothing_is_shown_by_a_refusal():
    metrics = score(ASKED, SILENT)
    assert (metrics["answered"], metrics["contained"], metrics["shown_right"]) == (False, False, None)
    assert score(UNKNOWN, SILENT)["not_found"]


@pytest.mark.parametrize(
    ("gold", "tags", "text", "held"),
    [
        ("84 castles", (), "The castles were 84.", False),  # a short gold stands in a row
        ("wooden castles after the conquest of England", (), "after the conquest: castles of wooden beams", True),
        ("wooden castles", (REWORDED,), "castles that were wooden", True),
        ("wooden castles", (REWORDED,), "castles of stone", False),
        ("三座城堡", (), "一共有三座城堡。", True),
        ("1066", (), "建於1066年", True),
        ("106", (), "建於1066年", False),
        ("Straße", (), "in der STRASSE.", True),
    ],
)
def test_golds_of_every_kind(gold, tags, text, held):
    assert score(Case("a", "?", (gold,), tags=tags), said(text))["contained"] is held


def test_yes_or_no_is_said():
    case = Case("a", "?", ("Yes.",))
    assert score(case, said("It does.", polarity="yes"))["contained"]
    assert not score(case, said("Yes and no", polarity=None))["contained"]


def test_one_string_of_every_group_is_enough():
    case = Case("a", "?", ("a fee",), match=(("1.5%", "1.5 percent"), ("thirty-day",)))
    assert score(case, said("A fee of 1.5 Percent after the\nthirty day term"))["contained"]
    assert not score(case, said("A fee of 1.5 percent"))["contained"]


def test_the_baseline_is_measured_beside_the_answer():
    base = Baseline("84 castles stood there.", (3, 3))
    both = row(ASKED, said("84 castles", baseline=base, **PLACED))
    silent = row(ASKED, replace(SILENT, baseline=base, gold_lines=((3, 3),)))
    told = figures(both, silent)
    part = answer_card.OVERALL
    assert told[part, answer_card.LINE] == 0.5
    assert told[part, answer_card.BM25_LINE] == 1.0
    assert told[part, answer_card.LINE_RATIO] == told[part, answer_card.BOTH_RATIO] == 0.5
    assert told[part, answer_card.FIRST_RATIO] == 0.0


def test_without_places_only_words_are_compared():
    told = figures(row(Case("a", "?", ("84",)), said("84", baseline=Baseline("84", (1, 1)))))
    names = {name for _, name in told}
    assert answer_card.LINE not in names
    assert answer_card.BM25_GOLD in names


def test_confidence_is_judged_among_what_is_shown_and_by_path():
    right = row(ASKED, said("84 castles", confidence=0.9, path="sentence"))
    wrong = row(ASKED, said("two", confidence=0.3, path="cell"))
    told = figures(right, wrong, row(UNKNOWN, SILENT))
    part = answer_card.OVERALL
    assert told[part, answer_card.AUROC] == 1.0
    assert told[part, answer_card.ECE] == pytest.approx(0.2)
    assert told[part, "calibration error, cell"] == pytest.approx(0.3)
    assert told[part, "right, sentence"] == 1.0


def test_groups_are_told_apart_when_there_are_several():
    one, other = row(ASKED, said("84 castles")), row(ASKED, SILENT, part="de")
    assert ("en", answer_card.GOLD) not in figures(one)
    assert figures(one, other)["de", answer_card.SILENT] == 1.0
