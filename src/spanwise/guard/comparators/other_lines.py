"""The rest of the passages: tables, labels, records, other lines that take a line back, and quotations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from spanwise.guard.alignment import Pair
from spanwise.guard.evidence import Context, Difference, Evidence, ReadClaim, nearest_stretch
from spanwise.guard.lexicon import may_negate
from spanwise.guard.records import Attribute, attributes_in, clashes
from spanwise.guard.sentence import Word, words_of
from spanwise.guard.units import Sources, Unit, share
from spanwise.text.fold import folded, stands_in
from spanwise.text.injection.directed import gives_way
from spanwise.text.patterns import lazy_pattern
from spanwise.text.quantities import Quantity, agrees, measure
from spanwise.text.tables.grid import Grid
from spanwise.text.terms import placed_terms, stem

# Cells of tables: a figure of the claim stands in the row and the column that the claim names.

_NAMED = 0.5
"""Share of the words of a head, or of a label, that the claim has which names it."""
_NEAR = 3
"""Sentences nearest to a claim that are looked at."""
_BESIDE = 3
"""Lines on either side of a labelled one that belong to the same list."""
_LONGEST_LABEL = 4
"""Words before a colon that are a label, and no sentence."""
_WITHOUT = frozenset(["no", "without", "any"])
"""Words before what is not there ("contains no nuts", "does not contain any nuts")."""
_FIGURE = lazy_pattern(r"\d+(?:[.,:]\d+)*")
_ASIDE = lazy_pattern(r"\([^()]*\)")


def cells_keep_their_heads(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """No figure of the claim is that of another row or column of the table that has one for those it names."""
    del evidence
    figures = list(_FIGURE.finditer(said.plain)) if context.tables else []
    if not figures:
        return []
    words = _words(f"{said.context} {said.plain}")
    return [
        fault for source, grid in context.tables for fault in _misplaced(figures, words, source, grid, said, context)
    ][:1]


def told_in_cells(said: ReadClaim, context: Context) -> frozenset[str]:
    """Figures of the claim that the tables have in the row and the column that it names, as they are written."""
    found = [match.group() for match in _FIGURE.finditer(said.plain)] if context.tables else []
    words = _words(f"{said.context} {said.plain}") if found else frozenset()
    cells = [cell for _, grid in context.tables if found and (cell := _cell(grid, words)) is not None]
    return frozenset(figure for figure in found if any(_plain(figure) in _figures(cell) for cell in cells))


def _cell(grid: Grid, words: frozenset[str]) -> str | None:
    row, column = _named([row.label for row in grid.rows], words), _named(grid.heads, words)
    return grid.rows[row].texts[column] if row is not None and column is not None else None


def labels_keep_their_members(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """Of lines that list members or values behind labels, the claim names none with the label of another line."""
    words = frozenset(said.wanted)
    for unit, _ in evidence.candidates[:_NEAR]:
        own = _labelled(unit)
        if own is None or not (members := own[1] & words):
            continue
        if own[0] <= words:
            if any(word.plain in _WITHOUT and stem(behind.plain) in members for word, behind in _pairs(said)):
                reason = f'the source lists it: "{unit.text}"'
                return [Difference("negated", reason, (said.start, said.end), unit, denies=True)]
            continue
        near = context.sources.units[max(0, unit.number - _BESIDE) : unit.number + _BESIDE + 1]
        listed = [
            (one, label) for one in near if one.source == unit.source and one is not unit if (label := _labelled(one))
        ]
        named = [(one, label) for one, label in listed if label[0] <= words]
        if any(_exchanged(said, unit, own, one, label) for one, label in named):
            reason = f'the source lists it elsewhere: "{unit.text}"'
            return [Difference("swapped", reason, (said.start, said.end), unit, doubts=True)]
    return []


_Labelled: TypeAlias = tuple[frozenset[str], frozenset[str]]


def _exchanged(said: ReadClaim, unit: Unit, own: _Labelled, beside: Unit, other: _Labelled) -> bool:
    """True if a claim has what a line lists in the place of what the other one lists, whose label it names.

    A date is no total, and a label whose figure the claim gives has its value, whatever else the claim names: "the
    invoice of 14 March totals GBP 120". Of members in words, a claim may well put one too many behind a label.
    """
    if own[0] & other[0]:
        return False
    ours, theirs = ([one for one in line.quantities if one.start > line.text.index(":")] for line in (unit, beside))
    if not ours and not theirs:
        return not own[1] & frozenset(said.wanted) & other[1]
    told = [one for one in ours if any(_same(figure, one) for figure in said.quantities)]
    alike = any(_comparable(one, figure) for one in told for figure in theirs)
    return alike and not any(_same(figure, one) for figure in said.quantities for one in theirs)


def _comparable(one: Quantity, other: Quantity) -> bool:
    """True if two figures could be told of the same label: two amounts, or two dates."""
    return bool(one.iso) == bool(other.iso) and measure(one)[0] == measure(other)[0]


def _pairs(said: ReadClaim) -> Iterator[tuple[Word, Word]]:
    return pairwise(words_of(said.sentence))


def _labelled(unit: Unit) -> _Labelled | None:
    """The words of a line's label and of what it lists behind it; None where it has no label."""
    label, mark, rest = unit.text.partition(":")
    if unit.fact is not None or not mark or len(label.split()) > _LONGEST_LABEL:
        return None
    return _words(_ASIDE.sub("", label)), _words(rest)


