"""From the answers of a run to its response: citations at their places in the text, with documents and lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from spanwise.contract.answers import AnswerBase
from spanwise.contract.rendering import worded
from spanwise.errors import AllCallsFailedError
from spanwise.messages import EMPTY_RESPONSE, NOT_FOUND
from spanwise.synthesis.job import Job, Written, merged, nothing_found, placed
from spanwise.synthesis.markers import Marked, Marker, read_markers
from spanwise.synthesis.response import PassageCitation, Response, lines_of, quote_of
from spanwise.synthesis.windows import Credits, Excerpt
from spanwise.text.sentences import sentences

BETWEEN_RESPONSES = "\n---------------------\n"


def assemble(job: Job, mode: str, written: Sequence[Written], *, several: bool) -> Response:
    """The response of a run.

    Args:
        job: The run's question, sources and ledger.
        mode: Name of the mode.
        written: The run's answers; only the first counts unless `several`.
        several: Put the answers side by side, with numbers.

    Raises:
        AllCallsFailedError: Every call failed, although the run was not cancelled.
    """
    ledger = job.ledger
    empty = Response(
        response="",
        source_nodes=_nodes(job),
        missing=tuple(ledger.missing),
        usage=ledger.usage,
        calls=ledger.calls,
        mode=mode,
        rejected=tuple(dict.fromkeys(ledger.rejected)),
    )
    if not written and ledger.failed and ledger.failed == ledger.calls + ledger.cancelled:
        if ledger.cancelled == ledger.failed:
            return empty
        raise AllCallsFailedError(
            f"none of the {ledger.failed} calls to the model succeeded; the first failed with: {ledger.errors[0]} "
            "Run it again when that is mended: what is cached is not asked twice.",
            response=empty,
        )
    if job.output is not None:
        return _typed(job, empty, written, silent=mode == "no_text")
    texts = [_Text(one.text, cited(one.text, one.credits, job.total)) for one in written]
    if not texts:
        return replace(empty, response="" if mode == "no_text" and job.sources else EMPTY_RESPONSE)
    whole = _side_by_side(texts) if several else texts[0]
    return replace(empty, response=whole.text, responses=[text.text for text in texts], citations=whole.citations)


def cited(text: str, credits_: Credits, total: int) -> tuple[PassageCitation, ...]:
    """The citations of a text in which every marker is valid, in text order, one for each marker and passage.

    `total` is the number of passages.
    """
    marked = read_markers(text, credits_.keys(), _ids(credits_), total=total)
    found: list[PassageCitation] = []
    statements = _statements(marked)
    for marker, at in zip(marked.markers, statements, strict=True):
        for label in marker.labels:
            for excerpt in _runs(credits_[label]):
                found += _citations(excerpt, at, label, len(found))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Text:
    text: str
    citations: tuple[PassageCitation, ...]


def _side_by_side(texts: Sequence[_Text]) -> _Text:
    whole = ""
    citations: list[PassageCitation] = []
    for number, one in enumerate(texts, 1):
        whole += (BETWEEN_RESPONSES if whole else "") + f"Response {number}: "
        for citation in one.citations:
            at = (citation.at[0] + len(whole), citation.at[1] + len(whole))
            citations.append(replace(citation, id=f"c{len(citations) + 1}", item=number - 1, at=at))
        whole += one.text
    return _Text(whole, tuple(citations))


def _typed(job: Job, empty: Response, written: Sequence[Written], *, silent: bool) -> Response:
    """The response for a typed answer: its items in words, one per line, with a citation for each span."""
    pairs = [(one.answer, one.credits) for one in written if one.answer is not None]
    output = job.output
    if not pairs or output is None:
        answer = nothing_found(output, "no passage was read by a model") if output else None
        return replace(empty, answer=answer, response="" if silent and job.sources else EMPTY_RESPONSE)
    singles = [_in_documents(answer, credits_) for answer, credits_ in pairs]
    credits_: dict[int, tuple[Excerpt, ...]] = {}
    for _, one in pairs:
        credits_ |= {label: (*credits_.get(label, ()), *found) for label, found in one.items()}
    whole = _in_documents(merged([answer for answer, _ in pairs]) if len(pairs) > 1 else pairs[0][0], credits_)
    return replace(
        empty,
        response=whole.text,
        responses=[single.text for single in singles],
        citations=whole.citations,
        answer=whole.answer,
        answers=tuple(single.answer for single in singles),
        sources=whole.sources,
        meta={
            "schema_used": output.__name__,
            "model_name": job.ledger.model,
            "retrieved_context": [source.given[0].passage.id for source in job.sources],
            "raw_response": job.ledger.raw,
        },
    )


@dataclass(frozen=True, slots=True)
class _Answer:
    answer: AnswerBase
    text: str
    citations: tuple[PassageCitation, ...]
    sources: tuple[tuple[str, ...], ...]


def _in_documents(answer: AnswerBase, credits_: Credits) -> _Answer:
    """A typed answer with its spans mapped to document lines, in words and with citations."""
    text = ""
    items, sources = [], []
    citations: list[PassageCitation] = []
    for number, item in enumerate(answer.items):
        start = len(text) + (1 if text else 0)
        text += ("\n" if text else "") + worded(item)
        spans, documents = [], []
        for span in item.spans:
            place = placed(span, credits_)
            if place is None:
                continue
            excerpt, first, last = place
            given = excerpt.source.given[0]
            base = given.passage.line_start - 1
            spans.append(span.model_copy(update={"line_start": base + first, "line_end": base + last}))
            documents.append(given.passage.document)
            lines = given.passage.text.split("\n")[first - 1 : last]
            citation = _citations(excerpt, (start, len(text)), excerpt.source.label or 0, len(citations))[0]
            citations.append(
                replace(citation, item=number, line_start=base + first, line_end=base + last, quote="\n".join(lines))
            )
        items.append(item.model_copy(update={"spans": spans}))
        sources.append(tuple(documents))
    return _Answer(answer.model_copy(update={"items": items}), text or NOT_FOUND, tuple(citations), tuple(sources))


def _citations(excerpt: Excerpt, at: tuple[int, int], label: int, before: int) -> list[PassageCitation]:
    """One citation for each passage that has the excerpt's content."""
    found = []
    for number, given in enumerate(excerpt.source.given, before + 1):
        start, end = lines_of(excerpt, given)
        found.append(
            PassageCitation(
                id=f"c{number}",
                item=0,
                document=given.passage.document,
                line_start=start,
                line_end=end,
                page=given.page,
                page_label=None,
                boxes=(),
                quote=quote_of(excerpt, given),
                at=at,
                label=label,
                passage=given.passage.id,
                source=given.item,
            )
        )
    return found


