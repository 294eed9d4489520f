"""Where sources say different things of the same."""

import re
import time
from itertools import combinations

import pytest
from every import every

import spanwise
from spanwise import Passage, find_conflicts
from spanwise.guard.conflicts.comparing import contradiction
from spanwise.guard.conflicts.finding import find_all_conflicts
from spanwise.guard.conflicts.pair import Sentence
from spanwise.llm.scripted import ScriptedModel

SAID_DIFFERENTLY = [
    ("number", "The late fee is 1.5% per month.", "The late fee is 2% per month."),
    ("number", "The late fee is 1.5% per month.", "The late fee is 1.5% per year."),
    ("number", "The fee is 5%.", "The fee is 6%."),
    ("number", "Payment is due within thirty (30) days.", "Payment is due within 45 days of receipt."),
    ("number", "A late fee of 1.5% per month applies to balances.", "Balances carry a late fee of 2% per month."),
    ("number", "Payment is due 30 days after receipt of invoices.", "Invoices are payable within 45 days of receipt."),
    ("number", "The late fee is 1.5% per month (18% annually).", "The late fee is 2% per month."),
    ("number", "The term is 30 days.", "The term is 30 months."),
    ("number", "The cap is $1.2 billion.", "The cap is USD 1,300 million."),
    ("number", "The plan covers at least 80 percent of costs.", "The plan covers at most 80 percent of costs."),
    ("number", "There are three directors on the board.", "There are four directors on the board."),
    ("number", "Late fee: 1.5%", "Late fee: 2%"),
    ("number", "The meeting starts at 10:30 a.m. on Monday.", "The meeting starts at 11:30 a.m. on Monday."),
    ("number", "Effective January 1, 2023, the fee is 1%.", "Effective January 1, 2024, the fee is 2%."),
    ("number", "The late fee of the Vendor is 1%.", "Effective January 1, 2024, the late fee of the Vendor is 2%."),
    ("date", "This Agreement ends on March 15, 2024.", "This Agreement ends on 16 March 2024."),
    ("date", "Sales rose to $5 million in 2019.", "Sales rose to $5 million in 2020."),
    (
        "date",
        "As of September 30, 2019, the tax credit of the Company was $2 million.",
        "As of September 31, 2019, the tax credit of the Company was $2 million.",
    ),
    ("polarity", "The Vendor shall indemnify the Client.", "The Vendor shall not indemnify the Client."),
    ("polarity", "The Client pays the fee.", "The Client does not pay the fee."),
    ("polarity", "No refund is given after delivery.", "A refund is given after delivery."),
    ("polarity", "Smoking is permitted in the building.", "Smoking is prohibited in the building."),
    ("polarity", "The licence is exclusive.", "The licence is non-exclusive."),
    ("polarity", "The Vendor must deliver the report.", "The Vendor may deliver the report."),
    # the lower end of a range against the upper one
    ("number", "It is shipped within two hours of the order.", "It is shipped after two hours of the order."),
    ("date", "Bids are opened no later than May 3, 2020.", "Bids are opened no earlier than May 3, 2020."),
    # dates of every form
    ("date", "The term ends on 31 March 2020.", "The term ends on 2021-03-31."),
    ("date", "THIS LEASE is made this 12th day of March, 2004.", "THIS LEASE is made this 12th day of May, 2004."),
    ("date", "The fiscal year ends on December 31 of each year.", "The fiscal year ends on December 30 of each year."),
    ("date", "The shop is closed on Mondays in winter.", "The shop is closed on Tuesdays in winter."),
    ("date", "LEASE AGREEMENT DATED AS OF May 1, 2013 BETWEEN X", "LEASE AGREEMENT DATED AS OF May 1, 2014 BETWEEN X"),
    ("number", "The castle was built in the 12th century.", "The castle was built in the 14th century."),
    ("number", "Four brown mares grazed by the mill.", "Forty brown mares grazed by the mill."),
    # words
    ("polarity", "The notice is sent before delivery.", "The notice is sent after delivery."),
    ("polarity", "The bridge was opened to heavy traffic.", "The bridge was closed to heavy traffic."),
    ("polarity", "All rooms of the inn have a stove.", "Some rooms of the inn have a stove."),
    ("polarity", "Most members of the club voted.", "Few members of the club voted."),
    ("polarity", "The valve is always checked by the crew.", "The valve is never checked by the crew."),
    ("polarity", "The dispute is settled in court.", "The dispute isn't settled in court."),
    # names behind the verb, and who does what to whom
    ("name", "The agreement is governed by the laws of Norway.", "The agreement is governed by the laws of Sweden."),
    ("name", "Anna beat Carl in the final.", "Carl beat Anna in the final."),
    ("name", "Alpha Works acquired Beta Mills in 2004.", "Beta Mills acquired Alpha Works in 2004."),
]  # fmt: skip
NO_CONFLICT = [
    # the same value in another form
    ("Payment is due within thirty (30) days.", "Payment is due within 30 days."),
    ("The rate is 5%.", "The rate is five percent."),
    ("The rate is 0.5%.", "The rate is 50 basis points."),
    ("The loan bears interest at 1.5% per month.", "The loan bears interest at 18% per year."),
    ("The term is 24 months.", "The term is two years."),
    ("Notice is given 14 days before.", "Notice is given two weeks before."),
    ("The cap is $1.2 billion.", "The cap is USD 1,200 million."),
    ("Net sales were $1.6 billion.", "Net sales were $1,577 million."),
    ("It was signed by the parties on 3 May 2021.", "It was signed by the parties on 2021-05-03."),
    ("It was signed by the parties on 03/05/2021.", "It was signed by the parties on 3 May 2021."),
    ("It was signed by the parties in May 2021.", "It was signed by the parties on May 3, 2021."),
    ("The vendor fails to deliver the goods.", "The vendor does not deliver the goods."),
    ("The fee never exceeds 5%.", "The fee does not exceed 5%."),
    # other subjects, other periods
    ("Revenue in 2019 was $5 million.", "Revenue in 2020 was $6 million."),
    ("Revenue in Germany was $5 million.", "Revenue in France was $6 million."),
    ("The late fee is 1.5% per month.", "The early payment discount is 2% per month."),
    ("The company had 120 employees in 2019.", "The company had 150 customers in 2019."),
    ("The fee is 5% for orders.", "The fee is 3% for orders above $1,000."),
    ("The fee is 5% for small orders.", "The fee is 3% for large orders."),
    ("The company employs 120 people.", "The factory produces 150 cars."),
    (
        "The Client may end this Agreement by giving the Vendor notice of 60 days.",
        "The Vendor may end this Agreement by giving the Client notice of 90 days.",
    ),
    ("It is filed under Public Law No. 93-406 of the Senate.", "It is filed under Public Law 93-406 of the Senate."),
    # rows and contents, whose figures belong to columns and pages
    ("| Late fee | 1.5% |", "| Late fee | 2% |"),
    ("Risk Factors and Legal Proceedings 14 Item 2.", "Risk Factors and Legal Proceedings 15 Item 2."),
    ("No credit is given without a contract. 24", "No credit is given without a contract. 23"),
    ("", "The fee is 5%."),
    ("JUNE REPORT of the mill and its owners 14", "JUNE REPORT of the mill and its owners 15"),
    # narrower cases, other periods, other versions
    ("The fee is 5% of sales.", "In the northern part, the fee is 6% of sales."),
    ("The fee is 5% of sales.", "The fee is 6% of sales if the goods are late."),
    ("Last year, the fee was 5% of sales.", "This year, the fee is 6% of sales."),
    ("Before the reform, the fee was 5% of sales.", "Since the reform, the fee is 6% of sales."),
    ("Under version 2.1, the limit is 5 files.", "Under version 4.0, the limit is 6 files."),
    ("Under the standard plan, the fee is 5%.", "Under the premium plan, the fee is 6%."),
    ("The fee of the first year is $100.", "The fee of the second year is $200."),
    # what is not asserted
    ("The fee is 5% of sales.", "An earlier draft wrongly said that the fee is 6% of sales."),
    ("It was their custom to pay.", "It remains unclear whether it was not their custom to pay."),
    ("The fee is 5% of sales.", "It is not true that the fee is 6% of sales."),
    ("The drug is safe for small children.", "Some critics allege that the drug is not safe for small children."),
    # the same in other words
    ("The tenant shall pay the rent.", "The tenant must pay the rent."),
    ("The fee is at least 5% of sales.", "The fee is no less than 5% of sales."),
    ("The Pre-Retirement Plan is closed.", "The Pre Retirement Plan is closed."),
    ("Several rooms of the inn have a stove.", "Many rooms of the inn have a stove."),
    # other subjects, mutual duties, things that hold both ways
    ("Anna is the owner of the mill.", "Carl is the owner of the mill."),
    ("Acme shall indemnify Bolt against all claims.", "Bolt shall indemnify Acme against all claims."),
    ("Anna and Carl met the mayor.", "Carl and Anna met the mayor."),
    ("The hearing is led by the FAA in May.", "The hearing is led by the Federal Aviation Administration in May."),
]


