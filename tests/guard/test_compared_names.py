"""Words, subjects, names and figures of a claim that stand where the text has another one, beside what keeps them."""

import pytest
from every import every

from spanwise import verify

CHAPEL = """The chapel stands on the eastern bank of the river and was built by Oda Brandt, who also built two mills.
The left bell was cast in Ghent; the right one is older.
The roof is covered with slate on a frame of larch.
The nave was painted by pupils of the school, who were paid by the parish.
The organ came from Jonas Weil, who sold it to the dean of Mechelen in 1791.
Weil tuned the organ and the sexton, Bram Klaas, repaired the bellows.
The second mass of the day is the shortest.
Visitors may bring dogs. Guides are called by the sexton.
A later altar may be the work of a Spanish carver.
The keys are kept by Ilse or Marta during the winter.
The tower is 31 metres high. The wall of the garden is 9 metres long.
Serve the soup of the feast with rye bread.
Some of the windows are original, and the doors were replaced in 1880.
Water from the river is boiled; well water is only sieved.
The choir rehearsed for 40 minutes before the feast; in the school it was 25 minutes.
During the flood the parish bought candles from the town of Melle.
Some 30 benches may still have locks of brass.
Open candles are banned because of the roof. Use short candles at the altar.
The fee of the sexton stays at 12 guilders."""


@every(
    "claim",
    [
        "The chapel stands on the western bank of the river.",
        "The right bell was cast in Ghent.",
        "The first mass of the day is the shortest.",
        "The roof is covered with larch on a frame of slate.",
        "The dean of Mechelen sold it to Jonas Weil in 1791.",
        "Bram Klaas tuned the organ and Weil repaired the bellows.",
        "All windows are original.",
        "The soup of the feast must be served with rye bread.",
        "A later altar is the work of a Spanish carver.",
        "The keys are kept by Marta during the winter.",
        "The tower is 9 metres high.",
        "Well water is boiled.",
        "In the school the choir rehearsed for 40 minutes before the feast.",
        "The town of Melle bought candles from the parish.",
        "Some 30 benches have locks of brass.",
        "Short candles are banned.",
        "The fee of the sexton rises to 12 guilders.",
    ],
)
def test_another_word_in_the_place_of_the_texts_own_is_not_supported(claim: str) -> None:
    assert not verify(claim, [CHAPEL]).supported


@every(
    "claim",
    [
        "The chapel stands on the river's eastern bank.",
        "The left bell was cast in Ghent.",
        "The roof is covered with slate.",
        "Pupils of the school painted the nave.",
        "Weil tuned the organ.",
        "Bram Klaas, the sexton, repaired the bellows, and Weil tuned the organ.",
        "Some of the windows are original.",
        "The keys are kept by Marta or Ilse during the winter.",
        "A later altar may be the work of a carver.",
        "The tower is 31 metres high.",
        "The sexton calls the guides.",
        "Well water is only sieved.",
        "River water is boiled and well water is only sieved.",
        "The parish bought candles from the town of Melle during the flood.",
        "Some 30 benches may have locks of brass.",
        "Open candles are banned.",
        "The second mass of the day will be the shortest.",
    ],
)
def test_the_same_in_another_order_or_voice_is_supported(claim: str) -> None:
    assert verify(claim, [CHAPEL]).supported


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


MOORING = "The mooring is for open use by the general public. It lies within the walls of the harbour owner."
DEAL = "Acme purchased Beta Inc. in 2019 for $5 million."


