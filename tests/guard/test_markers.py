import pytest

from spanwise.guard.completeness.list_markers import marker_of


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("(e) one", "(f) two"),
        ("4. one", "5. two"),
        ("iv. one", "v. two"),
        ("IV. one", "V. two"),
        ("(ix) one", "(x) two"),
        ("[1] one", "[2] two"),
        ("4.2.9 one", "4.2.10 two"),
        ("\u2022 one", "\u2022 two"),
        ("9) one", "10) two"),
        ("A. one", "B. two"),
    ],
)
def test_one_mark_follows_the_other_but_not_the_other_way_round(text, after):
    one, other = marker_of(text), marker_of(after)
    assert other.follows(one)
    assert one.is_bullet or not one.follows(other)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("(e) one", "f) two"),
        ("(e) one", "(g) two"),
        ("4. one", "(5) two"),
        ("4.2 one", "5.3 two"),
        ("\u2022 one", "\u25e6 two"),
        ("a. one", "B. two"),
        ("\u2022 one", "1. two"),
    ],
)
def test_marks_of_different_lists_do_not_follow_each_other(text, after):
    assert not marker_of(after).follows(marker_of(text))


@pytest.mark.parametrize(
    "text",
    ["", "The tenant", "5 houses", "2024. It was", "No. 5", "Inc. and", "(see below)", "a roof", "-5", "(12.5)x"],
)
def test_what_is_no_mark(text):
    assert marker_of(text) is None


def test_a_mark_may_stand_alone_and_the_rest_is_what_follows():
    assert marker_of("  (a)").rest == ""
    assert marker_of("\u2022").is_bullet
    assert marker_of("4. Term").rest == "Term"
