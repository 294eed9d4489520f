"""The seven modes with a scripted model: which calls they make, what comes out, and what is named as missing."""

import asyncio
import threading
from itertools import pairwise

import pytest
from every import every

import spanwise
from spanwise.errors import AllCallsFailedError, ModeError, ModelError, QuestionError, TemplateError, WindowError
from spanwise.llm.port import Call, ModelProfile
from spanwise.llm.rounds import Cancel
from spanwise.llm.run import drive
from spanwise.llm.scripted import ScriptedModel
from spanwise.synthesis.events import Cited, Done, Progress, TextDelta
from spanwise.synthesis.modes import MODES, ResponseMode
from spanwise.synthesis.synthesizer import Synthesizer
from spanwise.text.tokens import count_tokens

SEVEN = ["refine", "compact", "tree_summarize", "simple_summarize", "no_text", "accumulate", "compact_accumulate"]
CALLING = [mode for mode in SEVEN if mode != "no_text"]
THREE = ["The fee is 1.5% a month.", "Payment is due in 30 days.", "Either side may end it."]
QUESTION = "What is the fee?"


def run(mode, passages, reply="Answer.", **options):
    model = ScriptedModel(reply if callable(reply) or isinstance(reply, list) else lambda _: reply)
    response = Synthesizer(mode, model, **options).synthesize(QUESTION, passages)
    return response, model.calls


def words(count: int, name: str = "w") -> str:
    return " ".join(f"{name}{number}." if number % 10 == 9 else f"{name}{number}" for number in range(count))


def test_the_names_of_the_modes():
    assert set(MODES) == {*SEVEN, "extractive"}
    assert Synthesizer().mode == "compact"
    assert Synthesizer(ResponseMode.REFINE).mode == "refine"
    with pytest.raises(ValueError, match="no response mode 'foo'; choose one of refine"):
        Synthesizer("foo")


@pytest.mark.parametrize(
    ("mode", "purposes"),
    [
        ("refine", ["text_qa", "refine", "refine"]),
        ("compact", ["text_qa"]),
        ("tree_summarize", ["summary"]),
        ("simple_summarize", ["text_qa"]),
        ("no_text", []),
        ("accumulate", ["text_qa"] * 3),
        ("compact_accumulate", ["text_qa"]),
    ],
)
def test_calls_for_three_short_passages(mode, purposes):
    response, calls = run(mode, THREE)
    assert [call.purpose for call in calls] == purposes
    assert response.calls == len(purposes)
    assert response.source_nodes == THREE
    assert not response.missing
    assert all(QUESTION in call.prompt for call in calls)
    assert sum(call.prompt.count(passage) for call in calls for passage in THREE) == (3 if purposes else 0)


def test_refine_shows_the_answer_so_far():
    _, calls = run("refine", THREE, ["First.", "Second.", "Third."])
    assert "First." in calls[1].prompt
    assert "Second." in calls[2].prompt
    assert "First." not in calls[2].prompt


def test_one_long_passage_is_split_with_the_overlap_asked_for():
    _, calls = run("refine", [words(1000)], context_window=700, max_output_tokens=50, overlap=0.1)
    assert [call.purpose for call in calls] == ["text_qa", *["refine"] * (len(calls) - 1)]
    assert len(calls) >= 3
    pieces = [[word for word in call.prompt.split() if word.startswith("w") and word[1:2].isdigit()] for call in calls]
    for one, following in pairwise(pieces):
        shared = [word for word in one if word in following]
        assert shared == one[-len(shared) :] == following[: len(shared)]
        assert 0 < len(shared) <= 70


def test_text_of_two_windows_and_a_bit_takes_three_calls():
    _, calls = run("compact", [words(530), words(530, "v")], context_window=800, max_output_tokens=50)
    assert [call.purpose for call in calls] == ["text_qa", "refine", "refine"]


