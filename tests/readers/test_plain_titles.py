"""Titles of plain text that nothing but their place tells: short lines over prose or a list."""

import pytest

import spanwise

BESIDE = """\
Swimming pool
Opening hours, prices and rules

Opening hours
The pool is open from nine in the morning until eight in the evening. On Mondays
it is closed for cleaning.

What it costs
Adults pay 6 euros and children half of that. Tickets are sold at the gate.

What to leave at home
- glass bottles
- radios
"""

APART = """\
Opening hours

The pool is open from nine in the morning until eight in the evening.

What it costs

Adults pay 6 euros and children half of that.
"""


def titles(text):
    return [section.title for section in spanwise.read(text.encode(), name="a.txt").sections]


def test_a_short_line_over_prose_or_a_list_is_a_heading():
    assert titles(BESIDE) == ["Opening hours", "What it costs", "What to leave at home"]
    assert titles(APART) == ["Opening hours", "What it costs"]


def test_an_answer_does_not_begin_with_the_title_above_it():
    result = spanwise.ask("What do adults pay?", [spanwise.read(BESIDE.encode(), name="pool.txt")])
    assert result.text.startswith("Adults pay 6 euros")


@pytest.mark.parametrize(
    "text",
    [
        # one such line may be anything
        "Opening hours\nThe pool is open from nine in the morning until eight.\n",
        # names over addresses
        "Maria Berg\n12 Low Street\nHarwick\n\nJon Ash\nThe Old Mill\nHarwick\n",
        # lines broken off for want of room
        "The pool is open from nine in the\nMorning hours until eight in the evening of each day.\n\n"
        "Adults who come with a child pay\nSix euros at the gate and half of that on Mondays.\n",
        # what stands at the foot of each page
        "Page 1\n\nThe pool is open from nine in the morning.\n\nPage 2\n\nAdults pay 6 euros and children half.\n\n"
        "Page 3\n\nGlass bottles and radios stay at home, please.\n",
        # lines that end as sentences and greetings do
        "Dear members,\nThe pool opens at nine in the morning.\n\nWell then.\nAdults pay 6 euros and children less.\n",
    ],
)
def test_what_is_no_title(text):
    assert not titles(text)


def test_options_of_a_manual_head_what_is_said_of_them_below():
    manual = """NAME
       sort-mail - sort letters into boxes

OPTIONS
       -k, --keep
              keep the letters where they are and only print where they would go

       -q, --quiet

              say nothing but errors, for use from other programs

       --box=NAME
              take the box of that name in place of the one that the rules
              tell, for all letters
"""
    document = spanwise.read(manual.encode(), name="manual.txt")
    heads = [line.text.strip() for line in document.lines if line.role == "heading"]
    assert heads == ["NAME", "OPTIONS", "-k, --keep", "-q, --quiet", "--box=NAME"]


def test_first_lines_that_stand_out_further_are_no_terms():
    text = """It was late when the keeper of the light
   came down to the harbour that night, and
   nobody had waited for him

The boat had gone with the tide
   and with it the mail of the island,
   which he had carried down
"""
    document = spanwise.read(text.encode(), name="tale.txt")
    assert not [line for line in document.lines if line.role == "heading"]
