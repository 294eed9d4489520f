"""Claims in many languages: copies are supported, what is changed is not, and another language is not compared."""

import time
import tomllib
from pathlib import Path

import pytest
from every import every

from spanwise import verify

FAMILY = tomllib.loads((Path(__file__).parent / "languages.toml").read_text(encoding="utf-8"))
PRICES = (
    "Item alpha costs 11 dollars per unit. Item beta costs 12 dollars per unit. Item gamma costs 9 dollars per unit."
)
LEASE = FAMILY["en"]["text"]


def supports(claim: str, *passages: str) -> list[str]:
    return [one.support for one in verify(claim, passages).claims]


@every("language", FAMILY)
def test_copies_are_supported_and_changes_are_not(language: str) -> None:
    family = FAMILY[language]
    for claim in family["true"]:
        assert supports(claim, family["text"]) == ["supported"], claim
    for claim in (*family["negated"], *family["figure"], *family["name"]):
        assert supports(claim, family["text"])[0] in ("contradicted", "unsupported"), claim


@every("language", [one for one in FAMILY if one != "en"])
def test_what_is_in_another_language_is_unchecked(language: str) -> None:
    family = FAMILY[language]
    for claim in (*family["true"], *family["name"]):
        assert supports(claim, LEASE) in (["unchecked"], ["unsupported"]), claim  # few words tell no language
        assert supports(claim, LEASE, family["text"])[0] != "unchecked", claim
    for claim in FAMILY["en"]["true"]:
        assert supports(claim, family["text"]) == ["unchecked"], claim


@pytest.mark.parametrize(
    "claim",
    [
        PRICES,
        "Rate per annum, plus tax per unit per month",
        "Vincent van Gogh, Ludwig van Beethoven, Los Angeles, Las Vegas, El Paso, Des Moines, Oscar de la Renta",
        "Oscar de la Renta and Simon de la Cruz met Juan de la Vega",
    ],
)
def test_names_and_shared_words_make_no_other_language(claim: str) -> None:
    assert "unchecked" not in supports(claim, LEASE)


def test_a_list_of_prices_is_checked() -> None:
    found = supports("Item beta costs 12 dollars per unit. Payment is due within 30 days.", PRICES)
    assert found == ["supported", "unsupported"]


def test_a_denial_of_something_else_is_noticed() -> None:
    passage = "Der Mieter darf keine Hunde halten und muss Katzen melden."
    assert supports("Der Mieter darf Hunde halten und muss keine Katzen melden.", passage) != ["supported"]


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("يجب أن يعمل الجهاز بدون مرشح.", "يجب ألا يعمل الجهاز بدون مرشح."),
        ("이 기기는 필터 없이 작동해도 된다.", "이 기기는 필터 없이 절대 작동해서는 안 된다."),
        ("박 여사는 제안을 받아들이지 않았다.", "김 여사는 제안을 받아들이지 않았다."),
        ("Das Gerät darf ohne Filter betrieben werden.", "Das Gerät darf niemals ohne Filter betrieben werden."),
        ("Öneri kabul edildi.", "Öneri kabul edilmedi."),
    ],
)
def test_one_denial_of_two_and_a_name_of_one_sign_count(claim: str, passage: str) -> None:
    assert supports(passage, passage) == ["supported"]
    assert supports(claim, passage)[0] in ("contradicted", "unsupported")


def test_a_line_in_many_scripts_is_cut_and_bounded() -> None:
    claim = "Die Miete ist fällig. \u202e房东修理暖气。\u202c الإيجار ٥٠٠ يورو؟ \U000e0fff\u0378 한\u200d글 किराया।"
    assert len(verify(claim * 50, [FAMILY["de"]["text"], FAMILY["zh"]["text"]]).claims) <= 500


def test_a_claim_that_is_a_column_of_figures_is_bounded() -> None:
    started = time.process_time()
    verify("1 234 " * 600, ["Der Mieter darf nicht. \u623f\u4e1c\u4e0d\u4fee\u7406\u3002" * 40])
    assert time.process_time() - started < 30  # it took minutes
