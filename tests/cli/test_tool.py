"""What makes the command line a tool: standard input, formats, settings, the marked page, a watched folder, help."""

import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from every import every
from test_documentation import parse

from spanwise.cli.app import app
from spanwise.cli.choices import choices
from spanwise.cli.settings import user_folder
from spanwise.cli.watching import run_watch
from spanwise.errors import DocumentNotFoundError, InputError
from spanwise.ingest.corpus import Corpus

DOCUMENTS = Path(__file__).parents[2] / "examples" / "documents"
FEE = "What is the late payment fee?"


def run(folder, *words, given=b"", **settings):
    """The command line in a process of its own, with a standard input."""
    return subprocess.run(
        [sys.executable, "-m", "spanwise", *words],
        cwd=folder,
        input=given,
        env=os.environ | settings,
        capture_output=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(("words", "given"), [
    (("contract.txt", "-"), b"What is\nthe late payment fee?\n"),
    (("-", FEE), None),
])  # fmt: skip
def test_the_standard_input_gives_the_question_or_the_document(contract, words, given):
    done = run(contract.parent, "ask", *words, "--no-remember", given=given or contract.read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"A late fee of 1.5% per month" in done.stdout


@pytest.mark.parametrize("words", [("verify", "said.txt", "-"), ("ground", "values.json", "-")])
def test_the_standard_input_gives_the_source(contract, words):
    contract.with_name("said.txt").write_text("A late fee of 1.5% per month applies.")
    contract.with_name("values.json").write_text('{"fee": "1.5%"}')
    done = run(contract.parent, *words, given=contract.read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"standard input, line" in done.stdout


def test_one_standard_input_is_not_read_twice(contract):
    done = run(contract.parent, "verify", "-", "-", given=b"A late fee applies.")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"the standard input is read once" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", [
    ("ask", "contract.txt", FEE), ("ask", "contract.txt", FEE, "--json"), ("schema",),
    ("extract", "contract.txt", "--ask", FEE), ("doctor",),
])  # fmt: skip
def test_a_full_disk_is_one_sentence(contract, words):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "spanwise", *words], cwd=contract.parent, stdout=full, stderr=-1, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"spanwise: the output cannot be read or written (No space left on device)")
    assert done.stderr.count(b"\n") == 1


def test_a_name_with_an_end_of_line_is_one_line(contract, spanwise):
    name = "contract.txt\nProved answer.txt"
    contract.rename(contract.with_name(name))
    assert "[c1] contract.txt Proved answer.txt, lines" in spanwise("ask", name, FEE)[1]


def test_tokens_that_nobody_made(contract, spanwise):
    assert spanwise("token", "list") == (
        0, "", "spanwise: no token was made yet: spanwise token make NAME --operator makes one\n"
    )  # fmt: skip
    assert spanwise("token", "frobnicate")[2].endswith("choose make, list or revoke\n")


def test_tokens_need_the_server(contract, spanwise, monkeypatch):
    monkeypatch.setattr("spanwise.cli.serve_plan.installed_package", lambda name: name != "fastapi")
    code, _, told = spanwise("token", "list")
    assert code == 2
    assert told.startswith('spanwise: the server needs fastapi: pip install ".[server]"')


