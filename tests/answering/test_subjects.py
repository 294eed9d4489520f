import pytest

import spanwise

FILING = """\
UNITED STATES SECURITIES AND EXCHANGE COMMISSION
FORM 10-K
Annual report pursuant to the Securities Exchange Act for the fiscal year ended December 31, 2022
Commission file number 1-2345
ACME HOLDINGS INC
(Exact name of registrant)
\f\
Consolidated Balance Sheets
(in millions)
December 31,  2022  2021
Cash and cash equivalents  120  100
Inventories  80  70
Total current assets  300  250
Goodwill  40  40
Total assets  840  740
Accounts payable  60  50
Total current liabilities  150  140
Total liabilities  350  340
Retained earnings  490  400
"""


@pytest.fixture(scope="module")
def filing(tmp_path_factory):
    path = tmp_path_factory.mktemp("filing") / "acme.txt"
    path.write_text(FILING, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "question",
    [
        "What were Acme's inventories in FY2022?",
        "What were the inventories in FY2022 for Acme Holdings?",
        "What were the total assets in 2022?",
        "What was the amount of Accounts Payable in FY2022?",
    ],
)
def test_figures_of_the_company_itself_or_of_none(filing, question):
    assert spanwise.ask(question, filing).decision.kind == "ship"


@pytest.mark.parametrize(
    "question",
    [
        "What were Globex's inventories in FY2022?",
        "What were the inventories in FY2022 for Globex?",
        "How much inventories did Acme Globex Limited have in FY2022?",
    ],
)
def test_figures_of_another_company_are_not_given(filing, question):
    result = spanwise.ask(question, filing)
    assert result.decision.kind == "not_found"
    assert "Globex" in result.missing.what
    assert result.missing.nearest


def corpus_of(**texts: str) -> spanwise.Corpus:
    return spanwise.Corpus.of([spanwise.read(text.encode(), name=f"{name}.md") for name, text in texts.items()])


def club(name: str, fee: int) -> str:
    return f"# Statutes of {name}\n\nThe annual membership fee is {fee} crowns, due in March.\n\nDogs stay outside.\n"


def test_each_of_two_subjects_answers_for_itself():
    with corpus_of(a=club("Lakeside Rowers", 40), b=club("Hill Climbers", 70), c=club("Marsh Walkers", 90)) as corpus:
        result = spanwise.Engine(corpus).ask("What is the membership fee of Lakeside Rowers and of Hill Climbers?")
        assert {citation.document for citation in result.citations} == {"a.md", "b.md"}
        assert "40" in result.text
        assert "70" in result.text


def test_the_subject_need_not_be_named_again_where_its_document_answers():
    with corpus_of(a=club("Lakeside Rowers", 40), b=club("Hill Climbers", 70)) as corpus:
        result = spanwise.Engine(corpus).ask("What is Hill Climbers' membership fee?")
        assert [citation.document for citation in result.citations] == ["b.md"]
        assert "70" in result.text


def test_a_subject_that_no_document_knows_is_told():
    with corpus_of(a=club("Lakeside Rowers", 40), b=club("Hill Climbers", 70)) as corpus:
        result = spanwise.Engine(corpus).ask("What is Ferry Divers' annual membership fee?")
        assert result.decision.kind == "not_found"
        assert "None of the documents is about Ferry Divers" in result.text


def test_too_many_documents_of_one_subject_are_asked_back():
    texts = {f"y{year}": f"# Statutes of Lakeside Rowers {year}\n\nThe fee is due.\n" for year in range(2010, 2018)}
    with corpus_of(**texts) as corpus:
        result = spanwise.Engine(corpus).ask("When is the fee of Lakeside Rowers due?")
        assert result.decision.kind == "clarify"
        assert "Which one do you mean?" in result.text


def test_an_owner_who_is_only_mentioned_needs_lines_that_name_it():
    notes = "\n\n".join(f"Boat {number} needs paint and a new rope." for number in range(60))
    text = f"# Boathouse notes\n\n{notes}\n\nThe fee is forty crowns.\n\nTilda Brook keeps the keys.\n"
    with corpus_of(a=text) as corpus:
        engine = spanwise.Engine(corpus)
        assert engine.ask("What fee does Tilda Brook ask?").review
        assert "keys" in engine.ask("What does Tilda Brook keep?").text


def test_a_name_that_no_document_has_makes_an_answer_doubtful():
    lease = "# Lease of Harbour Mill\n\nThe tenant may keep pets in the garden.\n"
    with corpus_of(a=lease, b=lease.replace("Harbour Mill", "Long Barn").replace("garden", "kitchen")) as corpus:
        result = spanwise.Engine(corpus).ask("Where may the tenant of the Zembla lease keep pets?")
        assert result.confidence <= 0.5
        assert any("Zembla" in caveat for caveat in result.answer.caveats)
