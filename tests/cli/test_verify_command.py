import io
import json
import sys

import pytest

HOLDS = "A late fee of 1.5% per month will apply to any outstanding balance.\n"
DOES_NOT = HOLDS + "The parties meet every winter in the mountains of Norway.\n"


@pytest.fixture
def answer(contract):
    def write(text: str) -> str:
        path = contract.parent / "answer.md"
        path.write_text(text)
        return path.name

    return write


def test_an_answer_that_holds(spanwise, contract, answer):
    code, out, _ = spanwise("verify", answer(HOLDS), contract.name)
    assert code == 0
    assert out.startswith("Supported: A late fee of 1.5% per month")
    assert "contract.txt, lines 10-11" in out
    assert out.endswith("1 supported\n")


@pytest.mark.parametrize(("threshold", "code"), [((), 1), (("--fail-under", "0.5"), 0), (("--fail-under", "0.6"), 1)])
def test_the_exit_code_follows_the_share_of_supported_claims(spanwise, contract, answer, threshold, code):
    done, out, _ = spanwise("verify", answer(DOES_NOT), contract.name, *threshold)
    assert done == code
    assert "Not supported: The parties meet" in out


@pytest.mark.parametrize(
    ("options", "code"),
    [((), 0), (("--citations",), 1), (("--fail-under", "0.5"), 1), (("--fail-under", "0"), 0)],
    ids=str,
)
def test_a_citation_of_nothing_fails_where_citations_are_asked_for(spanwise, contract, answer, options, code):
    cited = HOLDS.replace(".\n", " [99].\n")
    done, out, _ = spanwise("verify", answer(cited), contract.name, *options)
    assert done == code
    assert "it cites what was not given" in out


def test_json(spanwise, contract, answer):
    code, out, _ = spanwise("verify", answer(DOES_NOT), contract.name, "--json", "--question", "What is the late fee?")
    values = json.loads(out)
    assert code == 1
    assert values["passed"] is False
    assert [claim["support"] for claim in values["claims"]] == ["supported", "unsupported"]
    assert values["evidence"][0]["document"] == "contract.txt"
    assert values["evidence"][0]["page"] is None
    assert values["conflicts"] == []


def test_sources_that_disagree_about_the_answer_are_told(spanwise, contract, answer):
    other = contract.parent / "amendment.txt"
    other.write_text(
        "FIRST AMENDMENT\n\nA late fee of 2% per month (24% annually) will apply to any outstanding balance not paid "
        "within 30 days of invoice receipt.\n"
    )
    _, out, _ = spanwise("verify", answer(HOLDS), contract.name, other.name, "--json")
    [conflict] = json.loads(out)["conflicts"]
    sides = {conflict[side]["document"]: side for side in ("one", "other")}
    assert set(sides) == {"contract.txt", "amendment.txt"}
    assert conflict["later"] == sides["amendment.txt"]


def test_the_page_is_written(spanwise, contract, answer):
    code, _, err = spanwise("verify", answer(HOLDS), contract.name, "--html", "report.html")
    html = (contract.parent / "report.html").read_text("utf-8")
    assert code == 0
    assert "written: report.html" in err
    assert "Verification of answer.md" in html
    assert "Claim 1" in html


def test_the_answer_comes_from_the_standard_input(spanwise, contract, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HOLDS.encode())))
    assert spanwise("verify", "-", contract.name)[0] == 0


def test_an_answer_without_claims_is_told(spanwise, contract, answer):
    code, out, _ = spanwise("verify", answer("# Late fees\n"), contract.name)
    assert (code, out) == (1, "there is nothing to check: the text makes no claim\n")


def test_characters_that_cannot_be_seen_are_told_and_do_not_reach_the_terminal(spanwise, contract, answer):
    _, out, _ = spanwise(
        "verify", answer("A late \u202efee\u200b of 1.5% \x1b[31mper month will apply.\n"), contract.name
    )
    assert "3 characters that cannot be seen" in out
    assert not set("\u202e\u200b\x1b") & set(out)


def test_a_cell_is_told_with_its_row_and_what_denies_it_comes_first(spanwise, tmp_path, answer):
    (tmp_path / "fees.md").write_text("| Plan | Fee |\n| --- | --- |\n| Basic | $12 |\n| Family | $30 |\n")
    written = answer("| Plan | Fee |\n|---|---|\n| Basic | $12 |\n| Family | $12 |\n")
    code, out, _ = spanwise("verify", written, "fees.md")
    assert code == 1
    assert "Supported: $12 (in | Basic | $12 |)" in out
    contradicted = out.partition("Contradicted: $12 (in | Family | $12 |)")[2]
    assert contradicted.splitlines()[2].strip() == "fees.md, line 4: | Family | $30 |"


def test_a_long_answer_is_shown_in_part(spanwise, contract, answer):
    _, out, _ = spanwise(
        "verify", answer(f"{HOLDS * 250}The parties meet in the mountains of Norway.\n"), contract.name
    )
    assert out.startswith("Not supported: The parties meet")
    assert "(51 more claims: --json and --html have all of them)" in out
    assert out.endswith("250 supported, 1 not supported\n")


@pytest.mark.parametrize(
    ("text", "arguments", "told"),
    [
        ("", ["contract.txt"], "empty"),
        (" \n", ["contract.txt"], "empty"),
        (HOLDS, ["missing.txt"], "missing.txt"),
        (HOLDS, ["nothing.txt"], "empty"),
        (HOLDS, ["contract.txt", "--fail-under", "1.5"], "--fail-under"),
        (HOLDS, ["contract.txt", "--fail-under", "nan"], "--fail-under"),
        (HOLDS, ["contract.txt", "--html", "no/such/folder.html"], "cannot be written"),
        ("\x00\x01\x02" * 50, ["contract.txt"], "answer.md"),
        ("a" * 5_000_001, ["contract.txt"], "bytes"),
    ],
    ids=["empty", "blank", "no source", "empty source", "no share", "no number", "no folder", "binary", "too large"],
)
def test_bad_input_is_told_in_a_sentence(spanwise, contract, answer, text, arguments, told):
    (contract.parent / "nothing.txt").write_text("")
    code, out, err = spanwise("verify", answer(text), *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("spanwise: ")
    assert told in err
    assert err.count("\n") == 1


def test_an_answer_that_is_missing(spanwise, contract):
    code, _, err = spanwise("verify", "nowhere.md", contract.name)
    assert code == 2
    assert "nowhere.md" in err
