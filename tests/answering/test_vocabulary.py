"""What answers discover is counted for each kind of question, and costs no pass by itself."""

import pytest
from trace_cases import reply, text, written

import spanwise
from spanwise import ScriptedModel
from spanwise.answering.vocabulary import LONGEST, Discovered, Vocabulary
from spanwise.errors import StorageError

QUESTION = "What are the exclusions of the home policy?"
ITEMS = [text("damage by flood", 5), text("damage by war", 6)]


def ask(folder, replies, **options):
    with spanwise.Corpus.memory() as corpus:
        corpus.add(written(folder))
        scripted = ScriptedModel(replies)
        result = spanwise.Engine(corpus, model=scripted, **options).ask(QUESTION)
    return result, len(scripted.calls)


def test_a_complete_answer_with_discovered_keywords_is_not_tried_again_and_the_table_grows(tmp_path):
    table = tmp_path / "words.db"
    for count in (1, 2):
        replies = [reply(ITEMS, llm_discovered_keywords=["Perils", "perils ", "Section 7"])]
        result, calls = ask(tmp_path, replies, keyword_table=table)
        assert (result.decision.kind, calls) == ("ship", 1)
        intent = result.meta["intent"]
        profile = result.meta["profile"] or ""
        assert Vocabulary(table).rows() == [
            Discovered(profile, intent, "perils", count),
            Discovered(profile, intent, "section 7", count),
        ]


def test_the_words_of_every_pass_are_counted_and_stand_in_the_trace(tmp_path):
    table = tmp_path / "words.db"
    partial = reply(ITEMS[:1], complete_answer_found=False, llm_discovered_keywords=["limits"])
    result, _ = ask(tmp_path, lambda _: partial, keyword_table=table)
    assert [(row.keyword, row.questions) for row in Vocabulary(table).rows()] == [("limits", 1)]
    records = next(step.record for step in result.trace.steps if step.name == "passes")["records"]
    assert {tuple(record["discovered"]) for record in records} == {("limits",)}


def test_nothing_is_written_unless_it_is_asked_for(tmp_path):
    ask(tmp_path, [reply(ITEMS, llm_discovered_keywords=["perils"])])
    assert [path.name for path in tmp_path.iterdir()] == ["policy.md"]


def test_what_is_no_word_is_left_out(tmp_path):
    question = spanwise.parse_question(QUESTION)
    table = Vocabulary(tmp_path / "words.db")
    table.add(question, ["", "  ", "a" * (LONGEST + 1), "ring\x07", *(f"word {n}" for n in range(99))])
    assert len(table.rows()) == 15
    assert table.rows()[0].keyword.startswith("word ")


def test_a_file_that_is_no_table_is_a_typed_error(tmp_path):
    path = tmp_path / "words.db"
    path.write_bytes(b"no table at all, but long enough to be looked at as one" * 20)
    with pytest.raises(StorageError, match=r"words\.db"):
        Vocabulary(path).rows()