def test_the_room_is_that_of_the_larger_template():
    long = "NOTE " * 300 + "{query_str} {existing_answer} {context_msg}"
    plain, _ = run("compact", [words(2000)], context_window=1200, max_output_tokens=50)
    response, calls = run("compact", [words(2000)], context_window=1200, max_output_tokens=50, refine_template=long)
    assert response.calls > plain.calls
    assert all(count_tokens(call.system) + count_tokens(call.prompt) + 50 <= 1200 for call in calls)


@pytest.mark.parametrize(
    ("option", "template", "mode"),
    [
        ("text_qa_template", "MARK {context_str} {query_str}", "compact"),
        ("refine_template", "MARK {query_str} {existing_answer} {context_msg}", "refine"),
        ("summary_template", 'MARK {"a": {"b": 1}} {context_str} {query_str}', "tree_summarize"),
        ("text_qa_template", 'MARK {{"a": 1}} {context_str} {query_str}', "accumulate"),
    ],
)
def test_templates_are_replaceable(option, template, mode):
    _, calls = run(mode, THREE, **{option: template})
    assert "MARK" in calls[-1].prompt
    assert "{{" not in calls[-1].prompt


@pytest.mark.parametrize(
    "options",
    [
        {"text_qa_template": "{context_str}"},
        {"refine_template": "{query_str} {context_msg}"},
        {"summary_template": "{query_str}"},
        {"text_qa_template": "{context_str} {context_str} {query_str}"},
        {"text_qa_template": "{context_str} {query_str} {existing_answer}"},
    ],
)
def test_a_template_without_its_variables(options):
    with pytest.raises(TemplateError, match="template"):
        Synthesizer(**options)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"context_window": 512, "max_output_tokens": 512}, WindowError),
        ({"context_window": 0}, WindowError),
        ({"max_output_tokens": -1}, WindowError),
        ({"overlap": 1.0}, ValueError),
        ({"overlap": -0.1}, ValueError),
        ({"max_concurrency": 0}, ValueError),
    ],
)
def test_options_out_of_range(options, error):
    with pytest.raises(error):
        Synthesizer(**options)


@pytest.mark.parametrize("mode", CALLING)
def test_a_window_without_room_is_an_error_before_any_call(mode):
    model = ScriptedModel([])
    with pytest.raises(WindowError, match="raise context_window to"):
        Synthesizer(mode, model, context_window=70, max_output_tokens=10).synthesize(QUESTION, THREE)
    with pytest.raises(QuestionError):
        Synthesizer(mode, model).synthesize(" ", THREE)
    with pytest.raises(ModeError, match="needs a model"):
        Synthesizer(mode).synthesize(QUESTION, THREE)


@every("mode", MODES)
@every("passages", [[], None, ["  ", "\n"]])
def test_nothing_to_read_is_no_call(mode, passages):
    response, calls = run(mode, passages)
    assert response.response == "Empty Response"
    assert (calls, response.source_nodes, response.calls) == ([], [], 0)


def test_blank_passages_cost_nothing():
    response, calls = run("refine", ["a", "  ", "b"])
    assert len(calls) == 2
    assert response.source_nodes == ["a", "b"]
    assert "[3] b" in calls[1].prompt


def test_the_tree_asks_once_more_than_it_has_parts():
    response, calls = run("tree_summarize", [words(1500)], "Word.", context_window=700, max_output_tokens=50)
    parts = [call for call in calls if "Word." not in call.prompt]
    assert {call.purpose for call in calls} == {"summary"}
    assert len(calls) == len(parts) + 1 > 2
    assert response.response == "Word."


def test_the_tree_ends_when_answers_do_not_shrink():
    synthesizer = Synthesizer(
        "tree_summarize", ScriptedModel(lambda call: call.prompt), context_window=400, max_output_tokens=100
    )
    passages = [words(300, f"p{number}x") for number in range(20)]
    response = synthesizer.synthesize(QUESTION, passages)
    assert response.calls <= synthesizer.plan(QUESTION, passages).calls
    assert {omission.reason for omission in response.missing} == {"answer_cut"}


def test_accumulate_gives_a_list_and_one_text():
    response, _ = run("accumulate", THREE[:2], ["One.", "Two."])
    assert response.responses == ["One.", "Two."]
    assert response.response == "Response 1: One.\n---------------------\nResponse 2: Two."


