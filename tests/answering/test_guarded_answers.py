"""What of a model's reply ships: citations, sentences, contradictions, confidence, length, styles."""

import json
from dataclasses import replace

import pytest

from spanwise import verify
from spanwise.answering.guarded import ResponseSynthesizer
from spanwise.errors import InputError
from spanwise.llm.scripted import ScriptedModel
from spanwise.messages import DONT_KNOW, NO_INFORMATION
from spanwise.synthesis.guarded.schema import ModelConfig, SynthesisInput, SynthesisOutput

TEXTS = {
    "c1": "A late fee of 1.5% per month will apply. The Vendor may suspend the services after 60 days.",
    "c2": "Payment is due within 30 days of the invoice. Invoices are sent on the first day of each month.",
    "c3": "Either party may terminate the agreement with 90 days' written notice. The Vendor shall not assign it.",
    "c4": "The agreement is governed by the laws of Delaware. It took effect on March 1, 2024.",
}
SCORES = {"c1": 0.9, "c2": 0.7, "c3": 0.6, "c4": 0.5}
TRUE = [
    "The late fee is 1.5% per month [c1].",
    "Payment is due within 30 days of the invoice [c2].",
    "Either party may terminate the agreement with 90 days' written notice [c3].",
    "The agreement is governed by the laws of Delaware [c4].",
    "The agreement took effect on March 1, 2024 [c4].",
    "The Vendor may suspend the services after 60 days [c1].",
    "Invoices are sent on the first day of each month [c2].",
    "The Vendor shall not assign the agreement [c3].",
    "A late fee of 1.5% per month will apply [c1].",
]
FALSE = "The Vendor is located in Paris [c1]."


def run(reply: str, texts=None, preferences=None, **options) -> SynthesisOutput:
    chunks = [
        {"chunk_id": name, "text": text, "score": SCORES.get(name, 0.5)} for name, text in (texts or TEXTS).items()
    ]
    given = SynthesisInput(trace_id="t", query="What are the terms?", retrieved_chunks=chunks, preferences=preferences)
    return ResponseSynthesizer(ScriptedModel(lambda _: reply), **options).synthesize(given)


def test_the_true_sentences_are_supported():
    output = run(" ".join(TRUE))
    assert output.answer == " ".join(TRUE)
    assert output.warnings == []
    assert all(claim.support == "supported" for claim in output.claims)
    assert [output.answer[claim.start : claim.end] for claim in output.claims] == TRUE


# Citations


def test_r099_an_unknown_citation_is_taken_out_and_named():
    output = run("The late fee is 1.5% per month [c1]. Payment is due within 30 days [zzz].")
    assert output.used_chunk_ids == ["c1"]
    assert output.warnings == ["unknown_citation"]
    assert "zzz" not in output.answer
    assert output.answer == "The late fee is 1.5% per month [c1]. Payment is due within 30 days."
    assert output.warning_details[0]["citation"] == "[zzz]"


def test_r099_aliases_become_ids():
    output = run("The late fee is 1.5% per month [CHUNK 0]. Payment is due within 30 days [chunk 1, c2][CHUNK 77].")
    assert output.answer == "The late fee is 1.5% per month [c1]. Payment is due within 30 days [c2]."
    assert output.used_chunk_ids == ["c1", "c2"]
    assert output.warning_details[0]["citation"] == "[CHUNK 77]"


@pytest.mark.parametrize(
    "reply",
    ["It took effect on March 1, [2024] [c4].", "The [agreement](https://example.org/a) is governed by Delaware [c4]."],
    ids=["year", "link"],
)
def test_r099_links_and_years_are_no_citations(reply):
    output = run(reply)
    assert output.answer == reply
    assert output.warnings == []


