import json

import pytest

from spanwise.contract.record import ResultRecord
from spanwise.contract.result import ANSWERED
from spanwise.synthesis.extractive.answer import MOST_POSSIBLE


def test_an_answer_shows_its_lines_and_exits_with_0(spanwise, contract):
    code, out, err = spanwise("ask", "contract.txt", "What is the late payment fee?")
    assert (code, err) == (0, "")
    assert "A late fee of 1.5% per month (18% annually) will apply to any outstanding balance" in out
    assert "[c1] contract.txt, lines 10-11\n    A late fee of 1.5% per month (18% annually) will apply to any\n" in out
    assert "Proved answer, confidence 0." in out or "Proved answer, confidence 1." in out


def test_a_list_question_gets_its_elements_each_with_its_own_line(spanwise, contract):
    code, out, _ = spanwise("ask", "contract.txt", "What are the exclusions?", "--json")
    record = ResultRecord.model_validate_json(out)
    assert code == 0
    assert record.text == "- damage by flood\n- damage by war\n- loss of profit."
    assert [(c.line_start, c.line_end, c.quote) for c in record.citations] == [
        (17, 17, "(a) damage by flood;"),
        (18, 18, "(b) damage by war; and"),
        (19, 19, "(c) loss of profit."),
    ]
    assert [record.text[slice(*c.at)] for c in record.citations] == [
        "damage by flood",
        "damage by war",
        "loss of profit.",
    ]
    assert {claim.verdict for claim in record.claims} == {"keep"}


def test_what_is_not_there_exits_with_1_and_says_what_is_missing(spanwise, contract):
    code, out, _ = spanwise("ask", "contract.txt", "Who is the president of France?", "--json")
    record = ResultRecord.model_validate_json(out)
    assert (code, record.decision, record.possible, record.review) == (1, "not_found", False, False)
    assert record.text.split("\n") == [
        "not found in this document",
        "None of the documents is about France, and none mentions it.",
    ]
    assert record.citations == [] == record.claims
    assert record.missing is not None
    assert "France" in record.missing.what


def test_what_no_document_is_about_is_named_in_sentences(spanwise, contract):
    code, out, _ = spanwise("ask", "contract.txt", "Who is the president of France?")
    assert code == 1
    assert out.startswith("Not found in this document.\nNone of the documents is about France, and none mentions it.\n")


def test_the_nearest_evidence_is_shown_but_not_as_an_answer(spanwise, contract):
    code, out, _ = spanwise("ask", "contract.txt", "Which court decides disputes about payment?")
    assert code == 1
    assert out.startswith("Not found in this document.\n")
    assert "\nThe nearest passages do not cover the question. No passage that was found speaks of: court" in out
    assert "Quoted nearby (not an answer):\n[n1] contract.txt, " in out
    assert "confidence" not in out


def test_possible_answers_are_numbered_and_marked_each_with_its_lines(spanwise, contract):
    code, out, err = spanwise("ask", "contract.txt", "Which colour has the outstanding balance?")
    assert (code, err) == (0, "")
    assert out.startswith("Possible answer")
    assert "No line answers this for certain." in out
    assert "[c1] contract.txt, lines 10-11\n" in out
    record = ResultRecord.model_validate_json(
        spanwise("ask", "contract.txt", "Which colour has the outstanding balance?", "--json")[1]
    )
    assert (record.decision, record.possible, record.review) == ("ship", True, True)
    assert record.confidence < ANSWERED
    assert all(claim.citations for claim in record.claims)
    assert len(record.claims) <= MOST_POSSIBLE


def test_a_question_may_stand_before_its_files(spanwise, contract):
    asked = ("ask", "contract.txt", "When is payment due?", "--format", "text")
    turned = ("ask", "When is payment due?", "contract.txt", "--format", "text")
    assert spanwise(*turned) == spanwise(*asked)


def test_lines_that_prove_several_possible_answers_are_quoted_once(spanwise, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "van.md").write_text(
        "The blue van is for members over 23.\n\nDo not smoke in it. Dogs travel in the box.\n"
    )
    _, out, _ = spanwise("ask", "van.md", "Can I take my dog in the van?")
    assert "[c3] van.md, line 3: quoted under c2" in out
    assert out.count("Do not smoke in it. Dogs travel in the box.") == 1


