"""Texts of public sets, cut into passages, with the sentences that claims can be made from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel

from sets.traps.wordings import HALVES, Half, lot
from spanwise.evaluation.sets import read_rows
from spanwise.text.sentences import on_one_line, sentences
from spanwise.text.terms import STOPWORDS

_ONE_STRETCH = 60_000
"""Characters that are read of one document."""
_SHORTEST_DOCUMENT = 600
_SHORTEST_PASSAGE, _LONGEST_PASSAGE = 600, 3000
_FEWEST_WORDS, _MOST_WORDS = 6, 40
_SENTENCE = re.compile(r"[A-Z][A-Za-z'\u2019-]* [^\n|\u2022\"\u201c\u201d:;?!\[\]{}_]*[a-z\d%)]\.")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|shall|will|must|may|can|should|would|could|might|did|does|do|"
    r"[a-z]{3,}ed|[a-z]{3,}[^s\W]s"
    r"|said|made|took|went|came|found|told|gave|rose|fell|grew)\b"
)
_NOT_ALONE = frozenset(
    "and but or if unless when while because although though since whereas until that which who what how where "
    "why".split()
)
_NUMBERING = re.compile(r"(?:\(?(?:\d+(?:\.\d+)*|[a-z]|[ivx]+)[.)]*\s+){1,3}(?=[A-Z])")
_RUN_ON = re.compile(
    r"[^\W\d_][)'\u2019]? (?:The|A|An|In|If|As|For|This|These|Our|We|It|On|At|You|Your|They|He|She|When|Use|"
    r"With|To|From|That|Each|All|No|Any|Either|Neither|Such|Upon|Subject|During|There) [a-z]"
)
"""A heading or another sentence run into it."""
_BROKEN = re.compile(r"\n\s*\n|[^\s.,;]\s*\n\s*[A-Z]")
_LETTERS = re.compile(r"[^\W\d_]")
_LEAST_LETTERS = 0.7
_PARTY = re.compile(
    r"\b([A-Z][\w&'-]+(?: [A-Z][\w&'-]+){0,2}) (?:shall|will|may|agrees to|must|hereby|warrants|represents|"
    r"acknowledges|is|has|was|and its)\b"
)
_NO_PARTIES = frozenset(
    "Agreement Party Parties Section Term Services Products Product It This There Each Either Neither Both Such "
    "All No Any "
    "Termination Notice Information Date They He She We You In On Exhibit Schedule Act Period Payment Fee Fees "
    "Inc Ltd LLC "
    "January February March April May June July August September October November December Article And Or That Which "
    "Royalties Rights Property Software Data Materials Work License Website Site System Program Plan Order".split()
)
_ESCAPED = re.compile(r"\\(?=[^\w\s\\])")
"""Before a point in Markdown that is to be read as it is."""
_TOKENISED = re.compile(r" (?=[.,;:!?)%])|(?<=\() | (?=n't\b|'s\b)")


class _Page(BaseModel):
    doc: str
    text: str


class _Document(BaseModel):
    doc_id: str | int
    text: str


class _Paragraph(BaseModel):
    title: str
    context: str


class _Passages(BaseModel):
    source_id: str | int
    passages: list[str]
    task: str = ""


class _Evidence(BaseModel):
    id: str | int
    evidence: list[str]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that says something by itself."""

    text: str
    """On one line."""
    start: int
    """Range in its passage, end exclusive."""
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document."""

    text: str
    sentences: tuple[Sentence, ...]


class Source:
    """A document of a public set."""

    def __init__(self, collection: str, name: str, text: str) -> None:
        self.collection, self.name = collection, name
        text = _ESCAPED.sub("", text)
        if text.count(" , ") > text.count(", ") / 2:  # words and points parted by spaces
            text = _TOKENISED.sub("", text)
        whole = text if len(text) <= _ONE_STRETCH else text[lot(name) % (len(text) - _ONE_STRETCH) :][:_ONE_STRETCH]
        self.text = whole[whole.find(" ") + 1 :] if whole is not text else text

    @cached_property
    def half(self) -> Half:
        """Which half it belongs to; the same text in another set belongs to the same one."""
        return HALVES[lot("half", _fingerprint(self.text)) % 2]

    @cached_property
    def parties(self) -> tuple[str, ...]:
        """Names that may, shall or must do something more than once, the most frequent first."""
        counts = Counter(name.removeprefix("The ") for name in _PARTY.findall(on_one_line(self.text)))
        named = [
            name
            for name, count in counts.most_common()
            if (count > 1 and name.split()[-1] not in {*_NO_PARTIES, "The"}) or name.endswith("ing Party")
        ]
        return tuple(named[:6])

    @cached_property
    def names(self) -> frozenset[str]:
        """Words with a capital inside sentences that are never written small."""
        return frozenset(
            word for word in re.findall(r"(?<=[a-z,] )[A-Z]\w*", self.text) if word.lower() not in self.small
        )

    @cached_property
    def small(self) -> frozenset[str]:
        """Words that are written small."""
        return frozenset(re.findall(r"\b[a-z]+\b", self.text))

    @cached_property
    def verbs(self) -> frozenset[str]:
        """Base forms of verbs: words behind a modal."""
        found = re.findall(r"\b(?:can|cannot|will|must|may|should|could|would|please) ([a-z]+)\b", self.text)
        return frozenset(found) - STOPWORDS

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """The text in stretches that end with sentences, each of a length of its own."""
        return tuple(_passages(self.text, self.name))


def sources_of(data: Path, limit: int) -> Iterator[list[Source]]:
    """The documents of each public set that is there, English ones, none of them twice.

    Args:
        data: The data folder.
        limit: How many documents of each set; 0 all.

    Raises:
        EvaluationDataError: A set is not in its schema.
    """
    seen = set[str]()
    for collection, texts in _texts(data):
        found = list[Source]()
        for name, text in texts:
            if len(text) < _SHORTEST_DOCUMENT or _fingerprint(text) in seen:
                continue
            seen.add(_fingerprint(text))
            found.append(Source(collection, name, text))
        found.sort(key=lambda source: lot(source.name))
        yield found[: limit or None]


def _texts(data: Path) -> Iterator[tuple[str, Iterable[tuple[str, str]]]]:
    """Each set that is there, with the names and texts of its documents."""
    for name, (file, texts) in _SETS.items():
        path = data / name / file
        if path.is_file():
            yield name, texts(path)


def _documents(path: Path) -> Iterator[tuple[str, str]]:
    return ((str(row.doc_id), row.text) for row in read_rows(path, _Document))


def _pages(path: Path) -> Iterator[tuple[str, str]]:
    return _joined((page.doc, page.text) for page in read_rows(path, _Page))


def _paragraphs(path: Path) -> Iterator[tuple[str, str]]:
    return _joined(dict.fromkeys((row.title, row.context) for row in read_rows(path, _Paragraph)))


def _evidence(path: Path) -> Iterator[tuple[str, str]]:
    return ((str(row.id), "\n".join(row.evidence)) for row in read_rows(path, _Evidence))


def _given(path: Path) -> Iterator[tuple[str, str]]:
    """The passages of judged answers; records of fields have no sentences."""
    rows = read_rows(path, _Passages)
    return ((str(row.source_id), "\n\n".join(row.passages)) for row in rows if row.task.lower() != "data2txt")


def _joined(parts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    texts: dict[str, list[str]] = {}
    for name, text in parts:
        texts.setdefault(name, []).append(text)
    return ((name, "\n\n".join(pages)) for name, pages in texts.items())


def _fingerprint(text: str) -> str:
    return "".join(re.findall(r"\w", text[:600]))[:200].lower()


def _passages(text: str, name: str) -> Iterator[Passage]:
    spans = sentences(text)
    first = 0
    while first < len(spans):
        wanted = _SHORTEST_PASSAGE + lot(name, first) % (_LONGEST_PASSAGE - _SHORTEST_PASSAGE - 600)
        start, last = spans[first][0], first
        while last + 1 < len(spans) and spans[last][1] - start < wanted:
            last += 1
        end = spans[last][1]
        if _SHORTEST_PASSAGE // 2 <= end - start <= _LONGEST_PASSAGE:
            stretch = text[start:end]
            inside = (_sentence(stretch, one - start, other - start) for one, other in spans[first : last + 1])
            yield Passage(stretch, tuple(sentence for sentence in inside if sentence))
        first = last + 1


def _sentence(stretch: str, start: int, end: int) -> Sentence | None:
    """The sentence, where it stands once in the stretch and can be a claim by itself."""
    if numbering := _NUMBERING.match(stretch, start, end):
        start = numbering.end()
    written = stretch[start:end]
    if _BROKEN.search(written):
        return None
    text = on_one_line(written)
    words = text.split()
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS or not _SENTENCE.fullmatch(text) or not _FINITE.search(text):
        return None
    if words[0].lower() in _NOT_ALONE or len(_LETTERS.findall(text)) < _LEAST_LETTERS * len(text):
        return None
    if _RUN_ON.search(text):
        return None
    if sum(word[0].isupper() for word in words) > len(words) / 2 or text.count("(") != text.count(")"):
        return None  # a heading
    return Sentence(text, start, end) if stretch.count(written) == 1 else None


_SETS: Mapping[str, tuple[str, Callable[[Path], Iterator[tuple[str, str]]]]] = {
    "cuad": ("contracts.jsonl.gz", _documents),
    "contractnli": ("dev_docs.jsonl.gz", _documents),
    "financebench": ("pages.jsonl.gz", _pages),
    "squad2": ("dev_public.jsonl.gz", _paragraphs),
    "ragtruth": ("dev.jsonl.gz", _given),
    "wice": ("dev_claims.jsonl.gz", _evidence),
    **dict.fromkeys(
        ("covidqa", "emanual", "fairytaleqa", "clapnq", "awsdocs", "nqpages", "qasper"),
        ("documents.jsonl.gz", _documents),
    ),
    **{
        name: (f"{name}.jsonl.gz", _given)
        for name in "bump defacto summedits storysumm frank mtrag factcheckgpt fm2 qafeedback".split()
    },
}
"""Sets of English texts: the file of each, and how it is read."""