@pytest.mark.parametrize(
    "image", ["![x](https://evil.example/?q=fee)", "![](http://evil.example)", "<img src=x>", "</script>"]
)
def test_an_image_that_no_chunk_has_and_active_html_do_not_ship(image):
    output = run(f"{TRUE[0]} {image}\n\n{TRUE[1]}")
    assert output.answer.split() == f"{TRUE[0]} {TRUE[1]}".split()
    assert output.warnings == ["foreign_content"]


def test_r100_ids_in_the_order_of_their_first_use():
    output = run("Payment is due within 30 days [c2]. The late fee is 1.5% [c1]. Invoices are sent each month [c2].")
    assert output.used_chunk_ids == ["c2", "c1"]
    assert [citation.chunk_id for citation in output.citations] == ["c2", "c1", "c2"]


def test_r090_an_uncited_bullet_is_named_and_not_among_the_citations():
    output = run("The late fee is 1.5% per month [c1].\n- Payment is due within 30 days\n- A late fee will apply [c1]")
    assert "uncited_claim" in output.warnings
    assert output.used_chunk_ids == ["c1"]
    assert output.warning_details[0]["sentence"] == "Payment is due within 30 days"


def test_r109_without_a_valid_citation_there_is_no_confidence():
    output = run("The late fee is 1.5% per month.")
    assert output.answer == "The late fee is 1.5% per month."
    assert output.confidence == 0.0
    assert output.warnings == ["uncited_claim"]


def test_a_citation_of_the_wrong_chunk_is_taken_out_and_named():
    output = run("The late fee is 1.5% per month [c2]. Payment is due within 30 days [c2].")
    assert output.answer == "The late fee is 1.5% per month. Payment is due within 30 days [c2]."
    [detail] = output.warning_details
    assert (detail["code"], detail["citations"], detail["supported_by"]) == ("misattributed_citation", ["c2"], ["c1"])


@pytest.mark.parametrize(
    ("reply", "pairs"),
    [
        ("The late fee is 1.5% per month. [c1] Payment is due within 30 days. [c2]", ["c1", "c2"]),
        ("[c1] The late fee is 1.5% per month.\n[c2] Payment is due within 30 days.", ["c1", "c2"]),
        ("- The late fee is 1.5% per month\n  [c1]\n- Payment is due within 30 days\n  [c2]", ["c1", "c2"]),
    ],
    ids=["behind", "before", "below"],
)
def test_r102_citations_stay_with_their_sentence(reply, pairs):
    output = run(reply)
    assert output.answer == reply
    assert output.used_chunk_ids == pairs
    assert output.warnings == []


# Sentences


@pytest.mark.parametrize("fee", ["5%", "15%", "1.5 EUR", "-1.5%", "1.5 percentage points"])
def test_r101_a_changed_number_is_not_supported(fee):
    assert run("The late fee is 1.5% per month [c1].").claims[0].support == "supported"
    output = run(f"The late fee is {fee} per month [c1].")
    assert output.answer == NO_INFORMATION
    assert output.claims[0].support in ("contradicted", "unsupported")


def test_r102_sentences_are_cut_where_they_end():
    output = run("The fee is 1.5% per month [c1]. See U.S. law.")
    assert [claim.text for claim in output.claims] == ["The fee is 1.5% per month.", "See U.S. law."]


@pytest.mark.parametrize(
    "beside", ["## Terms", "What else applies?", "Confidence: High", DONT_KNOW, "**Evidence**", "Here are the terms:"]
)
def test_r102_what_is_no_claim_counts_for_nothing(beside):
    reply = f"{beside}\n\nThe late fee is 1.5% per month [c1]."
    output = run(reply)
    assert output.answer == reply
    assert output.warnings == []
    assert len(output.claims) == 1
    assert output.confidence == 0.9


