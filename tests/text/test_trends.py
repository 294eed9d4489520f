"""Which yes-or-no questions the sign of a figure decides."""

from decimal import Decimal

import pytest

from spanwise.text.expectations.asked_comparisons import asked_trend


@pytest.mark.parametrize(
    ("question", "figure", "way"),
    [
        ("Did revenue grow in 2022?", "How much did revenue change in 2022?", "up"),
        ("Have sales fallen since 2020?", "How much did sales change since 2020?", "down"),
        (
            "Did Halden increase its debt from 2021 to 2022?",
            "How much did Halden's debt change from 2021 to 2022?",
            "up",
        ),
        ("Did the company reduce its debt last year?", "How much did debt change last year?", "down"),
        (
            "Was there any drop in cash between 2023 and 2024?",
            "How much did cash change between 2023 and 2024?",
            "down",
        ),
        ("Was there a change in the number of shops?", "How much did number of shops change?", "any"),
        (
            "Does Halden have an improving gross margin profile as of FY2022? If not, say why.",
            "How much did Halden's gross margin change in FY2022?",
            "up",
        ),
        (
            "Does the group have positive working capital based on FY2022 data?",
            "What is the working capital in FY2022?",
            "up",
        ),
    ],
)
def test_the_figure_whose_sign_answers(question, figure, way):
    asked = asked_trend(question)
    assert asked is not None
    assert (asked.figure, asked.way) == (figure, way)


@pytest.mark.parametrize(
    "question",
    [
        "Is the fee higher than 300 euros?",
        "Does the tenant have to lower the blinds in summer?",
        "Who raised the rent?",
        "Is a dog allowed?",
        "How much did revenue grow in 2022?",
        "Did " + "very " * 200 + "long sentences grow?",
        "",
    ],
)
def test_other_questions_are_left_alone(question):
    assert asked_trend(question) is None


@pytest.mark.parametrize(("way", "yes", "no"), [("Did it grow", 1, -1), ("Did rent fall", -1, 1)])
def test_a_sign_says_yes_or_no(way, yes, no):
    asked = asked_trend(f"{way}?")
    assert asked is not None
    assert asked.says(Decimal(yes))
    assert not asked.says(Decimal(no))
    assert not asked.says(Decimal(0))