@every(("kind", "one", "other"), SAID_DIFFERENTLY)
def test_a_conflict_is_found_whichever_source_comes_first(kind, one, other):
    for pair in ([one, other], [other, one]):
        assert [conflict.kind for conflict in find_conflicts(pair)] == [kind]


@every(("one", "other"), NO_CONFLICT)
def test_no_false_alarm(one, other):
    assert find_conflicts([one, other]) == []
    assert find_conflicts([other, one]) == []


def test_both_sides_are_quoted_at_their_places():
    first = "Preamble.\n\nThe Client pays\na late fee of 1.5% per month. All else stays."
    passage = Passage("b:7-8", "b.pdf", 7, 8, 3, "A note.\nThe Client pays a late fee of 2% per month.")
    [conflict] = find_conflicts([{"chunk_id": "a", "text": first}, passage])
    one, other = conflict.one, conflict.other
    assert (one.passage, one.line_start, one.line_end, one.page) == ("a", 3, 4, None)
    assert (other.passage, other.document, other.line_start, other.line_end, other.page) == ("b:7-8", "b.pdf", 8, 8, 3)
    for side, text in ((one, first), (other, passage.text)):
        assert text[side.start : side.end] == side.quote
        assert text[slice(*side.at)] == side.value
    assert (one.value, other.value) == ("1.5% per month", "2% per month")