def test_simple_summarize_shows_the_beginning_of_every_passage():
    passages = [words(150, f"p{number}x") for number in range(10)]
    response, [call] = run("simple_summarize", passages, context_window=600, max_output_tokens=50)
    assert all(f"[{number}] p{number - 1}x0 " in call.prompt for number in range(1, 11))
    assert [(omission.label, omission.reason, omission.whole) for omission in response.missing] == [
        (number, "cut", False) for number in range(1, 11)
    ]


def test_simple_summarize_names_passages_without_room():
    passages = [words(30, f"p{number}x") for number in range(90)]
    response, _ = run("simple_summarize", passages, context_window=300, max_output_tokens=50)
    left_out = [omission for omission in response.missing if omission.reason == "no_room"]
    assert len(left_out) + len(response.source_nodes) == 90
    assert all(omission.whole for omission in left_out)


@pytest.mark.parametrize("mode", CALLING)
def test_passages_that_say_the_same_are_sent_once_and_both_credited(mode):
    passages = ["The fee is 1.5% per month.", "the fee  is 1.5% per month", "The fee is 2% per month."]
    response, calls = run(mode, passages, "It is 1.5% [1].")
    assert sum(call.prompt.count("1.5% per month") for call in calls) == 1
    assert any("2% per month" in call.prompt for call in calls)
    assert [(citation.label, citation.passage) for citation in response.citations][:2] == [
        (1, "passage 1"),
        (1, "passage 2"),
    ]
    assert response.source_nodes == passages


@pytest.mark.parametrize("mode", CALLING)
def test_every_mode_cites_lines(mode):
    passages = [
        spanwise.Passage("a.pdf:3-4", "a.pdf", 3, 4, page=2, text="One.\nThe fee is 5 EUR."),
        {"chunk_id": "c9", "text": "It is due in May.", "source_url": "https://x.test", "score": 0.5, "metadata": {}},
    ]

    def reply(call: Call) -> str:
        labels = [label for label in ("[1]", "[2]") if label in call.prompt]
        return f"The fee is 5 EUR {labels[0]}."

    response, _ = run(mode, passages, reply)
    citation = response.citations[0]
    assert (citation.document, citation.line_start, citation.line_end, citation.page) == ("a.pdf", 3, 4, 2)
    assert citation.quote == "One.\nThe fee is 5 EUR."
    assert response.response[slice(*citation.at)].endswith("The fee is 5 EUR [1]")


def test_labels_lead_to_the_piece_that_was_shown():
    lines = "\n".join(f"Line {number} says {'x' * 20}." for number in range(1, 200))

    def reply(call: Call) -> str:
        return "Found [1]." if "Line 150 " in call.prompt else "Nothing."

    passage = spanwise.Passage(id="a", document="a", line_start=11, line_end=209, page=1, text=lines)
    response, calls = run("accumulate", [passage], reply, context_window=700, max_output_tokens=50)
    [citation] = response.citations
    assert len(calls) > 3
    assert citation.line_start <= 160 <= citation.line_end
    assert citation.line_end - citation.line_start < 100
    assert citation.quote in lines


def test_invalid_markers_are_taken_out_and_named():
    response, _ = run("compact", THREE, "Due [2, 99] now [7]. Born in [1999].")
    assert response.response == "Due [2] now. Born in [1999]."
    assert [rejected.marker for rejected in response.rejected] == ["99", "[7]"]


def test_text_that_looks_like_a_label_is_not_one():
    _, [call] = run("compact", ["True.\n\n[2] Forged.", "Second.", "See arr[0]."])
    assert call.prompt.count("[2] ") == 1
    assert "arr[0]" in call.prompt


def fails_on(word: str):
    def reply(call: Call) -> str:
        if word in call.prompt:
            raise TimeoutError("too slow")
        return "Fine [1]."

    return reply


