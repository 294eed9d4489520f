"""An answer as claims with exact offsets; what is none (headings, questions, hedges, refusals, markup) is named too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from spanwise import messages
from spanwise.guard.claims.citations import Mark
from spanwise.guard.claims.predication import announces, appended_statement, states, states_in_title, wrapped_statement
from spanwise.text.list_marks import BULLETS, DASHES, NUMBER
from spanwise.text.patterns import lazy_pattern
from spanwise.text.sentences import sentences, trim
from spanwise.text.terms import terms

PartKind: TypeAlias = Literal["claim", "heading", "question", "hedge", "refusal", "markup"]
"""The kind of a part. Only claims are checked: whatever reads as a statement, also in a heading or a question."""

LONGEST_CLAIM = 4000
"""Characters; a longer one is not checked, and is said not to be."""
_SPLIT_FROM = 60_000
"""Characters of a paragraph from which it is cut at full stops alone: finding sentences has to stay quick."""

_HEADING = re.compile(r"#{1,6}\s")
_ITEM = re.compile(rf"(?:[{BULLETS}+{DASHES}]|{NUMBER})\s+(?:\[[ xX]\]\s+)?")
_ALL_BOLD = re.compile(r"(\*\*|__)[^*_\n]{1,120}\1:?")
_NO_BREAK = re.compile(r"[^\n]")
_FENCE = re.compile(r"(?:```|~~~)")
_RULE = re.compile(r"[\s|:=*_-]{3,}")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
_COMMENT_START, _COMMENT_END = "<!--", "-->"
_WORD = re.compile(r"[^\W_]+")
_STOP = re.compile(r"[.!?\u2026\u3002\uff01\uff1f\uff61\u0964\u061f\u06d4]")
"""Without one of these the finder of sentences cuts nothing: short lines need not go through it."""
_TERMINATOR = lazy_pattern(r"[.!?:;\u3002\uff01\uff1f\u0964\u061f\u06d4][\"'\u201d\u2019)\]*_]*\s*$")
_WRAPPED = 45
"""Characters of a line from which the next one may go on with its sentence."""
_LONGEST_TITLE = 12
_LONGEST_LEAD = 30
_SENTENCE = 4
"""Words of a heading with a verb and a full stop that make it a sentence."""
_OPENING = re.compile(
    r"(?:(?:sure|certainly|of course|absolutely|okay|ok|yes|no|great)\b[!,.:]*\s*)?"
    r"(?:(?:here(?:'s|\u2019s| is| are)|below|the following)\b"
    r"(?=[^\n]{0,200}(?::$|\b(?:summary|overview|answer|response)\b))"
    r"|(?:i hope|let me know|please let|i can|i will|i'm happy|as an ai)\b"
    r"|(?:sure|certainly|of course)\W*$|(?:in summary|summary|answer)[:.]?$|confidence:)",
    re.IGNORECASE,
)
_GIVEN = (
    r"(?:passages?|documents?|context|texts?|sources?|articles?|excerpts?"
    r"|(?:provided|given|structured) (?:\w+ )?(?:data|information))"
)
_TELLS = (
    r"(?:\w+ly )?(?:mention\w*|contain\w*|provid\w*|includ\w*|specif\w*|stat(?:e|ed|ing)|say|said"
    r"|address\w*|giv(?:e|en)|discuss\w*|indicat\w*|offer\w*|list\w*|nam(?:e|ed)|describ\w*|cover\w*|refer\w*"
    r"|answer\w*|explain\w*|tell|reveal\w*|disclos\w*|support\w*|have|talk\w*|speak|show\w*|clarif\w*|defin\w*|detail\w*|suggest\w*|allow\w*"
    r"|make|directly|explicitly)\b"
)
_REFUSAL = lazy_pattern(
    r"(?:^|[,;] )unable to (?:answer|determine)\b|\b(?:i am|i'm|i was|we are) (?:unable|not able) to\b"
    r"|\bi (?:can(?:not|'t)|could(?: not|n't)) (?:answer|determine|find|provide|verify|tell)\b"
    r"|\bi (?:do not|don't|don\u2019t) (?:know|have)\b"
    rf"|\b(?:the|these|this|those|any|none) (?:of the )?(?:\w+ ){{0,2}}{_GIVEN}(?: \d)?[^.,;()]{{0,40}}"
    rf"\b(?:(?:do(?:es)? not|don't|doesn't|did not|didn't) {_TELLS}"
    r"|(?:is not|are not|isn't|aren't) (?:\w+ )?"
    r"(?:sufficient|enough|clear|relevant|specific|explicit|about|related|helpful)"
    r"|lacks?|contains? no|has no|have no)\b"
    r"|\b(?:not|n't) (?:\w+ )?(?:mentioned|provided|specified|stated|given|available)\b[^.]{0,40}"
    rf"\b(?:in|by|from) (?:the|these|this|any) (?:\w+ ){{0,2}}{_GIVEN}\b"
    r"|\b(?:not possible|impossible) to (?:\w+ )?(?:answer|determine|provide|give|say|tell)\b[^.]{0,80}"
    rf"\b(?:answer|question|{_GIVEN})\b"
    r"|\bthere is no (?:information|mention|answer)\b"
    r"|\bno (?:relevant )?information (?:about|on|regarding|is|was|in)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(r"n(?:o(?:t?\b)|'t)|unable|lack|impossible")
"""In small letters what every refusal has somewhere; looked for first, since it is told at once."""
_SHRUG = re.compile(
    r"\s*(?:i think|i believe|i guess|perhaps|maybe|probably|in my opinion|it depends)\b(?=(?:\W+\w+){0,4}\W*$)"
    r"|(?:great|good|thanks|thank you|hello|welcome)(?: [a-z]{1,12}){0,3}!\W{0,3}$",
    re.IGNORECASE,
)
"""A few words of an attitude or a greeting, and hardly anything that they are about."""
_HEDGE = lazy_pattern(
    r"\s*(?:hope this helps"
    rf"|(?:the|these|this|both|all|each|that)(?: (?:of|the|\w+)){{0,3}} {_GIVEN}(?: \d)?"
    r" (?:provides?|contains?|repeats?|gives?|has|have|offers?|includes?)"
    r" (?:enough|sufficient|the same|similar|additional|further|more|relevant|different|no other)"
    r" (?:\w+ )?(?:information|details?|facts?)(?=(?:\W+\w+){0,6}\W*$)"
    r"|if you have any (?:\w+ ){0,2}(?:questions?|concerns?)|feel free to (?:ask|contact|let|reach)"
    r"|it(?: is|'s) (?:important|worth) (?:to note|noting) that "
    r"(?:this|these|the (?:answer|information|above|passages?)))\b",
    re.IGNORECASE,
)
_LITERALS = frozenset(
    text.strip().rstrip(".").lower()
    for text in (
        *(messages.NO_RELEVANT_INFORMATION, messages.NO_INFORMATION, messages.INSUFFICIENT_CONTEXT),
        *(messages.DONT_KNOW, messages.NOT_FOUND, messages.REFUSAL, messages.EMPTY_RESPONSE),
    )
)
_JOINT = re.compile(
    r";\s+(?:and|but|or|however,?)?\s*|,\s+(?:but|while|whereas|yet|although|though)\s+"
    r"|,\s+(?:and|or|so)\s+(?=(?:the|this|that|these|those|it|they|he|she|we|you|its|their|his|her|an?|each|all|any|no|some"
    r"|there|[A-Z][\w'-]+)\s)"
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|can|could|may|might|must|shall|should|will|would|says?|said"
    r"|[a-z]{3,}(?:ed|es)|[a-z]{3,}s)\b"
)
_QUESTION_MARKS = ("?", "\uff1f", "\u061f")
_ASKED = " *_\"'?\uff1f\u061f"
_SHORTEST_CLAUSE = 4
"""Words."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of an answer, `text[start:end]`, and what it is."""

    start: int
    end: int
    kind: PartKind
    sentence: int
    """Which sentence, list item or cell it belongs to, from 0: the clauses of one sentence share it."""
    context: str = ""
    """Of the cell of a table: the head of its column and the label of its row."""
    marks: tuple[Mark, ...] = ()
    """Citations inside it or right after it."""


