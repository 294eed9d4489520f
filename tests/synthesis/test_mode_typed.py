"""Typed answers: the same kind of result in every mode, its spans lines of the documents."""

import json
import re

from every import every

from spanwise import AmountAnswer, Passage
from spanwise.llm.port import Call
from spanwise.llm.scripted import ScriptedModel
from spanwise.synthesis.synthesizer import Synthesizer

SEVEN = ["refine", "compact", "tree_summarize", "simple_summarize", "no_text", "accumulate", "compact_accumulate"]
PASSAGES = [
    Passage("a.pdf:10-12", "a.pdf", 10, 12, page=2, text="Fees\nThe fee is 5 EUR.\nIt is due in May."),
    Passage("b.pdf:7-7", "b.pdf", 7, 7, page=1, text="A fine of 9 EUR applies."),
]
LINE = re.compile(r"^(?:\[\d+\]\n)?(\d+)\| (.*EUR.*)$", re.MULTILINE)


def answer_of(amounts: list[tuple[float, int, int]]) -> str:
    return json.dumps(
        {
            "items": [
                {
                    "amount": {"value": value, "currency": "EUR", "unit": None},
                    "spans": [{"line_start": first, "line_end": last, "quote": None}],
                }
                for value, first, last in amounts
            ],
            "extraction_method": "verbatim" if amounts else "na",
            "confidence": 0.9,
            "caveats": [],
            "answer_found": bool(amounts),
            "complete_answer_found": bool(amounts),
            "context_completeness_weak": 0.9,
            "context_structured": True,
            "llm_discovered_keywords": [],
            "keywords_found": [],
            "conflicting_evidence": False,
            "suggested_clarification": None,
        }
    )


def reads(call: Call) -> str:
    """A model that finds the amounts of a prompt at the numbers of their lines, and keeps those found before."""
    found = [
        (float(re.search(r"(\d+) EUR", text).group(1)), int(number), int(number))
        for number, text in LINE.findall(call.prompt)
    ]
    for earlier in re.findall(r'^\{"items":.*\}$|^\{.*"items":.*\}$', call.prompt, re.MULTILINE):
        found += [
            (item["amount"]["value"], item["spans"][0]["line_start"], item["spans"][0]["line_end"])
            for item in json.loads(earlier)["items"]
        ]
    return answer_of(sorted(set(found)))


@every("mode", SEVEN)
@every("window", [2600, 4096])
def test_the_same_kind_of_result_in_every_mode(mode, window):
    filler = [Passage(f"c:{n}", "c", n, n, page=1, text=f"Number {n}. " + "Nothing here. " * 60) for n in range(1, 8)]
    synthesizer = Synthesizer(
        mode, ScriptedModel(reads), context_window=window, max_output_tokens=400, output=AmountAnswer
    )
    response = synthesizer.synthesize("Which amounts?", [PASSAGES[0], *filler, PASSAGES[1]])
    assert isinstance(response.answer, AmountAnswer)
    assert response.result.answer is response.answer
    if mode == "no_text":
        assert not response.answer.answer_found
        return
    found = [(item.amount.value, item.spans[0].line_start) for item in response.answer.items]
    assert found == [(5.0, 11), (9.0, 7)]
    assert response.sources == (("a.pdf",), ("b.pdf",))
    assert [(c.document, c.line_start, c.quote) for c in response.citations] == [
        ("a.pdf", 11, "The fee is 5 EUR."),
        ("b.pdf", 7, "A fine of 9 EUR applies."),
    ]
    assert response.response == "EUR 5\nEUR 9"
    assert response.meta["schema_used"] == "AmountAnswer"
    assert all(isinstance(answer, AmountAnswer) for answer in response.answers)


def test_lines_that_were_not_shown_are_taken_out_and_named():
    model = ScriptedModel([answer_of([(5.0, 2, 2), (7.0, 99, 99)])])
    response = Synthesizer("compact", model, output=AmountAnswer).synthesize("Which amounts?", PASSAGES)
    assert [len(item.spans) for item in response.answer.items] == [1, 0]
    assert [rejected.marker for rejected in response.rejected] == ["lines 99 to 99"]


def test_nothing_found_is_typed():
    response = Synthesizer("compact", ScriptedModel([answer_of([])]), output=AmountAnswer).synthesize("?", PASSAGES)
    assert response.response == "not found in this document"
    assert response.answer.items == []


def test_a_reply_that_is_no_answer_is_a_failed_call():
    model = ScriptedModel(lambda call: "I think so." if "9 EUR" in call.prompt else reads(call))
    response = Synthesizer("accumulate", model, output=AmountAnswer).synthesize("Which amounts?", PASSAGES)
    assert [(omission.label, omission.reason) for omission in response.missing] == [(2, "call_failed")]
    assert [item.amount.value for item in response.answer.items] == [5.0]
