"""Lists that a table holds: every row of it, or a word that there are more."""

import pytest

import spanwise

PLANTS = """\
Plant,Water,Light
Fern,weekly,shade
Cactus,monthly,full sun
Basil,daily,half sun
Orchid,every ten days,bright shade
"""
PEOPLE = """\
Name,Role,Extension,Started
Ada Pell,cook,201,2019
Ben Orr,driver,202,2020
Cy Lund,cook,203,2021
Summer Voss,manager,204,2018
Total,,,
"""
MENU = """\
# Lindgren's

## Drinks

| Drink | Size | Price |
| --- | --- | --- |
| Filter coffee | 0.3 l | €2.80 |
| Rooibos tea | 0.4 l | €3.20 |

## Cakes

| Cake | Contains | Price |
| --- | --- | --- |
| Carrot cake | nuts, egg | €4.10 |
| Lemon tart | gluten, egg | €3.90 |
"""


def answered(text, name, question, **demands):
    with spanwise.Corpus.of([spanwise.read(text.encode(), name=name)]) as corpus:
        return spanwise.Engine(corpus).ask(question, **demands)


def listed(text, name, question):
    return [item.text for item in answered(text, name, question).answer.items]


@pytest.mark.parametrize(
    "question",
    ["List the plants", "Which plants are there?", "What plants do you have?", "Could you please list all the plants?"],
)
def test_a_list_has_every_row_in_the_order_of_the_table(question):
    result = answered(PLANTS, "green.csv", question)
    assert [item.text for item in result.answer.items] == ["Fern", "Cactus", "Basil", "Orchid"]
    assert (result.decision.kind, result.review, result.answer.complete_answer_found) == ("ship", False, True)


def test_columns_that_are_named_come_with_the_labels():
    (item,) = answered(PLANTS, "green.csv", "List the plants and their light").answer.items
    assert item.table.headers == ["Plant", "Light"]
    assert item.table.rows == [
        ["Fern", "shade"],
        ["Cactus", "full sun"],
        ["Basil", "half sun"],
        ["Orchid", "bright shade"],
    ]


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("List all staff", ["Ada Pell", "Ben Orr", "Cy Lund", "Summer Voss"]),  # by the name of the file
        ("List the names", ["Ada Pell", "Ben Orr", "Cy Lund", "Summer Voss"]),
        ("Which people are listed?", ["Ada Pell", "Ben Orr", "Cy Lund", "Summer Voss"]),
        ("Which roles are there?", ["cook", "driver", "manager"]),
        ("Who are the cooks?", ["Ada Pell", "Cy Lund"]),  # a word of some rows tells them from the others
    ],
)
def test_what_is_listed_is_named_by_a_head_a_title_or_the_kind_of_a_column(question, items):
    assert listed(PEOPLE, "staff.csv", question) == items


@pytest.mark.parametrize(
    ("title", "question"),
    [("Board of the club", "Who chairs the board?"), ("Packages and pins", "Which packages are sold?")],
)
def test_a_title_with_other_words_or_a_verb_names_no_list(title, question):
    text = f"# {title}\n\n| Name | Post |\n| --- | --- |\n| Ada Pell | chair |\n| Ben Orr | clerk |\n"
    result = answered(text, "notes.md", question)
    assert len(result.answer.items) < 2 or result.review


def test_what_all_of_them_cost_is_a_list_with_the_prices():
    (item,) = answered(MENU, "menu.md", "What do the drinks cost?").answer.items
    assert item.table.rows == [["Filter coffee", "€2.80"], ["Rooibos tea", "€3.20"]]


def test_the_table_that_has_the_word_in_the_head_of_its_labels_is_meant():
    assert listed(MENU, "menu.md", "Which drinks do you sell?") == ["Filter coffee", "Rooibos tea"]
    assert listed(MENU, "menu.md", "List the cakes") == ["Carrot cake", "Lemon tart"]


@pytest.mark.parametrize(
    "question",
    [
        "What is the price?",
        "Which plants are poisonous?",
        "Which plants grow without water?",
        "List the three best plants",
    ],
)
def test_another_question_lists_no_table(question):
    result = answered(PLANTS, "green.csv", question)
    assert result.review or not result.answer.items


@pytest.mark.parametrize("question", ["List the items", "List the price of each item"])
def test_a_list_that_is_longer_than_an_answer_says_so(question):
    rows = "".join(f"thing number {at},{at % 7}.50\n" for at in range(250))
    result = answered(f"Item,Price\n{rows}", "stock.csv", question)
    assert "The table has more rows: 200 of 250 are given." in result.answer.caveats
    assert (result.answer.complete_answer_found, result.review) == (False, True)


def test_a_list_of_forty_rows_is_whole():
    rows = "".join(f"thing number {at},{at % 7}.50\n" for at in range(40))
    result = answered(f"Item,Price\n{rows}", "stock.csv", "List the price of each item")
    assert len(result.answer.items[0].table.rows) == 40
    assert result.answer.complete_answer_found


def test_a_table_that_goes_on_under_the_same_heads_is_told():
    page = "| Part | Weight |\n| --- | --- |\n"
    text = (
        f"# Parts\n\n{page}| bolt | 2 g |\n| nut | 3 g |\n\nMore of them.\n\n{page}| washer | 1 g |\n| stud | 9 g |\n"
    )
    result = answered(text, "parts.md", "List the parts")
    assert any("same columns" in caveat for caveat in result.answer.caveats)
    assert not result.answer.complete_answer_found
