"""Checked answers from a folder of traces become examples of a typed prompt, where their questions are close."""

import json

import pytest
from trace_cases import LIMIT, amount, by_model, line_of, reply, sealed, text, traced, written

import spanwise
from spanwise import ScriptedModel
from spanwise.errors import InputError, ModeError, WindowError
from spanwise.llm.port import ModelProfile
from spanwise.synthesis.generation.examples import MOST, Example, close_to, load_examples

CLOSE = "How much is the limit per claim of the boat policy?"
FAR = "How much does the director of the museum earn?"


@pytest.fixture
def folder(tmp_path):
    by_model(tmp_path)
    return tmp_path


def ask(folder, question, **options):
    path = written(folder, "The boat policy: the limit is USD 70,000 per claim. The museum pays USD 5.\n", "boat.md")
    model = ScriptedModel(lambda _: reply([amount(70000, line_of(path, "70,000"))]), **options)
    with spanwise.Corpus.memory() as corpus:
        corpus.add(path)
        result = spanwise.Engine(corpus, model=model, examples=folder).ask(question, type="amount")
    return result, model.calls[0]


def test_a_close_question_is_shown_with_its_lines_and_answer(folder):
    result, call = ask(folder, CLOSE)
    assert result.meta["fragments_applied"][-1] == "EXAMPLES"
    assert f"Example question: {LIMIT}" in call.system
    assert "The limit is USD 500,000 per claim for the home policy." in call.system
    assert '"value":500000.0' in call.system
    assert "500,000" not in call.prompt
    assert (result.decision.kind, result.answer.items[0].amount.value) == ("ship", 70000)


def test_nothing_is_shown_where_nothing_is_close(folder):
    result, call = ask(folder, FAR)
    assert "EXAMPLES" not in result.meta["fragments_applied"]
    assert "Example question" not in call.system


def test_examples_never_take_most_of_the_window(folder):
    shown = []
    for window in range(2000, 8000, 200):
        try:
            result, _ = ask(folder, CLOSE, profile=ModelProfile("scripted", context_window=window))
        except WindowError:
            continue
        shown.append("EXAMPLES" in result.meta["fragments_applied"])
    assert (shown[0], shown[-1]) == (False, True)
    assert shown == sorted(shown)


def test_only_checked_answers_are_examples(folder):
    (known,) = load_examples(folder)
    assert known.question == LIMIT
    record = json.loads((folder / "trace.json").read_bytes())
    record["result"]["question"] = "An edited question?"
    (folder / "edited.json").write_text(json.dumps(record), encoding="utf-8")
    (folder / "other.json").write_text("{}", encoding="utf-8")
    record["result"]["review"] = True
    sealed(folder / "unsure.json", record)
    record["result"] |= {"review": False, "decision": "not_found"}
    sealed(folder / "unanswered.json", record)
    assert load_examples(folder) == (known,)


def test_an_inferred_answer_is_no_example(tmp_path):
    inferred = reply([text("Only damage from outside is covered.", 5)], extraction_method="inferred")
    model = ScriptedModel(lambda _: inferred)
    traced(tmp_path, "What are the exclusions of the home policy?", written(tmp_path), model=model)
    assert load_examples(tmp_path) == ()


def test_the_closest_come_first_and_not_too_many():
    known = [Example(f"{n:02}", f"What is the limit of policy {'again ' * n}?", "A", (), "{}") for n in range(9)]
    found = close_to("What is the limit of policy?", [*known, Example("x", known[0].question, "B", (), "{}")], "A")
    assert len(found) == MOST
    assert found[0] is known[0]
    assert close_to("Who?", known, "A") == ()


def test_what_cannot_be_is_refused(tmp_path):
    with spanwise.Corpus.memory() as corpus:
        with pytest.raises(InputError, match="no folder"):
            spanwise.Engine(corpus, model=ScriptedModel([]), examples=tmp_path / "none")
        with pytest.raises(ModeError, match="typed"):
            spanwise.Engine(corpus, examples=tmp_path)
