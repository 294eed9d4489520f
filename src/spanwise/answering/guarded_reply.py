"""From a model's reply to the text that may be returned, with citations, contradictions, confidence and warnings.

The reply is stripped of foreign content, split into sentences and markers, and each sentence is judged against the
chunks. If too few sentences are supported, a fixed text replaces the answer. Otherwise the answer is composed of what
is left, and each kind of warning lowers the confidence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from spanwise.answering.composing import Composed, Piece, compose, pieces_of
from spanwise.answering.foreign_content import without_foreign
from spanwise.contract.adapters import Given, given_passages
from spanwise.domain.claim import Claim, Policy
from spanwise.guard.attribution import Citing, misplaced
from spanwise.guard.confidence import answer_confidence
from spanwise.guard.conflicts.finding import find_all_conflicts
from spanwise.guard.conflicts.values import Conflict, Side
from spanwise.guard.policy import Sentence, judged, too_little
from spanwise.guard.verify import Verifier, verify
from spanwise.llm.port import Reply
from spanwise.messages import INSUFFICIENT_CONTEXT, NO_INFORMATION
from spanwise.synthesis.guarded.context import as_header
from spanwise.synthesis.guarded.prompting import Prepared, Style, as_json, said_in_json
from spanwise.synthesis.guarded.schema import ChunkCitation, ModelConfig, SynthesisInput, words_of
from spanwise.synthesis.markers import Reading, read_citations

UNSUPPORTED_CLAIM = "unsupported_claim"
UNCERTAIN_CLAIM = "uncertain_claim"
UNKNOWN_CITATION = "unknown_citation"
CONTRADICTORY_SOURCES = "contradictory_sources"
TRUNCATED_EXPLANATION = "truncated_explanation"
MISATTRIBUTED_CITATION = "misattributed_citation"
UNCITED_CLAIM = "uncited_claim"
INSUFFICIENT = "insufficient_context"
NO_CHUNKS = "no_retrieved_chunks"
NO_ROOM = "no_room"
OUTPUT_CUT = "model_output_cut"
FOREIGN_CONTENT = "foreign_content"

_ENDED = (".", "!", "?", ":", "\u3002", "\uff01", "\uff1f", "]", ")", '"', "\u201d", "*", "|", "`")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to return, with its confidence, warnings and claims."""

    answer: str
    confidence: float
    details: tuple[dict[str, object], ...]
    reasoning: str
    raw: str | None = None
    used: list[str] = field(default_factory=list)
    citations: tuple[ChunkCitation, ...] = ()
    claims: tuple[Claim, ...] = ()
    missing: tuple[Mapping[str, object], ...] = ()

    @property
    def warnings(self) -> list[str]:
        """The codes of the warnings, without duplicates."""
        return list(dict.fromkeys(str(detail["code"]) for detail in self.details))


def nothing(given: SynthesisInput, prepared: Prepared, style: Style | None) -> Outcome:
    """The outcome if no chunk can be shown to the model: there is none with text, or none fits."""
    tight = [one for one in prepared.missing if one["reason"] == "no_room"]
    if tight:
        message = f"none of {len(tight)} chunks fits in the window, not even a sentence of one"
        detail = _detail(NO_ROOM, message, chunk_ids=[one["chunk_id"] for one in tight])
    else:
        message = f"of {len(given.retrieved_chunks)} chunks none has text" if given.retrieved_chunks else "no chunks"
        detail = _detail(NO_CHUNKS, f"there is nothing to answer from: {message}")
    return _fallback(None, (detail,), (), prepared, style)


