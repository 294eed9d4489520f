"""Questions whose words the document does not have: it says the same in others, or the opposite."""

import pytest
from every import every

import spanwise
from spanwise.text.expectations.polarity import asks_yes_or_no

NOTE = """\
Discharge note

Pip, a four-year-old spaniel, was admitted on Monday after he had been sick twice. Dr Moss removed a pebble on the same
day. Amoxicillin is given every twelve hours for a week.

Mr Hale married Joan Reed in 1962. He died in 2001.

The permit contains the terms of the mooring. It was paid for by the harbour trust.
"""


@pytest.fixture(scope="module")
def ask():
    with spanwise.Corpus.of([spanwise.read(NOTE.encode(), name="note.txt")]) as corpus:
        yield spanwise.Engine(corpus).ask


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who was Joan Reed's husband?", "Mr Hale"),
        ("Who funded the permit?", "the harbour trust"),
    ],
)
def test_other_words_say_the_same(ask, question, said):
    result = ask(question)
    assert said in result.text


@pytest.mark.parametrize(
    "question", ["What does not contain the terms of the mooring?", "Who never married Joan Reed?"]
)
def test_what_affirms_is_no_answer_to_what_is_denied(ask, question):
    assert not ask(question).claims


CLUB = """\
The Weir Lane Rowing Club

Oars are stored behind the boathouse. Defective equipment is to be reported to the warden, Ms Oyelaran, telephone
01632 960 555, without delay.

Members wishing to resign give one month's written notice to the secretary, Piet Adeyemi. Subscriptions already paid are
not reimbursed.

Refuse is disposed of in the green containers. Membership is free of charge for juniors under 16; pensioners pay half.
Persons arriving after 8 pm are not admitted.

The committee considered a motion to adopt electric boats.
"""


@pytest.fixture(scope="module")
def ask_club():
    with spanwise.Corpus.of([spanwise.read(CLUB.encode(), name="club.txt")]) as corpus:
        yield spanwise.Engine(corpus).ask


@every(
    "question, said",
    [
        ("How do I quit?", "one month's written notice"),
        ("Do I get my money back if I leave?", "not reimbursed"),
        ("Who do I ring when an oar is broken?", "Ms Oyelaran"),
        ("Where can I chuck out my rubbish?", "green containers"),
        ("What if I turn up late?", "not admitted"),
        ("How much does it cost for kids?", "free of charge"),
        ("How much do OAPs pay?", "pensioners pay half"),
    ],
)
def test_everyday_words_of_a_question_are_those_of_papers(ask_club, question, said):
    assert said in ask_club(question).text


@every("question", ["How deep is the river?", "Who won the regatta?", "Where do I buy a ticket?"])
def test_what_a_paper_does_not_say_in_any_words_is_not_found(ask_club, question):
    assert ask_club(question).decision.kind == "not_found"


def test_a_motion_is_no_yes(ask_club):
    result = ask_club("Did they adopt electric boats?")
    assert result.review or not result.text.startswith("Yes")


POLICY = """\
Your boat policy

The policy protects your boat against fire, theft and storm. Damage by floods is insured only where the supplement was
agreed.

The supplement for floods is offered at the desk. Nobody has taken the supplement so far.

Gear that you take along on a voyage is covered worldwide up to 10 % of the sum insured, for not more than 60 days.
"""


def test_a_possible_answer_that_stands_alone_is_likely_by_itself():
    policy = spanwise.read(POLICY.encode(), name="policy.txt")
    assert spanwise.ask("How much is the supplement for floods?", policy).decision.kind == "not_found"
    assert spanwise.ask("How much is the gear covered for?", policy).answer.answer_found


def test_am_i_allowed_is_asked_for_yes_or_no():
    assert asks_yes_or_no("Am I allowed to keep chickens?")
    assert not asks_yes_or_no("What am I allowed to keep?")
