"""What comes with an answer, or in place of one: reasons, counts, streams, learned words, tries that widen."""

import asyncio
import json

import pytest
from trace_cases import LIMIT, POLICY, amount, line_of, reply, text, written

import spanwise
from spanwise import Corpus, Engine, ScriptedModel, TextAnswer, TextItem, route
from spanwise.answering.ask import CheckedText, CitedText
from spanwise.answering.simple import answer_query
from spanwise.answering.trace import Proof
from spanwise.answering.vocabulary import LONGEST, Vocabulary
from spanwise.contract.validation.problems import Problem
from spanwise.domain.document import Document, Line, Page
from spanwise.errors import InputError, SpanwiseError


def ask(question, *contents, model=None, **options):
    documents = [spanwise.read(one.encode(), name=f"{name}.md") for name, one in zip("abcd", contents, strict=False)]
    with Corpus.of(documents) as corpus:
        return Engine(corpus, model=model).ask(question, **options)


def test_a_question_that_is_too_vague_is_told_so_with_no_lines():
    result = ask("What is it?", POLICY)
    assert result.missing is not None
    assert (result.decision.kind, result.citations) in (("clarify", ()), ("not_found", ()))


def test_what_no_passage_speaks_of_is_told_in_the_words_of_the_question():
    result = ask("Welche Zahlungen vereinbarte die Genossenschaft?", "Der Hof wird um zehn Uhr geschlossen.")
    assert result.missing.what.endswith(": Zahlungen, vereinbarte, Genossenschaft")


def test_pictures_of_pages_are_named_where_nothing_was_found():
    lines = (Line(1, 1, 1, "The lease is of a garden house."),)
    pages = tuple(Page(at, f"p{at}", 600, 800, 1 if at == 1 else 2, 1, readable=at == 1) for at in range(1, 8))
    document = Document("x" * 64, "lease.pdf", "pdf", lines, pages, paged=True)
    with Corpus.of([document]) as corpus:
        result = Engine(corpus).ask("Which plumber repairs boilers?")
    assert (result.decision.kind, result.missing.kind) == ("not_found", "unreadable_page")
    assert "p2 of lease.pdf" in result.missing.what
    assert "more" in result.missing.what


def test_calls_and_tokens_of_every_pass_are_counted(tmp_path):
    path = written(tmp_path)
    right = reply([amount(500000, line_of(path, "USD 500,000"))])
    for replies in ([right], [reply([]), right]):
        model = ScriptedModel(replies)
        result = spanwise.ask(LIMIT, path, model=model, type="amount")
        assert result.metrics["llm_calls"] == len(model.calls) == len(replies)
        assert result.meta["passes"] == len(replies)
        assert result.metrics["prompt_tokens"] > 0
        assert result.metrics["completion_tokens"] > 0
    free = spanwise.ask(LIMIT, path, type="amount")
    assert [free.metrics[name] for name in ("llm_calls", "prompt_tokens", "completion_tokens", "cost_usd")] == [0] * 4


def test_a_computed_answer_tells_its_computation():
    table = "| Year | 2019 | 2018 |\n| --- | --- | --- |\n| Revenue | $1,200 | $1,000 |\n"
    result = ask("What was the percentage change in revenue from 2018 to 2019?", table)
    (computation,) = result.meta["computations"]
    assert (computation["operation"], computation["result"]) == ("percentage_change", "20")


def test_a_plan_without_a_model_costs_nothing(tmp_path):
    with Corpus.memory() as corpus:
        corpus.add(written(tmp_path))
        plan = Engine(corpus).plan(LIMIT)
    assert (plan.calls, plan.prompt_tokens, plan.rounds) == (0, 0, 0)


def test_a_corpus_that_was_closed_is_closed(tmp_path):
    corpus = Corpus.of([spanwise.read(written(tmp_path))])
    corpus.close()
    corpus.close()
    with pytest.raises(SpanwiseError):
        corpus.documents()