@pytest.mark.parametrize(
    ("answer", "source", "kind"),
    [
        ("It lies within the walls of the harbour guest.", MOORING, "not_in_sources"),
        ("It lies within the walls of the harbour public.", MOORING, "swapped"),
        ("In practice, it lies within the walls of the harbour guest.", MOORING, "not_in_sources"),
        ("Acme was acquired by Beta Inc. in 2019.", DEAL, "swapped"),
        ("Beta Inc. bought Acme in 2019.", DEAL, "swapped"),
        ("The court found that the refund is unlimited in the second year.",
         "The court found that the refund is limited in the second year.", "negated"),
        ("The exposure to the rate is on debt of minus $900 million at most.",
         "The exposure to the rate is on debt of $900 million at most.", "number_changed"),
        ("The plan covers twelve individuals in the whole of Germany.",
         "The plan covers two individuals in the whole of Germany.", "number_changed"),
        ("The vendor shall be liable for indirect damages.",
         "In no event shall the vendor be liable for indirect damages.", "negated"),
    ],
)  # fmt: skip
def test_what_was_exchanged_is_named(answer: str, source: str, kind: str) -> None:
    found = verify(answer, [source])
    assert not found.supported
    assert kind in {finding.kind for finding in found.findings}


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("The tower was built by the company of Gustave Eiffel.", "The tower was built by Gustave Eiffel's company."),
        ("Gustave Eiffel's company built the tower here.", "The company of Gustave Eiffel built the tower here."),
        ("Acme bought Beta Inc. in 2019.", DEAL),
        ("Bell ringing is made up of five common methods.",
         "Bell ringing is a way to make music in a tower. This ringing way is made up of five common "
         "methods."),
        ("Beta Inc. was acquired by Acme in 2019.", DEAL),
        ("The keepers refused to discuss the storms before the board.",
         "The keepers refused to talk the storms before the board."),
        ("The plan covers 2 individuals in the whole of Germany.",
         "The plan covers two individuals in the whole of Germany."),
        ("Take a rope that is non-flammable and soft on bare hands.",
         "Take a rope that is nonflammable and soft on bare hands."),
    ],
)  # fmt: skip
def test_what_says_the_same_is_supported(answer: str, source: str) -> None:
    found = verify(answer, [source])
    assert found.findings == ()
    assert found.supported, found.claims


def test_a_denial_in_other_words_is_not_contradicted() -> None:
    source = "You won't likely notice a change in your sleep during or after it."
    found = verify("You are unlikely to notice a change in your sleep during or after it.", [source])
    assert found.findings == ()


def test_a_claim_made_from_lines_that_were_wrapped() -> None:
    wrapped = "Judges shall read this lease by the laws that New York has made, without\nregard to their rules."
    words = " ".join(wrapped.split())
    assert verify(words, [wrapped]).supported
    (finding, *_) = verify(words.replace("without", "with"), [wrapped]).findings
    assert (finding.kind, finding.denies) == ("negated", True)


def test_a_heading_is_shown_only_where_it_adds_words() -> None:
    source = "# Eiffel Tower\nGustave Eiffel's company designed and built the Eiffel Tower from 1887 to 1889."
    found = verify("The Eiffel Tower was designed and built by Gustave Eiffel's company.", [source])
    assert [place.line_start for place in found.evidence] == [2]


@pytest.mark.parametrize(
    "answer",
    [
        "The passages do not say when it began, but the fee is nine percent of the price.",
        "**The fee is nine percent of the price.**",
        "# The fee of the whole contract is nine percent of the price",
        "Of course, the fee is nine percent of the price.",
        "However, it's important to note that the fee is nine percent of the price.",
        "If you have any doubt, note that the fee is nine percent of the price.",
        "The company was unable to find a buyer, so the fee is nine percent of the price.",
    ],
)
def test_nothing_hides_in_what_is_no_claim(answer: str) -> None:
    found = verify(answer, ["The fee is five percent of the price."])
    assert not found.supported, found.account


@pytest.mark.parametrize(
    "style", ["(1)", "{1}", "(p. 3)", "[p. 4]", "[1](https://example.org/a)", " \u00b9", "(Doc 1, p. 2)"]
)
def test_citations_are_no_part_of_a_claim(style: str) -> None:
    source = "The fee is five percent of the price."
    found = verify(f"The fee is five percent of the price {style}.", [source])
    assert (found.claims[0].support, found.findings) == ("supported", ())


def test_a_number_that_is_said_twice_is_no_citation() -> None:
    sources = ["The notice is sixty (60) days, and copies are two (2).", "The fee is five percent of the price."]
    assert not verify("The notice is sixty (60) days, and copies are three (2).", sources).supported