LEASE = (
    "Lease of shop 4\n\nThe monthly rent is 2,400 euros, payable in advance. The tenant pays a deposit of 900 euros."
)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("From 1 July 2024 the monthly rent is 2,650 euros.", "2,650 euros"),
        ("From July 2024 on, the rent under section 2 is raised to 2,650 euros a month.", "2,650 euros a month"),
        ("The rent for shop 4 shall henceforth be 2,650 euros per month.", "2,650 euros per month"),
        ('Section 2 is replaced by: "The monthly rent is 2,650 euros."', "2,650 euros"),
        ("The monthly rent for the garage is 120 euros.", None),
        ("If the tenant is late, the monthly rent is not 2,650 euros.", None),
    ],
)  # fmt: skip
def test_an_amendment_that_sets_a_value_anew_differs_from_what_it_amends(said, value):
    amendment = {"document": "b", "text": f"First amendment\n\n{said}"}
    found = find_conflicts([{"document": "a", "text": LEASE}, amendment])
    assert [(one.one.value, one.other.value, one.later) for one in found] == (
        [("2,400 euros", value, "other")] if value else []
    )
    assert value is None or find_conflicts([{"document": "a", "text": LEASE}, {"document": "b", "text": said}]) == []


@pytest.mark.parametrize(
    ("first", "second", "later"),
    [
        ("Effective January 1, 2023. The late fee is 1%.", "Effective January 1, 2024. The late fee is 2%.", "other"),
        ("SECOND AMENDMENT\n\nThe late fee is 1%.", "FIRST AMENDMENT\n\nThe late fee is 2%.", "one"),
        ("Section 2 is hereby amended as follows. The late fee is 1%.", "The late fee is 2%.", "one"),
        ("The late fee is 1%.", "The late fee is 2%.", None),
        ({"text": "The late fee is 1%.", "metadata": {"date": "2020-05-01"}},
         {"text": "The late fee is 2%.", "metadata": {"date": "2021-05-01"}}, "other"),
    ],
)  # fmt: skip
def test_the_order_is_told_where_the_text_tells(first, second, later):
    [conflict] = find_conflicts([first, second])
    assert conflict.later == later
    assert ("later" in conflict.reason) == (later is not None)


