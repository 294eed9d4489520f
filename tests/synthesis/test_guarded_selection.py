"""Which chunks a prompt shows, as what, and what of earlier turns."""

import random

import pytest

from spanwise.errors import WindowError
from spanwise.llm.port import ModelProfile
from spanwise.synthesis.guarded.context import as_text, chunks_from_sections, ranked, select
from spanwise.synthesis.guarded.prompting import prepare
from spanwise.synthesis.guarded.schema import Chunk, ModelConfig, SynthesisInput
from spanwise.text.tokens import count_tokens

NO_MODEL = ModelProfile("none")


def chunk(name: str, text: str, score: float = 0.5, **more) -> Chunk:
    return Chunk(chunk_id=name, text=text, score=score, **more)


def words(count: int, seed: int = 0) -> str:
    chosen = random.Random(seed)
    return (
        " ".join(chosen.choice("alpha beta gamma delta epsilon zeta".split()) for _ in range(count)).capitalize() + "."
    )


def prepared(chunks, window=8192, **more):
    given = SynthesisInput(trace_id="t", query=more.pop("query", "What is alpha?"), retrieved_chunks=chunks, **more)
    return prepare(given, ModelConfig(max_context_tokens=window), NO_MODEL, None, second_pass=False)


def size(ready) -> int:
    return count_tokens(ready.call.system) + count_tokens(ready.call.prompt) + ready.call.max_output_tokens


def test_r078_the_best_score_first_and_equal_ones_in_their_order():
    chunks = [chunk("a", "A.", 0.2), chunk("b", "B.", 0.9), chunk("c", "C.", 0.5), chunk("d", "D.", 0.9)]
    assert [one.chunk.chunk_id for one in prepared(chunks).included] == ["b", "d", "c", "a"]


def test_r079_a_longer_history_lowers_the_number_of_chunks():
    chunks = [chunk(f"c{n}", words(90, n), 0.9 - n / 100) for n in range(40)]
    turns = [{"role": "user", "content": words(60, n)} for n in range(20)]
    without, with_turns = prepared(chunks, 4096), prepared(chunks, 4096, conversation_history=turns)
    assert len(with_turns.included) < len(without.included) < 40
    assert size(without) <= 4096
    assert size(with_turns) <= 4096
    assert {one["chunk_id"] for one in without.missing} >= {"c39"}


def test_r080_whole_chunks_until_the_room_is_full_and_one_excerpt():
    chunks = [chunk(f"c{n}", " ".join(words(10, 10 * n + k) for k in range(8))) for n in range(10)]
    cost = max(one.tokens for one in prepared(chunks).included)
    selected = select(ranked(chunks), "What is alpha?", int(cost * 3.5))
    assert [one.truncated for one in selected.included] in ([False] * 3, [False] * 3 + [True])
    assert len(selected.missing) >= 6


def test_r081_an_excerpt_is_the_three_sentences_that_match_in_their_order():
    sentences = [f"Sentence number {n} speaks of {words(14, n)}" for n in range(1, 21)]
    for place in (4, 9, 15):
        sentences[place - 1] = f"The penalty for lateness has part {place} of its rule here."
    long = chunk("c1", " ".join(sentences), metadata={"title": "Rules"})
    [found] = select(ranked([long]), "What is the penalty for lateness?", 150).included
    assert found.shown == " ... ".join(sentences[place - 1] for place in (4, 9, 15))
    assert found.truncated
    assert long.metadata == {"title": "Rules"}


def test_an_excerpt_has_fewer_sentences_where_three_do_not_fit():
    text = " ".join(f"The penalty {n} is {words(20, n)}" for n in range(9))
    [found] = select(ranked([chunk("c1", text)]), "penalty", 90).included
    assert 1 <= found.shown.count("The penalty") < 3