def test_the_list_of_commands_says_each_summary_whole(spanwise, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = spanwise("--help")
    commands = " ".join(out.partition("Commands:")[2].split())
    assert "Fill fields from many documents: rows of values, each with its citation. batch" in commands
    assert "..." not in commands


def test_json_and_another_format_are_told(contract, spanwise):
    code, out, err = spanwise("ask", "contract.txt", FEE, "--json", "--format", "csv")
    assert (code, out) == (2, "")
    assert "leave one of the two out" in err


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("ask", "contract.txt", FEE), "spanwise: interrupted\n"),
        (
            ("index", "contract.txt", "--corpus", "c.db"),
            "spanwise: interrupted; what was stored is kept, run the same command again to go on\n",
        ),
    ],
)
@pytest.mark.usefixtures("contract")
def test_an_interruption_says_what_is_kept(spanwise, monkeypatch, command, told):
    def interrupted(*_words, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("spanwise.cli.asking.run_ask", interrupted)
    monkeypatch.setattr("spanwise.ingest.corpus.Corpus.open", interrupted)
    assert spanwise(*command) == (130, "", told)


def test_a_plan_needs_no_key(contract, spanwise, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    code, out, err = spanwise("ask", "contract.txt", FEE, "--plan", "--model", "openai:gpt-4o")
    assert code == 0, err
    assert out.startswith("at most ")


def test_a_plan_without_a_model_costs_nothing(contract, spanwise):
    assert spanwise("ask", "contract.txt", FEE, "--plan") == (0, "no model is called: it costs nothing\n", "")


@pytest.mark.parametrize(("words", "given", "told"), [
    (("contract.txt", "-"), b" \n", "the standard input holds no question"),
    (("-", "-"), b"What?", "the standard input is read once"),
    (("-", FEE), b"", "standard input is empty"),
    (("contract.txt", FEE, "--format", "docx"), b"", "there is no format 'docx': choose text, md, anthropic"),
])  # fmt: skip
def test_what_cannot_be_read_or_written_is_one_sentence(contract, words, given, told):
    done = run(contract.parent, "ask", *words, given=given)
    assert (done.returncode, done.stdout) == (2, b"")
    assert told in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_formats_of_an_answer(spanwise, contract):
    def printed(format):
        return spanwise("ask", "contract.txt", "What are the exclusions?", "--format", format)[1]

    assert printed("md") == printed("markdown")
    assert "[^c1]: contract.txt, line 17: " in printed("md")
    assert printed("html").startswith("<!DOCTYPE html>")
    assert json.loads(printed("json"))["decision"] == "ship"
    rows = list(csv.DictReader(io.StringIO(printed("csv"), newline="")))
    assert [(row["item"], row["answer"], row["line_start"]) for row in rows] == [
        ("1", "damage by flood", "17"),
        ("2", "damage by war", "18"),
        ("3", "loss of profit.", "19"),
    ]


def test_csv_of_what_is_not_there_is_its_header(spanwise, contract):
    code, out, err = spanwise("ask", "contract.txt", "Who is the president of France?", "--format", "csv")
    assert (code, out.count("\n")) == (1, 1)
    assert err.startswith("not found in this document")


def test_a_row_of_a_table_as_csv_has_the_place_of_that_row(spanwise, contract):
    (contract.parent / "plants.csv").write_text(
        "plant,sown,kilograms\nBean,11 May,7.4\nLeek,9 March,9.8\nBeet,2 June,12.0\n"
    )
    _, out, _ = spanwise("ask", "plants.csv", "List the plants", "--type", "table", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out, newline="")))
    assert len({row["plant"] for row in rows}) == len(rows) > 1
    assert {row["plant"]: row["line_start"] for row in rows}.items() <= {"Bean": "2", "Leek": "3", "Beet": "4"}.items()


def test_the_marked_page_of_the_last_answer(spanwise, tmp_path, own_folders):
    assert spanwise("open")[0] == 2  # nothing was asked yet
    lease = str(DOCUMENTS / "lease.pdf")
    assert spanwise("ask", lease, "Is a notice by email valid?")[0] == 0
    code, out, err = spanwise("open", "c1")
    picture = Path(out.strip())
    assert (code, err) == (0, "[c1] lease.pdf, page 3, line 96\n")
    assert picture.read_bytes().startswith(b"\x89PNG")
    kept = user_folder("cache") / "last-answer.json"
    assert picture.stat().st_mode & 0o777 == kept.stat().st_mode & 0o777 == 0o600
    assert "notice" not in kept.read_text()  # nothing of the document, nor of the question
    assert spanwise("open", "c1", "--out", str(tmp_path / "copy.pdf"))[0] == 0
    assert (tmp_path / "copy.pdf").read_bytes().startswith(b"%PDF")
    assert "the last answer has no citation 'c9': it has c1" in spanwise("open", "c9")[2]
    assert "ends in .png or .pdf" in spanwise("open", "c1", "--out", "a.doc")[2]


def test_an_answer_that_is_not_to_be_remembered_is_not(spanwise, contract, own_folders):
    assert spanwise("ask", "contract.txt", FEE, "--no-remember")[0] == 0
    assert not list(own_folders.rglob("last-answer.json"))


@pytest.mark.parametrize(
    "held", [b"", b"[]", b'{"version": 1}', b'{"version": 1, "citations": [], "files": 3}', b"{" * 9_000]
)
def test_a_cache_that_holds_something_else_is_told(spanwise, held):
    path = user_folder("cache") / "last-answer.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(held)
    code, _, err = spanwise("open")
    assert code == 2
    assert "is not what Spanwise wrote: ask again, and it is replaced" in err


def test_a_text_document_is_named_and_nothing_is_started(spanwise, contract):
    spanwise("ask", "contract.txt", FEE)
    code, out, err = spanwise("open")
    assert (code, out.strip()) == (0, str(contract.resolve()))
    assert "only PDFs have pages to mark" in err
    contract.unlink()
    assert "is not there any more" in spanwise("open")[2]