@pytest.mark.parametrize(
    "smuggled",
    [
        "## The fee is 7% per month",
        "Did you know that the fee is 7% per month?",
        "The documents do not say so, but the fee is 7%.",
        "**Note that the fee is 7% per month:**",
        "I hope this helps, the fee is 7% per month.",
        "The fee is 7% per month, right?",
        "Sales tax is not included.",
    ],
)
def test_what_only_looks_like_no_claim_is_checked(smuggled):
    output = run("\n\n".join([*TRUE, smuggled]))
    assert smuggled not in output.answer
    assert "unsupported_claim" in output.warnings


def test_a_view_that_nothing_proves_never_ships_unmarked():
    view = "I think that the Vendor is bankrupt."
    output = run("\n\n".join([*TRUE, view]))
    told = next(claim for claim in output.claims if "bankrupt" in claim.text)
    assert (told.support, told.verdict) in (("unsupported", "flag"), ("unsupported", "remove"))
    assert {"uncertain_claim", "unsupported_claim"} & set(output.warnings)
    assert view not in run("\n\n".join([*TRUE, view]), policy="strict").answer


def test_r103_one_unsupported_sentence_of_ten_is_replaced():
    output = run(" ".join([*TRUE[:4], FALSE, *TRUE[4:]]))
    assert output.answer == " ".join([*TRUE[:4], "I don't know.", *TRUE[4:]])
    assert output.answer.count(DONT_KNOW) == 1
    assert output.warnings == ["unsupported_claim"]
    removed = next(claim for claim in output.claims if claim.verdict == "remove")
    assert output.answer[removed.start : removed.end] == DONT_KNOW
    assert removed.text == FALSE.replace(" [c1]", "")


@pytest.mark.parametrize(
    ("false", "of", "ships"), [(1, 5, True), (1, 4, False), (2, 10, True), (3, 10, False), (1, 1, False)]
)
def test_r104_more_than_a_fifth_unsupported_is_no_answer(false, of, ships):
    wrong = [FALSE.replace("Paris", city) for city in ("Paris", "Rome", "Oslo")][:false]
    output = run(" ".join([*wrong, *(TRUE * 2)[: of - false]]))
    assert (output.answer != NO_INFORMATION) == ships
    assert "unsupported_claim" in output.warnings
    if not ships:
        assert output.confidence == 0.0
        assert output.used_chunk_ids == []
        assert output.citations == []
        assert "insufficient_context" in output.warnings
        assert FALSE in output.raw_model_output
        assert {(claim.start, claim.end) for claim in output.claims} == {(0, 0)}


ADVERSARIAL = [
    "The late fee is 15% per month [c1].",
    "The late fee is 1.5% per year [c1].",
    "No late fee of 1.5% per month will apply [c1].",
    "Payment is due within 60 days of the invoice [c2].",
    "Payment is not due within 30 days of the invoice [c2].",
    "Neither party may terminate the agreement with 90 days' written notice [c3].",
    "The Vendor shall assign the agreement [c3].",
    "The agreement is governed by the laws of Texas [c4].",
    "The agreement took effect on March 1, 2025 [c4].",
    "The agreement took effect on May 1, 2024 [c4].",
    "Invoices are sent on the last day of each month [c2].",
    "Payment is due within 30 months of the invoice [c2].",
]


@pytest.mark.parametrize("false", ADVERSARIAL)
def test_r106_no_flipped_number_negation_or_name_ships(false):
    output = run(" ".join([*TRUE, false]))
    assert false not in output.answer
    assert output.answer == " ".join([*TRUE, DONT_KNOW])


# Policies


@pytest.fixture
def doubtful(monkeypatch):
    """Makes the guard neither sure nor against every claim that speaks of Paris."""

    def checked(text, passages, **more):
        found = verify(text, passages, **more)
        claims = [
            replace(claim, support="unsupported", verdict="flag", reason="not certain", score=0.7)
            if "Paris" in claim.text
            else claim
            for claim in found.claims
        ]
        return replace(found, claims=tuple(claims))

    monkeypatch.setattr("spanwise.guard.policy.verify", checked)


