import pytest

from spanwise.synthesis.extractive.tables.table_question import asked


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What was the percentage increase / (decrease) in sales from 2017 to 2018?", "percentage_change"),
        ("What is the increase / (decrease) in sales from 2017 to 2018?", "change"),
        ("What was the weighted average exchange rate in 2019?", "value"),
        ("What was the average tax for 2018 and 2019?", "average"),
        ("What is the sum of sales and fees?", "total"),
        ("What were sales as a percentage of revenue?", "percentage_share"),
        ("In which year was tax less than 1,000 thousand?", "which"),
        ("How many years did tax exceed $5 million?", "count_periods"),
        ("Why did sales increase in 2019?", "text"),
        ("How is goodwill tested?", "text"),
        ("What was the revenue in 2019 and 2018, respectively?", "value"),
    ],
)
def test_what_a_question_wants(question, wanted):
    assert asked(question).wanted == wanted


def test_years_thresholds_and_directions_of_a_question():
    found = asked("From 2017 to 2019, in which years was tax less than $5 million?")
    assert found.years == ("2017", "2019")
    assert found.spans
    assert not found.more
    assert (found.threshold, found.threshold_bare) == (5_000_000, 5)


def test_a_hostile_question_is_read_in_bounded_time():
    assert asked("what percentage of " * 5000).wanted


@pytest.mark.parametrize(
    ("question", "base"),
    [
        ("How much did sales grow compared to 2021?", "2021"),
        ("How much did sales rise over 2021?", "2021"),
        ("How much did sales change since fiscal 2021?", "2021"),
        ("How much did sales change in 2021?", ""),
        ("How much did sales change from 2020 to 2021?", ""),
    ],
)
def test_the_year_that_a_change_is_measured_from(question, base):
    assert asked(question).base == base