def guarded(
    given: SynthesisInput,
    prepared: Prepared,
    reply: Reply,
    config: ModelConfig,
    style: Style | None,
    verifier: Verifier | None,
    policy: Policy = "prune",
) -> Outcome:
    """Check a reply and compose the answer from the part that passed."""
    said = said_in_json(reply.text)
    if not said.strip() or said.strip(" \n\t*_`\"'#").startswith(INSUFFICIENT_CONTEXT):
        message = "the model found no support for an answer" if said.strip() else "the model said nothing"
        return _fallback(reply.text, (_detail(INSUFFICIENT, message),), (), prepared, style)
    passages = given_passages(
        [one.chunk.model_dump(include={"chunk_id", "text", "source_url", "metadata"}) for one in prepared.included]
    )
    said, taken_out = without_foreign(said, [part for one in passages for part in (one.passage.text, one.url or "")])
    foreign = [_detail(FOREIGN_CONTENT, why, content=content) for why, content in taken_out]
    ids = [one.chunk.chunk_id for one in prepared.included]
    reading = read_citations(said, ids, [as_header(name) for name in ids])
    conflicts = _conflicts(prepared)
    sentences = judged(
        reading.bare, passages, policy=policy, question=given.query, verifier=verifier, conflicts=conflicts
    )
    pieces = pieces_of(reading, sentences)
    cut = list(_cut_off(reply, pieces, reading))
    if cut:
        reading, pieces = _without_last(reading, pieces)
        sentences = sentences[:-1]
    details = [*foreign, *cut, *_unknown(reading)]
    if too_little(sentences, config.most_unsupported):
        checked = sum(sentence.claim for sentence in sentences)
        failed = sum(not sentence.kept for sentence in sentences)
        message = f"{failed} of {checked} statements have no support in the chunks" if checked else "it states nothing"
        claims = tuple(sentence.as_claim((0, 0)) for sentence in sentences if sentence.claim)
        details += [*_doubted(claims), _detail(INSUFFICIENT, message)]
        return _fallback(reply.text, tuple(details), claims, prepared, style)
    pieces, wrong = _attributed(pieces, passages)
    shown = given.preferences.get("citations") is not False
    composed = compose(reading.text, pieces, style=style, show_citations=shown, most_words=words_of(given.preferences))
    rest = [sentence.as_claim((0, 0)) for sentence in sentences if sentence.claim][len(composed.claims) :]
    details += [*_doubted([*composed.claims, *rest]), *wrong, *_uncited(pieces, composed)]
    details += _contradictions(conflicts, composed, sentences)
    if composed.cut:
        most = words_of(given.preferences)
        details.append(_detail(TRUNCATED_EXPLANATION, f"the answer was cut: it may have {most} words"))
    return _shipped(reply.text, composed, tuple(details), prepared, config)


def _shipped(
    raw: str, composed: Composed, details: tuple[dict[str, object], ...], prepared: Prepared, config: ModelConfig
) -> Outcome:
    sizes = {
        UNSUPPORTED_CLAIM: config.unsupported_penalty,
        UNCERTAIN_CLAIM: config.uncertain_penalty,
        UNKNOWN_CITATION: config.unknown_citation_penalty,
        MISATTRIBUTED_CITATION: config.unknown_citation_penalty,
        CONTRADICTORY_SOURCES: config.contradiction_penalty,
    }
    codes = {str(detail["code"]) for detail in details}
    penalties = [size for code, size in sizes.items() if code in codes]
    used = composed.used
    checked = len(composed.claims)
    kept = sum(claim.support == "supported" for claim in composed.claims)
    return Outcome(
        answer=composed.answer,
        confidence=answer_confidence([prepared.scores[name] for name in used], penalties),
        details=details,
        reasoning=f"{kept} of {checked} statements are supported; the answer cites {len(used)} of "
        f"{len(prepared.included)} chunks that were shown.",
        raw=raw,
        used=used,
        citations=composed.citations,
        claims=composed.claims,
        missing=prepared.missing,
    )


def _fallback(
    raw: str | None,
    details: tuple[dict[str, object], ...],
    claims: tuple[Claim, ...],
    prepared: Prepared,
    style: Style | None,
) -> Outcome:
    answer = as_json(NO_INFORMATION, []) if style is Style.JSON else NO_INFORMATION
    reasoning = f"There is no answer: {details[-1]['message']}."
    return Outcome(answer, 0.0, details, reasoning, raw, claims=claims, missing=prepared.missing)


def _cut_off(reply: Reply, pieces: Sequence[Piece], reading: Reading) -> Iterator[dict[str, object]]:
    """The warning that the output limit cut the reply in the middle of its last sentence."""
    if reply.finish == "length" and pieces and not reading.text.rstrip().endswith(_ENDED):
        yield _detail(
            OUTPUT_CUT, "the reply ended in the middle of a sentence, which was left out; raise max_output_tokens"
        )


def _without_last(reading: Reading, pieces: Sequence[Piece]) -> tuple[Reading, list[Piece]]:
    kept = list(pieces[:-1])
    end = kept[-1].end if kept else 0
    return replace(reading, text=reading.text[:end]), kept


