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


APART = "The pump in the yard stopped. Keys hang here. Lamps burn at night. The boiler room was cold."
ROWS = "Boats  12  31\nLamps  40  52\nRopes  7  9\n"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The yard was closed because the frost was hard.", "The yard was closed. The frost was hard."),
        ("The yard pump stopped because it was cold in the boiler room.", APART),
        ("In the yard the pump stopped, for the reason that cold was the boiler room.", APART),
    ],
)
def test_a_reason_that_no_sentence_gives_is_not_supported(claim: str, source: str) -> None:
    found = verify(claim, [source])
    assert not found.supported
    assert "overstated" in {finding.kind for finding in found.findings}


def test_a_reason_may_be_given_in_other_words() -> None:
    source = "The harbor closed in May, hence the empty yards. Lamps burn. Keys hang here. A long strike began."
    found = verify("The harbor closed in May due to a long strike.", [source])
    assert "overstated" not in {finding.kind for finding in found.findings}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Members may vote on all budgets of the club.", "Members may vote on budgets of the club."),
        ("Members may vote on every budget.", "Members may vote on a budget."),
    ],
)
def test_a_reach_that_the_sentence_does_not_have_is_added(claim: str, source: str) -> None:
    found = verify(claim, [source])
    assert not found.supported
    assert "overstated" in {finding.kind for finding in found.findings}


def test_the_figure_of_another_row_is_told_with_that_of_the_same_column() -> None:
    found = verify("Boats came to 52.", [ROWS])
    assert not found.supported


@pytest.mark.parametrize(
    ("claim", "source", "support"),
    [
        # another price of the one thing that is spoken of
        ("For a room, guests are charged 12 euros.", "Guests are charged 9 euros for a room.", "contradicted"),
        # bare numbers that nothing counts may count different things
        ("In the hall, the scale shows 12.", "The scale in the hall shows 9.", "unsupported"),
        # the source's figure is said as well, so the other one is of something else
        (
            "For a key, guests pay 12 euros, of which 9 euros are a deposit.",
            "Guests pay 9 euros as a deposit for a key.",
            "unsupported",
        ),
    ],
)
def test_another_figure_denies_only_what_it_takes_the_place_of(claim: str, source: str, support: str) -> None:
    assert [one.support for one in verify(claim, [source]).claims] == [support]


@pytest.mark.parametrize(
    "claim",
    ["Fjord Line opened the big yard in Bergen in 2019.", "Fjord Line of Bergen opened the big yard in the bay."],
)
def test_another_name_at_the_head_of_a_copy_is_contradicted(claim: str) -> None:
    source = claim.replace("Fjord Line", "Nordic Sail")
    assert [one.support for one in verify(claim, [source]).claims] == ["contradicted"]


@pytest.mark.parametrize(
    "claim",
    [
        "The lease names Landlord and Tenant for a year.",
        "The lease binds the Landlord and the Tenant for a year.",
        "The deed of the house names the Landlord and the Tenant as heirs.",
        "The buyer or the seller may end the lease.",
    ],
)
def test_parties_of_one_list_may_change_places(claim: str) -> None:
    turned = {"Landlord": "Tenant", "Tenant": "Landlord", "buyer": "seller", "seller": "buyer"}
    source = " ".join(turned.get(word, word) for word in claim.split())
    assert verify(claim, [source]).findings == ()


def test_figures_of_one_list_may_not_change_places() -> None:
    found = verify("The halls hold 5 and 7 boats.", ["The halls hold 7 and 5 boats."])
    assert [claim.support for claim in found.claims] == ["contradicted"]


@pytest.mark.parametrize(
    ("claim", "source", "support"),
    [
        (
            "The old bridge is safe for lorries.",
            "The old bridge is safe for lorries. This is not true.",
            "contradicted",
        ),
        (
            "Lorries may cross, and the bridge is old.",
            "The old bridge is safe for lorries. This is not true.",
            "unsupported",
        ),
        (  # the second line, which has no frame of its own, is a part of what the first one frames
            "In the town the old drug of the maker is quite safe for small children, pregnant women and elderly "
            "patients with a kidney disease.",
            "Nobody in the town believes that\nthe old drug of the maker is quite safe for small children, pregnant "
            "women and elderly patients with a kidney disease.",
            "contradicted",
        ),
    ],
)
def test_a_frame_holds_for_the_whole_of_what_it_frames_and_no_more(claim: str, source: str, support: str) -> None:
    assert [one.support for one in verify(claim, [source]).claims] == [support]


@pytest.mark.parametrize("apart", [" ", "\n\n"])
def test_what_one_sentence_states_another_one_may_report(apart: str) -> None:
    claim = "The old bridge is safe for lorries."
    reported = "Some say that the old bridge is safe for lorries."
    assert verify(claim, [f"{reported}{apart}{claim}"]).supported
    assert verify(claim, [f"{claim}{apart}{reported}"]).supported
    assert not verify(claim, [reported]).supported


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("The film opens around the world (excluding Iceland) on 6 March 2026.", True),
        ("Its rind sets it apart from other cheeses that do not ripen in caves.", True),
        ("There is no reason to close the bridge—except for the cracks that were seen.", True),
        ("The film opens in Iceland on 6 March 2026.", False),
        ("The cracks that were seen are no reason to close the bridge.", False),
    ],
)
def test_what_is_excluded_is_said_by_who_repeats_the_whole_sentence(claim: str, supported: bool) -> None:
    paper = (
        "The film opens around the world (excluding Iceland) on 6 March 2026.\n\n"
        "Its rind sets it apart from other cheeses that do not ripen in caves.\n\n"
        "There is no reason to close the bridge—except for the cracks that were seen."
    )
    assert verify(claim, [paper]).supported is supported