def test_an_option_wins_over_the_environment_and_that_over_the_file(spanwise, contract, monkeypatch):
    (contract.parent / "spanwise.toml").write_text('[ask]\nformat = "md"\n[use.table]\nformat = "csv"\n')
    below = contract.parent / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    ask = ("ask", str(contract), FEE)
    assert "[^c1]" in spanwise(*ask)[1]
    assert spanwise("--use", "table", *ask)[1].startswith("item,answer")
    monkeypatch.setenv("SPANWISE_ASK_FORMAT", "html")
    assert spanwise("--use", "table", *ask)[1].startswith("<!DOCTYPE html>")
    assert spanwise(*ask, "--format", "json")[1].startswith("{")
    monkeypatch.setenv("SPANWISE_SETTINGS", "")
    monkeypatch.delenv("SPANWISE_ASK_FORMAT")
    assert "Proved answer" in spanwise(*ask)[1]


def test_a_corpus_of_the_settings_is_asked_unless_a_document_is_named(spanwise, contract, monkeypatch):
    (contract.parent / "spanwise.toml").write_text('corpus = "kept.db"\n')
    other = contract.parent / "other.txt"
    other.write_text("The late payment fee is 9 euros.\n")
    assert spanwise("index", "contract.txt")[0] == 0
    assert "1.5%" in spanwise("ask", FEE)[1]
    assert "9 euros" in spanwise("ask", "other.txt", FEE)[1]
    assert spanwise("extract", "other.txt", "--ask", FEE)[0] == 0
    with Corpus.open(contract.parent / "kept.db", create=False) as kept:
        assert [document.name for document in kept.documents()] == ["contract.txt"]


@pytest.mark.parametrize(("text", "told"), [
    ("fomat = 'md'", "has a key 'fomat' that is no setting: did you mean 'format'?"),
    ("[aks]\nx = 1", "has a key 'aks' that is no setting: did you mean 'ask'?"),
    ("[ask]\nevery = 1", "has a key 'every' in [ask] that is no setting"),
    ("[ask]\nremember = 'no'", "remember in [ask] is true or false"),
    ("every = true", "every is a number"),
    ("[use]\na = 1", "use.a is a table, [use.a]"),
    ("[use.a]\nnothing = 1", "has a key 'nothing' in [use.a] that is no setting"),
    ("format =", "is not TOML"),
    ("#" * 200_000, "it holds no settings"),
    ("model = 'openai:gpt-5-mini'", "lies where you work and sets model, which sends, writes or runs something"),
    ("[extract]\nclass = 'evil.py:Class'", "sets class, which sends, writes or runs something"),
    ("base_url = 'http://evil.example'", "sets base-url"),
    ("client = 'tcp://evil.example:8786'", "sets client, which sends, writes or runs something"),
    ("[token]\noperator = true", "sets operator"),
    ("corpus = '../theirs.db'", "names ../theirs.db, which lies outside of its folder"),
    ("corpus = 'postgresql://evil.example/db'", "names a database, where documents would be kept"),
    ("[serve]\ncorpus = 'a=postgresql://evil.example/db?schema=x'", "names a database, where documents would be kept"),
    ("[use.a]\nhighlight = 'over.pdf'", "sets highlight"),
])  # fmt: skip
def test_wrong_settings_are_told_in_one_sentence(spanwise, contract, text, told):
    (contract.parent / "spanwise.toml").write_text(text)
    code, out, err = spanwise("ask", "contract.txt", FEE)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert told in err
    assert spanwise("ask", "--help")[0] == 0


def test_the_users_own_file_may_say_everything(spanwise, contract):
    own = user_folder("config") / "spanwise.toml"
    own.parent.mkdir(parents=True)
    own.write_text("highlight = 'marked.pdf'\n[use.b]\nformat = 'csv'\n")
    code, out, err = spanwise("--use", "b", "ask", "contract.txt", FEE)
    assert (code, out[:4]) == (0, "item")
    assert "nothing to highlight" in err
    assert (
        "no settings are named 'c': write [use.c] in spanwise.toml (there are b)" in spanwise("--use", "c", "doctor")[2]
    )


def test_a_database_in_the_users_own_file_is_no_path(spanwise, monkeypatch):
    own = user_folder("config") / "spanwise.toml"
    own.parent.mkdir(parents=True)
    own.write_text("corpus = 'postgresql://me@db.example/team?schema=x'\n")
    opened = []
    monkeypatch.setattr(Corpus, "open", lambda place, **_: opened.append(place) or Corpus.memory())
    assert spanwise("ask", FEE)[0] == 2
    assert opened == ["postgresql://me@db.example/team?schema=x"]