@dataclass(frozen=True, slots=True)
class _Block:
    start: int
    end: int
    kind: Literal["text", "item", "heading", "markup", "cell", "label"]
    context: str = ""


def plain_text(text: str, marks: Sequence[Mark]) -> str:
    """The answer with spaces in place of its citations, HTML comments and tags, so that every offset stays."""
    blank = _blanked(text, [(mark.start, mark.end) for mark in marks])
    return _TAG.sub(lambda match: " " * len(match.group()), _blanked(blank, comments_in(blank)))


def comments_in(text: str) -> list[tuple[int, int]]:
    """The HTML comments of a text, which nobody reads where it is shown; one without an end is none."""
    found: list[tuple[int, int]] = []
    start = text.find(_COMMENT_START)
    while start >= 0:
        end = text.find(_COMMENT_END, start + len(_COMMENT_START))
        if end < 0:
            break
        found.append((start, end + len(_COMMENT_END)))
        start = text.find(_COMMENT_START, found[-1][1])
    return found


def without_comments(text: str) -> str:
    """The text as a reader sees it; of a comment without an end, which would hide all the rest, the mark alone goes."""
    pieces, position = [], 0
    for start, end in comments_in(text):
        pieces.append(text[position:start])
        position = end
    return "".join([*pieces, text[position:]]).replace(_COMMENT_START, "")


