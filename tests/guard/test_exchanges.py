"""One word in the place of another, names that change places, and paraphrases that say the same."""

import pytest

from spanwise import verify

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