def _misplaced(
    figures: Sequence[re.Match[str]], words: frozenset[str], source: int, grid: Grid, said: ReadClaim, context: Context
) -> Iterator[Difference]:
    row = _named([row.label for row in grid.rows], words)
    if row is None:
        return
    column = _named(grid.heads, words)
    named = grid.rows[row]
    cell = " | ".join(named.texts) if column is None else named.texts[column]
    if not (own := _figures(cell)):
        return
    place = f'"{named.label}"' if column is None else f'"{named.label}" and "{grid.heads[column]}"'
    heads = _figures(place)
    beside = [text for at, text in enumerate(named.texts) if at != column and column is not None]
    for at, other in enumerate(grid.rows):
        if at != row:
            beside += other.texts if column is None else [other.texts[column]]
    others = frozenset[str]().union(*map(_figures, beside))
    for match in figures:
        figure = _plain(match.group())
        if figure in heads or figure in own or figure not in others:
            continue
        line = named.first
        unit = next(
            (one for one in context.sources.sources[source].units if one.line_start <= line <= one.line_end), None
        )
        reason = f'the answer says {match.group()}, the table "{cell}" for {place}'
        where = said.start + match.start(), said.start + match.end()
        yield Difference("number_changed", reason, where, unit, denies=column is not None, doubts=True)


def _named(names: Sequence[str], words: frozenset[str]) -> int | None:
    """The one name of which the claim has most; None where it has little of each, or as much of two."""
    shares = []
    for name in names:
        own = _words(_ASIDE.sub("", name)) or _words(name)
        shares.append((len(own & words) / len(own), len(own & words)) if own else (0.0, 0))
    best = max(shares, default=(0.0, 0))
    return shares.index(best) if best[0] >= _NAMED and shares.count(best) == 1 else None


def _words(text: str) -> frozenset[str]:
    return frozenset(stem(word.plain) for word in words_of(text) if word.content)


def _figures(text: str) -> frozenset[str]:
    return frozenset(map(_plain, _FIGURE.findall(text)))


def _plain(figure: str) -> str:
    """A figure without separators of thousands and without zeros behind its point."""
    plain = re.sub(r",(?=\d{3})", "", figure)
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


# Records: what a claim says of a key against the value that the record has there.