@pytest.mark.usefixtures("doubtful")
def test_what_is_uncertain_ships_marked():
    output = run(" ".join([*TRUE[:4], FALSE]))
    assert output.answer == " ".join([*TRUE[:4], FALSE])
    assert output.warnings == ["uncertain_claim"]
    [detail] = output.warning_details
    assert output.answer[slice(*detail["at"])] == FALSE
    assert (detail["support"], detail["score"], detail["verdict"]) == ("unsupported", 0.7, "flag")
    assert output.claims[-1].verdict == "flag"
    assert output.reasoning.startswith("4 of 5 statements are supported")


@pytest.mark.usefixtures("doubtful")
def test_what_is_uncertain_never_refuses_the_whole_but_costs_confidence():
    output = run(f"{TRUE[0]} {FALSE}")
    assert output.answer == f"{TRUE[0]} {FALSE}"
    assert output.confidence == 0.8
    assert run(f"{TRUE[0]} {FALSE}", config=ModelConfig(uncertain_penalty=0.0)).confidence == 0.9


@pytest.mark.usefixtures("doubtful")
def test_strict_ships_only_what_is_supported():
    output = run(" ".join([*TRUE[:4], FALSE]), policy="strict")
    assert output.answer == " ".join([*TRUE[:4], DONT_KNOW])
    assert output.warnings == ["unsupported_claim"]
    assert run(f"{TRUE[0]} {FALSE}", policy="strict").answer == NO_INFORMATION


@pytest.mark.usefixtures("doubtful")
def test_mark_ships_everything_and_names_what_is_not_supported():
    false = "The late fee is 5% per month [c1]."
    output = run(f"{TRUE[1]} {false} {FALSE}", policy="mark")
    assert output.answer == f"{TRUE[1]} {false} {FALSE}"
    assert sorted(output.warnings) == ["uncertain_claim", "unsupported_claim"]
    marked = {detail["code"]: output.answer[slice(*detail["at"])] for detail in output.warning_details}
    assert marked == {"unsupported_claim": false, "uncertain_claim": FALSE}
    assert [claim.verdict for claim in output.claims] == ["keep", "flag", "flag"]


@pytest.mark.usefixtures("doubtful")
def test_marks_are_right_in_json_and_without_citations():
    output = run(f"{TRUE[0]} {FALSE}", style="json")
    [detail] = output.warning_details
    assert json.loads(output.answer)["answer"][slice(*detail["at"])] == FALSE
    output = run(f"{TRUE[0]} {FALSE}", preferences={"citations": False})
    assert output.answer[slice(*output.warning_details[0]["at"])] == FALSE.replace(" [c1]", "")


def test_a_policy_that_does_not_exist_is_told():
    with pytest.raises(InputError, match="no policy 'loose'"):
        run(TRUE[0], policy="loose")


def test_comments_do_not_ship():
    output = run(f"{TRUE[0]} <!-- The late fee is 99% --> {TRUE[1]}\n<!-- {TRUE[2]}")
    assert output.answer.split() == f"{TRUE[0]} {TRUE[1]} {TRUE[2]}".split()
    assert output.warnings == ["foreign_content"]
    assert output.warning_details[0]["content"] == "<!-- The late fee is 99% -->"


# Contradictions and confidence


def test_r105_sources_that_contradict_each_other_are_named():
    texts = {"c1": "The late fee is 1.5% per month.", "c2": "The late fee is 2% per month."}
    output = run("The late fee is 1.5% per month [c1].", texts)
    assert output.warnings == ["contradictory_sources"]
    assert output.warning_details[0]["chunk_ids"] == ["c1", "c2"]
    assert output.confidence == 0.75
    texts = {"c1": "The late fee is 1.5% per month.", "c2": "The notice period is 2 months."}
    assert run("The late fee is 1.5% per month [c1].", texts).warnings == []