def _doubted(claims: Sequence[Claim]) -> Iterator[dict[str, object]]:
    """Warnings about unsupported statements, removed or marked; `at` is the range in the answer if they are in it."""
    for claim in claims:
        if claim.verdict != "keep":
            certain = claim.verdict == "remove" or claim.support in ("contradicted", "unchecked")
            code = UNSUPPORTED_CLAIM if certain else UNCERTAIN_CLAIM
            about: dict[str, object] = {"sentence": claim.text, "support": claim.support, "score": claim.score}
            if claim.end:
                about |= {"at": [claim.start, claim.end], "verdict": claim.verdict}
            yield _detail(code, claim.reason, **about)


def _unknown(reading: Reading) -> Iterator[dict[str, object]]:
    for rejected in reading.rejected:
        marker = rejected.marker.replace("CHUNK_", "CHUNK ")
        yield _detail(UNKNOWN_CITATION, "no chunk that was shown has this id", citation=marker)


def _attributed(pieces: Sequence[Piece], passages: Sequence[Given]) -> tuple[list[Piece], list[dict[str, object]]]:
    """The pieces without citations of a chunk that does not support the sentence although another chunk does."""
    by_id = {given.passage.id: given.position for given in passages}
    told = [piece for piece in pieces if piece.sentence.claim and piece.sentence.support == "supported" and piece.ids]
    citing = [
        Citing(
            piece.sentence.text,
            frozenset(by_id[name] for name in piece.ids),
            tuple(place.passage for place in piece.sentence.places),
        )
        for piece in told
    ]
    elsewhere = misplaced(citing, passages, verify)
    bad = {piece.start for piece, is_wrong in zip(told, elsewhere, strict=True) if is_wrong}
    kept, wrong = list[Piece](), list[dict[str, object]]()
    for piece in pieces:
        if piece.start not in bad:
            kept.append(piece)
            continue
        right = list(dict.fromkeys(place.passage_id for place in piece.sentence.places))
        message = "another chunk supports the sentence, the cited one does not"
        about = {"sentence": piece.sentence.text, "citations": list(piece.ids), "supported_by": right}
        wrong.append(_detail(MISATTRIBUTED_CITATION, message, **about))
        kept.append(piece.citing([name for name in piece.ids if name in right]))
    return kept, wrong


def _uncited(pieces: Sequence[Piece], composed: Composed) -> Iterator[dict[str, object]]:
    if not composed.citations:
        yield _detail(UNCITED_CLAIM, "the answer cites no chunk, so nothing says how far to trust it")
    for piece in pieces:
        if piece.listed and piece.sentence.claim and piece.sentence.kept and not piece.ids:
            yield _detail(UNCITED_CLAIM, "a bullet of evidence cites no chunk", sentence=piece.sentence.text)


def _conflicts(prepared: Prepared) -> list[Conflict]:
    """Contradictions between the chunks that the model was shown, or within one."""
    shown = [
        {"chunk_id": one.chunk.chunk_id, "text": one.shown if one.truncated else one.chunk.text}
        for one in prepared.included
    ]
    return find_all_conflicts(shown)


def _contradictions(
    conflicts: Sequence[Conflict], composed: Composed, sentences: Sequence[Sentence]
) -> Iterator[dict[str, object]]:
    """Warnings of contradictions between two cited chunks, or with the evidence of the answer."""
    used = set(composed.used)
    resting = [place for sentence in sentences if sentence.claim and sentence.kept for place in sentence.places]
    evidence = {(place.passage_id, " ".join(place.quote.split())) for place in resting}
    for conflict in conflicts:
        sides = (conflict.one, conflict.other)
        if all(side.passage in used for side in sides) or any(_overlaps(side, evidence) for side in sides):
            yield _detail(
                CONTRADICTORY_SOURCES,
                conflict.reason,
                chunk_ids=[side.passage for side in sides],
                quotes=[side.quote for side in sides],
            )


def _overlaps(side: Side, evidence: Collection[tuple[str, str]]) -> bool:
    """True if one side of a conflict is among the evidence of an answer."""
    said = " ".join(side.quote.split())
    return any(name == side.passage and (quote in said or said in quote) for name, quote in evidence)


def _detail(code: str, message: str, **about: object) -> dict[str, object]:
    return {"code": code, "message": message, **about}