def test_reports_of_their_own_years_do_not_disagree():
    first = {
        "document": "report-2021",
        "text": "The increase in cash in 2021 was due to higher net income of the group.",
    }
    second = {
        "document": "report-2022",
        "text": "The increase in cash in 2022 was due to higher net income of the group.",
    }
    assert find_conflicts([first, second]) == []
    assert find_conflicts([first["text"], second["text"]]) != []


@pytest.mark.parametrize(
    "texts",
    [
        ["The 2024 notes are limited to an aggregate amount.", "The 2026 notes are limited to an aggregate amount."],
        ["The mill is run by Anna Berg of the town.", "The mill is run by Carl Moss of the town."],
        ["Holders give their notice under Section 9 hereof.", "Holders give their notice under Section 10 hereof."],
        [f"The transaction closed in {month} 2021." for month in ("March", "May", "June")],
        [f"Equity securities: {share}%" for share in (37, 60, 4)],
    ],
    ids=["a name", "a person", "a section", "a series of dates", "a series of figures"],
)
def test_one_document_speaks_of_several_things(texts):
    assert find_conflicts([{"document": "a", "text": text} for text in texts]) == []
    assert find_conflicts(texts) != []


def test_two_chunks_of_one_document_may_disagree():
    chunks = [
        {"chunk_id": str(rate), "source_url": "a", "text": f"The late fee is {rate}% per month."} for rate in (1, 2)
    ]
    assert len(find_conflicts(chunks)) == 1


def test_two_chunks_of_one_document_may_give_one_event_two_dates():
    texts = [f"The board met on {day} May 2024 in Oslo." for day in (3, 4)]
    [conflict] = find_conflicts([{"document": "a", "chunk_id": text, "text": text} for text in texts])
    assert (conflict.kind, conflict.one.value, conflict.other.value) == ("date", "3 May 2024", "4 May 2024")


@pytest.mark.parametrize(
    ("one", "other", "disagree"),
    [
        ("It is paid within thirty (60) days of the invoice.", "It is paid within forty (60) days of the invoice.", 0),
        ("It is paid within thirty (60) days of the invoice.", "It is paid within 60 days of the invoice.", 1),
    ],
)
def test_a_figure_at_odds_with_itself_says_nothing_against_another_one(one, other, disagree):
    assert len(find_conflicts([one, other])) == disagree


@pytest.mark.parametrize(
    ("one", "other", "disagree"),
    [
        (
            "The crew on the old ship in the harbor of Bergen rests for 3 hours each night, about 12 in all.",
            "The crew on the old ship in the harbor of Bergen rests for 4 hours each night in all.",
            1,
        ),
        (
            "The crew on the old ship in the harbor of Bergen rests for 3 hours each night, over 12 in all.",
            "The crew on the old ship in the harbor of Bergen rests for 4 hours each night in all.",
            0,
        ),
        ("The rules revised in 12 places set a fee of 5% a month.", "The rules set a fee of 6% a month.", 0),
        ("The rules revised in May 2012 set a fee of 5% a month.", "The rules set a fee of 6% a month.", 1),
    ],
    ids=["a size", "a condition", "a number of changes", "a date of a change"],
)
def test_a_figure_of_one_sentence_alone_may_narrow_it(one, other, disagree):
    assert len(find_conflicts([one, other])) == disagree


def test_a_document_that_says_both_speaks_of_two_things():
    both = "The fee of the Basic plan for a user is as follows. The monthly fee is $5. The monthly fee is $9."
    assert find_conflicts([{"document": "a", "text": both}, {"document": "b", "text": both}]) == []
    assert find_conflicts([{"document": "a", "text": both}, {"document": "b", "text": "The monthly fee is $9."}]) == []
    assert find_conflicts([{"document": "a", "text": both}, {"document": "b", "text": "The monthly fee is $7."}]) != []


