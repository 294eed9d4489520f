import pytest

import spanwise
from spanwise.engine import Engine
from spanwise.text.expectations.counting import says_when

FILING = """\
FORM 10-K
ANNUAL REPORT TO THE SECURITIES AND EXCHANGE COMMISSION

Acme Corporation is a company that makes anvils and rockets.

Directors and employees of the Company may set up plans for the sale of their shares, as long as nobody has told them
a secret. Employees of the Company are bound by the code of conduct of the Company.

At December 31, 2019, about 9,200 full-time and part-time employees worked for us. About 120 of them work abroad.

Over 4,000 employees of the Company use the learning program every year, which the Company pays.

Acme has several studios of great renown. The studios of the Company are well known.

The Company was founded by two brothers who met at school, and the company is proud of it.
"""


@pytest.fixture(scope="module")
def ask():
    document = spanwise.read(FILING.encode(), name="acme-10k.txt")
    with spanwise.Corpus.of([document]) as corpus:
        engine = Engine(corpus, profile="filings")
        yield engine.ask


@pytest.mark.parametrize(
    "question",
    [
        pytest.param(
            "How many employees does the company have?",
            marks=pytest.mark.xfail(
                reason="a count of some, with every word of the question, ranks first (a possible answer); "
                "the ranker has no feature that tells some from all",
                strict=True,
            ),
        ),
        "How many employees are there?",
    ],
)
def test_how_many_is_answered_by_the_number_that_counts_it(ask, question):
    answer = ask(question)
    assert answer.decision.kind == "ship"
    assert "9,200" in answer.text
    assert (9, 9) in [(one.line_start, one.line_end) for one in answer.citations]
    assert answer.review or answer.text.startswith("9,200")


def test_those_that_do_something_are_counted_where_they_are_asked_for(ask):
    assert "4,000" in ask("How many employees use the learning program?").text


def test_no_sentence_without_a_count_says_how_many(ask):
    answer = ask("How many directors does the company have?")
    assert answer.decision.kind == "not_found" or answer.possible


def test_no_sentence_without_a_time_says_when(ask):
    answer = ask("When was the company founded?")
    assert answer.decision.kind == "not_found" or answer.possible
    assert all(says_when(item.text) for item in answer.answer.items)


def test_a_piece_of_the_sentence_holds_the_count():
    text = (
        "In 2021 the town had 17 schools, and 4,500 pupils went to them.\n\nThe town lies on the river and has a mayor."
    )
    with spanwise.Corpus.of([spanwise.read(text.encode(), name="town.txt")]) as corpus:
        answer = Engine(corpus).ask("How many schools did the town have in 2021?")
        assert "17" in answer.text


def test_the_term_of_a_contract_is_clear():
    text = (
        "MAINTENANCE AGREEMENT\n\nThis Agreement is made between Acme Inc. and the Provider, the parties hereto.\n\n"
        "1. Term of Agreement. This Agreement commences on the day that the first line names and remains in effect for "
        "five (5) years.\n"
    )
    with spanwise.Corpus.of([spanwise.read(text.encode(), name="agreement.txt")]) as corpus:
        answer = Engine(corpus).ask("How long is the term?")
    assert answer.decision.kind == "ship"
    assert "five (5) years" in answer.text


@pytest.mark.parametrize(
    "pointer",
    [
        "The phases of the process are illustrated in Figure 2-1 and described below.",
        "The phases of the process are described in the following sections.",
        "The phases of the process are listed in Table 4.",
        "The phases of the process are set forth in Schedule B hereto.",
    ],
)
def test_a_sentence_that_only_says_where_to_look_is_no_answer(pointer):
    other = "In the phases of the process all teams of the plant plan, build and check what they deliver."
    text = f"{pointer}\n\nThe plant was painted green.\n\n{other}\n"
    with spanwise.Corpus.of([spanwise.read(text.encode(), name="process.txt")]) as corpus:
        answer = Engine(corpus).ask("Which phases does the process have?")
    assert pointer not in answer.text


def test_an_abbreviation_of_what_is_asked_about_is_no_answer():
    text = "The Configuration Control Board (CCB) does review and approve all changes of the system.\n"
    with spanwise.Corpus.of([spanwise.read(text.encode(), name="board.txt")]) as corpus:
        answer = Engine(corpus).ask("What does the Configuration Control Board do?")
    assert "approve" in answer.text


PUMPS = """\
Handbook of the pumps

If diesel pumps are still supplied in the north, selected yards may keep their tanks until the tanks are empty.

Every yard has a foreman, who keeps the keys of the sheds and counts the tools on Fridays.
"""


def test_what_is_only_a_condition_is_no_sure_yes_or_no(tmp_path):
    path = tmp_path / "pumps.txt"
    path.write_text(PUMPS)
    result = spanwise.ask("Are diesel pumps still supplied?", path)
    assert result.review or result.decision.kind == "not_found"
