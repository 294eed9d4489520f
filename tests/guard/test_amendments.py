"""What a contract's amendment, a price list's update or corrected minutes change is found in what they change."""

import pytest

from spanwise import find_conflicts

SUPPLY = (
    "Supply agreement\n\n1.1 The Buyer pays a yearly fee of 4,800 euros.\n\n"
    "2.1 The Buyer may end this agreement on 30 June 2027 by giving at least three months' written notice.\n\n"
    "2.2 The Supplier delivers between 06:00 and 14:00 on working days.\n\n"
    "3.1 The Supplier refunds 5 per cent of the price of late goods.\n\n3.2 Storage means 40 pallets in hall 2."
)
PRICES = (
    "Price list of the joinery\n\nOak shelf: 48 euros\n\nThe delivery within the town costs 35 euros.\n\n"
    "The assembly of a wardrobe takes 3 hours.\n\nAn express order costs 60 euros more."
)
MINUTES = (
    "Minutes of the rowing club of 4 March 2025\n\nThe committee set aside 7,500 euros for the new boat.\n\n"
    "The regatta takes place on 14 June 2025.\n\nThere were 23 members at the meeting."
)


def found(first: str, second: str) -> list[tuple[str, str, str, str | None]]:
    """Kind, value of the first and of the second source, and which is the later one."""
    one, other = {"document": "first", "text": first}, {"document": "second", "text": second}
    told = [(each.kind, each.one.value, each.other.value, each.later) for each in find_conflicts([one, other])]
    sides = {"one": "other", "other": "one"}
    turned = [
        (each.kind, each.other.value, each.one.value, sides.get(each.later or ""))
        for each in find_conflicts([other, one])
    ]
    assert sorted(told, key=str) == sorted(turned, key=str)  # whichever is given first
    return [(kind, " ".join(ours.split()), " ".join(theirs.split()), later) for kind, ours, theirs, later in told]


@pytest.mark.parametrize(
    ("earlier", "title", "said", "values"),
    [
        (SUPPLY, "First amendment", "The fee in clause 1.1 rises from 4,800 euros to 5,200 euros.",
         [("number", "4,800 euros", "5,200 euros")]),
        (SUPPLY, "First amendment", "The yearly fee of the Buyer is raised from 4,800 to 5,200 euros.",
         [("number", "4,800 euros", "4,800 to 5,200 euros")]),
        (SUPPLY, "First amendment",
         'In clause 2.1, "30 June 2027" is replaced by "31 December 2027", and "three months\'" by "six months\'".',
         [("date", "30 June 2027", "31 December 2027"), ("number", "three months", "six months")]),
        (SUPPLY, "First amendment", 'In clause 2.1, "three months\'" is replaced with "six\nmonths\'".',
         [("number", "three months", "six months")]),
        (SUPPLY, "Addendum", "In clause 2.1 a notice of six months shall be given instead of three months.",
         [("number", "three months", "six months")]),
        (SUPPLY, "First amendment", "Clause 2.2 is replaced by the following: "
         '"The Supplier delivers between 06:00 and 18:00 on working days and between 08:00 and 12:00 on Saturdays."',
         [("number", "14:00", "18:00")]),
        (SUPPLY, "First amendment",
         'Clause 3.1 is replaced by: "The Supplier refunds 8 per cent of the price of late goods."',
         [("number", "5 per cent", "8 per cent")]),
        (SUPPLY, "First amendment", "From May 2026 on, the Storage is 55 pallets.",
         [("number", "40 pallets", "55 pallets")]),
        (PRICES, "Update of the price list", "The oak shelf goes up from 48 euros to 52 euros.",
         [("number", "48 euros", "52 euros")]),
        (PRICES, "Changes to the price list", "The delivery within the town now costs 39 euros instead of 35 euros.",
         [("number", "35 euros", "39 euros")]),
        (MINUTES, "Corrected minutes of the rowing club",
         "The committee set aside 5,700 euros for the new boat, not 7,500 euros.",
         [("number", "7,500 euros", "5,700 euros")]),
        (MINUTES, "Correction of the minutes", "The regatta is moved from 14 June 2025 to 21 June 2025.",
         [("date", "14 June 2025", "21 June 2025")]),
    ],
)  # fmt: skip
def test_what_is_changed_is_found_where_it_still_stands(earlier, title, said, values):
    expected = [(*value, "other") for value in values]
    assert found(earlier, f"{title}\n\n{said}") == expected


@pytest.mark.parametrize(
    ("earlier", "title", "said"),
    [
        # another clause, another thing, another old value
        (SUPPLY, "First amendment", "The rebate in clause 4.1 rises from 5 per cent to 6 per cent."),
        (SUPPLY, "First amendment", "The fine for smoking rises from 4,800 euros to 5,200 euros."),
        (SUPPLY, "First amendment", "The yearly fee rises from 3,100 euros to 5,200 euros."),
        (SUPPLY, "First amendment", 'In clause 2.2, "the Supplier" is replaced by "the Carrier".'),
        # no change: a range, what stays, and a new rule beside the old ones
        (SUPPLY, "First amendment", "The Supplier opens the hall from 06:00 to 14:00 on holidays."),
        (SUPPLY, "First amendment", "The yearly fee of the Buyer is still 4,800 euros."),
        (SUPPLY, "First amendment", 'Clause 4 is added: "The Supplier insures the goods for 90,000 euros."'),
        (SUPPLY, "First amendment", "Clause 3.1 is replaced by: "
         '"The Supplier refunds 5 per cent of the price of late goods."'),
        (PRICES, "Update of the price list", "The pine shelf costs 31 euros."),
        (PRICES, "Update of the price list", "The repair of a chair goes up from 35 euros to 40 euros."),
        (MINUTES, "Corrected minutes", "The secretary spells her name with an e."),
        (MINUTES, "Corrected minutes", "The rent of the boathouse rises from 7,500 euros to 7,900 euros."),
        # no source that changes the other one
        (SUPPLY, "Supply agreement with the bakery", "The Storage is 55 pallets."),
    ],
)  # fmt: skip
def test_what_changes_nothing_of_it_is_silent(earlier, title, said):
    assert found(earlier, f"{title}\n\n{said}") == []
