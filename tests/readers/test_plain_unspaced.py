"""Plain text without blank lines: a section, or a sentence, below a list is no part of its last item."""

import pytest

import spanwise

HOUSE = """\
Rules of the house
1. Pets
The tenant may keep:
- one cat
- two birds
2. Noise
Quiet hours are from 22:00 to 7:00.
The following count as noise:
a) drills
b) drums
3. Parking
Cars park in the yard.
"""


def lines(text):
    return {line.text: line for line in spanwise.read(text.encode(), name="a.txt").lines}


def test_a_numbered_line_above_a_sentence_is_a_heading():
    document = spanwise.read(HOUSE.encode(), name="house.txt")
    assert [section.title for section in document.sections] == ["1. Pets", "2. Noise", "3. Parking"]


def test_the_line_below_a_list_is_a_paragraph_of_its_own():
    found = lines("The fees:\n- Members pay 5 euros a week\n- Guests pay 9 euros a day\nOpening hours\nAt nine.\n")
    assert found["- Guests pay 9 euros a day"].block != found["Opening hours"].block
    found = lines("We bring:\n- plates\n- cups\nGuests bring their own chairs and a cake for the table.\n")
    assert found["- cups"].block != found["Guests bring their own chairs and a cake for the table."].block
    assert found["Guests bring their own chairs and a cake for the table."].role == "text"


@pytest.mark.parametrize(
    "text",
    [
        "The fees:\n- a fee of 5 euros for each letter that is sent by\nregistered mail\n- a fee of 2 euros\n",
        "The fees:\n- a fee of 5 euros for each letter that is sent by\n  Registered mail\n- a fee of 2 euros\n",
        "The laws:\n- all else follows the statutes of the great State of\nNew York\n- other agreements are not\n",
        "Parties:\n- the agreement between the Landlord and the new Tenant,\nMaria Berg, of 4 May\n- the annex\n",
    ],
)
def test_an_item_goes_on_below(text):
    items = [line for line in spanwise.read(text.encode(), name="a.txt").lines if line.role == "list_item"]
    assert items[0].block == items[1].block


@pytest.mark.parametrize(
    "text",
    [
        "1. Apples\n2. Pears\n3. Plums\n",
        "1. Mix flour and water\n2. Knead the dough\nBake it for an hour.\n",
        "1. One\nText.\n",
    ],
)
def test_a_numbered_list_stays_a_list(text):
    assert not spanwise.read(text.encode(), name="a.txt").sections