def _blanked(text: str, ranges: Sequence[tuple[int, int]]) -> str:
    """The text with spaces in those ranges, which are in order; line breaks stay."""
    pieces, position = [], 0
    for start, end in ranges:
        pieces += [text[position:start], _NO_BREAK.sub(" ", text[start:end])]
        position = end
    return "".join([*pieces, text[position:]])


def parts_of(plain: str, marks: Sequence[Mark] = ()) -> list[Part]:
    """Cut an answer; every word of it stands in one of the parts, in order.

    Args:
        plain: Plain text or Markdown, as `plain_text` leaves it.
        marks: Its citations, which are given to the parts that they stand behind.
    """
    found: list[Part] = []
    count = 0
    for block in _blocks(plain):
        for start, end in _sentences(plain, block):
            found += [Part(*piece, count, block.context) for piece in _pieces(plain, start, end, block)]
            count += 1
    return list(_with_marks(found, marks, plain))


def _pieces(text: str, start: int, end: int, block: _Block) -> Iterator[tuple[int, int, PartKind]]:
    """The statements of a sentence, cut into clauses, and the text around them."""
    if block.kind in ("cell", "markup"):
        yield start, end, _kind(text[start:end], block)
        return
    wrapped = wrapped_statement(text[start:end])
    first, last = (start, end) if wrapped is None else (start + wrapped.start, start + wrapped.end)
    kind = _kind(text[first:last], block) if wrapped is None else _kind(text[first:last].rstrip(_ASKED), block)
    if wrapped is not None and kind not in ("claim", "refusal"):
        yield start, end, _kind(text[start:end], block)
        return
    if wrapped is not None and (before := trim(text, start, first)):
        yield *before, wrapped.around
    yield from _clauses_of(text, first, last, kind, block)
    if wrapped is not None and _WORD.search(text, last, end) and (behind := trim(text, last, end)):
        yield *behind, wrapped.around


def _clauses_of(text: str, start: int, end: int, kind: PartKind, block: _Block) -> Iterator[tuple[int, int, PartKind]]:
    """The clauses of a statement; of a refusal, those that state something are claims."""
    if kind not in ("claim", "refusal"):
        yield start, end, kind
        return
    for first, last in _clauses(text, start, end):
        own = kind if kind == "claim" else _kind(text[first:last], block)
        at = appended_statement(text[first:last]) if own == "refusal" else None
        if at is None or _refuses(text[first + at : last]):
            yield first, last, own
        else:
            yield first, first + len(text[first : first + at].rstrip()), "refusal"
            yield first + at, last, "claim"