def _runs(excerpts: Sequence[Excerpt]) -> Iterator[Excerpt]:
    """Excerpts of one source in order, adjoining ones merged."""
    current: Excerpt | None = None
    for excerpt in sorted(excerpts, key=lambda one: (one.start, one.end)):
        if current and not excerpt.source.text[current.end : excerpt.start].strip():
            current = Excerpt(current.source, current.start, max(current.end, excerpt.end))
            continue
        if current:
            yield current
        current = excerpt
    if current:
        yield current


def _statements(marked: Marked) -> list[tuple[int, int]]:
    """For each marker, the range of the sentence that it is in, or that it follows."""
    found = []
    lines: dict[int, list[tuple[int, int]]] = {}
    for marker in marked.markers:
        start = marked.text.rfind("\n", 0, marker.start) + 1
        if start not in lines:
            end = marked.text.find("\n", marker.end)
            lines[start] = sentences(marked.text[start : end if end >= 0 else len(marked.text)])
        found.append(_statement(marked, marker, start, lines[start]))
    return found


def _statement(marked: Marked, marker: Marker, line: int, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    start = line
    for begin, _ in spans:
        between = marked.text[line + begin : marker.start]
        if line + begin > marker.start or not _without_markers(between, marked, line + begin):
            break
        start = line + begin
    return start, marker.end


def _without_markers(text: str, marked: Marked, offset: int) -> str:
    """A piece of the text without its markers, stripped."""
    for marker in reversed(marked.markers):
        if offset <= marker.start and marker.end <= offset + len(text):
            text = text[: marker.start - offset] + text[marker.end - offset :]
    return text.strip()


def _ids(credits_: Credits) -> dict[str, int]:
    return {
        given.passage.id: label
        for label, excerpts in credits_.items()
        for excerpt in excerpts[:1]
        for given in excerpt.source.given
    }


def _nodes(job: Job) -> list[object]:
    read = [given for source in job.sources if source.label in job.ledger.read for given in source.passages]
    return [given.item for given in sorted(read, key=lambda given: given.position)]
