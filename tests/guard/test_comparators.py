"""What makes two sentences differ: polarity, units and rates, names and figures in each other's place."""

import pytest

from spanwise import verify

LEASE = (
    "The Lessee shall pay the Lessor $500 per month and may sublet the rooms, but it shall not keep animals in them."
)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("No late fee applies to the balance.", "A late fee applies to the balance of each invoice."),
        ("The museum does not charge children for entry.", "The museum charges children for entry on Sundays."),
        ("The museum charges children for entry.", "The museum never charges children for entry on Sundays."),
        ("The guarantee covers broken lamps.", "In no event does the guarantee cover broken lamps."),
        ("The Lessee keeps animals in the rooms.", "The Lessee shall not keep animals in the rooms."),
        ("The report isn't prohibited reading.", "The report is prohibited reading for the staff."),
    ],
)
def test_what_a_sentence_denies_is_not_supported(claim: str, source: str) -> None:
    found = verify(claim, [source])
    assert not found.supported
    assert "negated" in {finding.kind for finding in found.findings}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The museum doesn't charge children.", "The museum does not charge children."),
        ("The pump was not at once available.", "The pump was not immediately available."),
        ("The ferry carries bicycles.", "The ferry carries bicycles, while the tram does not carry bicycles."),
        ("Notice is given not later than 30 days before.", "Notice is given no later than 30 days before."),
        ("Lamp No. 5 hangs in the hall.", "Lamp No. 5 hangs in the hall of the house."),
    ],
)
def test_a_denial_of_something_else_is_none(claim: str, source: str) -> None:
    assert "negated" not in {finding.kind for finding in verify(claim, [source]).findings}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The Lessee pays the Lessor $500 per year.", LEASE),
        ("The interest on the open sum is 4% a year.", "The interest is 4% monthly on the open sum."),
        ("The interest is $4 a month.", "The interest is 4% a month on the open sum."),
        ("The parcel arrives within 3 business days.", "The parcel arrives within 3 days of the order."),
        ("The parcel arrives within 3 weeks.", "The parcel arrives within 3 days of the order."),
        ("The board meets weekly.", "The board meets on the first Monday of every month."),
    ],
)
def test_another_unit_or_rate_is_not_supported(claim: str, source: str) -> None:
    found = verify(claim, [source])
    assert not found.supported
    assert "number_changed" in {finding.kind for finding in found.findings}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The interest is 4% per month.", "The interest is 4% monthly on the open sum."),
        ("The parcel arrives within 14 days.", "The parcel arrives within 2 weeks of the order."),
        ("The board meets every month.", "The board meets monthly, and the council meets annually."),
        ("The shop sold 40 lamps a day.", "The shop sold 40 lamps each day in the spring."),
    ],
)
def test_the_same_unit_in_other_words_has_no_finding(claim: str, source: str) -> None:
    assert "number_changed" not in {finding.kind for finding in verify(claim, [source]).findings}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "In Oslo the firm sold 12 boats, and in Bergen 31 boats.",
            "The firm sold 31 boats in Bergen and 12 boats in Oslo.",
        ),
        ("Output rose from 5 tons in 2010 to 9 tons in 2014.", "Output was 9 tons in 2014 and 5 tons in 2010."),
        (
            "Output rose from 5 tons in 2010 to 9 tons in 2014.",
            "Output was 9 tons and 5 tons in 2014 and 2010, respectively.",
        ),
        ("The Harbor Office is led by Ines Roth.", "Ines Roth leads the Harbor Office."),
        ("Ines Roth is the Harbor Master.", "Harbor Master: Ines Roth."),
    ],
)
def test_clauses_may_change_places(claim: str, source: str) -> None:
    assert "swapped" not in {finding.kind for finding in verify(claim, [source]).findings}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "In Oslo the firm sold 31 boats, and in Bergen 12 boats.",
            "The firm sold 31 boats in Bergen and 12 boats in Oslo.",
        ),
        ("Output rose from 5 tons in 2014 to 9 tons in 2010.", "Output was 9 tons in 2014 and 5 tons in 2010."),
        ("The vendor is indemnified by the client.", "The vendor shall indemnify the client against all claims."),
        ("Nordic Sail was bought by Fjord Line in 2019.", "Nordic Sail bought Fjord Line in 2019 for $5 million."),
    ],
)
def test_a_changed_partner_or_role_is_not_supported(claim: str, source: str) -> None:
    found = verify(claim, [source])
    assert not found.supported
    assert "swapped" in {finding.kind for finding in found.findings}
