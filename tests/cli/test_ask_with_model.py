import json

import pytest

GOOD = "A late fee of 1.5% per month will apply to any outstanding balance [1]."
QUESTION = "What is the late fee?"


def typed(line):
    spans = [{"line_start": line, "line_end": line, "quote": None}]
    return json.dumps(
        {
            "items": [{"text": "A late fee of 1.5% per month (18% annually)", "spans": spans}],
            "extraction_method": "verbatim",
            "confidence": 0.9,
            "caveats": [],
            "answer_found": True,
            "complete_answer_found": True,
            "context_completeness_weak": 0.9,
            "context_structured": True,
            "llm_discovered_keywords": [],
            "keywords_found": [],
            "conflicting_evidence": False,
            "suggested_clarification": None,
        }
    )


@pytest.fixture
def replies(contract):
    def write(*texts):
        (contract.parent / "replies.json").write_text(json.dumps(texts))
        return "scripted:replies.json"

    return write


def test_a_model_writes_and_the_guard_checks(spanwise, replies):
    code, out, err = spanwise("ask", "contract.txt", QUESTION, "--model", replies(GOOD), "--mode", "compact")
    assert code == 0, err
    assert out.startswith("A late fee of 1.5% per month will apply to any outstanding balance.\n")
    assert "contract.txt, line" in out
    assert "1 calls" in err


def test_without_a_mode_a_model_fills_the_typed_contract(spanwise, replies):
    code, out, err = spanwise("ask", "contract.txt", QUESTION, "--model", replies(typed(10)), "--json")
    assert code == 0, err
    record = json.loads(out)
    assert record["meta"]["mode"] == "typed"
    assert [citation["line_start"] for citation in record["citations"]] == [10]
    assert record["metrics"]["llm_calls"] == 1


def test_a_plan_asks_nothing(spanwise, replies):
    code, out, _ = spanwise(
        "ask", "contract.txt", QUESTION, "--model", replies(), "--mode", "compact", "--plan", "--json"
    )
    assert code == 0
    assert json.loads(out)["calls"] >= 1


def test_a_trace_is_written_and_proved_again(spanwise, replies):
    spanwise("ask", "contract.txt", QUESTION, "--model", replies(typed(10)), "--trace", "trace.json")
    code, out, err = spanwise("replay", "trace.json")
    assert code == 0, err
    assert out.startswith("A late fee of 1.5% per month (18% annually)\n")
    assert "holds" in err


def test_an_edited_trace_is_refused(spanwise, contract):
    spanwise("ask", "contract.txt", QUESTION, "--trace", "trace.json")
    path = contract.parent / "trace.json"
    path.write_text(path.read_text().replace("1.5%", "9.5%"))
    code, _, err = spanwise("replay", "trace.json")
    assert code == 2
    assert "edited" in err


@pytest.mark.parametrize(
    "options",
    [
        ["--mode", "compact"],
        ["--mode", "poetry"],
        ["--model", "nonsense:x"],
        ["--model", "scripted:missing.json"],
        ["--base-url", "http://127.0.0.1:1"],
    ],
)
def test_what_cannot_be_used_is_told_in_a_sentence(spanwise, contract, options):
    code, out, err = spanwise("ask", contract.name, QUESTION, *options)
    assert (code, out) == (2, "")
    assert err.startswith("spanwise: ")
    assert err.count("\n") == 1


def test_a_script_that_runs_out_is_no_answer(spanwise, replies):
    code, out, err = spanwise("ask", "contract.txt", QUESTION, "--model", replies())
    assert code in (2, 3)
    assert out == ""
    assert err.startswith("spanwise: ")


def test_what_is_cached_is_not_asked_again(spanwise, replies):
    model = replies(GOOD)  # one reply only: a second call would find the script at its end
    options = ["--model", model, "--mode", "compact", "--cache", "replies.db", "--json"]
    first = spanwise("ask", "contract.txt", QUESTION, *options)
    second = spanwise("ask", "contract.txt", QUESTION, *options)
    assert first[0] == second[0] == 0
    assert json.loads(first[1])["text"] == json.loads(second[1])["text"]


def test_a_policy_decides_what_ships(spanwise, replies):
    wrong = GOOD.replace("1.5%", "2.5%")
    asked = ("ask", "contract.txt", QUESTION, "--mode", "compact", "--model")
    code, out, _ = spanwise(*asked, replies(wrong), "--policy", "mark", "--json")
    record = json.loads(out)
    assert code == 0
    assert "2.5%" in record["text"]
    assert record["warnings"] == ["contradicted_claim"]
    shown = spanwise(*asked, replies(wrong), "--policy", "mark")[1]
    assert "note: not proved (A late fee of 2.5% per month" in shown
    assert "2.5%" not in spanwise(*asked, replies(wrong, wrong, wrong))[1]
    code, _, err = spanwise(*asked, replies(), "--policy", "loose")
    assert code == 2
    assert "choose one of prune, mark, strict" in err
