import pytest

from spanwise.text.expectations.proper_names import names


@pytest.mark.parametrize(
    ("question", "text", "owner"),
    [
        ("What was Norvale's revenue in 2021?", "Norvale", True),
        ("Norvale's revenue in 2021?", "Norvale", True),
        ("What is the revenue of Norvale Foods in FY2021?", "Norvale Foods", True),
        ("Did Norvale Foods pay a dividend?", "Norvale Foods", True),
        ("Which stores Norvale has closed?", "Norvale", True),
        ("What does the Norvale handbook say?", "Norvale", False),
        ("Who may assign Norvale, Inc.'s agreement?", "Norvale", True),
        ("What is the term of the lease between BRIGHT HARBOR LLC and Tom Reed?", "BRIGHT HARBOR", False),
        ("How do I reset the KX-200?", "KX-200", False),
    ],
)
def test_a_name_and_whether_it_owns_what_is_asked(question, text, owner):
    found = [one for name in names(question) for one in (name, *name.parts) if one.text == text]
    assert found
    assert found[0].owner is owner


@pytest.mark.parametrize(
    "question",
    [
        "What was the revenue in FY2021 and Q3 of 2022?",
        "What happened in May and on Friday?",
        "What is the title of Section 5?",
        "Which one is it? Who decides?",
        "",
    ],
)
def test_times_and_parts_of_documents_are_no_names(question):
    assert not names(question)


def test_capitals_of_a_title_and_abbreviations_tell_nothing():
    assert not any(name.sure for name in names("What Is The Net Revenue Of The Holding Company?"))
    assert not any(name.sure for name in names("What is the EBITDA in USD?"))


def test_legal_forms_are_left_out():
    assert names("What is Norvale Foods Inc.'s address?")[0].stems == names("What is Norvale Foods' address?")[0].stems


def test_without_capitals_every_word_may_be_a_name():
    assert {"norvale", "norvale foods"} <= {name.text for name in names("norvale foods revenue in 2021")}


def test_a_name_is_found_in_capitals_and_over_a_line_end():
    (name,) = names("What is the revenue of Bright Harbor?")
    assert name.said_in("BRIGHT\nHARBOR LLC reports")
    assert not name.said_in("A harbor that is bright")


def test_a_long_text_is_read_in_bounded_time():
    assert len(names("Norvale Foods and " * 20_000)) <= 8


@pytest.mark.parametrize(
    "question",
    [
        "\u00bfTengo que pagar la fianza?",
        "\u00bfCu\u00e1nto cuesta la fianza y qui\u00e9n la paga?",
        "Wann muss die Kaution gezahlt werden?",
        "Wie teuer ist Strom?",
        "Wann endet die Frist der Zahlung?",
    ],
)
def test_a_capital_that_any_word_there_has_is_no_name_for_sure(question):
    assert not any(name.sure for name in names(question))


def test_names_of_several_words_stay_names_where_every_noun_has_a_capital():
    assert [one.text for one in names("Wie hoch ist die Miete bei Norvale Foods?") if one.sure] == ["Norvale Foods"]