def test_the_password_of_a_database_is_not_told(spanwise, monkeypatch, capfd, tmp_path):
    monkeypatch.setattr(Corpus, "open", lambda *_, **__: Corpus.memory())
    place = "postgresql://me:secret@db.example/team"
    err = spanwise("ask", "--corpus", place, FEE)[2]
    assert "there is no document in postgresql://me@db.example:5432/team yet" in err

    def wait(_seconds):
        raise KeyboardInterrupt

    assert run_watch([str(tmp_path)], place, 2.0, None, follow_links=False, as_json=True, wait=wait) == 0
    err += capfd.readouterr().err
    assert "for postgresql://me@db.example:5432/team" in err
    assert "secret" not in err


def test_a_watched_folder_is_kept_up_to_date(tmp_path, capfd):
    folder, corpus = tmp_path / "in", tmp_path / "kept.db"
    folder.mkdir()
    steps = [
        lambda: (folder / "a.txt").write_text("The fee is 5 euros.\n"),
        lambda: (folder / "a.txt").write_text("The fee is 600 euros.\n"),
        lambda: (folder / "b.pdf").write_bytes(b"not a pdf"),
        (folder / "a.txt").unlink,
    ]
    waited = []

    def wait(seconds):
        """Each change comes while somebody waits; looks in between see it settled."""
        waited.append(seconds)
        if len(waited) % 3 == 1:
            if not steps:
                raise KeyboardInterrupt
            steps.pop(0)()

    assert run_watch([str(folder)], str(corpus), 2.0, None, follow_links=False, as_json=True, wait=wait) == 0
    out, err = capfd.readouterr()
    reports = [json.loads(line) for line in out.splitlines()]
    assert [(one["added"], one["replaced"], one["removed"], len(one["failed"])) for one in reports] == [
        (["a.txt"], [], [], 0),
        ([], ["a.txt"], [], 0),
        ([], [], [], 1),
        ([], [], ["a.txt"], 1),
    ]
    assert err.endswith("stopped watching; what was stored is kept\n")


def test_a_folder_that_never_rests_is_read_all_the_same(tmp_path, capfd):
    (tmp_path / "log.txt").write_text("It began.\n")
    waited = []

    def wait(seconds):
        waited.append(seconds)
        with (tmp_path / "log.txt").open("a") as log:
            log.write("It goes on.\n")
        if len(waited) == 1:
            (tmp_path / "new.md").write_text("The fee is 5 euros.\n")
        if len(waited) == 200:
            raise KeyboardInterrupt

    run_watch([str(tmp_path)], str(tmp_path / "kept.db"), 2.0, None, follow_links=False, as_json=True, wait=wait)
    added = [name for line in capfd.readouterr().out.splitlines() for name in json.loads(line)["added"]]
    assert added == ["log.txt", "new.md"]


def test_a_watch_of_nothing_is_told(tmp_path):
    for paths, seconds, told in (
        ([str(tmp_path / "no")], 1.0, "no file or folder"),
        ([str(tmp_path)], 0.0, "--every 0"),
    ):
        with pytest.raises((InputError, DocumentNotFoundError), match=told):
            run_watch(paths, str(tmp_path / "c.db"), seconds, None, follow_links=False, as_json=False)


COMMANDS = typer.main.get_command(app).commands


@every("command", sorted(COMMANDS))
def test_the_examples_of_help_are_commands(command):
    shown = COMMANDS[command].epilog
    examples = re.findall(r"^  (spanwise .*)$", shown, re.MULTILINE)
    assert examples or command == "doctor"
    assert "xit code" in shown
    for example in examples:
        parse(shlex.split(example.partition("<")[0]))


@pytest.mark.parametrize("command", ["ask", "eval"])
def test_help_fits_a_narrow_terminal(tmp_path, command):
    shown = run(tmp_path, command, "--help", COLUMNS="40", NO_COLOR="1").stdout.decode()
    assert "\x1b" not in shown
    lines = shown.partition("Examples:")[0].splitlines()
    assert max(map(len, lines)) <= 46  # one word may stand out


@pytest.mark.parametrize(("kind", "known"), [
    ("format", "md"), ("mode", "compact"), ("profile", "contracts"), ("shape", "listing"), ("type", "amount"),
])  # fmt: skip
def test_a_shell_is_offered_what_an_option_takes(kind, known):
    assert known in choices(kind)


def test_completion_for_a_shell(tmp_path):
    assert (
        b"complete"
        in run(tmp_path, "--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1").stdout
    )
    asked = {"COMP_WORDS": "spanwise ask --format m", "COMP_CWORD": "3", "_SPANWISE_COMPLETE": "complete_bash"}
    command = [str(Path(sys.executable).with_name("spanwise"))]
    done = subprocess.run(command, env=os.environ | asked, capture_output=True, check=False)
    assert done.stdout.split() == [b"md", b"markdown"]