def test_a_stream_tells_every_piece_once_and_each_citation_behind_its_words(tmp_path):
    with Corpus.memory() as corpus:
        corpus.add(written(tmp_path))
        events = list(Engine(corpus).stream("What are the exclusions of the home policy?"))
    result = events[-1].result
    assert "".join(event.text for event in events if isinstance(event, CheckedText)) == result.text
    told = [event.citation for event in events if isinstance(event, CitedText)]
    assert sorted(one.id for one in told) == sorted(one.id for one in result.citations)
    assert len(told) > 1
    said = ""
    for event in events:
        said += event.text if isinstance(event, CheckedText) else ""
        assert not isinstance(event, CitedText) or len(said.rstrip()) == event.citation.at[1]


@pytest.mark.parametrize(("length", "kept"), [(1, True), (LONGEST, True), (LONGEST + 1, False)])
def test_a_word_that_was_discovered_is_kept_up_to_its_longest(tmp_path, length, kept):
    table = Vocabulary(tmp_path / "words.db")
    table.add(spanwise.parse_question("What is the fee?"), ["w" * length])
    assert [row.keyword for row in table.rows()] == (["w" * length] if kept else [])


class Listening:
    def __init__(self):
        self.asked = []

    async def retrieve(self, _query, decomposition):
        self.asked.append(dict(decomposition))
        return [{"title": "Fees", "content": "The fee is ten.", "page_num": 1, "_relevance_score": 9.0}]


class Decomposing:
    async def decompose(self, query):
        return {"intent": "fees", "entities": ("Acme", "Beta"), "query": query}


class Never:
    async def evaluate(self, _response, _sections):
        return {"should_return": False}


def test_the_last_try_keeps_the_entities_and_adds_the_words_of_the_question():
    spy = Listening()
    asyncio.run(answer_query("What are the fees?", decomposer=Decomposing(), retriever=spy, judge=Never()))
    assert spy.asked[-1]["entities"][:2] == ["Acme", "Beta"]
    assert "fees" in spy.asked[-1]["entities"]


def answer(**flags):
    found = flags.get("answer_found", True)
    items = [TextItem(text="net 30", spans=[spanwise.Span(line_start=3, line_end=3)])] if found else []
    base = {
        "items": items, "extraction_method": "verbatim", "confidence": 0.9, "answer_found": found,
        "complete_answer_found": found, "context_completeness_weak": 0.9, "context_structured": True,
        "conflicting_evidence": False,
    }  # fmt: skip
    return TextAnswer(**{**base, **flags})


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (0, "no answer was found in them."),
        (1, "this is the one answer that was found in them:\n1. net 30 (line 3)"),
        (2, "The document gives more than one answer:\n1. net 30 (line 3)\n2. net 30 (line 3)"),
        (3, "The document gives more than one answer:\n1. net 30 (line 3)\n2. net 30 (line 3)\n3. net 30 (line 3)"),
    ],
)
def test_a_conflict_says_how_many_answers_there_are(count, told):
    items = answer().items * count
    found = bool(count)
    decision = route(answer(items=items, answer_found=found, complete_answer_found=found, conflicting_evidence=True))
    assert decision.message.endswith(told)


@pytest.mark.parametrize(("count", "told"), [(1, "p0"), (3, "p0; p1; p2"), (4, "p0; p1; p2; and 1 more")])
def test_three_problems_are_told_and_the_rest_are_counted(count, told):
    problems = [Problem(code="line_missing", message=f"p{at}") for at in range(count)]
    assert route(answer(), problems=problems).reason == f"the answer is not valid: {told}"


@pytest.mark.parametrize(
    "options", [{"attempt": 0}, {"attempt": 0, "last_attempt": 5}, {"last_attempt": 0}, {"on_invalid": "x"}]
)
def test_options_of_a_route_are_checked(options):
    with pytest.raises(InputError):
        route(answer(), **options)
    assert route(answer(), attempt=1, last_attempt=1, on_invalid="flag").kind == "ship"
    assert route(answer(), attempt=9, last_attempt=1, on_invalid="reject").kind == "ship"