def test_one_source_alone_and_copies():
    assert find_conflicts(["The late fee is 1%. The late fee is 2%."]) == []
    assert find_conflicts(None) == []
    [conflict] = find_conflicts(["The late fee is 1%.", "The late fee is 1%.", "The late fee is 2%."])
    assert (conflict.one.position, conflict.other.position) == (1, 3)


def test_json_values():
    [conflict] = find_conflicts(["The Vendor shall pay the fee.", "The Vendor shall not pay the fee."])
    values = conflict.to_dict()
    assert values["kind"] == "polarity"
    assert values["one"]["value"] == ""
    assert values["other"]["value"] == "not"
    assert re.fullmatch(r"[^\n]+\.", values["reason"])


@pytest.mark.parametrize(
    "passages",
    [
        ["word " * 20_000 + "is 5%.", "word " * 20_000 + "is 6%."],
        ["1" * 100_000, "a.b" * 40_000, "9," * 50_000, "x-" * 50_000],
        ["\n" * 100_000, "\n- a" * 30_000],
        [f"The late fee is {number}% per month." for number in range(2000)],
        [f"The fee is {'late ' * 300}{number}%." for number in range(60)],
    ],
    ids=["long sentence", "long words", "empty lines", "all disagree", "long copies"],
)
def test_hostile_sources_are_bounded(passages):
    began = time.process_time()
    assert len(find_conflicts(passages)) <= 1000
    assert time.process_time() - began < 20


SENTENCES = [
    "The annual fee that Alpha pays to the vendor is 30 dollars.",
    "The annual fee that Alpha pays to the vendor is $30.",
    "The annual fee that Alpha pays to the vendor is 45 dollars.",
    "The annual fee that Beta pays to the vendor is 45 dollars.",
    "The yearly charge that Alpha owes the vendor comes to 45 dollars.",
    "The vendor may terminate the agreement after 30 days.",
    "The vendor must terminate the agreement after 30 days.",
    "The vendor may not terminate the agreement after 30 days.",
    "The customer may terminate the agreement after 30 days.",
    "Smoking is permitted in the northern hall of the building.",
    "Smoking is prohibited in the northern hall of the building.",
    "Smoking is prohibited in the southern hall of the building.",
    "The price will increase on 1 March 2024 for every provider.",
    "The price will decrease on 1 March 2024 for every provider.",
    "The price will decrease on 1 April 2024 for every licensee who provides it.",
    "The term begins on September 30, 2019 and lasts 5 years.",
    "The term begins on September 31, 2019 and lasts 5 years.",
    "The term begins on September 30, 2019 and lasts at least 5 years.",
]


@every(("one", "other"), list(combinations(SENTENCES, 2)))
def test_the_order_of_two_sentences_changes_nothing(one: str, other: str) -> None:
    ours = contradiction(Sentence(one), Sentence(other))
    theirs = contradiction(Sentence(other), Sentence(one))
    assert (ours is None) == (theirs is None)
    if ours is not None and theirs is not None:
        assert (ours.kind, ours.reason, ours.ours, ours.theirs) == (
            theirs.kind,
            theirs.reason,
            theirs.theirs,
            theirs.ours,
        )