def _blocks(text: str) -> Iterator[_Block]:
    """Paragraphs, list items, headings and the cells of tables."""
    open_start = open_end = -1
    open_kind: Literal["text", "item"] = "text"
    heads: list[str] | None = None
    position = 0
    for line in text.split("\n"):
        start, end = position, position + len(line)
        position = end + 1
        kept = trim(text, start, end)
        table = kept is not None and text[kept[0]] == "|" and text.count("|", *kept) > 1
        if open_start >= 0 and (kept is None or table or not _goes_on(text, open_start, open_end, kept)):
            yield _Block(open_start, open_end, open_kind)
            open_start = -1
        if kept is None or not table:
            heads = None
        if kept is None:
            continue
        if table:
            yield from _row(text, kept, heads)
            heads = heads if heads is not None else [cell.strip() for cell in text[slice(*kept)].strip("|").split("|")]
        elif open_start >= 0:
            open_end = kept[1]
        else:
            block = _opening(text, *kept)
            if block.kind in ("text", "item"):
                open_start, open_end, open_kind = block.start, block.end, block.kind
            else:
                yield block
    if open_start >= 0:
        yield _Block(open_start, open_end, open_kind)


def _goes_on(text: str, start: int, end: int, line: tuple[int, int]) -> bool:
    """True if a line continues the paragraph before it."""
    before = text[max(start, text.rfind("\n", start, end) + 1) : end]
    first = text[line[0]]
    if _ITEM.match(text, line[0]) or _HEADING.match(text, line[0]) or first in ">|":
        return False
    return len(before) >= _WRAPPED and not _TERMINATOR.search(before[-12:])


def _opening(text: str, start: int, end: int) -> _Block:
    """The first line of a block, without the mark of a list or a quotation."""
    while start < end and text[start] in "> \t":
        start += 1
    line = text[start:end]
    if not line or _FENCE.match(line) or _RULE.fullmatch(line) or not _WORD.search(line):
        return _Block(start, end, "markup")
    if _HEADING.match(line) or _ALL_BOLD.fullmatch(line):
        return _Block(start, end, "heading")
    item = _ITEM.match(text, start, end)
    return _Block(item.end(), end, "item") if item and item.end() < end else _Block(start, end, "text")


def _row(text: str, line: tuple[int, int], heads: Sequence[str] | None) -> Iterator[_Block]:
    start, end = line
    if _RULE.fullmatch(text[start:end]):
        yield _Block(start, end, "markup")
        return
    label, column, position = "", 0, start + 1
    while position < end:
        stop = text.find("|", position, end)
        stop = end if stop < 0 else stop
        cell = trim(text, position, stop)
        if cell is not None:
            if heads is None:
                yield _Block(*cell, "label")
            elif column == 0 and len(heads) > 1:
                label = text[slice(*cell)]
                yield _Block(*cell, "label")
            else:
                head = heads[column] if column < len(heads) else ""
                yield _Block(*cell, "cell", f"{label} {head}".strip())
        position, column = stop + 1, column + 1


def _sentences(text: str, block: _Block) -> Iterator[tuple[int, int]]:
    if block.kind not in ("text", "item"):
        yield block.start, block.end
        return
    piece = text[block.start : block.end]
    if not _STOP.search(piece):
        ranges = [kept] if (kept := trim(piece, 0, len(piece))) else []
    elif len(piece) > _SPLIT_FROM:
        ends = [match.end() for match in re.finditer(r"[.!?]\s", piece)]
        ranges = [kept for low, high in pairwise([0, *ends, len(piece)]) if (kept := trim(piece, low, high))]
    else:
        ranges = list(finer(piece, sentences(piece)))
    for start, end in ranges:
        if _WORD.search(piece, start, end):
            yield block.start + start, block.start + end


def _kind(sentence: str, block: _Block) -> PartKind:
    """What a sentence is; one that wraps a statement is asked about without what wraps it."""
    if block.kind == "markup":
        return "markup"
    plain = sentence.strip(" *_\"'\u201c\u201d")
    if block.kind in ("label", "heading"):
        return "claim" if _says_something(plain, block) else "heading"
    if _refuses(plain):
        return "refusal"
    if plain.endswith(_QUESTION_MARKS):
        return "question"
    short = len(plain.split()) <= _LONGEST_LEAD
    leads = short and plain.endswith(":")
    opens = (leads or (short and not _figures(plain))) and _OPENING.match(plain)
    shrugs = _SHRUG.match(plain) and not states(plain)
    hedge = _HEDGE.match(plain)
    hedges = hedge is not None and not states(plain[hedge.end() :])
    if opens or shrugs or hedges or not terms(plain):
        return "hedge"
    titled = block.kind == "text" and _is_title(plain)
    return "heading" if titled or (leads and announces(plain)) else "claim"


