"""A user's script that uses every public name: `test_typing.py` checks its types, and runs it offline."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel

import spanwise

QUESTION = "What is the late fee?"
LEASE = "The late fee is USD 40 a day.\nThe term begins on 1 May 2024.\nThe deposit is EUR 900.\n"
STEERING = {
    "extraction_method": "verbatim",
    "confidence": 0.9,
    "answer_found": True,
    "complete_answer_found": True,
    "context_completeness_weak": 1.0,
    "context_structured": True,
    "conflicting_evidence": False,
}
FIRST_LINE = {"spans": [{"line_start": 1, "line_end": 1}]}


class Site(BaseModel):
    """A value of one's own."""

    name: str


class Echo:
    """A model of one's own: the protocol is all it needs."""

    @property
    def profile(self) -> spanwise.ModelProfile:
        """What it can do."""
        return spanwise.ModelProfile("own:echo", context_window=4096)

    def complete(self, call: spanwise.Call) -> spanwise.Reply:
        """The first words of the prompt."""
        return spanwise.Reply(call.prompt[:20], usage=spanwise.Usage(prompt_tokens=1, completion_tokens=1))

    async def acomplete(self, call: spanwise.Call) -> spanwise.Reply:
        """The same for async code."""
        return self.complete(call)


def documents(folder: Path) -> spanwise.Document:
    """Read a file, look at it as tables, search a corpus."""
    path = folder / "lease.txt"
    path.write_text(LEASE)
    document: spanwise.Document = spanwise.read(path)
    line: spanwise.Line = document.line(1)
    page: spanwise.Page = document.pages[line.page - 1]
    sections: tuple[spanwise.Section, ...] = document.sections
    lines: list[spanwise.LineRow] = document.line_table()
    headings: list[spanwise.SectionRow] = document.toc_table()
    numbers: list[int] = [row["number"] for row in lines]
    titles: list[str] = [row["title"].upper() for row in headings]
    print(page.first_line, len(sections), numbers, titles)

    def upper(data: bytes, name: str) -> spanwise.Document:
        return spanwise.read(data.upper(), name=name.replace(".up", ".txt"))

    spanwise.register_reader("upper", upper, suffixes=[".up"])
    with spanwise.Corpus.open(folder / "corpus.db") as corpus:
        report: spanwise.IngestReport = corpus.add(path)
        hits: list[spanwise.Hit] = corpus.search(QUESTION, k=3)
        passages: list[spanwise.Passage] = [hit.passage for hit in hits]
        print(report.added, passages[0].line_start)
    return document


def values(document: spanwise.Document) -> None:
    """The typed contract: values, items, answers, schemas, computing."""
    span = spanwise.Span(line_start=1, line_end=1)
    forty = spanwise.Amount(value=40, currency="USD")
    comparison: spanwise.Comparison = spanwise.compare(
        forty, "<", spanwise.convert(forty, "EUR", rates={"USD": {"EUR": 0.9}}), rates={"USD": {"EUR": 0.9}}
    )
    made: list[spanwise.Computation] = []
    text: list[str] = spanwise.snippets(span, document)
    rectangles: list[spanwise.Box] = spanwise.boxes(span, document)
    boundary: spanwise.BoundaryCheck = spanwise.span_boundaries(span, document)
    bounded: bool | None = spanwise.completeness(document, first_page=1, last_page=1)
    print(comparison.result, made, text, rectangles, boundary.starts_clean, bounded)

    answer = spanwise.AmountAnswer.model_validate(
        {**STEERING, "items": [{"amount": {"value": 40, "currency": "USD"}, **FIRST_LINE}]}
    )
    item: spanwise.AmountItem = answer.items[0]
    price: float = item.value.value
    problems: list[spanwise.Problem] = spanwise.validate_answer(answer, document, question=QUESTION)
    decision: spanwise.Decision = spanwise.route(answer, problems=problems, document=document)
    print(price, [problem.code for problem in problems], decision.kind)
    for answer_class in spanwise.ANSWER_REGISTRY.values():
        print(answer_class.__name__, sorted(spanwise.strict_json_schema(answer_class)))
    chosen: type[spanwise.AnswerBase] = spanwise.schema_for("single", "amount")
    proved = spanwise.AnswerWithEvidence.model_validate(
        {"answer": "USD 40", "evidence_start": 1, "evidence_end": 1, "confidence": 0.9, "quotes": [], "caveats": []}
    )
    print(chosen.__name__, proved.answer.upper())