def test_r107_the_model_does_not_decide_on_the_confidence():
    two = " ".join(TRUE[:2])
    assert run(two).confidence == 0.8
    assert run(f"{two}\nConfidence: High").confidence == 0.8
    assert run(f"{two}\nConfidence: Low").confidence == 0.8


def test_r108_penalties():
    five = " ".join([*TRUE[:2], TRUE[5], TRUE[6], FALSE])
    assert run(five).confidence == 0.6
    assert run(f"{five} [zzz]").confidence == 0.55
    config = ModelConfig(unsupported_penalty=0.5, unknown_citation_penalty=0.0)
    assert run(f"{five} [zzz]", config=config).confidence == 0.3


# Length, citations that are not shown, form


def test_r113_an_answer_that_is_too_long_ends_with_the_last_sentence_that_fits():
    output = run(" ".join(TRUE), preferences={"max_length": 20})
    assert output.answer == " ".join(TRUE[:2])
    assert len(output.answer.split()) <= 20
    assert output.warnings == ["truncated_explanation"]
    assert output.used_chunk_ids == ["c1", "c2"]
    assert run(" ".join(TRUE), preferences={"max_length": "200"}).warnings == []


def test_a_cut_leaves_no_heading_without_its_text():
    reply = f"{TRUE[0]}\n\n## Payment\n\n- {TRUE[1]}\n- {TRUE[2]}"
    assert run(reply, preferences={"max_length": 12}).answer == TRUE[0]


def test_a_first_sentence_is_never_cut_in_the_middle():
    assert run(TRUE[2], preferences={"max_length": 3}).answer == TRUE[2]


def test_r091_citations_that_are_not_wanted_are_not_shown():
    output = run(" ".join(TRUE[:2]), preferences={"citations": False})
    assert output.answer == "The late fee is 1.5% per month. Payment is due within 30 days of the invoice."
    assert "[" not in output.answer
    assert output.used_chunk_ids == ["c1", "c2"]
    assert output.confidence == 0.8
    assert [output.answer[one.start :][:1] for one in output.citations] == [".", "."]


def test_r118_bullets_and_paragraphs_stay():
    reply = f"{TRUE[0]}\n\nEvidence:\n\n* {TRUE[1]}\n* {TRUE[2]}\n1. {TRUE[3]}\n"
    assert run(reply).answer == reply.strip()


def test_a_table_keeps_its_form():
    reply = "| Term | Value |\n|---|---|\n| Late fee | 1.5% per month [c1] |\n| Payment is due | within 30 days [c2] |"
    assert run(reply).answer == reply


@pytest.mark.parametrize(("theirs", "ours"), [("kids", "simple"), ("bullet-only", "bullets"), ("JSON-only", "json")])
def test_r124_styles_have_the_names_of_the_first_design_too(theirs, ours):
    assert run(" ".join(TRUE[:2]), style=theirs).answer == run(" ".join(TRUE[:2]), style=ours).answer


@pytest.mark.parametrize("style", ["academic", "simple"])
def test_r124_a_style_changes_nothing_in_what_is_checked(style):
    assert run(" ".join(TRUE[:2]), style=style).answer == " ".join(TRUE[:2])
    assert run(FALSE, style=style).answer == NO_INFORMATION


def test_r124_bullets_only():
    output = run(f"## Terms\n{TRUE[0]} {TRUE[1]}\n\n1. {TRUE[2]}", style="bullets")
    assert output.answer == "\n".join(f"- {line}" for line in ("Terms", *TRUE[:3]))
    assert [output.answer[one.start : one.end] for one in output.citations] == ["[c1]", "[c2]", "[c3]"]


@pytest.mark.parametrize(
    "reply",
    [
        " ".join(TRUE[:5]),
        json.dumps({"answer": " ".join(TRUE[:5])}),
        f"```json\n{json.dumps({'answer': TRUE[:5]})}\n```",
    ],
    ids=["sentences", "json", "fenced list"],
)
def test_r124_json_only(reply):
    output = run(reply, style="json")
    found = json.loads(output.answer)
    assert " ".join(found["answer"].split()) == " ".join(TRUE[:5])
    assert [one["chunk_ids"] for one in found["statements"]] == [["c1"], ["c2"], ["c3"], ["c4"], ["c4"]]
    assert found["statements"][0]["text"] == "The late fee is 1.5% per month."