def test_the_same_question_gives_the_same_bytes_apart_from_metrics(spanwise, contract):
    one, other = (json.loads(spanwise("ask", "contract.txt", "When is payment due?", "--json")[1]) for _ in range(2))
    del one["metrics"], other["metrics"]
    assert one == other


def test_escape_sequences_of_a_document_do_not_reach_the_terminal(spanwise, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.md").write_text("# Fees\n\nThe fee is \x1b[31m5% [bold]per\x07 month[/bold].\n")
    code, out, _ = spanwise("ask", "evil.md", "What is the fee per month?")
    assert code == 0
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "[bold]per" in out


@pytest.mark.parametrize(("times", "cut"), [(500, True), (1000, False)], ids=["one line", "read as many"])
def test_a_file_of_one_long_line_does_not_hide_its_answer(spanwise, tmp_path, monkeypatch, times, cut):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "long.txt").write_text("The fee is 500 dollars per month. " * times)
    code, out, _ = spanwise("ask", "long.txt", "What is the fee per month?")
    assert code == 0
    assert "500 dollars" in out
    assert ("more characters)" in out) is cut
    assert len(out) < 3000


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["missing.txt", "What?"], "missing.txt"),
        (["contract.txt"], "a question is missing"),
        (["contract.txt", "contract.txt"], "a question is missing"),
        (["What is the fee?"], "a document is missing"),
        (["missing.txt", "contract.txt", "contract.txt", "What?"], "missing.txt"),
        (["contract.txt", ""], "the question is empty"),
        (["contract.txt", "w" * 100_000], "the question has 100,000 characters"),
        (["empty", "What is the fee?"], "empty"),
        (["empty.pdf", "What is the fee?"], "empty.pdf"),
        (["contract.pdf", "What is the fee?"], "not a PDF"),
        (["noise.bin", "What is the fee?"], "noise.bin"),
        (["--document", "contract.txt", "contract.txt", "What is the fee?"], "--document names a document of a corpus"),
        (["contract.txt", "What is the fee?", "--pages", "three"], "'three' names no pages: write 3, 3-5, 3- or -5"),
        (["contract.txt", "What is the fee?", "--lines", "900"], "contract.txt has not got line 900"),
        (["--corpus", "none.db", "What is the fee?"], "none.db"),
        (["--corpus", "contract.txt", "What is the fee?"], "contract.txt"),
        (["--corpus", "contract.txt", "contract.txt", "What is the fee?"], "with --corpus give only the question"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(spanwise, contract, arguments, sentence):
    folder = contract.parent
    (folder / "empty").mkdir()
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "contract.pdf").write_bytes(contract.read_bytes())
    (folder / "noise.bin").write_bytes(bytes(range(256)) * 40)
    code, out, err = spanwise("ask", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("spanwise: ")
    assert err.count("\n") == 1
    assert sentence in err
    assert not (folder / "none.db").exists()


def test_a_profile_can_be_named(spanwise, contract):
    question = ("ask", "contract.txt", "Which law governs the agreement?")
    assert spanwise(*question, "--profile", "contracts")[0] == 1
    code, _, err = spanwise(*question, "--profile", "poems")
    assert (code, err.count("\n")) == (2, 1)
    assert "there is no profile 'poems': choose contracts, filings, standards" in err


def test_a_document_that_the_corpus_lacks_is_told_with_those_it_has(spanwise, contract):
    spanwise("index", "contract.txt", "--corpus", "one.db")
    code, _, err = spanwise("ask", "--corpus", "one.db", "--document", "contact.txt", "What is the late fee?")
    assert code == 2
    assert "no document 'contact.txt': it has contract.txt" in err


def test_lines_that_several_citations_share_are_shown_once(spanwise, contract):
    """Each row of a list cites the heads of its columns."""
    (contract.parent / "plants.csv").write_text(
        "Plant,Water,Light\nFern,weekly,shade\nBasil,daily,sun\nIvy,monthly,shade\n"
    )
    _, out, _ = spanwise("ask", "plants.csv", "List the plants")
    assert out.startswith("- Fern\n- Basil\n- Ivy\n\n[c1] plants.csv, line 2\n")
    assert out.count("Plant | Water | Light") == 1
    assert "[c2, c4, c6] plants.csv, line 1\n" in out
