"""Answers from tables of records: the cells that a question asks for, whatever format the table is in."""

import pytest

import spanwise

STATIONS = """\
# Field stations

| Station | Lead | Opened | Staff | Budget (EUR) |
| --- | --- | --- | --- | --- |
| North | Ada Byrne | 1998 | 12 | 40,000 |
| East | Tom Okafor | 2004 | 31 | 95,000 |
| South | Li Wen | 2011 | 9 | 22,500 |
"""
STOCK = 'Item,Material,Stock\nBolt,Steel,4200\nScrew,Brass,1500\nWasher,"Zinc, plated",12000\n'


def opened(text, name):
    return spanwise.Corpus.of([spanwise.read(text.encode(), name=name)])


@pytest.fixture(scope="module")
def stations():
    with opened(STATIONS, "stations.md") as corpus:
        yield spanwise.Engine(corpus)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who leads the East station?", "Tom Okafor"),
        ("When was the South station opened?", "2011"),
        ("How many staff does the North station have?", "12"),
        ("What is the budget of the East station?", "\u20ac95,000"),
        ("Which station has the most staff?", "East"),
        ("Which station has the fewest staff?", "South"),
        ("Who has more staff, Ada Byrne or Li Wen?", "Ada Byrne"),
        ("Which station comes after North?", "East"),
        ("How many stations are there?", "3"),
        ("What is the total staff?", "52"),
        ("What is the average budget?", "\u20ac52,500"),
    ],
)
def test_a_record_answers_with_its_cell(stations, question, text):
    result = stations.ask(question)
    assert result.text == text
    assert all("|" in citation.quote for citation in result.citations)


def test_a_list_for_each_is_a_table(stations):
    [item] = stations.ask("List the lead for each station.").answer.items
    assert item.table.headers == ["Station", "Lead"]
    assert item.table.rows == [["North", "Ada Byrne"], ["East", "Tom Okafor"], ["South", "Li Wen"]]


def test_a_demanded_type_is_read_from_the_cell():
    answer = spanwise.ask(
        "What is the budget of the East station?", [spanwise.read(STATIONS.encode(), name="s.md")], type="amount"
    ).answer
    assert [(item.amount.value, item.amount.currency) for item in answer.items] == [(95_000, "EUR")]


def test_rows_of_a_spreadsheet_as_text_are_records():
    with opened(STOCK, "stock.csv") as corpus:
        engine = spanwise.Engine(corpus)
        assert engine.ask("How many washers are in stock?").text == "12000"
        assert engine.ask("What is the difference in stock between Bolt and Screw?").text == "2,700"


def test_a_part_is_not_the_whole():
    text = (
        "# Outlets\n\nWe ran 1,140 outlets at the end of 2022.\n\nDomestic segment outlets\n\n"
        "| | 2022 | 2021 |\n|---|---|---|\n| City | 700 | 710 |\n| Total Domestic segment outlets | 980 | 970 |\n"
    )
    with opened(text, "outlets.md") as corpus:
        engine = spanwise.Engine(corpus)
        assert "1,140" in engine.ask("How many outlets did they run in 2022?").text
        assert engine.ask("How many Domestic segment outlets were there in 2022?").text == "980 (2022)"


def test_many_rows_take_bounded_time():
    rows = "".join(f"| name {at} | place {at % 7} | {at} |\n" for at in range(3_000))
    with opened(f"| Name | Place | Age |\n|---|---|---|\n{rows}", "many.md") as corpus:
        assert spanwise.Engine(corpus).ask("Where is name 12?").decision.kind in ("ship", "not_found", "clarify")


MENU = """\
| Dish | Small (26 cm) | Large (36 cm) |
|---|---|---|
| Funghi | 7.20 | 12.80 |
| Diavola | 7.90 | 13.90 |
"""
AMPLIFIER = """\
| Parameter | Condition | Min | Typ | Max | Unit |
|---|---|---|---|---|---|
| Offset voltage | | | 25 | 120 | uV |
| Supply voltage | | 2.7 | | 5.5 | V |
"""
FERRIES = """\
## Weekdays

| Stop | Boat 1 | Boat 2 |
|---|---|---|
| Harbour | 06:10 | 07:25 |
| Island | 06:41 | 08:01 |

## Sunday

| Stop | Boat 1 | Boat 2 |
|---|---|---|
| Harbour | 09:15 | 12:30 |
| Island | 09:46 | 13:01 |
"""
GRANTS = (
    "| Distance | Grant |\n|---|---|\n| under 5 km | none |\n| 5 to 15 km | \u00a328 |\n| over 15 km | \u00a390 |\n"
)
PARTS = "Code,Item,Unit price,Stock\nP-1,Bolt,0.40,120\nP-2,Nut,0.15,619\n"


@pytest.mark.parametrize(
    ("table", "name", "question", "text"),
    [
        (MENU, "menu.md", "How much is a large Funghi?", "12.80"),
        (MENU, "menu.md", "What does a small Diavola cost?", "7.90"),
        (AMPLIFIER, "sheet.md", "What is the maximum offset voltage?", "120 uV"),
        (AMPLIFIER, "sheet.md", "What is the minimum supply voltage?", "2.7"),
        (FERRIES, "ferries.md", "When does boat 2 leave the Harbour on Sunday?", "12:30"),
        (GRANTS, "grants.md", "What is the grant for 12 km?", "\u00a328"),
    ],
)
def test_a_cell_is_named_by_its_row_and_its_column(table, name, question, text):
    with opened(table, name) as corpus:
        result = spanwise.Engine(corpus).ask(question)
    assert result.decision.kind == "ship"
    assert result.text == text


def test_columns_are_shown_in_the_order_of_the_table():
    with opened(PARTS, "parts.csv") as corpus:
        [item] = spanwise.Engine(corpus).ask("How many units of P-2 are in stock?").answer.items
    assert item.table.headers == ["Unit price", "Stock"]
    assert item.table.rows == [["0.15", "619"]]