def test_some_of_them_disagree_and_some_do_not() -> None:
    said = [contradiction(Sentence(one), Sentence(other)) for one, other in combinations(SENTENCES, 2)]
    assert 5 < sum(one is not None for one in said) < len(said) / 2


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("polarity", "The price will rise for all.", "The price will fall for all."),
        ("date", "The lease of the mill ended on June 30, 2019.", "The lease of the mill ended on June 31, 2019."),
        ("number", "The crew rests within 3 hours.", "The crew rests after 3 hours."),
        ("number", "The crew rests 3 hours.", "The crew rests 4 hours."),
        ("date", "The crew rests on 3 May 2019.", "The crew rests on 4 May 2019."),
        ("polarity", "The crew may rest at sea.", "The crew may not rest at sea."),
        ("name", "In the final of the old cup Anna beat Carl.", "In the final of the old cup Carl beat Anna."),
        ("name", "The crew was led through ice by Anna.", "The crew was led through ice by Carl."),
    ],
)
def test_each_difference_has_its_kind(kind: str, one: str, other: str) -> None:
    found = contradiction(Sentence(one), Sentence(other))
    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [
        (
            "The fair in the old town lasts at least 5 days in all.",
            "The fair in the old town lasts no more than 5 days in all.",
            "no more than",
        ),
        (
            "The licence costs three percent (3%) a year.",
            "The licence costs three percent (6%) a year.",
            "three percent (6%) a year",
        ),
        ("Two of the mares (63%) grazed by the mill.", "Two of the mares (64%) grazed by the mill.", "64%"),
    ],
    ids=["a bound", "words and digits", "in brackets"],
)
def test_a_figure_is_compared_as_a_whole(one: str, other: str, value: str) -> None:
    found = contradiction(Sentence(one), Sentence(other))
    assert found is not None
    assert found.kind == "number"
    assert other[slice(*found.theirs)] == value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Two of the mares (63%) grazed by the mill.", "Two of the mares (63 percent) grazed by the mill."),
        ("The samples were drawn from the bank in January 2011.", "The samples were drawn from the bank in 2011-01."),
        ("The five riders crossed the old bridge.", "In the event of a storm, the nine riders crossed the old bridge."),
        ("The mill never exceeds 5 tons a day.", "The mill does not exceed 5 tons a day."),
    ],
    ids=["in brackets", "a month", "a case", "a denial"],
)
def test_what_says_the_same_or_is_of_a_narrower_case(one: str, other: str) -> None:
    assert contradiction(Sentence(one), Sentence(other)) is None


PLANTED = (
    "The late fee is 1.5 percent per month. Invoices are due in 30 days.\n\nThe late fee is 99 percent per month.\n"
)


@pytest.mark.parametrize(
    ("text", "many"),
    [
        (PLANTED, 1),
        ("The warranty lasts two years. It covers parts. The warranty lasts ten years.", 1),
        ("The late fee is 1.5 percent per month. The deposit is 99 euros.", 0),
        ("The late fee is 1.5 percent per month. The late fee is 1.5 percent per month.", 0),
        ("The pump of hall A runs at 40 bar. The pump of hall B runs at 60 bar.", 0),
        ("Monday opens at 9 and Tuesday at 10. The fee is 4 euros.", 0),
    ],
)
def test_sentences_of_one_passage_are_compared(text, many):
    assert len(find_all_conflicts([text])) == many


def test_passages_are_compared_as_before():
    one, other = "The late fee is 1.5 percent per month.", "The late fee is 2.5 percent per month."
    assert len(find_all_conflicts([one, other])) == 1


def test_nothing_and_a_very_long_passage_end_at_once():
    assert find_all_conflicts([]) == []
    assert (
        find_all_conflicts([" ".join(f"The fee of room {number} is {number} euros." for number in range(2000))]) == []
    )


@pytest.mark.parametrize("said", ["The late fee is 99 percent per month.", "The late fee is 1.5 percent per month."])
def test_an_answer_of_a_model_that_rests_on_one_side_is_marked(tmp_path, said):
    path = tmp_path / "fees.txt"
    path.write_text(PLANTED)
    result = spanwise.ask("What is the late fee?", path, model=ScriptedModel([said]), mode="compact")
    assert "contradictory_sources" in result.warnings
    assert [claim.verdict for claim in result.claims] == ["flag"]
    [told] = [one for one in result.warning_details if one["code"] == "contradictory_sources"]
    assert len(told["quotes"]) == 2


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("Invoices are due in 30 days.", None),
        ("Invoices are due in 40 days.", "contradicted_claim"),
        ("Parcels travel by train.", "unsupported_claim"),
    ],
)
def test_another_sentence_of_the_document_is_told_what_became_of_it_alone(tmp_path, said, code):
    path = tmp_path / "fees.txt"
    path.write_text("Invoices are due in 30 days.\n\nThe late fee is 1.5 percent.\n\nThe late fee is 99 percent.\n")
    result = spanwise.ask("When are invoices due?", path, model=ScriptedModel(lambda _: said), mode="compact")
    assert {one["code"] for one in result.warning_details} == ({code} if code else set())
