"""A claim says of each deed who does it, to what, and when: as a source does, and not of another one."""

import tomllib
from pathlib import Path

import pytest

from spanwise import verify

PAPERS = tomllib.loads(Path(__file__).with_name("everyday_papers.toml").read_text(encoding="utf-8"))
CASES = [
    pytest.param(paper["text"], claim, kind, id=f"{name}-{kind}-{number}")
    for name, paper in PAPERS.items()
    for kind in ("true", "false", "lost", "passes")
    for number, claim in enumerate(paper[kind])
]


@pytest.mark.parametrize(("text", "claim", "kind"), CASES)
def test_what_a_paper_says_is_supported_and_what_is_put_together_otherwise_is_not(
    text: str, claim: str, kind: str
) -> None:
    (found,) = verify(claim, [text]).claims
    assert (found.support == "supported") == (kind in ("true", "passes"))


FAMILIES = {
    "subject": (
        "Kayaks are lent free of charge, but paddles cost two euros.",
        ["Kayaks are lent free of charge.", "Paddles cost two euros."],
        ["Paddles are lent free of charge.", "Kayaks cost two euros."],
    ),
    "agent": (
        "The nets are mended by the crew, while the skipper paints the hull.",
        ["The crew mends the nets.", "The hull is painted by the skipper."],
        ["The skipper mends the nets.", "The hull is painted by the crew."],
    ),
    "object": (
        "The gardener waters the ferns and trims the hedge.",
        ["The gardener trims the hedge.", "The ferns are watered by the gardener."],
        ["The gardener trims the ferns.", "The hedge is watered by the gardener."],
    ),
    "circumstance": (
        "She waters the ferns in the morning and the palms at night.",
        ["She waters the palms at night."],
        ["She waters the palms in the morning."],
    ),
    "verb left out": (
        "The clerk votes for the owners, the steward for the tenants.",
        ["The steward votes for the tenants."],
        ["The clerk votes for the tenants."],
    ),
    "order in time": (
        "The jars are rinsed before the lids are boiled.",
        ["The jars are rinsed before the lids are boiled."],
        ["The lids are boiled before the jars are rinsed."],
    ),
    "exception": (
        "The kiosk sells stamps, but not envelopes.",
        ["The kiosk sells stamps."],
        ["The kiosk sells envelopes."],
    ),
    "pronoun": (
        "The nurse weighed the baby. She entered the weight in the book. The doctor left at noon.",
        ["The nurse entered the weight in the book."],
        ["The doctor entered the weight in the book."],
    ),
    "only to be done": (
        "If the noise returns the pump should be replaced.",
        ["The pump should be replaced if the noise returns."],
        ["The pump was replaced."],
    ),
    "need of none": (
        "Sheds need a permit, while tents need no permit.",
        ["Sheds need a permit.", "Tents need no permit."],
        ["Tents need a permit."],
    ),
    "two of one name": (
        "The lifts in blocks B and C will be renewed in autumn, while those in block A were renewed last year.",
        ["The lifts in blocks B and C will be renewed in autumn."],
        ["The lifts in block A will be renewed in autumn."],
    ),
    "a day that no line says": (
        "Invoice date: 14 March 2024\nDue date: 13 April 2024\nTotal: 1,634.40 GBP",
        ["The invoice is due on 13 April 2024."],
        ["The invoice is due 14 April 2024."],
    ),
    "another condition": (
        "Stop the treatment if your tongue swells.",
        ["Stop the treatment if your tongue swells."],
        ["Stop the treatment if you become hoarse."],
    ),
    "part told as all": (
        "One of the paintings was found in a locker. Two paintings were stolen.",
        ["One of the paintings was found in a locker."],
        ["All paintings were found in a locker."],
    ),
    "numbers of two things": (
        "Take two puffs in the morning and one puff before bed.",
        ["Take one puff before bed.", "Take two puffs in the morning."],
        ["Take one puff in the morning.", "Take two puffs before bed."],
    ),
    "a part of something": (
        "The mill reopened in May, although its east wing stays closed.",
        ["The mill reopened in May."],
        ["The east wing of the mill reopened in May."],
    ),
    "nothing at all": (
        "Ropes may be borrowed by members. Nothing may be sold.",
        ["Ropes may be borrowed by members."],
        ["Ropes may be sold."],
    ),
    "another place": (
        "Guests sleep in the loft. The goats graze in the orchard.",
        ["Guests sleep in the loft."],
        ["Guests sleep in the orchard."],
    ),
    "order of two deeds": (
        "The mason marks the stone after measuring the wall.",
        ["The mason marks the stone after measuring the wall."],
        ["The mason measures the wall after marking the stone."],
    ),
    "another way": (
        "The candle burns for two hours, less where the air is dry.",
        ["The candle burns for less than two hours where the air is dry."],
        ["The candle burns longer where the air is dry."],
    ),
    "what is not used": (
        "Use a soft brush for cleaning and never wire.",
        ["Wire must not be used for cleaning."],
        ["Wire must be used for cleaning."],
    ),
    "a clause that tells of what something is": (
        "A gable is a wall that carries the ridge.",
        ["A gable carries the ridge."],
        ["The ridge carries a gable."],
    ),
    "the first person": (
        "I sold the mill to Anna Roth. Anna Roth keeps geese.",
        ["Anna Roth keeps geese."],
        ["Anna Roth sold the mill."],
    ),
}


@pytest.mark.parametrize(("source", "kept", "changed"), FAMILIES.values(), ids=FAMILIES)
def test_arguments_stay_with_their_verb(source: str, kept: list[str], changed: list[str]) -> None:
    assert [claim for claim in kept if not verify(claim, [source]).supported] == []
    assert [claim for claim in changed if verify(claim, [source]).supported] == []
