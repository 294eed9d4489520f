import pytest

from spanwise.errors import InputError
from spanwise.questions.parse import demanded, parse_question

ASKED = parse_question("When was the agreement signed?")


def test_nothing_demanded_leaves_the_question_alone() -> None:
    assert demanded(ASKED, None, None) is ASKED


def test_a_demand_goes_before_what_the_words_ask_for() -> None:
    wanted = demanded(ASKED, "amount", "listing")
    assert (wanted.demanded, wanted.answer_type, wanted.answer_shape) == ("amount", "amount", "listing")


def test_a_text_may_still_be_what_the_words_ask_for() -> None:
    wanted = demanded(ASKED, "text", None)
    assert (wanted.demanded, wanted.answer_type, wanted.notes) == ("text", "date", ())


@pytest.mark.parametrize(("kind", "told"), [("money", "there is no type 'money'"), ("Date", "did you mean 'date'")])
def test_an_unknown_type_is_an_error_that_names_all(kind: str, told: str) -> None:
    with pytest.raises(InputError, match=rf"{told}.*: choose one of address, amount, boolean"):
        demanded(ASKED, kind, None)


def test_an_unknown_shape_is_an_error() -> None:
    with pytest.raises(InputError, match="nested_json"):
        demanded(ASKED, None, "round")
