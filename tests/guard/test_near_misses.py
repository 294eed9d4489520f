"""Sentences of seven kinds of text, each beside a claim that keeps what it says and one that does not."""

import tomllib
from pathlib import Path

import pytest

from spanwise import verify

FILES = {
    name: tomllib.loads(Path(__file__).with_name(f"{name}_misses.toml").read_text(encoding="utf-8"))
    for name in ("near", "everyday", "otherwise", "turned")
}
CASES = [
    pytest.param(name, kind, *case, id=f"{name}-{family}-{kind}")
    for name, families in FILES.items()
    for family, cases in families.items()
    for kind, case in cases.items()
]


def passage(name: str, kind: str) -> str:
    """All that one text says."""
    return " ".join(dict.fromkeys(cases[kind][0] for cases in FILES[name].values() if kind in cases))


@pytest.mark.parametrize(("name", "kind", "source", "kept", "changed"), CASES)
def test_what_a_text_says_is_supported_and_what_nearly_says_it_is_not(
    name: str, kind: str, source: str, kept: str, changed: str
) -> None:
    text = passage(name, kind)
    assert source in text
    assert {claim.support for claim in verify(kept, [text]).claims} == {"supported"}
    assert "supported" not in {claim.support for claim in verify(changed, [text]).claims}


@pytest.mark.parametrize(
    "behind",
    [
        ", but this has never been shown.",
        ", but nobody has been able to prove it.",
        ", which nobody has proven.",
        ", but there is no evidence for this statement.",
        ": nothing supports this claim.",
        ", although no document bears this out.",
        ", but the court did not accept this account.",
        ", but the museum denies it.",
        ", a version that the museum rejects.",
        " - a statement that proved to be wrong.",
        ". None of this is true.",
        ". No one has verified this claim.",
    ],
)
def test_a_verdict_points_back_at_what_was_said(behind: str) -> None:
    source = f"The gallery opened in 1901. The vase was sold to a museum in Lyon{behind} Tickets cost four euros."
    (claim,) = verify("The vase was sold to a museum in Lyon.", [source]).claims
    assert claim.support != "supported"


@pytest.mark.parametrize(
    "source",
    [
        "They wrote a proof in 1990, but no one read it.",
        "They wrote a proof in 1990, which nobody noticed.",
        "They wrote a proof in 1990, and the academy confirmed it.",
        "They wrote a proof in 1990, a fact that the academy never denied.",
        "They wrote a proof in 1990, but the academy rejected the proof.",
    ],
)
def test_what_is_said_of_a_thing_is_no_verdict(source: str) -> None:
    (claim,) = verify("They wrote a proof in 1990.", [f"{source} The academy has forty members."]).claims
    assert claim.support == "supported"


@pytest.mark.parametrize(
    ("claim", "source", "support"),
    [
        ("The kit contains only screws.", "The kit contains screws, nails, glue and a small hammer.", "unsupported"),
        ("The warranty covers only parts.", "The warranty covers parts such as the pump and the fan.", "unsupported"),
        ("Personal data only includes names.", "Personal data means any information about a person, including names, "
         "addresses and pictures.", "unsupported"),
        ("The kit contains only screws.", "The kit does not contain screws, nails, glue and a hammer.", "contradicted"),
        ("The bag holds only screws.", "The kit contains screws, nails, glue and a small hammer.", "unsupported"),
    ],
)  # fmt: skip
def test_a_list_of_several_kinds_does_not_say_that_there_is_only_one(claim: str, source: str, support: str) -> None:
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