def registered() -> str:
    """A value class of one's own keeps its type."""
    site_answer = spanwise.register("site", Site)
    reply = json.dumps({**STEERING, "items": [{"site": {"name": "Oslo"}, **FIRST_LINE}]})
    parsed = spanwise.parse_structured(reply, site_answer)
    names: list[str] = [one.value.name for one in parsed.items]
    generation = spanwise.GenerationResult(parsed)
    spanwise.unregister("site")
    spanwise.register_answer("town", spanwise.TextAnswer)
    spanwise.unregister("town")
    try:
        spanwise.parse_structured("no answer", spanwise.TextAnswer)
    except spanwise.StructuredOutputError as error:
        print(error.text, error.problems)
    return names[0] + generation.answer.items[0].value.name


def said_of(answer: spanwise.AnswerBase) -> Sequence[object]:
    """Each class of answers has items with a value of its own type."""
    match answer:
        case spanwise.AddressAnswer(items=[spanwise.AddressItem() as one, *_]):
            address: spanwise.Address = one.value
            return [address.city]
        case spanwise.BooleanAnswer(items=[spanwise.BooleanItem() as one, *_]):
            return [not one.value]
        case spanwise.DateAnswer(items=[spanwise.DateItem() as one, *_]):
            date: spanwise.DateValue = one.value
            return [date.original]
        case spanwise.DateRangeAnswer(items=[spanwise.DateRangeItem() as one, *_]):
            dates: spanwise.DateRange = one.value
            return [dates.iso_start]
        case spanwise.IbanAnswer(items=[spanwise.IbanItem() as one, *_]):
            iban: spanwise.Iban = one.value
            return [iban.value.upper()]
        case spanwise.PersonAnswer(items=[spanwise.PersonItem() as one, *_]):
            person: spanwise.PersonName = one.value
            return [person.last_name]
        case spanwise.PriceAnswer(items=[spanwise.PriceItem() as one, *_]):
            price: spanwise.Price = one.value
            return [price.value + 1]
        case spanwise.QuantityAnswer(items=[spanwise.QuantityItem() as one, *_]):
            quantity: spanwise.Quantity = one.value
            return [quantity.unit.upper(), quantity.value + 1]
        case spanwise.TableAnswer(items=[spanwise.TableItem() as one, *_]):
            table: spanwise.TableValue = one.value
            return table.headers
        case spanwise.TextAnswer(items=[spanwise.TextItem() as one, *_]) | spanwise.ListAnswer(items=[one, *_]):
            return [one.value.upper()]
        case _:
            return [item.value for item in answer.items]


def asked(document: spanwise.Document, folder: Path) -> None:
    """One question, many, a stream; the result as a dict, and proved again."""
    result: spanwise.Result = spanwise.ask(QUESTION, document, policy="mark")
    citation: spanwise.Citation = result.citations[0]
    claims: tuple[spanwise.Claim, ...] = result.claims
    record: spanwise.ResultDict = result.to_dict()
    pages: list[int | None] = [one["page"] for one in record["citations"]]
    confidence: float = record["confidence"]
    print(citation.quote.upper(), len(claims), pages, confidence + 1, said_of(result.answer), result.decision.kind)
    result.save_trace(folder / "trace.json")
    again: spanwise.Result = spanwise.replay(folder / "trace.json")
    print(again.text == result.text)

    question: spanwise.Question = spanwise.parse_question(QUESTION, document=document)
    print(question.keywords, question.answer_type)
    with spanwise.Corpus.of([document]) as corpus:
        engine = spanwise.Engine(corpus)
        plan: spanwise.Plan = engine.plan(QUESTION)
        outcomes: spanwise.Outcomes = engine.ask_many([QUESTION, ""])
        for outcome in outcomes:
            if isinstance(outcome, spanwise.Result):
                print(outcome.text.upper(), plan.calls)
            else:
                error: spanwise.SpanwiseError = outcome
                print(error)
        there = spanwise.Scope(first_line=1, last_line=2)
        texts: list[str] = [one.text for one in engine.ask_many([QUESTION], scope=there).results()]
        print(texts, [type(event).__name__ for event in engine.stream(QUESTION)])
        asyncio.run(asked_later(engine))

    given: spanwise.Result = spanwise.answer(QUESTION, [LEASE])
    later: spanwise.Result = asyncio.run(spanwise.aanswer(QUESTION, [{"text": LEASE, "page": 2}]))
    print(given.text == later.text)
    grounding: spanwise.Grounding = spanwise.ground({"fee": "USD 40"}, document)
    placed: list[spanwise.GroundedValue] = [one for one in grounding.items if one.state == "found"]
    print([one.citation.line_start for one in placed if one.citation is not None], grounding.holds)


async def asked_later(engine: spanwise.Engine) -> None:
    """The same for async code."""
    result = await engine.aask(QUESTION)
    async for event in engine.astream(QUESTION):
        print(type(event).__name__, result.text.upper())


