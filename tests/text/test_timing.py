import pytest

from spanwise.text.expectations.counting import asks_when, says_when


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("When was the company founded?", True),
        ("When does the agreement end?", True),
        ("Until when may it be extended?", True),
        ("In what year was it built?", True),
        ("On which date is rent due?", True),
        ("What day of the week do they meet?", True),
        ("Since when have they been partners?", True),
        ("When it rains, what happens?", False),
        ("When a payment is late, who pays the fee?", False),
        ("When did it, and who paid?", True),
        ("What happens when payment is late?", False),
        ("How long is the term?", False),
        ("What is the fee?", False),
    ],
)
def test_a_time_is_asked_for(question, asks):
    assert asks_when(question) == asks


@pytest.mark.parametrize(
    "text",
    [
        "It was founded on May 3, 1979.",
        "Arrival: between 7.45 and 8.15.",
        "The last wash is loaded by 20.15.",
        "It began in 911 as a fiefdom.",
        "It was built in the 1850s.",
        "Rules apply as soon as they enter into force.",
        "Rent is due within ten days of receipt.",
        "They meet on a Thursday.",
        "The fee is paid annually.",
        "Committees are set up at the beginning of each session.",
        "It ends upon termination of the lease.",
        "The fiscal year ends in Q4 2022.",
        "It expires at 5 p.m. local time.",
        "Loading starts at 14:00.",
        "Loading starts at 14h05.",
        "The ferry leaves at nine.",
        "Lunch is at twelve on Sundays.",
        "Doors open at half past seven.",
        "The bell rings at six o'clock.",
        "The office is open from 9 to 5.",
        "The kitchen closes at 10 on Sundays.",
        "Money is paid with the next salary.",
        "The meter is read in November.",
        "The bar is open at night and on weekends.",
        "The fee is taken on the third working day.",
        "The desk is staffed between 8 and 12, and until 6.",
    ],
)
def test_a_time_is_said(text):
    assert says_when(text)


@pytest.mark.parametrize(
    "text",
    [
        "The company was founded by two brothers.",
        "It costs $5.",
        "We operate 1,200 stores.",
        "It is made at two plants.",
        "Prices rise from one to ten pounds.",
        "Rate the stay from 1 to 5 stars.",
        "The share stood at 10.5 euros.",
        "Groups grew from 10 to 25 people.",
        "Acme Inc. makes anvils.",
        "",
    ],
)
def test_no_time_is_said(text):
    assert not says_when(text)


@pytest.mark.parametrize(
    "text", ["It rose from 7.45 to 8.15 percent.", "It fell by 2.50 percent.", "It holds from 1.80 kg."]
)
def test_a_figure_with_a_point_is_no_time(text):
    assert not says_when(text)
