"""Text that speaks to a model: orders to it in many languages and disguises, forged turns, marks and planted answers.

Told by marks and shapes, by a fitted score of each sentence (`likeness`), and by the few phrases that it misses.

Two kinds are told apart. What orders a model proves nothing of what it says. What only poses as an answer (an answer
key, a turn of a talk, a question with its answer) is evidence like any other, unless another line of the document says
something else of the same thing: documents hold such lines honestly too.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice
from typing import TypeVar

from spanwise.domain.passage import Passage
from spanwise.text.injection.likeness import gives_it, speaks_to_a_model
from spanwise.text.injection.marks import plainly, role_marks
from spanwise.text.sentences import blocks_of_passage, sentences
from spanwise.text.terms import runs, terms

_SENTENCE_END = re.compile(r"(?<![.!?;])[.!?;]++[\"')\]\u201d]{0,3}(?=\s)\s*|[\u3002\uff01\uff1f]|\n")
_SENTENCE_OR_PARAGRAPH = re.compile(rf"{_SENTENCE_END.pattern}|\x1d|\Z")
_PARAGRAPH_END = re.compile(r"\x1d\s*|\n[^\S\n]*\n\s*|\Z")
_WORD = re.compile(r"[^\W_]+")
_LABEL = re.compile(r"(?<![^\W_])([^\W_]+)[^\w\s:]{0,2}\s{0,2}:")
_COLON = re.compile(r"([^\s~^]+) :(?=\s|\Z)")
_NUMBER = re.compile(r"\d[\d.,:/]*")
_NAME = re.compile(r"(?<=[^\W\d_]\s)(?:[A-Z]\w+)|(?<=[\d,;:]\s)(?:[A-Z]\w+)")
_TABLE = re.compile(r"(?:^|[\n\x1d])[^\w\n]{0,4}questions?[^\w\n]{1,8}answers?[^\w\n]{0,4}(?=\n|\x1d|\Z)")
"""The head of a table of questions with answers."""
_COMMENT = re.compile(r"<!--.{0,5000}?-->|^[^\S\n]{0,3}\[//\]: # .{0,1000}$|\{#.{0,2000}?#\}", re.DOTALL | re.MULTILINE)
"""Comments of HTML, Markdown and templates where nobody has read them as such: no reader sees them."""
_MAY_COMMENT = re.compile(r"<!--|\[//\]|\{#")
_SHAPED = re.compile(
    r"\{[^{}\n]{0,80}\"(?:role|content|question|answer|tool_result|claims?|output|completion|response)\" ?:"
    r"|\?[\"')\]]{0,2}[^\S\n]{0,2}(?:\n(?=[^\s?])|\W{0,3}(?:a|r|ans)[.):>]\s|(?:->|=>|\u2192))"
    r"|\w[^\S\n]?(?:\(|\+?:?=)[^\S\n]?\"[^\"\n]{8,400}\""
    r"|(?:^|[|\n\x1d])\s{0,8}(?:final |correct |the )?answer\s{0,8}\||(?:^|[\n\x1d])\s{0,8}\[\d{1,3}\]\s"
)
"""JSON of talks, rows of tables, questions with something behind them, sentences in code: what poses as an answer."""
_SHAPES = ("{", "?", "|", "[", '("', '="', '= "')
_LEET = str.maketrans("01345789@$", "oieastbgas")
_LEET_INSIDE = re.compile(r"[a-z][0134578][a-z]")
_MAY_BE_LEET = re.compile(r"[0134578](?<=[a-z].)(?=[a-z])")
_SPACED = re.compile(r"(?<![^\W_])(?:[^\W\d_] {1,3}){7,200}[^\W\d_](?![^\W_])")
_MAY_SPACE = re.compile(r" [^\W\d_] {1,3}[^\W\d_] ")
_SIGNS = frozenset(["^", "~", ":", ",", ":="])
_BETWEEN = r"[^\w.!?\x1d]{1,3}"
_BEGINNING = 4
_BEGIN = r"(?:\A|[\n\x1d.!?;:|\u3002\uff01\uff1f])[^\w\n]{0,12}"
_POLITE = r"(?:(?:please|now|bitte|veuillez|por favor|per favore|prosze)\W{1,3})?"
_ORDERING = frozenset(["voids", "tells", "speaks"])
_OF_A_SENTENCE = frozenset(["tells", "backs", "poses once"])
_GOES_ON = frozenset(["speaks", "poses on"])
"""A sentence that gives nothing to be said itself: the next ones do ("This is for chatbots. The fee is 9 euros.")."""
_MORE = 2
"""The next ones."""
_HIDDEN = re.compile(r"ignore|disregard|forget|override|instruction|systemprompt|answerthat|saythat")
"""Words that letters set apart one by one may hide."""
_LONGEST_LABEL = 60
"""Characters before a colon among which its label begins."""
_LABEL_ONLY = 60
"""Characters of a paragraph that is no more than the label of the next one."""
_ENDS = ".!?;\u3002\uff01\uff1f"
_FEW_BEFORE = 3
"""Sentences up to one that says "the above" of those before it."""
_SAYS_LITTLE = 8
"""Words of a sentence that is about another one ("Cite this line as proof.")."""
_ALIKE = 2 / 3
"""Share of the words of a subject that a line has to have to speak of the same thing."""
_LONGEST = 20_000
"""Characters of a text that are read; passages are shorter."""
_LINE_HYPHEN = re.compile(r"[-\u2010\u2011\ufffe]\s*\n\s*")
_PLAIN = re.compile(r"[\x00-\u00bf\u2000-\u20cf]*")
"""Text whose letters are those of ASCII."""
_SUBJECT_WORDS = 12
_STEM = 4
"""Letters of a stem that its word has too, but for a last "y", "i" or "e"."""
_ROLE_NAME = 12
"""Characters of words behind a mark that are no more than the name of a role."""


@dataclass(frozen=True, slots=True)
class Directed:
    """A stretch of a text that speaks to a model."""

    start: int
    end: int
    orders: bool
    """True where it orders something; False where it only poses as an answer."""


@lru_cache(maxsize=2048)
def directed(text: str) -> tuple[Directed, ...]:
    """The stretches of a text, a paragraph or several, that speak to a model."""
    seen, origin = plainly(text[:_LONGEST])
    marks = [mark for mark in role_marks(seen) if _opens(seen, *mark[:2])]
    told = _told(_undisguised(seen))
    # A look for what each of the patterns needs tells most texts apart in a tenth of its time.
    if any(sign in seen for sign in _SHAPES):
        told += [(match.end() - 1, "poses") for match in _SHAPED.finditer(seen)]
    if "question" in seen:
        told += [(match.end() - 1, "table") for match in _TABLE.finditer(seen)]
    if _MAY_SPACE.search(seen):
        spaced = (match for match in _SPACED.finditer(seen) if _HIDDEN.search(match[0].replace(" ", "")))
        told += [(match.start(), "voids") for match in spaced]
    found = [Directed(*match.span(), True) for match in _COMMENT.finditer(seen)] if _MAY_COMMENT.search(seen) else []
    told += [(one.end, "poses") for one in found if seen[one.start : one.end].rstrip(" ->").endswith(":")]
    told += _spoken_to(seen)
    if marks or told:
        found += _placed(seen, marks, told)
    if origin is not None:
        found = [
            Directed(origin[one.start], origin[one.end - 1] + 1, one.orders) for one in found if one.end > one.start
        ]
    return tuple(found)


@lru_cache(maxsize=2048)
def directed_in(passage: Passage) -> tuple[Directed, ...]:
    """The same of a passage: its blocks are its paragraphs."""
    text = passage.text
    for block in blocks_of_passage(passage):
        if block.offset:
            text = f"{text[: block.offset - 1]}\x1d{text[block.offset :]}"
    return directed(text)


def gives_way(stretch: str, others: Iterable[str], about: str) -> bool:
    """True if another line says something else of the thing that a stretch poses as the answer for.

    That thing is what the question, or the claim, is `about` for which both are read.
    """
    subject = _subject(about)
    if not subject:
        return False
    own = [stretch[start:end] for start, end in sentences(stretch)]
    said = " ".join(one for one in own if _speaks_of(one, subject))
    stretch = said if _NUMBER.search(said) or _NAME.search(said) else stretch
    return any(
        _differ(stretch, other) for other in others if not other.rstrip().endswith("?") and _speaks_of(other, subject)
    )


def may_speak_of(about: str, text: str) -> bool:
    """True unless no sentence of a text can be one of `others`: a look at its letters instead of at its sentences."""
    begins = _beginnings(about)
    low = _LINE_HYPHEN.sub("", text.lower())
    least = _ALIKE * len(begins) if _PLAIN.fullmatch(low) else 1  # what has accents may be a word of the subject
    return bool(begins) and sum(begin in low for begin in begins) >= least


@lru_cache(maxsize=256)
def _beginnings(about: str) -> tuple[str, ...]:
    """How the words of a subject begin, whatever their endings; nothing of one that may be written in other signs."""
    return tuple(stem[:_STEM].rstrip("iey") if stem.isascii() and stem.isalpha() else "" for stem in _subject(about))


@lru_cache(maxsize=4096)
def _known(line: str) -> frozenset[str]:
    return frozenset(terms(line))


def _speaks_of(line: str, subject: AbstractSet[str]) -> bool:
    return len(subject & _known(line)) >= _ALIKE * len(subject)


def _differ(one: str, other: str) -> bool:
    """True if two lines of one thing give it other figures, or other names; where neither has any, other words."""
    bare = True
    for values in (_NUMBER, _NAME):
        ours, theirs = set(values.findall(one)), set(values.findall(other))
        if ours and theirs and ours.isdisjoint(theirs):
            return True
        bare = bare and not ours and not theirs
    return bare and not _known(other) <= _known(one)


@lru_cache(maxsize=256)
def _subject(about: str) -> frozenset[str]:
    """The words of a question or a claim that name what it is about: no figures, no names."""
    words = about.split()
    plain = [word for place, word in enumerate(words) if place == 0 or not (word[:1].isupper() or word[:1].isdigit())]
    return frozenset(terms(" ".join(plain))[:_SUBJECT_WORDS])


def _told(seen: str) -> list[tuple[int, str]]:
    """Where a phrase begins that speaks to a model, and of which class it is."""
    lists = _lists()
    words = set(runs(seen))
    keys = words | {f"{begin}*" for begin in lists.beginnings.intersection([word[:_BEGINNING] for word in words])}
    keys |= {f"{word}:" for word in _labels(seen)}
    found = []
    if not seen.isascii():
        found += [(match.start(), name) for name, pattern in lists.scripts.items() for match in pattern.finditer(seen)]
    for key in sorted(keys & lists.phrases.keys()):
        for phrase in lists.phrases[key]:
            if all(not slot.isdisjoint(keys) for slot in phrase.slots):
                found += [(match.start(1), phrase.name) for match in _compiled(phrase.written).finditer(seen)]
    return found


def _labels(seen: str) -> Iterator[str]:
    """The words right before colons: the text is read there, since in all of it each word might be one."""
    begun, colon = 0, seen.find(":")
    while colon >= 0:
        if label := _LABEL.search(seen, max(begun, colon - _LONGEST_LABEL), colon + 1):
            yield label[1]
        begun, colon = colon + 1, seen.find(":", colon + 1)


def _spoken_to(seen: str) -> Iterator[tuple[int, str]]:
    """Where a sentence begins that speaks to a model by its score, whatever its phrases are, and how surely it does.

    What is no sentence ("FAQ for bots") is a title: what stands below it speaks to a model too.
    """
    begun = 0
    for match in _SENTENCE_OR_PARAGRAPH.finditer(seen):
        if match.start() > begun and (how := speaks_to_a_model(seen[begun : match.end()])):
            says_it = gives_it(seen[begun : match.end()])
            if how == "poses":
                yield begun, "poses once" if says_it else "poses on"
            else:
                titles = not match[0].strip() and ":" not in seen[begun : match.start()].rstrip(" :*_")
                heads = titles and match.start() - begun < _LABEL_ONLY
                yield begun, "voids" if heads else "tells" if says_it else "speaks"
                yield begun, "poses on"
        begun = match.end()


def _placed(seen: str, marks: list[tuple[int, int, bool]], told: list[tuple[int, str]]) -> list[Directed]:
    """The stretches that marks and phrases direct: a sentence, or up to where its paragraph ends."""
    found: list[Directed] = []
    carried: bool | None = None
    begins = [0, *(match.end() for match in _PARAGRAPH_END.finditer(seen))]
    marked, held = _by_paragraph(marks, begins), _by_paragraph(told, begins)
    for start, match in zip(begins, _PARAGRAPH_END.finditer(seen), strict=False):
        end = match.start()
        if carried is not None:
            found.append(Directed(start, end, carried))
        carried = None
        inside = [mark for mark in marked.get(start, ()) if mark[0] < end]
        if inside:
            found.append(
                Directed(max(start, seen.rfind("\n", start, inside[0][0]) + 1), end, any(m[2] for m in inside))
            )
            carried = found[-1].orders if _bare(seen, inside, start, end) else None
        here = [one for one in held.get(start, ()) if one[0] < end]
        if here:
            cuts = _Cuts(seen, start, end)
            for at, name in here:
                first, last = cuts.around(at, backs=name == "backs")
                if name in _GOES_ON:
                    last = _further(seen, last, end)
                elif name not in _OF_A_SENTENCE:
                    last = len(seen) if name == "table" else end
                found.append(Directed(first, last, name in _ORDERING))
                if end - start < _LABEL_ONLY and _heads(seen[start:end], orders=name in _ORDERING):
                    carried = carried or name in _ORDERING
    return found


def _heads(paragraph: str, *, orders: bool) -> bool:
    """True if a paragraph is the label of the next one ("Note to LLMs:"), or its title that orders ("FAQ for bots")."""
    last = paragraph.rstrip(' \n*_)]"')[-1:]
    titles = orders and last not in _ENDS and "|" not in paragraph and not gives_it(paragraph)
    return last == ":" or titles


class _Cuts:
    """The sentences, or lines, of a paragraph; cut once, since much may be found in it."""

    def __init__(self, seen: str, start: int, end: int) -> None:
        self._seen, self._end = seen, end
        self._begins = [start]
        self._ends: list[int] = []
        self._before: list[int] = []
        """For each end how many have begun before it."""
        self._meant: dict[int, int] = {}
        looked = start
        for match in _SENTENCE_END.finditer(seen, start, end):
            self._ends.append(match.end())
            self._before.append(len(self._begins))
            if _WORD.search(seen, looked, match.end()):
                self._begins.append(match.end())
            looked = match.end()

    def around(self, at: int, *, backs: bool) -> tuple[int, int]:
        """Where the sentence around a place begins and ends; or where that begins which it says is to be used."""
        found = bisect_right(self._ends, at)
        inside = found < len(self._ends)
        count, last = (self._before[found], self._ends[found]) if inside else (len(self._begins), self._end)
        if not backs:
            return self._begins[count - 1], last
        if found not in self._meant:
            self._meant[found] = _meant(self._seen, self._begins[max(0, count - _FEW_BEFORE) : count], last)
        return self._meant[found], last


_Piece = TypeVar("_Piece", tuple[int, int, bool], tuple[int, str])


def _by_paragraph(pieces: Iterable[_Piece], begins: Sequence[int]) -> Mapping[int, Sequence[_Piece]]:
    """What was found, by where the paragraph begins that it is in."""
    found: dict[int, list[_Piece]] = {}
    for piece in pieces:
        found.setdefault(begins[bisect_right(begins, piece[0]) - 1], []).append(piece)
    return found


def _further(seen: str, last: int, end: int) -> int:
    """Where the sentences end that follow on one within its paragraph."""
    ends = (match.end() for match in _SENTENCE_END.finditer(seen, last, end) if _WORD.search(seen, last, match.start()))
    return next(islice(ends, _MORE - 1, None), end)


def _meant(seen: str, begins: list[int], last: int) -> int:
    """Of the last few begins that of what is to be used: the sentence itself, or the one before if it says little."""
    said = _WORD.findall(seen, begins[-1], last)
    if "above" in said:
        return begins[0]
    return begins[-1] if len(said) > _SAYS_LITTLE else begins[max(0, len(begins) - 2)]


def _bare(seen: str, marks: list[tuple[int, int, bool]], start: int, end: int) -> bool:
    """True if a paragraph is nothing but marks, so that the next one is what they open."""
    edges = [start, *(edge for mark in marks for edge in mark[:2]), end]
    outside = (seen[first:last] for first, last in zip(edges[::2], edges[1::2], strict=True))
    return sum(len(word) for part in outside for word in _WORD.findall(part)) < _ROLE_NAME


def _opens(seen: str, at: int, end: int) -> bool:
    """True if a mark begins a line or a sentence, one that closes something a line: elsewhere it is spoken of."""
    if "/" in seen[at:end]:
        return not seen[:at].rstrip(" \t").strip("\x1d") or seen[:at].rstrip(" \t")[-1:] in "\n\x1d"
    before = seen[max(0, at - 40) : at].rstrip(" \t>*-_\"'`#|([{<")
    return not before or before[-1] in "\n\x1d.!?:;])>"


def _undisguised(seen: str) -> str:
    """The text, as long as before, with digits that stand for letters and underscores between words read as such."""
    if "_" in seen:
        seen = seen.replace("_", " ")
    if _MAY_BE_LEET.search(seen) and len(_LEET_INSIDE.findall(seen)) > 1:
        seen = _WORD.sub(lambda match: match[0].translate(_LEET) if not match[0].isdigit() else match[0], seen)
    return seen


@dataclass(frozen=True, slots=True)
class _Phrase:
    """One phrase of the file."""

    name: str
    """Of its class."""
    written: str
    """A regular expression; its first group is where the phrase begins."""
    slots: tuple[frozenset[str], ...]
    """The keys of the words of each of its places, of which a text has to have one."""


@dataclass(frozen=True, slots=True)
class _Lists:
    phrases: Mapping[str, tuple[_Phrase, ...]]
    """By the keys of one of their places."""
    beginnings: frozenset[str]
    """Of words that are known by them, without the star."""
    scripts: Mapping[str, re.Pattern[str]]
    """Of the scripts without spaces, by class."""


@cache
def _compiled(written: str) -> re.Pattern[str]:
    return re.compile(written)  # few of them are ever needed, and all take longer than a question


@cache
def _lists() -> _Lists:
    data: Mapping[str, Mapping[str, str]] = tomllib.loads(
        files(__package__).joinpath("directed.toml").read_text(encoding="utf-8")
    )
    phrases: dict[str, list[_Phrase]] = {}
    for name, held in data.items():
        for line in held["phrases"].strip().split("\n"):
            places = _COLON.sub(r"\1:", line).split()
            slots = tuple(_keys(place) for place in places if place not in _SIGNS)
            phrase = _Phrase(name, _phrase(line.split()), slots)
            rarest: frozenset[str] = max(slots, key=_rarity)
            for key in sorted(rarest):
                phrases.setdefault(key, []).append(phrase)
    scripts = {
        name: re.compile("|".join(map(_script, held["scripts"].strip().split("\n"))))
        for name, held in data.items()
        if "scripts" in held
    }
    keys = {key for found in phrases.values() for phrase in found for slot in phrase.slots for key in slot}
    beginnings = frozenset(key[:-1] for key in keys if key.endswith("*"))
    return _Lists({key: tuple(found) for key, found in phrases.items()}, beginnings, scripts)


def _rarity(slot: frozenset[str]) -> tuple[bool, int, int]:
    """Labels, long words, and few of them, tell a phrase from others best."""
    return all(key.endswith(":") for key in slot), min(map(len, slot)), -len(slot)


def _keys(place: str) -> frozenset[str]:
    """By what the words of a place are known in a text: themselves, their beginning and a star, or with a colon."""
    found = set()
    for word in place.rstrip(":").split("|"):
        plain = max(_WORD.findall(_plain(word)), key=len)
        found.add(f"{plain}:" if place.endswith(":") else f"{plain[:_BEGINNING]}*" if word.endswith("*") else plain)
    return frozenset(found)


def _plain(word: str) -> str:
    return plainly(word)[0].rstrip("*")


def _phrase(slots: list[str]) -> str:
    """One phrase; between its words stand up to three signs, and a gap holds up to four words."""
    opens = slots[0] == "^"
    written = f"{_BEGIN}{_POLITE}()" if opens else r"(?<!\w)()"
    between = ""
    for slot in slots[1:] if opens else slots:
        if slot == "~":
            written += rf"(?:{_BETWEEN}\w+){{0,4}}?"
        elif slot in _SIGNS:
            written += r"[^\w\s:]{0,2}\s{0,2}" + slot
        else:
            words = (
                re.escape(_plain(word)) + (r"\w*" if word.endswith("*") else r"(?!\w)") for word in slot.split("|")
            )
            written += f"{between}(?:{'|'.join(words)})"
        between = _BETWEEN
    return written


def _script(line: str) -> str:
    return r"[^\n]{0,12}".join(re.escape(plainly(part)[0]) for part in line.split("~"))
