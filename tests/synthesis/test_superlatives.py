"""Which has the most or least of something: rows and columns of tables are compared by code."""

import pytest

import spanwise

TEXT = """# Plans

| Plan | Seats | Price |
|---|---|---|
| Basic | 5 | $10 |
| Pro | 50 | $90 |
| Team | 20 | $45 |
| Total | 75 | $145 |

# Sales by region

| Region | 2022 | 2021 |
|---|---|---|
| North | 410 | 500 |
| South | 430 | 300 |

# Fees of the clubs

Each club charges a fee for a year.

- Rowing: $120
- Chess: $40
- Tennis: $310

# Engines

| | Alpha | Beta |
|---|---|---|
| Top speed (km/h) | 180 | 210 |
| Weight (kg) | 900 | 1,100 |
"""


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    path = tmp_path_factory.mktemp("superlatives") / "plans.md"
    path.write_text(TEXT)
    with spanwise.Corpus.of([spanwise.read(path)]) as corpus:
        yield spanwise.Engine(corpus).ask


@pytest.mark.parametrize(
    ("question", "words", "line"),
    [
        ("Which plan has the highest price?", "Pro", 6),
        ("Which plan is the cheapest?", "Basic", 5),
        ("Which plan is the most expensive?", "Pro", 6),
        ("Which plan has the fewest seats?", "Basic", 5),
        ("Which region had the highest sales in 2021?", "North", 14),
        ("Which region had the highest sales in 2022?", "South", 15),
        ("Which club charges the lowest fee?", "Chess: $40", 22),
        ("Which club is the most expensive?", "Tennis: $310", 23),
        ("Which engine has the highest top speed?", "Beta", 29),
        ("Which engine has the lowest weight?", "Alpha", 30),
    ],
)
def test_the_row_or_column_with_most_or_least(ask, question, words, line):
    result = ask(question)
    assert (result.decision.kind, result.text) == ("ship", words)
    assert result.citations[0].line_start == line
    assert result.citations[1].line_start <= line <= result.citations[1].line_end
    assert result.answer.caveats[0].startswith("Compared: ")
    assert "Total" not in result.answer.caveats[0]


@pytest.mark.parametrize(
    "question",
    [
        "Which region had the highest sales in 2019?",
        "Which plan has the highest discount?",
        "Who is the oldest member?",
    ],
)
def test_what_no_table_compares_is_not_compared(ask, question):
    assert not any(caveat.startswith("Compared: ") for caveat in ask(question).answer.caveats)
