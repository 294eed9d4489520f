"""The form of an answer: what questions expect, and which sentences hold it."""

from __future__ import annotations

import pytest
from every import every

from spanwise.text.expectations.forms import expectation


@every(
    ("question", "form"),
    [
        ("Who signed the lease?", "who"),
        ("Where is the pump kept?", "where"),
        ("When did the boiler break?", "when"),
        ("In what year was the mill built?", "when"),
        ("How long does the warranty last?", "how_long"),
        ("How old must a member be?", "how_long"),
        ("How far in advance is the hall booked?", "how_long"),
        ("How far is the station?", "how_much"),
        ("How often must the filter be cleaned?", "how_often"),
        ("How many keys were handed over?", "how_many"),
        ("How much does the plan cost?", "how_much"),
        ("Why was the meeting moved?", "why"),
        ("How do I reset the lock?", "how"),
        ("Is smoking allowed?", "whether"),
        ("What is a service credit?", "definition"),
        ("Which colour was chosen?", "which"),
        ("Name all the partners", "list"),
        ("What happens to tenants who pay late?", "what"),
        ("Why did the man who sold the boat leave?", "why"),
        ("How is a member who loses a key charged?", "how"),
        ("If the lift stops, who is called?", "who"),
        ("When did the hall, which is old, close?", "when"),
        ("Why was the WHO founded?", "why"),
        ("WHO IS THE LANDLORD?", "who"),
        ("Wer hat den Vertrag unterschrieben?", "who"),
        ("Combien coûte le forfait ?", "how_much"),
    ],
)
def test_the_form_follows_from_the_words_of_the_question(question: str, form: str) -> None:
    assert expectation(question).form == form


@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        ("Who signed the lease?", "It was signed by Mary Poole on Friday.", "The lease was signed in a hurry."),
        ("When did the boiler break?", "It broke on 3 May 2021.", "It broke with a loud noise."),
        ("When is the mill open?", "The mill: Tue-Fri, Sat 9-13", "The Sun shines on the mill."),
        ("How old must a member be?", "Members must be at least 14 years old.", "Old members are welcome."),
        ("How many keys were handed over?", "Four keys were handed over.", "The keys were handed over."),
        ("How long does the warranty last?", "It lasts for two years.", "It lasts well."),
        ("Why was the meeting moved?", "It was moved because the hall was closed.", "It was moved to the hall."),
        ("How much does the plan cost?", "The plan costs $20 a month.", "The plan costs little more than others."),
        ("How often is rent due?", "Rent falls due every month.", "Rent falls due at the office."),
        ("What is a service credit?", "A service credit is a sum off the next bill.", "Ask for a service credit."),
        ("Wann beginnt der Kurs?", "Der Kurs beginnt am 3. Mai.", "Der Kurs beginnt bald."),
        ("Wer leitet den Chor?", "Geleitet wird er von Grete Holm.", "Geleitet wird er mit viel Geduld."),
        ("Wo probt der Chor?", "Er probt in der Schule am Wall.", "Er probt einmal im Monat."),
        ("Où répète le chœur ?", "Il répète dans la salle du bas.", "Il répète le mardi soir."),
    ],
)
def test_a_sentence_that_has_the_form_holds_more(question: str, holds: str, lacks: str) -> None:
    expected = expectation(question)
    assert expected.held(holds) > expected.held(lacks)


def test_a_name_of_the_question_answers_no_question_for_a_name() -> None:
    expected = expectation("Who sold Marlow Mill to Grant?")
    assert expected.held("the sale of Marlow Mill to Grant took years") == 0.0
    assert expected.held("the sale to Grant was made by Hester Vane") == 1.0


def test_any_form_will_do_where_none_is_asked_for() -> None:
    assert expectation("What happened next?").held("The roof fell in.") == 0.5


@pytest.mark.parametrize(
    ("question", "has", "lacks"),
    [
        ("What percentage is withheld?", "We withhold 24% of it.", "We withhold a part of it."),
        ("What is the phone number of the office?", "Ring +44 7700 900461.", "Ring the office in 2024."),
        ("What is the interest charge on late rent?", "A sum of $12 is added.", "A letter is sent on day 12."),
        ("At what age may children row alone?", "Children under 12 row with an adult.", "Children row with an adult."),
        ("Which version removed the proxy?", "Removed in 0.25.0.", "It was removed."),
    ],
)
def test_a_noun_asks_for_a_value_of_one_look(question: str, has: str, lacks: str) -> None:
    expected = expectation(question)
    assert expected.shaped(has) == 1.0
    assert expected.shaped(lacks) < 1.0


def test_a_sentence_without_a_number_to_ring_answers_no_question_for_one() -> None:
    expected = expectation("What is the phone number of the office?")
    assert expected.lacks("The office is open.")
    assert not expected.lacks("Ring 0555 014 220.")
    assert not expectation("What is the fee?").lacks("The fee is high.")


def test_what_is_asked_for_by_its_name_is_a_name() -> None:
    expected = expectation("What is the name of the choir?")
    assert expected.shaped("It sings as the Larks.") > expected.shaped("The name of the choir is short.")


@pytest.mark.parametrize(
    ("question", "names", "doubted"),
    [
        ("Wer leitet den Chor?", "Geleitet wird er von Grete Holm.", "Geleitet wird er mit viel Geduld."),
        ("Where is the pump?", "The pump is in the cellar.", "The pump was repaired twice."),
        ("What is the name of the choir?", "It sings as the Larks.", "The name of the choir is short."),
    ],
)
def test_a_sentence_that_names_nobody_is_doubted(question: str, names: str, doubted: str) -> None:
    expected = expectation(question)
    assert (expected.doubts(names), expected.doubts(doubted)) == (False, True)


def test_when_something_is_needed_may_be_told_by_a_condition():
    needed = expectation("When do I need a helmet?")
    assert not needed.lacks("A bicycle faster than 25 km an hour needs a helmet; over 45 it needs a plate.")
    assert needed.lacks("A helmet is red.")
    assert expectation("When was the helmet made?").lacks("A bicycle worth more than 500 euros needs a helmet.")


def test_what_something_costs_is_an_amount():
    cost = expectation("What does a can of paint cost?")
    assert cost.lacks("Sold in cans of up to 5 litres.")
    assert cost.lacks("The paint is red.")
    assert not cost.lacks("A can costs 12 euros.")
    assert not cost.lacks("Paint is free of charge for members.")