def written(document: spanwise.Document) -> None:
    """Response modes, and the guarded synthesis with dicts."""
    passages = [document.text(1, 3)]
    model: spanwise.Model = spanwise.ScriptedModel(["The late fee is USD 40 a day [1]."])
    synthesizer = spanwise.Synthesizer(spanwise.ResponseMode.COMPACT, model)
    response: spanwise.Response = synthesizer.synthesize(QUESTION, passages)
    try:
        synthesizer.synthesize(QUESTION, passages)
    except spanwise.ScriptExhausted as error:
        print(error)
    print(spanwise.MODES, response.response.upper(), response.usage.prompt_tokens)
    flow: spanwise.Flow[spanwise.Response] = synthesizer.flow(QUESTION, passages)
    flow.close()
    echo: spanwise.Model = Echo()
    print(spanwise.Synthesizer("compact", echo).plan(QUESTION, passages).calls, spanwise.Cancel().cancelled)

    chunk = spanwise.Chunk(chunk_id="b", text=LEASE, score=0.5)
    told = spanwise.SynthesisInput(
        trace_id="t",
        query=QUESTION,
        retrieved_chunks=[{"chunk_id": "a", "text": LEASE, "score": 1.0}, chunk],
        conversation_history=[{"role": "user", "content": "Hello."}],
    )
    guarded = spanwise.ResponseSynthesizer(
        spanwise.ScriptedModel(lambda call: "The late fee is USD 40 a day [a]." if call.prompt else ""),
        config=spanwise.ModelConfig(max_output_tokens=128),
    )
    output: spanwise.SynthesisOutput = guarded.synthesize(told)
    later: spanwise.SynthesisOutput = asyncio.run(guarded.asynthesize(told))
    tokens: int = output.metrics["prompt_tokens"] + later.metrics["prompt_tokens"]
    action = spanwise.confidence_action(output.confidence)
    print(
        output.answer.upper(), tokens, action, spanwise.count_tokens(output.answer), spanwise.split_tokens(LEASE, 8, 2)
    )


def checked(document: spanwise.Document) -> None:
    """The guard, with a model as a second opinion, and conflicts."""
    opinion = spanwise.ModelVerifier(spanwise.ScriptedModel(lambda _: "1"))
    verification: spanwise.Verification = spanwise.verify("The late fee is USD 40 a day.", [LEASE])
    print(verification.supported, [claim.cited for claim in verification.claims], verification.citations_hold, opinion)
    tables: list[spanwise.Table] = spanwise.find_tables(document)
    rows: list[spanwise.TableRow] = [row for table in tables for row in table.rows]
    cells: list[spanwise.TableCell] = [cell for row in rows for cell in row.cells]
    print([cell.text.upper() for cell in cells])
    conflicts: list[spanwise.Conflict] = spanwise.find_conflicts([LEASE, LEASE.replace("40", "50")])
    print([conflict.kind for conflict in conflicts], spanwise.EntailmentVerifier.__name__)
    embedder: spanwise.Embedder = spanwise.embedder_from("mini", base_url="http://localhost:8080/v1")
    print(embedder.name, spanwise.OnnxEmbedder.__name__, spanwise.OnnxReranker.__name__)
    values: spanwise.VerificationDict = verification.to_dict()
    told: spanwise.ConflictDict = conflicts[0].to_dict()
    placed: spanwise.GroundingDict = spanwise.ground({"late fee": "USD 40"}, document).to_dict()
    print(values["claims"][0]["text"].upper(), told["one"]["quote"].upper(), placed["items"][0]["state"].upper())


async def components() -> None:
    """The components of the first design, which speak in dicts."""
    parts = await spanwise.QueryDecomposer().decompose(QUESTION)
    intent: str = parts["intent"]
    sections = await spanwise.AgenticRetriever(spanwise.MockDocumentStore()).retrieve(QUESTION, parts)
    chunks: list[spanwise.Chunk] = spanwise.chunks_from_sections(sections)
    response: str = spanwise.ResponseGenerator().generate(sections)
    verdict = await spanwise.LLMJudge().evaluate(response, sections)
    returned: bool = verdict["should_return"]
    supported: int = verdict["summary"]["supported"]
    answered = await spanwise.answer_query(QUESTION)
    retries: int = answered["retry_count"]
    print(intent, len(chunks), returned, supported + 1, answered["final_output"].upper(), retries)


def main(folder: Path) -> None:
    """All of it; the scripted model that `model_from` reads answers nothing here."""
    document = documents(folder)
    values(document)
    print(registered())
    asked(document, folder)
    written(document)
    checked(document)
    asyncio.run(components())
    (folder / "replies.json").write_text('["USD 40"]')
    print(spanwise.model_from(f"scripted:{folder / 'replies.json'}").profile.name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