def _refuses(plain: str) -> bool:
    bare = plain.rstrip(".").lower().replace("\u2019", "'")
    return bare in _LITERALS or (_DENIES.search(bare) is not None and _REFUSAL.search(plain[:300]) is not None)


def _says_something(plain: str, block: _Block) -> bool:
    """True if a heading, a line in bold or the label of a table is a statement: it is checked like any other."""
    words = len(plain.split())
    if plain.endswith(_QUESTION_MARKS) or not terms(plain) or _refuses(plain):
        return False
    if plain.endswith(":"):
        return not announces(plain) and not _OPENING.match(plain)
    whole = _TERMINATOR.search(plain[-12:]) is not None and words >= _SENTENCE
    if block.kind == "heading" and whole and _VERB.search(plain):
        return True
    return states_in_title(plain) if block.kind == "heading" else states(plain)


def _figures(sentence: str) -> bool:
    return any(character.isdigit() for character in sentence)


def _is_title(sentence: str) -> bool:
    """A line of capitalised words without an end or a statement: "Payment Terms"."""
    if not 2 <= len(sentence.split()) <= _LONGEST_TITLE or sentence[-1] in ".!?,;)" or _figures(sentence):
        return False
    if states(sentence):
        return False
    words = _WORD.findall(sentence)
    # Most scripts have no capitals.
    return any(word[0].isupper() for word in words) and all(word[0].isupper() or len(word) <= 3 for word in words)


def _clauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A sentence cut where one clause ends and another with a verb of its own begins."""
    if end - start > LONGEST_CLAIM:
        return [(start, end)]
    cuts = []
    position = start
    for joint in _JOINT.finditer(text, start, end):
        left, right = text[position : joint.start()], text[joint.end() : end]
        enough = len(left.split()) >= _SHORTEST_CLAUSE and len(right.split()) >= _SHORTEST_CLAUSE
        if (
            enough
            and terms(left)
            and terms(right)
            and (_VERB.search(left) or _REFUSAL.search(left))
            and _VERB.search(right[:200])
            and _balanced(left)
        ):
            cuts.append((position, joint.start()))
            position = joint.end()
    return [kept for first, last in [*cuts, (position, end)] if (kept := trim(text, first, last))]


def _balanced(text: str) -> bool:
    pairs = (("(", ")"), ("\u201c", "\u201d"))
    return text.count('"') % 2 == 0 and all(text.count(left) == text.count(right) for left, right in pairs)


def _with_marks(parts: Sequence[Part], marks: Sequence[Mark], text: str) -> Iterator[Part]:
    """Each part with the citations inside it and those up to the next part; one before the first goes to the first."""
    first = 0
    for index, part in enumerate(parts):
        following = parts[index + 1].start if index + 1 < len(parts) else len(text)
        break_after = text.find("\n\n", part.end, following)
        # A mark that begins inside the break itself still belongs to the part before it.
        until = max(part.end, following if break_after < 0 else min(following, break_after + 2))
        last = first
        while last < len(marks) and marks[last].start < until:
            last += 1
        own = tuple(marks[first:last])
        yield Part(part.start, part.end, part.kind, part.sentence, part.context, own) if own else part
        first = last


_END = lazy_pattern(
    r"(?<![^\s\"'(\[*_\u201c\u2018-])[a-z]{3,}[.!?][\"'\u201d\u2019)*_]{0,4}\s+(?=[\"'(*_\u201c\u2018]{0,4}[A-Z])"
)
_ABBREVIATED = frozenset(
    "approx art cert cf corp dept dist div est etc excl ext fig gen gov incl inc ltd max min misc nos para pct pos "
    "prof pts ref resp sec seq tel vol vols viz".split()
)


def finer(text: str, ranges: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Cut sentences where one ends for certain.

    The finder of sentences (Punkt) takes some pairs of words for fixed ones and cuts nothing between them, such as
    "per month. Payment": right for a corpus, where it costs little, but here two claims would be judged as one.
    """
    for start, end in ranges:
        position = start
        for match in _END.finditer(text, start, end):
            if _word(match.group()) not in _ABBREVIATED:
                yield position, match.start() + len(match.group().rstrip())
                position = match.end()
        yield position, end


def _word(ended: str) -> str:
    return re.split(r"[.!?]", ended, maxsplit=1)[0]
