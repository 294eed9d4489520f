"""Sentences of seven kinds of text, each beside a claim that keeps what it says and one that does not."""

import tomllib
from pathlib import Path

import pytest

from spanwise import verify

FAMILIES = tomllib.loads(Path(__file__).with_name("near_misses.toml").read_text(encoding="utf-8"))
CASES = [
    pytest.param(kind, *case, id=f"{family}-{kind}")
    for family, cases in FAMILIES.items()
    for kind, case in cases.items()
]


def passage(kind: str) -> str:
    """All that one text says."""
    return " ".join(dict.fromkeys(cases[kind][0] for cases in FAMILIES.values() if kind in cases))


@pytest.mark.parametrize(("kind", "source", "kept", "changed"), CASES)
def test_what_a_text_says_is_supported_and_what_nearly_says_it_is_not(
    kind: str, source: str, kept: str, changed: str
) -> None:
    assert source in passage(kind)
    assert {claim.support for claim in verify(kept, [passage(kind)]).claims} == {"supported"}
    assert "supported" not in {claim.support for claim in verify(changed, [passage(kind)]).claims}


@pytest.mark.parametrize(
    ("claim", "source", "support"),
    [
        ("The kit contains only screws.", "The kit contains screws, nails, glue and a small hammer.", "contradicted"),
        ("The warranty covers only parts.", "The warranty covers parts such as the pump and the fan.", "unsupported"),
        ("Personal data only includes names.", "Personal data means any information about a person, including names, "
         "addresses and pictures.", "contradicted"),
        ("The kit contains only screws.", "The kit does not contain screws, nails, glue and a hammer.", "contradicted"),
        ("The bag holds only screws.", "The kit contains screws, nails, glue and a small hammer.", "unsupported"),
    ],
)  # fmt: skip
def test_a_list_of_several_kinds_denies_that_there_is_only_one(claim: str, source: str, support: str) -> None:
    assert [one.support for one in verify(claim, [f"{source} The shop opens at nine."]).claims] == [support]


@pytest.mark.parametrize(
    "source",
    [
        "The accused told the court that the gate was open.",
        "To hear the salesman tell it, the gate was open.",
        "In the plaintiff's telling, the gate was open.",
        "It is a misreading of the text to say that the gate was open.",
        "The data are too thin to conclude that the gate was open.",
        "In the training exercise, the gate was open.",
        "Once the owner confirms that the gate was open, the fine is paid.",
        "The agent was wrong when he wrote that the gate was open.",
    ],
)
def test_views_of_a_party_exercises_and_unreached_proofs_are_no_facts(source: str) -> None:
    assert not verify("The gate was open.", [f"{source} The yard lies behind the mill."]).supported