def record_agrees(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A claim affirms what the record says is so, denies what it says is not so, and keeps to its hours."""
    del evidence
    if not context.records:
        return []
    return [*_attributes(said, context), *_hours(said, context)]


def _attributes(said: ReadClaim, context: Context) -> Iterator[Difference]:
    for found in attributes_in(said.plain, context.flags):
        at = said.start + found.start, said.start + found.end
        name = found.flag.unit.text.partition(":")[0]
        if found.flag.standing == "unknown":
            yield Difference("not_in_sources", f"the record leaves {name} open", at, found.flag.unit)
        elif found.denied == (found.flag.standing == "yes"):
            reason = f"the record says {found.flag.standing} to {name}, the answer does not"
            yield Difference("negated", reason, at, found.flag.unit, denies=_sure(found))


def _sure(found: Attribute) -> bool:
    """True if a key can be meant by nothing else: it has two words, or the claim names the key above it as well."""
    return found.grouped or len(found.flag.keys) > 1 or not found.flag.group


def _hours(said: ReadClaim, context: Context) -> Iterator[Difference]:
    schedule = context.schedule
    for clash in clashes(said.plain, schedule) if schedule else ():
        at = said.start + clash.start, said.start + clash.end
        yield Difference(
            "date_changed", f"the hours of the record do not have {clash.said}", at, clash.unit, denies=True
        )


# Other lines: what one line says, another line of the same passage takes back, amends, or states otherwise. A
# correction, a value that took the place of another one, and what was dropped tell more of a thing than the line that
# said it first. What stands only inside of a longer sentence gives way to a line that plainly states something else.

_LONGEST = 400
"""Characters; a longer sentence says several things."""
_ABOUT = 0.5
"""Share of a claim's words besides its figures that a line holds which amends it."""
_THE_SAME = 0.85
"""The same where the line does not say which figure it replaces: of "the small kiln" it has more than "the kiln"."""
_DROPPED = 0.6
"""Share of a claim's words that a line holds which says that the thing was dropped."""
_SAID = 0.8
"""Share of a claim, in its order, that a line holds which says it inside of something longer."""
_INSIDE = 2
"""Words of a line before the claim's that make it a part of something longer."""
_FIRST = 3
"""Words with which a line and a claim begin that speak of the same."""
_AMENDING = lazy_pattern(
    r"\b(?:correction|corrected|corrigendum|erratum|amend(?:ed|ment|s)|addendum|from now on|with immediate effect"
    r"|henceforth|instead of|in place of|has (?:since )?been (?:changed|moved|raised|reduced"
    r"|lowered|increased|cut|extended|shortened|postponed|brought forward|put back|replaced|reset))\b",
    re.IGNORECASE,
)
_REPLACED = lazy_pattern(
    r"\b(?:instead of|rather than|in place of|not|(?:raised|reduced|lowered|increased|cut|changed|moved|extended"
    r"|shortened|went up|went down|rose|fell) from)\s+(?:the |about )?$",
    re.IGNORECASE,
)
"""Words right before a value that no longer holds."""
_WITHDRAWN = lazy_pattern(
    r"\b(?:is|are|was|were|been|be)\s(?:\w{2,20}ly\s)?(?:dropped|cancell?ed|withdrawn|abolished|called off|scrapped"
    r"|discontinued|revoked|repealed|rescinded|rejected|voted down|turned down|overturned|annulled)\b",
    re.IGNORECASE,
)
_PAST = frozenset(
    "was were had been before earlier former formerly first from instead original originally previous previously until "
    "initially once planned proposed would".split()
)
"""Words of a claim that may itself tell of what no longer holds."""


def other_lines_agree(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """What a claim repeats is not amended, dropped or plainly stated otherwise by another line of the passage."""
    pair = nearest_stretch(said, evidence, context)
    if pair is None or pair.unit.fact is not None:
        return []
    words = frozenset(word.plain for word in words_of(said.plain))
    current = _PAST.isdisjoint(words)
    inside = _inside(pair) and not _AMENDING.search(pair.unit.text)
    for unit, held in evidence.candidates:
        if unit.fact is not None or unit.source != pair.unit.source or len(unit.text) > _LONGEST:
            continue
        told = ""
        other = unit.end <= pair.unit.start or pair.unit.end <= unit.start
        if current and said.quantities and _AMENDING.search(unit.text) and _amended(said, unit, context):
            told = "another line gives another figure in the place of this one"
        elif (
            current
            and other
            and (held >= _DROPPED or _begins_alike(said, unit))
            and _WITHDRAWN.search(unit.text)
            and not may_negate(said.plain)
        ):
            told = "" if _WITHDRAWN.search(said.plain) else "another line says that this was dropped"
        elif inside and other and _plainly_otherwise(said, unit):
            told = "it is said only in passing, and another line states something else"
        if told:
            reason = f'{told}: "{unit.text}"'
            return [Difference("negated", reason, (said.start, said.end), unit, doubts=True)]
    return []


def _amended(said: ReadClaim, unit: Unit, context: Context) -> bool:
    """True if an amending line replaces a figure of the claim, or has only other figures of the same kind."""
    inside = [(one.start, one.end) for one in said.quantities]
    counted = {stem for place, stem in placed_terms(said.plain) if any(low <= place < high for low, high in inside)}
    about = {stem: weight for stem, weight in said.wanted.items() if stem not in counted and not stem[0].isdigit()}
    held = share(context.sources.told_of(unit), about) if about else 0.0
    if held < _ABOUT:
        return False
    old = [one for one in unit.quantities if _REPLACED.search(unit.text, 0, one.start)]
    new = [one for one in unit.quantities if one not in old]
    if any(_same(ours, one) for ours in said.quantities for one in new):
        return False
    if any(_same(ours, one) for ours in said.quantities for one in old):
        return True
    if held < _THE_SAME:
        return False
    kinds = {measure(one)[0] for one in new if not one.iso and one.kind != "number"}
    return any(not ours.iso and measure(ours)[0] in kinds for ours in said.quantities)


def _same(ours: Quantity, theirs: Quantity) -> bool:
    bare = "number" in (ours.kind, theirs.kind) and ours.value is not None and ours.value == theirs.value
    return bare or agrees(ours, theirs)


def _inside(pair: Pair) -> bool:
    """True if the words of a claim stand in the midst of a longer sentence."""
    found = [place for place in pair.match if place >= 0]
    return pair.alignment.share >= _SAID and bool(found) and min(found) >= _INSIDE


def _begins_alike(said: ReadClaim, unit: Unit) -> bool:
    """True if a line begins with the first words of a claim."""
    ours, theirs = (words_of(text)[:_FIRST] for text in (said.plain, unit.text))
    return [word.plain for word in ours] == [word.plain for word in theirs] and not any(word.number for word in ours)


def _plainly_otherwise(said: ReadClaim, unit: Unit) -> bool:
    """True if a line begins with the first words of a claim, and goes on with something else."""
    return _begins_alike(said, unit) and gives_way(said.plain, [unit.text], said.plain)


# Quotations: words between quotation marks occur verbatim in a passage.

_QUOTED = lazy_pattern(r"[\"\u201c\u201d\u00ab]([^\"\u201c\u201d\u00ab\u00bb\n]{1,1500})[\"\u201c\u201d\u00bb]")
_LEFT_OUT = lazy_pattern(r"\s*(?:\.\s?\.\s?\.|\u2026|\[[^\[\]]{0,60}\])\s*")
_FEWEST = 3
"""Words of a quotation; fewer may be a name or a doubt."""
_FEWEST_OF_A_PIECE = 2
_END = " .,;:!?'"


def quotations_stand(said: ReadClaim, evidence: Evidence, context: Context) -> Sequence[Difference]:
    """A quotation occurs in a passage as whole words; one joined from pieces that lie apart is stitched."""
    del evidence
    return [
        fault
        for match in _QUOTED.finditer(said.text)
        if len(match[1].split()) >= _FEWEST
        for fault in _fault(match[1], (said.start + match.start(1), said.start + match.end(1)), context.sources)
    ]


def _fault(quote: str, at: tuple[int, int], sources: Sources) -> Iterator[Difference]:
    pieces = [piece for part in _LEFT_OUT.split(quote) if (piece := folded(part).strip(_END))]
    texts = [source.folded for source in sources.sources]
    if len(pieces) == 1 and any(stands_in(pieces[0], text) for text in texts):
        return
    if len(pieces) > 1 and any(_in_order(pieces, text) for text in texts):
        return
    words = " ".join(pieces).split()
    if len(pieces) > 1 or _in_two(words, texts):
        known = all(any(stands_in(piece, text) for text in texts) for piece in pieces) or len(pieces) == 1
        if known:
            yield Difference("stitched", "the quotation joins words that do not stand together in any passage", at)
            return
    yield Difference("fabricated", "no passage has the words that are quoted", at)


def _in_order(pieces: Sequence[str], text: str) -> bool:
    position = 0
    for piece in pieces:
        position = text.find(piece, position)
        if position < 0:
            return False
        position += len(piece)
    return True


def _in_two(words: Sequence[str], texts: Sequence[str]) -> bool:
    """True if a quotation is joined from two runs of words of the passages."""
    longest = 0
    for count in range(len(words), 0, -1):
        if any(stands_in(" ".join(words[:count]), text) for text in texts):
            longest = count
            break
    rest = " ".join(words[longest:])
    enough = longest >= _FEWEST_OF_A_PIECE and len(words) - longest >= _FEWEST_OF_A_PIECE
    return enough and any(stands_in(rest, text) for text in texts)
