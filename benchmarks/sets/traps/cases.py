"""Traps and controls over the documents of the public sets, each with the passages and the answer it stands in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, zip_longest
from pathlib import Path
from typing import Literal, TypeAlias

from sets.traps.controls import CONTROLS
from sets.traps.place import Generator, Made, Place
from sets.traps.sources import Passage, Sentence, Source, sources_of
from sets.traps.traps import TRAPS
from sets.traps.wordings import HALVES, Half, drawn, lot, wordings

Setting: TypeAlias = Literal["alone", "in a row", "between true sentences"]
SETTINGS: tuple[Setting, ...] = ("alone", "in a row", "between true sentences")
TRUE = "true, between traps"
"""Family of the true sentences that traps are put between."""
USUAL = 40
"""Documents of each set."""
A_DOCUMENT = 2
"""Claims of each family that are made from one document, at most."""
_PASSAGES_READ = 30
_GROUPS = 3
"""Answers that are made from one document, at most."""
_A_GROUP = 10
"""Traps of one answer, and controls, at most."""
_A_ROW = 5
_NEIGHBOURS = 3
"""Sentences between a sentence and one that may be put forward as its cause."""
_TOGETHER = (1, 1, 1, 2, 2, 3)
"""Numbers of passages, drawn by document."""


@dataclass(frozen=True, slots=True)
class Case:
    """A claim in an answer, and whether the passages support it."""

    claim: str
    passages: tuple[str, ...]
    family: str
    kind: str
    """Sort of its family, where it has some."""
    setting: Setting
    half: Half
    label: bool
    """True of a control: the passages support it."""
    text: str
    """The whole answer."""
    at: tuple[int, int]
    """Range of the claim in it, end exclusive."""
    collection: str
    document: str


_Candidates: TypeAlias = Mapping[Sentence, Mapping[str, Made]]
"""What can be made from each sentence, by family."""


class _Group:
    """One to three passages with the claims that are made from them."""

    def __init__(self, source: Source, candidates: Mapping[Passage, _Candidates], made: Counter[str]) -> None:
        self.source, self.passages = source, list(candidates)
        self.candidates = {sentence: made for one in candidates.values() for sentence, made in one.items()}
        self.order = sorted(self.candidates, key=lambda sentence: lot(source.name, sentence.text))
        self.made = made
        """How many claims of each family were made from the document."""
        self.traps: list[tuple[str, Made]] = []
        self.controls: list[tuple[str, Made]] = []
        self.used: set[Sentence] = set()
        self.framed: dict[Sentence, str] = {}
        """Sentences in whose place the passages say something else."""
        self._fill()

    def _fill(self) -> None:
        """Choose a sentence for each family, and then as many controls as there are traps."""
        for trap, control in zip_longest(TRAPS, CONTROLS):
            self._take(trap, self.traps, A_DOCUMENT)
            if control:
                self._take(control, self.controls, A_DOCUMENT)
        for family in (*CONTROLS,)[::-1]:
            for _ in range(len(self.traps) - len(self.controls)):
                self._take(family, self.controls, _A_GROUP * _GROUPS)

    def _take(self, family: str, into: list[tuple[str, Made]], most: int) -> None:
        """Add a claim of a family, from a sentence that nothing was made of if there is one."""
        if len(into) == _A_GROUP or self.made[family] >= most:
            return
        found = [sentence for sentence in self.order if self._fits(sentence, family, into)]
        sentence = min(found, key=lambda one: one in self.used, default=None)
        if sentence is None:
            return
        made = self.candidates[sentence][family]
        into.append((family, made))
        self.used.add(sentence)
        self.made[family] += 1
        if made.stands:
            self.framed[sentence] = made.stands

    def _fits(self, sentence: Sentence, family: str, beside: Sequence[tuple[str, Made]]) -> bool:
        """True where the claim is right beside what was already made of the same sentence and of others."""
        made = self.candidates[sentence].get(family)
        if made is None or sentence in self.framed or any(made.claim == other.claim for _, other in beside):
            return False
        if sentence in self.used and (made.stands or family in TRAPS):
            return False
        if family in CONTROLS and not made.stands:
            return True
        said = sum(passage.text.count(made.claim) for passage in self.passages)
        return said <= (made.stands is not None)

    @property
    def true(self) -> list[str]:
        """Sentences that stand there as they are, and that no trap was made of."""
        kept = [made.claim for family, made in self.controls if family == "untouched"]
        return kept + [sentence.text for sentence in self.order if sentence not in self.used]

    @property
    def shown(self) -> tuple[str, ...]:
        """The passages as they are given, frames put in."""
        shown = []
        for passage in self.passages:
            text = passage.text
            for sentence in sorted(self.framed.keys() & set(passage.sentences), key=lambda one: -one.start):
                text = text[: sentence.start] + self.framed[sentence] + text[sentence.end :]
            shown.append(text)
        return tuple(shown)


def cases(folder: Path, limit: int | None = None) -> Iterator[Case]:
    """Every trap alone, in a row of five and between true sentences, and every control, answer by answer.

    Args:
        folder: The data folder.
        limit: How many documents of each set; None the usual number, 0 all.

    Raises:
        EvaluationDataError: A set is not in its schema.
    """
    for sources in sources_of(folder, USUAL if limit is None else limit):
        for half in HALVES:
            belonging = [source for source in sources if source.half == half]
            for index, source in enumerate(belonging):
                other = belonging[index - 1] if len(belonging) > 1 else None
                for group in _groups(source, other):
                    yield from _answers(group)


def _groups(source: Source, other: Source | None) -> Iterator[_Group]:
    """The passages of a document from which the most families of traps can be made, and then the next best."""
    read = sorted(source.passages, key=lambda passage: lot(source.name, passage.text))[:_PASSAGES_READ]
    strangers = _strangers(source, other) if other else []
    together = drawn(_TOGETHER, source.name, "together")
    makers = {passage: _made(source, passage, strangers) for passage in read}
    made = Counter[str]()
    for _ in range(_GROUPS):
        chosen = sorted(read, key=lambda passage: -_worth(makers[passage], made))[:together]
        group = _Group(source, {passage: makers[passage] for passage in chosen}, made)
        if group.traps:
            yield group
        read = [passage for passage in read if passage not in chosen]


def _strangers(source: Source, other: Source) -> list[tuple[Source, str]]:
    """Sentences of another document, those about its parties where both documents have some."""
    texts = [sentence.text for passage in other.passages[:12] for sentence in passage.sentences]
    if source.parties:
        texts = [text for text in texts if any(party in text for party in other.parties)] or texts
    return [(other, text) for text in texts]


def _made(source: Source, passage: Passage, strangers: Sequence[tuple[Source, str]]) -> _Candidates:
    """Everything that can be made from each sentence of a passage."""
    made: dict[Sentence, dict[str, Made]] = {}
    texts = [sentence.text for sentence in passage.sentences]
    for index, sentence in enumerate(passage.sentences):
        others = texts[: max(0, index - _NEIGHBOURS)] + texts[index + _NEIGHBOURS + 1 :]
        place = Place(sentence.text, source, passage.text, others, strangers, wordings(source.half))
        made[sentence] = {
            family: one
            for families in (TRAPS, CONTROLS)
            for family, generator in families.items()
            if (one := _checked(generator, place, family in CONTROLS)) is not None
        }
    return made


def _checked(generator: Generator, place: Place, control: bool) -> Made | None:
    """What a generator makes, unless it is what the passage says anyway."""
    made = generator(place)
    if made is None or made.stands or control:
        return made
    return None if made.claim == place.sentence or made.claim in place.passage else made


def _worth(candidates: _Candidates, made: Counter[str]) -> float:
    """How many claims a passage adds, those of rare families first."""
    found = {family for families in candidates.values() for family in families if made[family] < A_DOCUMENT}
    return sum(
        1 / (2 + place) for families in (TRAPS, CONTROLS) for place, family in enumerate(families) if family in found
    )


def _answers(group: _Group) -> Iterator[Case]:
    controls = [(family, made, True) for family, made in group.controls]
    traps = [(family, made, False) for family, made in group.traps]
    for claim in controls + traps:
        yield from _cases(group, "alone", [claim])
    between = cycle([(TRUE, Made(text), True) for text in group.true[: 2 * _A_ROW]])
    for start in range(0, len(traps), _A_ROW):
        row = traps[start : start + _A_ROW]
        if len(row) > 1:
            yield from _cases(group, "in a row", row)
        if group.true:
            yield from _cases(group, "between true sentences", [one for trap in row for one in (next(between), trap)])


def _cases(group: _Group, setting: Setting, claims: Sequence[tuple[str, Made, bool]]) -> Iterator[Case]:
    """The cases of one answer."""
    text = " ".join(made.claim for _, made, _ in claims)
    shown, start = group.shown, 0
    for family, made, label in claims:
        at = (start, start + len(made.claim))
        start = at[1] + 1
        yield Case(
            claim=made.claim,
            passages=shown,
            family=family,
            kind=made.kind,
            setting=setting,
            half=group.source.half,
            label=label,
            text=text,
            at=at,
            collection=group.source.collection,
            document=group.source.name,
        )