@pytest.mark.parametrize("window", [512, 700, 1024, 2048, 4096, 8192])
def test_r082_no_window_is_too_small_for_an_honest_answer(window):
    chosen = random.Random(window)
    for round_ in range(8):
        chunks = [
            chunk(f"c{n}", " ".join(words(chosen.randint(1, 60), n) for _ in range(chosen.randint(1, 30))), n / 20)
            for n in range(chosen.randint(1, 20))
        ]
        turns = [{"role": "user", "content": words(chosen.randint(1, 400))} for _ in range(round_)]
        ready = prepared(chunks, window, conversation_history=turns, preferences={"tone": "formal"})
        assert size(ready) <= window


def test_a_window_below_the_smallest_is_an_error():
    with pytest.raises(ValueError, match="greater than or equal to 512"):
        ModelConfig(max_context_tokens=511)
    with pytest.raises(WindowError, match="raise max_context_tokens"):
        prepared([chunk("c1", "A.")], 512, query=words(600))


def test_a_smaller_window_of_the_model_counts():
    given = SynthesisInput(
        trace_id="t", query="alpha?", retrieved_chunks=[chunk(f"c{n}", words(200, n)) for n in range(9)]
    )
    ready = prepare(given, ModelConfig(), ModelProfile("m", context_window=1024), None, second_pass=True)
    assert size(ready) <= 1024
    assert ready.plan is not None
    assert count_tokens(ready.plan.prompt) + ready.plan.max_output_tokens <= 1024


def test_r092_the_newest_of_many_turns_are_kept():
    turns = [{"role": "user", "content": f"turn {n}: {words(30, n)}"} for n in range(200)]
    ready = prepared([chunk("c1", "Alpha is one.")], 2048, conversation_history=turns)
    assert "turn 199:" in ready.call.prompt
    assert "turn 0:" not in ready.call.prompt
    assert ready.call.prompt.index("turn 198:") < ready.call.prompt.index("turn 199:")
    assert size(ready) <= 2048


def test_r110_scores_of_sections_are_normalised_and_the_raw_ones_kept():
    sections = [
        {"title": "Fees", "content": "The fee is 5 EUR.", "page_num": 4, "_relevance_score": 13.0},
        {"title": "Fees", "content": "It is due in May.", "page_num": 4, "_relevance_score": 6.5},
    ]
    chunks = chunks_from_sections(sections)
    assert [one.score for one in chunks] == [1.0, 0.5]
    assert [one.metadata["raw_score"] for one in chunks] == [13.0, 6.5]
    assert [one.chunk_id for one in chunks] == ["Fees, page 4", "Fees, page 4 (2)"]


def test_scores_above_one_in_chunks_are_normalised_too():
    assert ranked([chunk("a", "A.", 13.0), chunk("b", "B.", 6.5)]).scores == {"a": 1.0, "b": 0.5}


def test_an_id_that_two_texts_have_is_named_and_a_blank_chunk_left_out():
    found = ranked([chunk("a", "One.", 0.4), chunk("a", "Two.", 0.8), chunk("a", "Two.", 0.1), chunk("b", " ")])
    assert [one.text for one in found.chunks] == ["Two."]
    assert list(found.left_out) == [
        {"chunk_id": "b", "reason": "blank"},
        {"chunk_id": "a", "reason": "duplicate_chunk_id"},
    ]


def test_an_id_that_another_section_is_given_stays_its_own():
    sections = [{"id": name, "content": f"Text {number}."} for number, name in enumerate(["X", "X", "X (2)", "X"])]
    chunks = chunks_from_sections(sections)
    assert len({chunk.chunk_id for chunk in chunks}) == len(chunks)
    assert len(ranked(chunks).chunks) == len(chunks)


def test_values_that_json_cannot_hold_are_shown_all_the_same():
    own: dict[str, object] = {}
    own["own"] = own
    assert as_text({(1, 2): 3}) == "{(1, 2): 3}"
    assert "own" in as_text(own)
