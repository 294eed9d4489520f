"""Short claims, and figures, names, parties and bounds that another sentence has: what a reader sees at once."""

import pytest

from spanwise import verify

RULES = """Harbor Point Community Garden

The annual fee is $90 for a large plot. A deposit of $20 is charged for the key. The gate (No. 3) has two locks.
Chemical pesticides are forbidden. Compost is free for all members. Bicycles are not admitted.
Members must work at least 6 hours a year in the common areas. Hoses may be used for no more than 20 minutes a day.
Elena Petrova keeps the list of plots. Samuel Osei repairs the tools. Chief Gardener: Ada Lindqvist.
The landlord shall insure the shed. The tenant shall clean the paths.
A member may leave with a notice of at least 60 days before the end of the year.
The key is returned by 31 October. The next meeting is on 7 November.

| Bed | Water per week | Price |
| --- | --- | --- |
| Tomatoes | 30 liters | $12 |
| Lettuce | 45 liters | $8 |
"""


@pytest.mark.parametrize(
    ("answer", "support", "kind"),
    [
        ("Bicycles are admitted.", "contradicted", "negated"),
        ("Compost is not free.", "unsupported", "negated"),
        ("Compost isn't free.", "unsupported", "negated"),
        ("Pesticides aren\u2019t forbidden.", "unsupported", "negated"),
        ("The deposit for the key is $90.", "unsupported", "number_changed"),
        ("The key is returned by 7 November.", "unsupported", "date_changed"),
        ("Tomatoes have a price of $8.", "contradicted", "number_changed"),
        ("Lettuce needs 30 liters of water per week.", "contradicted", "number_changed"),
        ("Samuel Osei keeps the list of plots.", "unsupported", "swapped"),
        ("Samuel Osei is the Chief Gardener.", "unsupported", "swapped"),
        ("The landlord cleans the paths.", "unsupported", "swapped"),
        ("Members must work at most 6 hours a year in the common areas.", "contradicted", "number_changed"),
        ("Hoses may be used for at least 20 minutes a day.", "contradicted", None),
    ],
)
def test_what_is_borrowed_or_turned_around_is_not_supported(answer: str, support: str, kind: str | None) -> None:
    found = verify(answer, [RULES])
    assert [claim.support for claim in found.claims] == [support]
    assert kind is None or kind in {finding.kind for finding in found.findings}


@pytest.mark.parametrize(
    "answer",
    [
        "Bicycles are not admitted.",
        "Bicycles aren't admitted.",
        "Compost is free.",
        "The gate has two locks.",
        "A deposit of $20 is charged for the key.",
        "Elena Petrova keeps the list of plots.",
        "The list of plots is kept by Elena Petrova.",
        "Ada Lindqvist is the Chief Gardener.",
        "The tenant cleans the paths.",
        "Hoses may be used for at most 20 minutes a day.",
        "Members must work 6 hours or more a year in the common areas.",
        "The key is returned by October 31.",
    ],
)
def test_what_the_sentence_itself_says_has_no_finding(answer: str) -> None:
    found = verify(answer, [RULES])
    assert found.findings == ()
    assert found.supported, found.claims


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("The gate is not open in winter.", "The gate is locked in winter."),
        ("Receiving Party returns the papers.", "Disclosing Party keeps the papers. Receiving party has duties."),
    ],
)
def test_what_may_say_the_same_is_not_contradicted(answer: str, source: str) -> None:
    assert all(claim.support != "contradicted" for claim in verify(answer, [source]).claims)
