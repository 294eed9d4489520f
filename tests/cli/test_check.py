"""`spanwise check` over reports, alone, as the pre-commit hook and as the GitHub action run it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
LEASE = "Lease\n\nThe monthly rent is EUR 1,250.00.\nThe deposit amounts to EUR 3,750.00.\n"
FEES = "Fees\n\nA late payment bears interest of 5 % a year.\n"
RIGHT = "The monthly rent is EUR 1,250.00 [1]. A late payment bears interest of 5 % a year [2]."
WRONG = "The monthly rent is EUR 1,250.00 [1]. The deposit amounts to EUR 3,700.00 [1]."
ELSEWHERE = "A late payment bears interest of 5 % a year [1]."


@pytest.fixture
def repository(tmp_path, monkeypatch):
    (tmp_path / "sources").mkdir()
    (tmp_path / "notes").mkdir()
    (tmp_path / "sources" / "lease.txt").write_text(LEASE)
    (tmp_path / "sources" / "fees.txt").write_text(FEES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def report(name, text, front="sources:\n  - ../sources/lease.txt\n  - '../sources/fees.txt' # both\n"):
    Path(name).write_text(f"---\ntitle: Rent\n{front}---\n# Rent\n\n{text}\n")
    return name


@pytest.mark.parametrize(
    "front",
    [
        "sources:\n  - ../sources/lease.txt\n  - ../sources/fees.txt\n",
        "sources: [../sources/lease.txt, '../sources/fees.txt']\n",
        'sources:\n- "../sources/lease.txt"\n- ../sources/fees.txt # the second\nauthor: nobody\n',
    ],
)
def test_a_report_that_holds(spanwise, repository, front):
    assert spanwise("check", report("notes/a.md", RIGHT, front)) == (
        0,
        "notes/a.md: holds, 2 of 2 claims are proved\n",
        "",
    )


def test_what_fails_is_shown_with_its_line_the_reason_and_the_nearest_evidence(spanwise, repository):
    code, out, _ = spanwise("check", report("notes/a.md", WRONG), report("notes/b.md", ELSEWHERE))
    assert code == 1
    assert "notes/a.md:9: Contradicted: The deposit amounts to EUR 3,700.00 [1]." in out
    assert "nearest: lease.txt, line 4: The deposit amounts to EUR 3,750.00." in out
    assert "notes/b.md:9: Supported" in out
    assert "citation: fees.txt, line 3 says it, not the one that is cited" in out


def test_a_share_may_be_enough(spanwise, repository):
    assert spanwise("check", "--fail-under", "0.5", report("notes/a.md", WRONG))[0] == 0
    assert spanwise("check", "--fail-under", "0.6", report("notes/a.md", WRONG))[0] == 1
    assert spanwise("check", "--fail-under", "60", report("notes/a.md", WRONG))[0] == 2
    assert spanwise("check", "--fail-under", "0.1", report("notes/b.md", ELSEWHERE))[0] == 1, "its citation is wrong"


def test_sources_may_be_told_for_all_and_a_page_without_any_is_left_alone_beside_others(spanwise, repository):
    Path("plain.md").write_text(RIGHT)
    code, out, _ = spanwise("check", "plain.md", report("notes/a.md", RIGHT))
    assert (code, out.splitlines()[0]) == (0, "plain.md: names no sources, not checked")
    code, out, error = spanwise("check", "plain.md")
    assert (code, out) == (2, "")
    assert "nothing was checked" in error
    assert spanwise("check", "--if-sourced", "plain.md")[0] == 0
    assert spanwise("check", "plain.md", "--source", "sources/lease.txt", "--source", "sources/fees.txt")[0] == 0


@pytest.mark.parametrize(
    ("front", "told"),
    [
        ("sources: ../../../etc/passwd\n", "outside of this folder"),
        ("sources: /etc/passwd\n", "outside of this folder"),
        ("sources: missing.txt\n", "missing.txt"),
        ("sources:\nauthor: nobody\n", "a list of paths"),
        ("sources: {a: b}\n", "{a: b}"),
    ],
)
def test_sources_that_cannot_be_used_are_bad_input(spanwise, repository, front, told):
    code, out, error = spanwise("check", report("notes/a.md", RIGHT, front))
    assert (code, out) == (2, "")
    assert told in error


def test_a_hostile_report_starts_no_command_of_the_workflow(spanwise, repository):
    text = "The deposit amounts to EUR 3,700.00 ::error::x\x1b[31m%0A::set-output name=a::b [1]."
    code, out, _ = spanwise("check", "--github", report("notes/a,b.md", text))
    assert code == 1
    assert all(line.startswith(("::error file=notes/a%2Cb.md,line=", "notes/a,b.md: ")) for line in out.splitlines())
    assert "\x1b" not in out


def test_json_has_every_report(spanwise, repository):
    code, out, _ = spanwise("check", "--json", report("notes/a.md", WRONG), report("notes/b.md", RIGHT))
    told = json.loads(out)
    assert (code, told["passed"]) == (1, False)
    assert [(one["report"], one["passed"]) for one in told["reports"]] == [("notes/a.md", False), ("notes/b.md", True)]


def run(command, **environment):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    known = os.environ | {"PATH": path} | environment
    return subprocess.run(command, capture_output=True, text=True, env=known, timeout=120, check=False)


@pytest.mark.parametrize(("text", "code"), [(RIGHT, 0), (WRONG, 1)])
def test_the_hook_runs_as_pre_commit_would(repository, text, code):
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    program, *arguments = hook["entry"].split()
    assert program == "spanwise"
    done = run([sys.executable, "-m", program, *arguments, report("notes/a.md", text), report("notes/c.md", RIGHT)])
    assert done.returncode == code, done.stderr


@pytest.mark.parametrize(("text", "code"), [(RIGHT, 0), (WRONG, 1)])
def test_the_action_checks_what_its_inputs_name(repository, text, code):
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    used = [step["uses"] for step in action["runs"]["steps"] if "uses" in step]
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", one) for one in used), "pinned to a commit"
    report("notes/a.md", text, "title: two\n")
    script = action["runs"]["steps"][-1]["run"]
    assert "${{" not in script
    bin_ = repository / "bin"
    bin_.mkdir()
    (bin_ / "spanwise").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m spanwise "$@"\n')
    (bin_ / "spanwise").chmod(0o755)
    done = run(
        ["bash", "-eo", "pipefail", "-c", script],
        PATH=f"{bin_}{os.pathsep}{os.environ['PATH']}",
        REPORTS="notes/*.md\n",
        SOURCES="sources/lease.txt\nsources/fees.txt\n",
        FAIL_UNDER="",
    )
    assert done.returncode == code, done.stderr
    assert ("::error file=notes/a.md,line=" in done.stdout) is bool(code)