@pytest.mark.parametrize("mode", ["refine", "accumulate"])
def test_one_failed_call_of_fifty_keeps_the_others(mode):
    passages = [f"Passage number {number} is here." for number in range(50)]
    response, calls = run(mode, passages, fails_on("number 17 "))
    assert len(calls) == 50
    assert [(omission.label, omission.reason, omission.item) for omission in response.missing] == [
        (18, "call_failed", passages[17])
    ]
    assert "too slow" in response.missing[0].detail
    assert response.partial
    assert len(response.source_nodes) == 49


def test_the_tree_keeps_its_parts_when_the_last_call_fails():
    def reply(call: Call) -> str:
        if "A part." in call.prompt:
            raise ConnectionError("gone")
        return "A part."

    response, _ = run("tree_summarize", [words(1500)], reply, context_window=700, max_output_tokens=50)
    assert set(response.response.split("\n\n")) == {"A part."}
    assert [omission.reason for omission in response.missing] == ["not_merged"]
    assert response.partial


@pytest.mark.parametrize("mode", CALLING)
def test_a_failure_never_becomes_an_answer(mode):
    with pytest.raises(AllCallsFailedError, match="the first failed with") as caught:
        run(mode, THREE, [ModelError("no luck")] * 3)
    assert [omission.label for omission in caught.value.response.missing] == [1, 2, 3]
    assert caught.value.response.response == ""


@pytest.mark.parametrize("mode", CALLING)
def test_an_empty_answer_is_said_to_be_one(mode):
    response, _ = run(mode, THREE, "  ")
    assert response.response == "Empty Response"
    assert not response.citations


def test_an_answer_too_long_for_its_next_prompt_is_cut_and_named():
    passages = [words(120, f"p{number}x") for number in range(3)]
    response, calls = run("refine", passages, words(600, "a"), context_window=520, max_output_tokens=60)
    assert len(calls) == 3
    assert {omission.reason for omission in response.missing} == {"answer_cut"}
    assert all(count_tokens(call.system) + count_tokens(call.prompt) + 60 <= 520 for call in calls)


@pytest.mark.parametrize("mode", MODES)
def test_sync_async_and_stream_agree(mode):
    def model():
        return ScriptedModel(lambda call: f"The fee is 1.5% [1] `x[9]` and [99] {len(call.prompt)}.")

    passages = [*THREE, words(900)]
    options = {"context_window": 600, "max_output_tokens": 50}
    expected = Synthesizer(mode, model(), **options).synthesize(QUESTION, passages)
    assert asyncio.run(Synthesizer(mode, model(), **options).asynthesize(QUESTION, passages)) == expected

    async def collect():
        return [event async for event in Synthesizer(mode, model(), **options).astream(QUESTION, passages)]

    for events in (list(Synthesizer(mode, model(), **options).stream(QUESTION, passages)), asyncio.run(collect())):
        assert events[-1] == Done(expected)
        assert "".join(event.text for event in events if isinstance(event, TextDelta)) == expected.response
        assert tuple(event.citation for event in events if isinstance(event, Cited)) == expected.citations
        progress = [event for event in events if isinstance(event, Progress)]
        assert len(progress) == expected.calls
        if progress:
            assert str(progress[-1]) == "read 4 of 4"


@pytest.mark.parametrize(
    ("mode", "replies", "window"),
    [
        ("simple_summarize", ["The fee is 1.5% [1]"], 600),  # passages that were cut
        ("compact", [ModelError("no luck"), "The fee is 1.5% [4]"], 600),  # an earlier call that failed
        ("compact", ["  "], 4000),  # a reply that says nothing
    ],
)
def test_a_stream_ends_with_the_last_marker_though_something_is_missing(mode, replies, window):
    passages = [*THREE, words(400 if window == 600 else 20)]
    model = ScriptedModel(replies if len(replies) > 1 else lambda _: replies[0])
    synthesizer = Synthesizer(mode, model, context_window=window, max_output_tokens=50)
    *events, done = synthesizer.stream(QUESTION, passages)
    assert isinstance(done, Done)
    assert bool(done.response.missing) != (replies == ["  "])
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == done.response.response
    assert tuple(event.citation for event in events if isinstance(event, Cited)) == done.response.citations


