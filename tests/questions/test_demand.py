import pytest

from spanwise.errors import InputError
from spanwise.questions.demand import demanded
from spanwise.questions.parse import parse_question

ASKED = parse_question("When was the agreement signed?")


def test_nothing_demanded_leaves_the_question_alone() -> None:
    assert demanded(ASKED, None, None) is ASKED


def test_a_demand_goes_before_what_the_words_ask_for() -> None:
    wanted = demanded(ASKED, "amount", "listing")
    assert (wanted.demanded, wanted.answer_type, wanted.answer_shape) == ("amount", "amount", "listing")


@pytest.mark.parametrize("kind", ["text", "zzz"])
def test_a_text_may_still_be_what_the_words_ask_for(kind: str) -> None:
    wanted = demanded(ASKED, kind, None)
    assert (wanted.demanded, wanted.answer_type) == ("text", "date")
    assert bool(wanted.notes) is (kind == "zzz")


def test_an_unknown_shape_is_an_error() -> None:
    with pytest.raises(InputError, match="nested_json"):
        demanded(ASKED, None, "round")
