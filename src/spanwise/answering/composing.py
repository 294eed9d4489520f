"""Composing of the final answer from checked sentences: each is kept, replaced or cut, then cited and styled."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from spanwise.domain.claim import Claim
from spanwise.guard.policy import Sentence
from spanwise.messages import DONT_KNOW
from spanwise.synthesis.guarded.prompting import AnswerStatement, Style, as_json
from spanwise.synthesis.guarded.schema import ChunkCitation
from spanwise.synthesis.markers import Cited, Reading
from spanwise.text.list_marks import OPENING

_HEADING_MARK = re.compile(r"\A#{1,6}\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence of a reply with its range, verdict and citations.

    Attributes:
        start: Start of its range in the reply, citation markers included.
        end: End of that range, exclusive.
        sentence: The guard's finding about it.
        markers: The citation markers in or beside it.
        listed: Whether it begins a list item.
    """

    start: int
    end: int
    sentence: Sentence
    markers: tuple[Cited, ...]
    listed: bool

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids that its markers cite, without duplicates."""
        return tuple(dict.fromkeys(name for marker in self.markers for name in marker.ids))

    def citing(self, ids: Sequence[str]) -> Piece:
        """The piece with the citations of these ids only; a marker that loses all of its ids becomes empty."""
        markers = []
        for marker in self.markers:
            left = tuple(name for name in marker.ids if name in ids)
            written = marker.written if left == marker.ids else f"[{', '.join(left)}]"
            markers.append(replace(marker, ids=left, written=written if left else ""))
        return replace(self, markers=tuple(markers))


@dataclass(frozen=True, slots=True)
class Composed:
    """The answer to return, with its citations and claims at their places in the text."""

    answer: str
    citations: tuple[ChunkCitation, ...]
    claims: tuple[Claim, ...]
    cut: bool
    """True if sentences were left out because the answer would be too long."""

    @property
    def used(self) -> list[str]:
        """Ids of the cited chunks, in the order of their first use."""
        return list(dict.fromkeys(citation.chunk_id for citation in self.citations))


def pieces_of(reading: Reading, sentences: Sequence[Sentence]) -> list[Piece]:
    """The sentences with their ranges in the reply and their citations, which are in them or beside them."""
    own: dict[int, list[Cited]] = {}
    starts = [sentence.start for sentence in sentences]
    for marker in reading.markers if sentences else ():
        before = bisect_left(starts, marker.at) - 1
        own.setdefault(_owner(marker, before, reading.bare, sentences), []).append(marker)
    found = []
    for index, sentence in enumerate(sentences):
        markers = own.get(index, [])
        start, end = reading.origin[sentence.start], reading.origin[sentence.end - 1] + 1
        line = reading.bare.rfind("\n", 0, sentence.start) + 1
        listed = OPENING.fullmatch(reading.bare[line : sentence.start]) is not None
        start = min([start, *(marker.start for marker in markers)])
        end = max([end, *(marker.end for marker in markers)])
        found.append(Piece(start, end, sentence, tuple(markers), listed))
    return found


def _owner(marker: Cited, before: int, bare: str, sentences: Sequence[Sentence]) -> int:
    """Index of the sentence of a marker: the one before it if in its line or alone in a line, else the next one."""
    line = bare.rfind("\n", 0, marker.at) + 1
    end = bare.find("\n", marker.at)
    alone = not bare[line : end if end >= 0 else len(bare)].strip()
    if before >= 0 and (alone or "\n" not in bare[sentences[before].end : marker.at]):
        return before
    return min(before + 1, len(sentences) - 1)


def compose(
    text: str, pieces: Sequence[Piece], *, style: Style | None, show_citations: bool, most_words: int | None
) -> Composed:
    """Compose the answer from its checked sentences.

    Args:
        text: The reply, without markers that cite nothing.
        pieces: The sentences of the reply.
        style: `BULLETS` and `JSON` are produced here; the model was asked for the other styles.
        show_citations: Whether markers stay in the text.
        most_words: The most words of the answer, None or 0 for no limit. It ends with the last sentence that fits, but
            has at least one sentence that was kept.
    """
    bullets = style is Style.BULLETS
    written = _Written(text, bullets=bullets, show=show_citations)
    words = fitting = 0
    for piece in pieces:
        mark = written.mark()
        added = written.add(piece)
        words += len(added.split())
        if most_words and words > most_words and any(claim.verdict != "remove" for claim in written.claims[: mark[2]]):
            written.back_to(mark)
            break
        fitting += 1
    cut = fitting < len(pieces)
    if cut:
        written.drop_headings(pieces[:fitting])
    elif not bullets:
        written.rest()
    whole = written.text
    answer = whole.strip()
    shift = len(whole) - len(whole.lstrip())
    citations = tuple(
        one.model_copy(update={"start": one.start - shift, "end": one.end - shift}) for one in written.citations
    )
    claims = tuple(replace(one, start=one.start - shift, end=one.end - shift) for one in written.claims)
    if style is Style.JSON:
        answer = as_json(answer, list(_statements(claims, citations, answer)))
    return Composed(answer, citations, claims, cut)


class _Written:
    """The answer composed so far."""

    def __init__(self, source: str, *, bullets: bool, show: bool) -> None:
        self.citations: list[ChunkCitation] = []
        self.claims: list[Claim] = []
        self._source, self._bullets, self._show = source, bullets, show
        self._parts: list[str] = []
        self._length = self._position = 0

    @property
    def text(self) -> str:
        """The text composed so far."""
        return "".join(self._parts)

    def mark(self) -> tuple[int, int, int]:
        """The present lengths of the text parts, citations and claims, for `back_to`."""
        return len(self._parts), len(self.citations), len(self.claims)

    def back_to(self, mark: tuple[int, int, int]) -> None:
        """Remove everything added since `mark`."""
        del self._parts[mark[0] :]
        del self.citations[mark[1] :]
        del self.claims[mark[2] :]

    def add(self, piece: Piece) -> str:
        """Add one sentence with the text before it, and return both."""
        before = len(self._parts)
        self._put(("\n- " if self._parts else "- ") if self._bullets else self._source[self._position : piece.start])
        start = self._length
        if piece.sentence.kept:
            self._put_cited(piece)
        else:
            self._put(DONT_KNOW)
        if piece.sentence.claim:
            self.claims.append(piece.sentence.as_claim((start, self._length)))
        self._position = piece.end
        return "".join(self._parts[before:])

    def rest(self) -> None:
        """Add the text after the last sentence."""
        self._put(self._source[self._position :])

    def drop_headings(self, pieces: Sequence[Piece]) -> None:
        """Remove headings and lead-ins at the end if the sentences that followed them were cut."""
        for piece in reversed(pieces):
            if piece.sentence.claim or piece.sentence.kind not in ("heading", "hedge"):
                break
            text = self.text
            at = text.rfind(piece.sentence.text)
            self._parts = [text[: max(at, 0)]]

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _put_cited(self, piece: Piece) -> None:
        position = piece.start
        if self._bullets and (head := _HEADING_MARK.match(self._source[piece.start : piece.end])):
            position += head.end()
        for marker in piece.markers:
            self._put(self._source[position : marker.start])
            if self._show and marker.written:
                whole = self._source[marker.start : marker.end]
                self._put(whole[: len(whole) - len(whole.lstrip(" \t"))])
            start = self._length
            self._put(marker.written if self._show else "")
            for name in marker.ids:
                quote = next((place.quote for place in piece.sentence.places if place.passage_id == name), None)
                self.citations.append(ChunkCitation(chunk_id=name, start=start, end=self._length, quote=quote))
            position = marker.end
        self._put(self._source[position : piece.end])


def _statements(claims: Sequence[Claim], citations: Sequence[ChunkCitation], answer: str) -> Iterator[AnswerStatement]:
    for claim in claims:
        inside = [one for one in citations if claim.start <= one.start and one.end <= claim.end]
        shown = answer[claim.start : claim.end] if claim.verdict != "remove" else DONT_KNOW
        for one in sorted({(one.start, one.end) for one in inside}, reverse=True):
            shown = shown[: one[0] - claim.start].rstrip(" ") + shown[one[1] - claim.start :]
        yield AnswerStatement(shown, tuple(dict.fromkeys(one.chunk_id for one in inside)))