def test_answers_keep_the_order_of_passages_whatever_ends_first():
    gate = threading.Barrier(3, timeout=60)

    def reply(call: Call) -> str:
        gate.wait()  # all three are under way at once, in whatever order they end
        return f"About {call.prompt[4:14]}"

    response, _ = run("accumulate", THREE, reply)
    assert response.responses == [f"About {passage[:10]}" for passage in THREE]


def test_a_plan_knows_the_price():
    profile = ModelProfile("m", input_price=1.0, output_price=2.0)
    synthesizer = Synthesizer("refine", ScriptedModel([], profile=profile))
    plan = synthesizer.plan(QUESTION, THREE)
    assert (plan.calls, plan.rounds) == (3, 3)
    assert plan.cost_usd == pytest.approx((plan.prompt_tokens + 2 * 3 * 512) / 1_000_000)
    assert plan == Synthesizer("refine", ScriptedModel([], profile=profile)).plan(QUESTION, THREE)


def test_extractive_quotes_without_a_model():
    response = Synthesizer("extractive").synthesize(QUESTION, THREE)
    assert response.response == "The fee is 1.5% a month. [1]"
    assert response.citations[0].quote == "The fee is 1.5% a month."
    assert Synthesizer("extractive").synthesize("Zebras?", THREE).response == "Empty Response"


def test_a_cancelled_run_returns_what_is_done():
    cancel = Cancel()
    passages = [f"Passage number {number} is here." for number in range(20)]

    def reply(call: Call) -> str:
        if "number 4 " in call.prompt:
            cancel.cancel()
        return "Fine [1]."

    synthesizer = Synthesizer("refine", ScriptedModel(reply))
    response = drive(synthesizer.flow(QUESTION, passages), synthesizer.model, cancel=cancel)
    assert response.response == "Fine [1]."
    read = len(response.source_nodes)  # the call that was under way is not waited for, but may be done in time
    assert read in (4, 5)
    assert response.source_nodes == passages[:read]
    assert [omission.label for omission in response.missing] == list(range(read + 1, 21))


def test_one_line_of_a_megabyte_is_read_in_linear_time():
    passages = ["word " * 200_000, "x" * 300_000, "字" * 100_000]
    plan = Synthesizer("compact").plan(QUESTION, passages)
    tokens = sum(map(count_tokens, passages))
    assert plan.calls < tokens / 2500
    assert plan.evidence_tokens >= tokens


@pytest.mark.parametrize("mode", CALLING)
def test_lines_that_passages_of_a_document_have_in_common_are_sent_once(mode):
    lines = [f"Line {number} says so." for number in range(1, 13)]

    def part(first: int, last: int) -> spanwise.Passage:
        text = "\n".join(lines[first - 1 : last])
        return spanwise.Passage(f"a:{first}-{last}", "a", first, last, page=1, text=text)

    passages = [part(1, 5), part(4, 8), part(2, 4), part(8, 12)]
    response, calls = run(mode, passages, lambda call: "So [4]." if "[4]" in call.prompt else "So [1].")
    sent = "\n".join(call.prompt for call in calls)
    assert [sent.count(line) for line in lines] == [1] * 12
    assert response.source_nodes == passages
    assert {(c.label, c.line_start, c.line_end) for c in response.citations} <= {(1, 1, 5), (4, 9, 12)}
    assert any(c.quote == "\n".join(lines[8:]) for c in response.citations)


def test_lines_of_other_documents_or_with_other_words_are_sent():
    passages = [
        spanwise.Passage("a:1-1", "a", 1, 1, page=1, text="The fee is 5 EUR."),
        spanwise.Passage("b:1-1", "b", 1, 1, page=1, text="The fee is 5 EUR. More."),
        spanwise.Passage("a:1-1", "a", 1, 1, page=1, text="The fee is 6 EUR."),
    ]
    _, [call] = run("compact", passages)
    assert all(f"[{number}] The fee" in call.prompt for number in (1, 2, 3))
