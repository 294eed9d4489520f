"""What reaches a terminal: no control characters of documents or names, in any locale, and errors in one sentence."""

import os
import pty
import re
import subprocess
import sys

import pytest

ESCAPE = "\x1b"
HOSTILE = {
    "colour": f"{ESCAPE}[31mred{ESCAPE}[0m",
    "link": f"{ESCAPE}]8;;http://evil.example{ESCAPE}\\here{ESCAPE}]8;;{ESCAPE}\\",
    "title": f"{ESCAPE}]0;owned\x07",
    "clipboard": f"{ESCAPE}]52;c;ZXZpbA==\x07",
    "clear": f"{ESCAPE}[2J{ESCAPE}[H",
    "c1": "\u009b31m \u009d8;;http://evil.example\u009c",
    "bidi": "\u202egpj.exe\u202c \u2066x\u2069 \u200fy",
    "overwrite": "secret\rpublic \x08\x08\x08",
    "unseen": "a\u200bb\ufeffc\u2060d",
    "device": f"{ESCAPE}[6n{ESCAPE}P0;1|17/17{ESCAPE}\\",
}
UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
OWN = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[[0-9]*[AGK]|\x1b\[2K|\r")
"""What rich writes itself: colours, the cursor of a progress bar, and line ends of a terminal."""


def on_terminal(folder, *words):
    """What a terminal gets, both streams together."""
    leader, follower = pty.openpty()
    with os.fdopen(leader, "rb", closefd=True) as reader:
        process = subprocess.Popen(
            [sys.executable, "-m", "spanwise", *words], cwd=folder, stdout=follower, stderr=follower, stdin=follower
        )
        os.close(follower)
        written = b""
        while True:
            try:
                piece = reader.read1(65536)
            except OSError:  # the terminal of a process that has ended
                break
            if not piece:
                break
            written += piece
        process.wait()
    return written.decode("utf-8", "replace")


def test_nothing_of_a_document_steers_a_terminal(tmp_path):
    hostile = " ".join(HOSTILE.values()).replace("\r", "")  # a line of a file ends there
    (tmp_path / "fees.txt").write_text(f"The late fee is 5 euros {hostile} a month.\n", encoding="utf-8")
    shown = on_terminal(tmp_path, "ask", "fees.txt", "What is the late fee?")
    assert "5 euros" in shown
    assert not UNSAFE.search(OWN.sub("", shown))
    assert "\x1b]" not in shown


def test_nothing_of_a_name_steers_a_terminal(tmp_path):
    name = "".join(HOSTILE[kind] for kind in ("colour", "link", "bidi", "clear")).replace("/", "") + ".txt"
    (tmp_path / "fees.txt").write_text("The late fee is 5 euros.\n")
    for words in (("ask", "fees.txt", "What is the late fee?", "--trace", f"no/{name}"), ("replay", name)):
        assert not UNSAFE.search(OWN.sub("", on_terminal(tmp_path, *words)))


@pytest.mark.parametrize("settings", [{"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "cp1252"}, {"NO_COLOR": "1"}])
def test_any_locale_shows_the_answer(settings, tmp_path):
    (tmp_path / "preis.txt").write_text("Der Preis beträgt 5 € für „Łódź“ 料金.\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "spanwise", "ask", "preis.txt", "Wie hoch ist der Preis?"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONUTF8": "0", **settings},
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert b"Der Preis betr" in done.stdout
    assert b"\x1b" not in done.stdout


@pytest.mark.parametrize(("words", "told"), [
    (("--type", "money"), "there is no type 'money': choose one of address, amount"),
    (("--type", "Amount"), "did you mean 'amount'?"),
])  # fmt: skip
def test_an_unknown_type_is_bad_input(spanwise, contract, words, told):
    code, out, err = spanwise("ask", "contract.txt", "What is the late payment fee?", *words)
    assert (code, out) == (2, "")
    assert told in err


def test_an_answer_that_needs_a_look_says_so_before_and_after_it(spanwise, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.txt").write_text("The following count as noise:\na) drills\nb) drums\n")
    code, out, _ = spanwise("ask", "house.txt", "When are quiet hours?")
    first, last = out.splitlines()[0], out.splitlines()[-1]
    assert first.startswith(("Possible answer", "Not found"))
    assert "Proved" not in out
    assert code == 1 or last.startswith("Possible answer, confidence")
