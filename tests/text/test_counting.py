import time

import pytest
from every import every

from spanwise.text.expectations.counting import asked_count, asks_how_much, counts, has_amount, has_count, says_count


def told(question: str, sentence: str) -> list[str]:
    """The figures of a sentence that answer a question."""
    return [sentence[start:end] for start, end in counts(asked_count(question), sentence)]


EMPLOYEES = "How many employees does the company have?"


@every(
    ("sentence", "figures"),
    [
        ("At December 31, 2019, about 9,200 full-time and part-time employees worked for us.", ["9,200"]),
        ("The number of employees was 9,200 at year end.", ["9,200"]),
        ("We employed 31,470 people, of which 48% were at sea.", ["31,470 people"]),
        ("The ferry's total workforce was approximately 156,000.", ["156,000"]),
        ("Our workforce grew to 4,100 in 2021.", ["4,100"]),
        ("We employed about 125,000 full-time, part-time and seasonal employees.", ["125,000"]),
        ("Employees: 450", ["450"]),
        ("It has a workforce of 4,100.", ["4,100"]),
        ("Number of employees 812 790", ["812"]),
        ("The Trust has no employees.", ["no"]),
        ("It has a single employee.", ["single"]),
        ("Our directors and employees may enter into plans under Rule 10b5-1 (“Rule 10b5-1 Plans”).", []),
        ("Restricted stock surrendered for employees’ tax liability (1) — — — (93)", []),
        ("In 2019, employees received $93 million.", []),
        ("Of the 40 stores, some have employees.", []),
        ("Employees of our 12 subsidiaries vote.", []),
        ("Each employee may buy 500 shares.", []),
        ("51% of employees are women.", []),
        ("See Section 12 on employees.", []),
        ("Employees (excluding executives) were granted 5,163,425 units.", []),
        ("", []),
    ],
)
def test_figures_that_count_employees(sentence, figures):
    assert told(EMPLOYEES, sentence) == figures


@pytest.mark.parametrize(
    ("question", "sentence", "figures"),
    [
        ("How many deployment models are there?", "It has four deployment models.", ["four"]),
        ("How many deployment models are there?", "Models differ in two ways.", []),
        ("How many days' notice is required?", "Thirty (30) days prior notice is required.", ["Thirty (30) days"]),
        ("How many countries does it operate in?", "We sell in 103 countries and territories.", ["103 countries"]),
        ("How many shares were outstanding?", "The number of shares outstanding was 769,221,524.", ["769,221,524"]),
        ("How many phases are there?", "SecCM is organized into four major phases.", ["four"]),
        ("What is the total number of votes?", "In total there are 352 votes.", ["352 votes"]),
        ("How many treaties protect rights?", "None of the original treaties mention rights.", ["None of the"]),
        ("How many studios were closed?", "Three studios were closed, and 12 offices opened.", ["Three studios"]),
        ("How many members are there?", "A quorum is 3 of the members.", []),
        ("How many countries does it serve?", "190 countries approved the return of 737 planes.", ["190 countries"]),
        ("How many countries does it serve?", "It relocates to one of the countries.", []),
        ("How many shares are outstanding?", "The number of shares at May 20, 2020 was 769,221,524.", ["769,221,524"]),
    ],
)
def test_figures_that_count_other_things(question, sentence, figures):
    assert told(question, sentence) == figures


@pytest.mark.parametrize(
    "question",
    [
        "What is the number for support?",
        "Who counts the votes?",
        "By how many percentage points did it rise?",
        "How many dollars were paid?",
        "How much is it?",
    ],
)
def test_no_count_is_asked_for(question):
    assert asked_count(question) is None


def test_what_is_counted_is_the_noun():
    asked = asked_count("How many full-time employees does Acme have?")
    assert (asked.noun, asked.anything, asked.whole) == ("employe", False, True)
    asked = asked_count("How many of them use the shuttle?")
    assert asked.anything
    assert not asked_count("How many stores closed in 2020?").whole


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("How many employees are there?", True),
        ("How many stores does Best Buy operate?", True),
        ("What is the number of employees?", True),
        ("How many employees are there that use the shuttle?", False),
        ("How many employees use the shuttle?", False),
    ],
)
def test_whether_all_are_asked_for(question, whole):
    assert asked_count(question).whole == whole


def test_all_there_are_follow_a_verb_of_having():
    asked = asked_count("How many employees does Boeing have?")
    assert says_count(asked, "We had 140,000 employees.", whole=True)
    assert not says_count(asked, "Over 9,000 Boeing employees use the program.", whole=True)
    assert says_count(asked, "Over 9,000 Boeing employees use the program.")


def test_people_are_counted_in_any_words():
    asked = asked_count("How many people died in the fire?")
    assert says_count(asked, "The fire killed 12.")
    assert says_count(asked, "Nobody died, but dozens were hurt.")
    assert not says_count(asked, "The fire of May 3, 2019 cost $5 million.")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("We had $1.2 billion of cash.", True),
        ("Half of it was spent.", True),
        ("The fee is 3 percent.", True),
        ("Check the box if the registrant is a shell company.", False),
        ("Balances are paid no later than 180 days past due.", False),
        ("It was signed on May 3, 2019.", False),
    ],
)
def test_how_much_is_an_amount(text, says):
    assert has_amount(text) == says


def test_how_much_is_asked():
    assert asks_how_much("How much cash does the company have?")
    assert asks_how_much("About how much is the fee?")
    assert not asks_how_much("How much notice is required?")
    assert not asks_how_much("What is the fee, and how much is the tax?")


def test_has_count():
    assert has_count("twice")
    assert not has_count("It is late.")


@pytest.mark.parametrize(
    "text", ["employees 5 " * 100_000, "1 " * 400_000 + "employees", "employees of " * 90_000, "number of " * 90_000]
)
def test_hostile_text_takes_no_time(text):
    began = time.process_time()
    says_count(asked_count(EMPLOYEES), text)
    asked_count(f"how many {text[:19_000]}")
    asked_count(f"what is the number of {'-' * 19_000}x")
    assert time.process_time() - began < 5
