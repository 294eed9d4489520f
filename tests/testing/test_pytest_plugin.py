"""The pytest plugin: fixtures and functions, the message of a failure, and what it costs who does not use it."""

import os
import subprocess
import sys

import pytest

from spanwise.integrations.pytest_plugin import assert_cited, assert_grounded

PASSAGES = ["The late fee is 1.5% per month.", {"title": "Payment", "content": "Payment is due within 30 days."}]


def failure(check, answer):
    with pytest.raises(AssertionError) as caught:
        check(answer, PASSAGES)
    return str(caught.value)


def test_an_answer_that_holds():
    assert_grounded("The late fee is 1.5% per month [2].", PASSAGES)
    assert_cited("The late fee is 1.5% per month [1]. Payment is due within 30 days [2].", iter(PASSAGES))


def test_a_failure_names_the_claim_the_reason_and_the_nearest_evidence():
    told = failure(assert_grounded, "The late fee is 2% per month. Payment is due within 30 days.").splitlines()
    assert told[0] == "the answer is not grounded in its passages: 1 of 2 claims fail"
    assert told[1] == "Contradicted: The late fee is 2% per month."
    assert told[2] == '  why: the answer says "2", the source "1.5"'
    assert told[3].endswith("line 1: The late fee is 1.5% per month.")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("The late fee is 1.5% per month [2].", "citation: "),
        ("The late fee is 1.5% per month [7].", "which was not given"),
        ("The late fee is 1.5% per month.", "it cites nothing"),
        ("The moon is made of cheese [1].", "Not supported"),
    ],
)
def test_what_is_cited_has_to_prove_it(answer, told):
    assert told in failure(assert_cited, answer)


@pytest.mark.parametrize("answer", ["", "I do not know.", None])
def test_an_answer_without_claims_proves_nothing(answer):
    assert "claims fail" not in failure(assert_grounded, answer)


def inner(tmp_path, text, *options):
    (tmp_path / "test_inner.py").write_text(text)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
    ]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [*command, *options], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False, env=environment
    )


def test_the_fixtures_and_how_a_failure_reads(tmp_path):
    done = inner(
        tmp_path,
        "def test_right(assert_grounded, assert_cited):\n"
        "    assert_grounded('The fee is 5 euros.', ['The fee is 5 euros.'])\n"
        "    assert_cited('The fee is 5 euros [1].', ['The fee is 5 euros.'])\n"
        "def test_wrong(assert_grounded):\n"
        "    assert_grounded('The fee is 6 euros.', ['The fee is 5 euros.'])\n",
    )
    assert "1 failed, 1 passed" in done.stdout
    assert "Contradicted: The fee is 6 euros." in done.stdout
    assert "pytest_plugin.py" not in done.stdout, "the lines of the plugin are nobody's business"


def test_who_does_not_use_it_loads_nothing_of_it(tmp_path):
    done = inner(
        tmp_path,
        "import sys\n"
        "def test_nothing():\n"
        "    loaded = sorted(name for name in sys.modules if name.split('.')[0] == 'spanwise')\n"
        "    assert loaded == ['spanwise', 'spanwise.integrations', 'spanwise.integrations.pytest_plugin']\n"
        "    assert not {'pydantic', 'rapidfuzz', 'tantivy'} & set(sys.modules)\n",
    )
    assert done.returncode == 0, done.stdout