def test_a_document_that_only_moved_or_was_touched_is_not_read_again(tmp_path):
    path = written(tmp_path)
    with Corpus.memory() as corpus:
        assert corpus.add(path).added == ("policy.md",)
        path.touch()
        assert corpus.add(path).unchanged == ("policy.md",)
        path.write_text(POLICY.replace("flood", "frost"))
        assert corpus.add(path).replaced == ("policy.md",)
        path.write_text(POLICY + "\nMore.\n")
        assert corpus.add(path).replaced == ("policy.md",)


def test_hidden_files_and_folders_are_not_read(tmp_path):
    for name in ("a.md", ".b.md", "sub/c.md", ".sub/d.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("Text.")
    with Corpus.memory() as corpus:
        assert sorted(corpus.add(tmp_path).added) == ["a.md", "sub/c.md"]


def test_the_two_sides_of_one_part_make_the_whole_conflicting():
    lease = "# Lease\n\nThe lease starts on 1 May 2020.\n\nThe monthly rent is $500.\n"
    other = "# Lease, copy\n\nThe monthly rent is $700.\n"
    result = ask("When does the lease start? How much is the monthly rent?", lease, other)
    assert result.answer.conflicting_evidence
    agreed = ask("When does the lease start? How much is the monthly rent?", lease)
    assert not agreed.answer.conflicting_evidence


def test_a_proof_holds_each_line_once_in_order_with_its_passages():
    lines = "".join(f"Line {at} of the text.\n\n" for at in range(1, 400))
    document = spanwise.read(lines.encode(), name="long.txt")
    with Corpus.of([document]) as corpus:
        result = Engine(corpus).ask("What is line 300 of the text?")
        record = next(step.record for step in result.trace.steps if step.name == "proof")
    proof = Proof.from_json(record["documents"])
    (one,) = proof.documents()
    kept = proof.lines(one.name, 1, 10_000)
    numbers = [line.number for line in kept]
    assert numbers == sorted(set(numbers))
    assert 0 < len(kept) < len(document.lines)
    assert kept == tuple(document.lines[number - 1] for number in numbers)
    (cited, *_) = result.citations or result.missing.nearest
    assert any(
        one.line_start <= cited.line_start <= one.line_end
        for one in proof.passages(one.name, cited.line_start, cited.line_end)
    )
    assert proof.passages(one.name, 100_000) == ()


def test_documents_without_an_answer_give_their_caveats():
    empty = reply([], caveats=["Only the annex was shown."])
    result = ask(LIMIT, POLICY, model=ScriptedModel([empty] * 9), type="amount")
    assert result.decision.kind == "not_found"
    assert "Only the annex was shown." in result.text


def test_models_that_read_two_documents_differently_are_both_shown():
    one, two = POLICY, POLICY.replace("500,000", "750,000")

    def said(call):
        value = 750_000 if "750,000" in call.prompt else 500_000
        return reply([amount(value, 10)])

    result = ask(LIMIT, one, two, model=ScriptedModel(said), type="amount")
    assert result.decision.reason == "conflicting_evidence"
    assert [item.amount.value for item in result.answer.items] == [500_000, 750_000]
    same = ask(LIMIT, one, one, model=ScriptedModel(said), type="amount")
    assert same.decision.kind == "ship"
    listed = reply([text("damage by flood", 5), text("damage by war", 6)])
    both = ask("What are the exclusions of the home policy?", one, two, model=ScriptedModel([listed] * 4))
    assert both.decision.kind == "ship"


def test_a_trace_does_not_hold_how_long_it_took(tmp_path):
    result = spanwise.ask(LIMIT, written(tmp_path), type="amount")
    result.save_trace(tmp_path / "trace.json")
    metrics = json.loads((tmp_path / "trace.json").read_text())["result"]["metrics"]
    assert "latency_ms" in result.metrics
    assert metrics == {name: value for name, value in result.metrics.items() if name != "latency_ms"}