def test_r124_the_guard_ran_on_json():
    found = json.loads(run(json.dumps({"answer": " ".join([*TRUE[:4], FALSE])}), style="json").answer)
    assert found["answer"].endswith(DONT_KNOW)
    assert found["statements"][-1] == {"text": DONT_KNOW, "chunk_ids": []}
    assert json.loads(run(json.dumps({"late_fee_percent": 7}), style="json").answer)["answer"] == NO_INFORMATION
    assert json.loads(run("INSUFFICIENT_CONTEXT", style="json").answer)["answer"] == NO_INFORMATION


# The verifier


def test_r122_a_verifier_removes_a_sentence():
    asked = []

    def verifier(claim, evidence):
        asked.append((claim, list(evidence)))
        return "Payment" not in claim

    output = run(" ".join(TRUE[:5]), verifier=verifier)
    assert output.answer == " ".join([TRUE[0], DONT_KNOW, *TRUE[2:5]])
    assert len(asked) == 5
    assert asked[0][0] == "The late fee is 1.5% per month."
    assert asked[0][1][0] == "A late fee of 1.5% per month will apply."


def test_a_verifier_cannot_let_through_what_the_rules_reject():
    assert run(FALSE, verifier=lambda *_: 1.0).answer == NO_INFORMATION


@pytest.mark.parametrize("said", [0.2, float("nan"), False, 7, -1, "yes", None])
def test_a_verifier_that_is_not_sure_removes(said):
    assert run(" ".join(TRUE[:5]), verifier=lambda *_: said).answer == NO_INFORMATION


def test_a_verifier_that_fails_supports_nothing():
    def broken(_claim, _evidence):
        raise RuntimeError("no model file")

    output = run(" ".join(TRUE[:5]), verifier=broken)
    assert output.answer == NO_INFORMATION
    assert "no model file" in output.warning_details[0]["message"]
    assert {claim.support for claim in output.claims} == {"unchecked"}


# Hostile replies


@pytest.mark.parametrize(
    "reply",
    [
        "[" * 5000,
        "[c1]" * 5000,
        "a" * 100_000,
        "\u202e\u200b\x00\ufeff" * 500,
        "{" * 3000 + "}" * 3000,
        "| " * 20_000,
        f"{TRUE[0]} " * 400,
    ],
    ids=["brackets", "citations", "one word", "invisible", "braces", "pipes", "many sentences"],
)
def test_hostile_replies_end_in_an_answer_or_in_none(reply):
    output = run(reply)
    assert output.raw_model_output == reply
    assert output.answer
    assert 0.0 <= output.confidence <= 1.0


@pytest.mark.parametrize(
    "name", ["user:12", "source: 1", "document:4", "Passage 7: x", "system:doc", "[1]", "a  b: Q:", "x" * 250]
)
def test_an_id_that_looks_like_a_mark_is_cited_as_the_prompt_shows_it(name):
    def copied(call):
        shown = call.prompt.split("CHUNK HEADER: [CHUNK 0] | - | ")[1].split("\n")[0]
        return f"The late fee is 1.5% per month [{shown}]."

    output = ResponseSynthesizer(ScriptedModel(copied)).synthesize(
        SynthesisInput(
            trace_id="t", query="What is the late fee?", retrieved_chunks=[{"chunk_id": name, "text": TEXTS["c1"]}]
        )
    )
    assert output.used_chunk_ids == [name]
    assert not {"uncited_claim", "unknown_citation", "unsupported_claim"} & set(output.warnings)
    assert output.answer == f"The late fee is 1.5% per month [{name}]."
