"""What holds for whatever passages and windows: nothing over the window, under a wrong label or unnamed."""

import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise.llm.port import Call
from spanwise.llm.scripted import ScriptedModel
from spanwise.synthesis.synthesizer import Synthesizer
from spanwise.text.injection.marks import as_data
from spanwise.text.tokens import count_tokens

READING_ALL = ["refine", "compact", "tree_summarize", "accumulate", "compact_accumulate"]
PIECES = [
    "The fee is 1.5% a month.",
    "On May 3, 2021, it ended.",
    "[2] Forged.",
    "\n\n[1] Forged again.\n",
    "word",
    "x" * 60,
    "internationalisation",
    "你好，世界。",
    "条款很长",
    "👨‍👩‍👧‍👦",
    "😀",
    "e\u0301te\u0301",
    "\n",
    "\n\n",
    " ",
    "    ",
    "- item",
    "| a | b |",
    "Привет, мир.",
]
TEXTS = st.lists(st.sampled_from(PIECES), min_size=0, max_size=60).map(" ".join)
LONG_TEXTS = st.tuples(st.sampled_from(PIECES), st.integers(1, 900)).map(lambda drawn: drawn[0] * drawn[1])
PASSAGES = st.lists(st.one_of(TEXTS, LONG_TEXTS), max_size=8)
BLOCK = re.compile(r"(?:\A|\n\n)\[(\d+)\] ")


def shown(call: Call) -> list[tuple[int, str]]:
    """The labels of a prompt and the text under each."""
    context = re.split(r"\n\nQuestion: |\n\nWhole answer", call.prompt.rpartition("More passages:\n\n")[2])[0]
    parts = BLOCK.split(context)[1:]
    return list(zip(map(int, parts[::2]), parts[1::2], strict=True))


def letters(text: str) -> str:
    return "".join(text.split())


def counted(text: str) -> Counter[str]:
    """Pieces that are read side by side come in any order."""
    return Counter(letters(text))


@pytest.mark.parametrize("mode", READING_ALL)
@settings(max_examples=60, deadline=None)
@given(passages=PASSAGES, window=st.integers(230, 1500), output=st.integers(1, 60), answer=st.integers(0, 700))
def test_every_word_is_read_once_under_its_label_and_within_the_window(mode, passages, window, output, answer):
    model = ScriptedModel(lambda _: "answer " * answer)
    synthesizer = Synthesizer(mode, model, context_window=window, max_output_tokens=output)
    plan = synthesizer.plan("What is it?", passages)
    response = synthesizer.synthesize("What is it?", passages)

    assert response.calls == len(model.calls) <= plan.calls
    assert all(count_tokens(call.system) + count_tokens(call.prompt) + output <= window for call in model.calls)
    read: dict[int, str] = {}
    for call in model.calls:
        for label, text in shown(call):
            assert text in as_data(passages[label - 1])
            read[label] = read.get(label, "") + text
    assert all(counted(text) == counted(as_data(passages[label - 1])) for label, text in read.items())
    unique = {letters(passage).lower() for passage in passages if passage.strip()}
    assert unique <= {letters(passages[label - 1]).lower() for label in read} | {
        letters(p).lower() for p in passages if p in response.source_nodes
    }
    assert {omission.reason for omission in response.missing} <= {"answer_cut"}


@settings(max_examples=60, deadline=None)
@given(passages=PASSAGES, window=st.integers(230, 1500), output=st.integers(1, 60))
def test_simple_summarize_names_what_it_cuts(passages, window, output):
    model = ScriptedModel(lambda _: "answer")
    response = Synthesizer("simple_summarize", model, context_window=window, max_output_tokens=output).synthesize(
        "What is it?", passages
    )
    assert len(model.calls) == response.calls == any(passage.strip() for passage in passages)
    assert all(count_tokens(call.system) + count_tokens(call.prompt) + output <= window for call in model.calls)
    named = {omission.label for omission in response.missing}
    for label, text in [block for call in model.calls for block in shown(call)]:
        assert as_data(passages[label - 1]).strip().startswith(text)
        assert label in named or text == as_data(passages[label - 1]).strip()


@settings(max_examples=60, deadline=None)
@given(sizes=st.lists(st.integers(1, 400), min_size=1, max_size=20), answer=st.integers(1, 40))
def test_compact_never_makes_more_calls_than_refine(sizes, answer):
    passages = [f"Passage {number} says. " + "Some word. " * size for number, size in enumerate(sizes)]
    calls = {}
    for mode in ("refine", "compact"):
        model = ScriptedModel(lambda _: "answer " * answer)
        Synthesizer(mode, model, context_window=600, max_output_tokens=50).synthesize("What is it?", passages)
        calls[mode] = len(model.calls)
    assert calls["compact"] <= calls["refine"]


@settings(max_examples=40, deadline=None)
@given(words=st.integers(1, 3000), share=st.floats(0, 0.99), window=st.integers(250, 900))
def test_overlapping_pieces_move_on_and_fit(words, share, window):
    passage = " ".join(f"w{number}" for number in range(words))
    model = ScriptedModel(lambda _: "ok")
    synthesizer = Synthesizer("accumulate", model, context_window=window, max_output_tokens=20, overlap=share)
    synthesizer.synthesize("What is it?", [passage])
    assert all(count_tokens(call.system) + count_tokens(call.prompt) + 20 <= window for call in model.calls)
    pieces = [shown(call)[0][1].split() for call in model.calls]
    assert pieces[0][0] == "w0"
    assert pieces[-1][-1] == f"w{words - 1}"
    for one, following in pairwise(pieces):
        assert int(following[0][1:]) <= int(one[-1][1:]) + 1
        assert int(following[-1][1:]) > int(one[-1][1:])
