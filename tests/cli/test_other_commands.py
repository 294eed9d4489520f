import json
import subprocess
import sys

import pytest

import spanwise as package


def test_index_reads_once_and_then_only_what_changed(spanwise, contract):
    code, out, _ = spanwise("index", "contract.txt", "--corpus", "corpus.db")
    assert (code, out) == (0, "corpus.db: 1 added\n")
    assert spanwise("index", "contract.txt", "--corpus", "corpus.db")[1] == "corpus.db: 1 unchanged\n"
    contract.write_text("The fee is 7% per month.\n")
    assert spanwise("index", "contract.txt", "--corpus", "corpus.db")[1] == "corpus.db: 1 replaced\n"
    code, out, _ = spanwise("ask", "--corpus", "corpus.db", "What is the fee per month?")
    assert code == 0
    assert "The fee is 7% per month." in out


def test_index_names_in_one_line_what_is_of_no_kind_that_is_read(spanwise, contract, tmp_path):
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "lease.txt").write_text("The rent is EUR 900.\n")
    (folder / "values.json").write_text("{}")
    (folder / "deep" / "disk.bin").write_bytes(b"\0")
    code, out, err = spanwise("index", str(folder), "--corpus", "corpus.db")
    assert (code, out) == (0, "corpus.db: 1 added\n")
    assert err == "left out: 2 files of a kind that is not read: deep/disk.bin, values.json\n"
    _, out, _ = spanwise("index", str(folder), "--corpus", "corpus.db", "--json")
    assert json.loads(out)["others"] == ["deep/disk.bin", "values.json"]


def test_a_corpus_in_its_own_folder_is_not_named_among_what_is_left_out(spanwise, contract):
    (contract.parent / "corpus.dbx").write_text("of somebody else")
    for _ in range(2):  # the second time its index and its lock lie there too
        assert spanwise("index", ".", "--corpus", "corpus.db")[2].endswith("not read: corpus.dbx\n")


def test_a_corpus_without_documents_is_no_answer(spanwise, contract):
    (contract.parent / "folder").mkdir()
    assert spanwise("index", "folder", "--corpus", "corpus.db")[0] == 2
    told = "spanwise: there is no document in corpus.db yet: spanwise index FOLDER --corpus corpus.db\n"
    assert spanwise("ask", "--corpus", "corpus.db", "What is the fee?") == (2, "", told)
    assert spanwise("ask", "--corpus", "none.db", "What is the fee?")[2].endswith("none.db\n")


def test_a_folder_with_a_file_that_fails_is_told_the_way_that_keeps_the_others(spanwise, contract):
    (contract.parent / "broken.pdf").write_bytes(b"not a pdf")
    code, out, err = spanwise("ask", ".", "What is the late fee?")
    note, error = err.splitlines()
    assert (code, out) == (2, "")
    assert "spanwise index FOLDER --corpus FILE keeps what can be read" in note
    assert error.startswith("spanwise: broken.pdf")
    assert len(spanwise("ask", "broken.pdf", "What is the late fee?")[2].splitlines()) == 1


def test_index_reports_a_file_that_failed_and_stores_the_others(spanwise, contract):
    (contract.parent / "broken.pdf").write_bytes(b"not a pdf")
    code, out, _ = spanwise("index", "*.txt", "broken.pdf", "--corpus", "corpus.db", "--json")
    report = json.loads(out)
    assert code == 2
    assert report["added"] == ["contract.txt"]
    [failure] = report["failed"]
    assert failure["error"] == "DamagedDocumentError"
    assert "broken.pdf" in failure["message"]


def test_a_question_can_be_limited_to_one_document(spanwise, contract):
    (contract.parent / "other.txt").write_text("The late fee is 9% per month.\n")
    spanwise("index", "contract.txt", "other.txt", "--corpus", "corpus.db")
    question = ("ask", "--corpus", "corpus.db", "What is the late fee?", "--json", "--document")
    assert json.loads(spanwise(*question, "other.txt")[1])["citations"][0]["document"] == "other.txt"
    code, _, err = spanwise(*question, "third.txt")
    assert code == 2
    assert "third.txt" in err


def test_doctor_finds_everything_that_is_installed(spanwise):
    code, out, _ = spanwise("doctor", "--json")
    report = json.loads(out)
    assert (code, report["ok"]) == (0, True)
    assert {"pdf", "docx", "html", "markdown", "text"} <= {finding["name"] for finding in report["formats"]}
    assert "pypdfium2" in spanwise("doctor")[1]


def test_doctor_tells_how_to_get_what_is_missing(monkeypatch, spanwise):
    from importlib import metadata

    from spanwise.cli import doctor

    monkeypatch.setattr(
        metadata, "requires", lambda _: ["surely-not-there>=1.2; extra == 'x'", "surely-not-there>=1.2"]
    )
    monkeypatch.setattr(doctor, "_FORMAT_NEEDS", {"pdf": ("surely-not-there",)})
    code, out, _ = spanwise("doctor")
    assert code == 1
    assert "MISSING surely-not-there: not installed; get it with: pip install 'surely-not-there>=1.2'" in out


def test_schema_prints_the_schema_of_a_result(spanwise):
    code, out, _ = spanwise("schema", "result")
    schema = json.loads(out)
    assert code == 0
    assert schema["properties"]["schema_version"]["const"] == 1
    assert schema["additionalProperties"] is False


def test_an_unknown_schema_names_those_there_are(spanwise):
    code, _, err = spanwise("schema", "nothing")
    assert code == 2
    assert err.startswith("spanwise: there is no schema 'nothing': choose one of result, address, amount, ")


@pytest.mark.parametrize("name", ["amount", "AmountAnswer", "iban", "AnswerWithEvidence"])
def test_schema_prints_the_strict_schema_of_an_answer(spanwise, name):
    code, out, _ = spanwise("schema", name)
    schema = json.loads(out)
    assert code == 0
    assert schema["required"] == list(schema["properties"])
    assert schema["additionalProperties"] is False


def test_the_version(spanwise):
    assert spanwise("--version") == (0, f"spanwise {package.__version__}\n", "")


@pytest.mark.parametrize("command", [[], ["ask"], ["index"], ["eval"], ["doctor"], ["schema"], ["mcp"]])
def test_every_command_has_help(spanwise, command):
    code, out, _ = spanwise(*command, "--help")
    assert code == 0
    assert "Exit codes: 0" in out


def test_a_reader_that_leaves_early_is_no_error(contract):
    command = f"{sys.executable} -m spanwise ask {contract} 'What are the exclusions?' | true"
    done = subprocess.run(
        ["bash", "-c", command + "; exit ${PIPESTATUS[0]}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["lay", "yesno"])
def test_sets_of_our_own_need_no_data_folder(name, monkeypatch, spanwise):
    monkeypatch.delenv("SPANWISE_DATA", raising=False)
    code, out, _ = spanwise("eval", name, "--limit", "2", "--workers", "1")
    assert code == 0
    assert out.startswith(f"{name}: 2 questions")
