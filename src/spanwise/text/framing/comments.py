"""Comments on a clause: verdicts behind it ("S; this was withdrawn"), remarks within it ("S, it is alleged, T")."""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.text.framing.complements import Claimed, is_noun, verdict
from spanwise.text.framing.cues import cues
from spanwise.text.framing.segments import Clauses

_COMMENT = 16
"""Tokens of a comment, of a remark and of a short comment, at most."""
_REMARK = 9
_NEAR = 7
_OPENING = 4
_FEWEST = 3
"""Tokens of a statement that a verdict behind it may speak of."""
_HEAD = 14
"""Tokens among which a clause begins that its sentence dismisses at the end."""
_JUDGING = frozenset(["veridical", "evidence", "negative", "doubt", "report"])
"""Kinds of predicates that say whether what was said holds."""
_TELLING = frozenset(["opinion", "evidence", "report", "rumoured"])
"""Kinds of predicates among which are the nouns for what was said."""
MARKS = frozenset({",", ";", "\u2014", "\u2013", "-", "--", "(", "[", ":"})


def comments(clauses: Clauses) -> Iterator[Claimed]:
    """Clauses that a sentence comments on in its own words."""
    yield from _afterthoughts(clauses)
    for at in range(2, len(clauses)):
        if clauses.words[at - 1] in MARKS:
            yield from _comment(clauses, at)
            yield from _remark(clauses, at)
    yield from _dropped_clause(clauses)
    yield from _told_by_others(clauses)
    yield from _introduced(clauses)


def comment_kind(clauses: Clauses) -> str:
    """The kind that a sentence gives the one before it ("This is not true."), or nothing."""
    held, end = cues(), len(clauses) - 1
    word, follows = clauses.at(0), clauses.at(1)
    if end > _COMMENT or ":" in clauses.words:
        return ""
    if _nothing_of_it(clauses, 0, end):
        return "denied"
    if kind := _pointing_back(clauses, 0, end):
        return kind
    about = follows in held.words["rule"] | held.words["text"] | held.words["telling"]
    plain = follows in held.words["be"] | held.words["auxiliaries"]
    if word in {"none", "nothing", "little"} and clauses.words[1:3] in {("of", "this"), ("in", "this"), ("of", "that")}:
        return dismissal(clauses, 0, end)
    if (word in {"this", "that"} and (about or plain)) or (word == "so" and follows in {"much", "the", "says"}):
        return dismissal(clauses, 1, end)
    return ""


def _pointing_back(clauses: Clauses, first: int, last: int) -> str:
    """The kind that a clause gives what was said before, its object ("but the museum denies this"), or nothing."""
    held, negated = cues(), False
    if relative := _apposed(clauses, first, last):
        return dismissal(clauses, relative, last)
    end = _pointer(clauses, first, last)
    stretch = clauses.words[first:end]
    if end < 0 or not held.words["factive"].isdisjoint(stretch):
        return ""
    thing = clauses.at(end) == "it"  # which may as well be a thing that was spoken of
    for word in stretch:
        predicate = held.predicates.get(word)
        if predicate and predicate.name in _JUDGING and (not thing or word in held.words["attesting"]):
            kind = predicate.negated if negated else predicate.affirmed
            return "doubted" if kind and thing else kind
        negated ^= word in held.words["none_of"] or word in held.words["negators"] or word.endswith("n't")
    return ""


def _apposed(clauses: Clauses, first: int, last: int) -> int:
    """Where a clause says more of what was just said ("a statement that proved to be wrong"); 0 if it does not."""
    if clauses.words[first] not in {"a", "an", "one"}:
        return 0
    that = next((k for k in range(first + 1, min(last, first + _OPENING)) if clauses.words[k] in {"that", "which"}), 0)
    return that + 1 if that and _is_telling(clauses.words[that - 1]) else 0


def _is_telling(word: str) -> bool:
    """True for a noun for what was said."""
    predicate = cues().predicates.get(word)
    return bool(predicate and predicate.name in _TELLING) or word in {"account", "version", "story"}


def _pointer(clauses: Clauses, first: int, last: int) -> int:
    """Where a clause points back to what was said ("it", "this account", "which" in front); -1 if it does not.

    A noun that was spoken of before is a thing: "She wrote a report, but nobody read the report".
    """
    held = cues()
    if clauses.words[first] == "which" and clauses.at(first + 1) not in held.words["auxiliaries"] | held.words["be"]:
        return last + 1
    for at in range(first + 1, last + 1):
        word, follows = clauses.words[at], clauses.at(at + 1)
        told = _is_telling(follows) and follows not in clauses.words[:first]
        if told and word in {"this", "that", "the", "such", "these"}:
            return at
        if word in {"it", "this", "that"} and (at == last or not follows[:1].isalnum() or follows in {"out", "up"}):
            return at
    return -1


def dismissal(clauses: Clauses, first: int, last: int) -> str:
    """The kind of the first verdict among some tokens ("was later withdrawn", "is not known"), or nothing."""
    held, negated = cues(), False
    for at in range(first, last + 1):
        word = clauses.words[at]
        predicate = held.predicates.get(word)
        if word in held.words["falsely"]:
            return "denied"
        if clauses.words[at + 1 : at + 3] == ("to", "be"):  # "found to be false"
            continue
        if word == "no" and clauses.at(at + 1) in {"longer", "more"}:
            return "superseded"
        if (word in held.words["removed"] or word in held.words["lapsed"]) and (word != "void" or not negated):
            return "" if negated else "superseded"
        if predicate and predicate.name in {"negative", "doubt", "rumoured", "veridical", "excluded", "opinion"}:
            kind = predicate.negated if negated else predicate.affirmed
            if kind or predicate.name in {"veridical", "negative"}:
                return kind
        open_ = word in {"remains", "remained", "remain"} and clauses.at(at + 1) == "to"
        if open_ or (word in held.words["lasting"] and negated):
            return "doubted" if open_ else "denied"
        negated = negated and word != ","
        negated ^= word in {"not", "never", "nor", "hardly", "cannot", "no", "none", "nobody"} or word.endswith("n't")
    return text_kind(clauses, first, last)


def text_kind(clauses: Clauses, first: int, last: int) -> str:
    """The kind that a noun phrase about a text gives what stands in it ("the rejected proposal"), or nothing."""
    words, stretch = cues().words, clauses.words[first : last + 1]
    if not words["fictional"].isdisjoint(stretch):
        return "hypothetical"
    if not words["unreal"].isdisjoint(stretch) and not words["worlds"].isdisjoint(stretch):
        return "hypothetical"
    if {"some", "one"} & set(stretch[:2]) and not words["versions"].isdisjoint(stretch):
        return "alleged"
    if not words["unproved"].isdisjoint(stretch) or (stretch[:1] == ("an",) and "unnamed" in stretch):
        return "alleged"
    return _of_text(stretch)


def _of_text(stretch: tuple[str, ...]) -> str:
    """The kind of frame that a predicate about a text gives to its content."""
    words = cues().words
    for at, word in enumerate(stretch):
        if word not in words["text"] and word not in words["telling"]:
            continue
        lasting = word in words["records"]
        if any(near in words["old"] and not (lasting and near in words["merely_older"]) for near in stretch[:at]):
            return "superseded"
        behind = stretch[at + 1 :]
        if not words["unnamed"].isdisjoint(behind):
            return "alleged"
        if not (words["removed"] | words["lapsed"]).isdisjoint(behind) or not words["undone"].isdisjoint(behind):
            return "superseded"
    return ""


def back(clauses: Clauses, at: int) -> int:
    """The first token behind the last semicolon before a token: what a comment on the whole speaks of."""
    return next((k + 1 for k in range(at - 2, -1, -1) if clauses.words[k] == ";"), 0)


def _comment(clauses: Clauses, at: int) -> Iterator[Claimed]:
    """A comment at the end of a sentence on what it just said."""
    held, mark, end = cues(), clauses.words[at - 1], len(clauses) - 1
    last = end - 1 if clauses.words[end] in {")", "]", '"'} else end
    if last - at > _COMMENT:
        return
    begun = next((k for k in range(at, last + 1) if clauses.words[k] not in held.words["conceding"]), last)
    word, follows = clauses.words[begun], clauses.at(begun + 1)
    about = word in {"this", "that", "these", "such", "the", "both"} and follows in (
        held.words["text"] | held.words["telling"] | held.words["rule"]
    )
    plain = word in {"this", "that", "these", "all", "none", "which", "such"} and (
        follows in held.words["be"] | held.words["auxiliaries"] | held.words["adverbs"]
        or follows in {"of", "no"}
        or (follows == "," and mark not in {",", ":"})
    )
    plain = plain and follows != "as" and (word != "which" or follows in held.words["be"])
    loose = mark != ","
    told = word in {"so", "as"} and (loose or begun > at or clauses.at(at) == "or")
    short = mark in {"(", "[", "\u2014", "\u2013", "-", "--"} and last - at <= _NEAR
    short |= mark == ":" and last - at <= 1
    short = short and (word in held.words["judging"] or _judges(word) or word.endswith("ly") or word == "according")
    turned = follows in {"opposite", "reverse", "contrary"} and clauses.at(begun + 2) in held.words["be"] | {"of"}
    about |= word == "the" and turned
    if loose and _nothing_of_it(clauses, begun, last):
        yield Claimed("denied", back(clauses, at - 1), at - 2, (at, last))
        return
    clause = begun > at or loose or word in held.words["contrasts"] | {"which", "a", "an", "one"}
    if clause and (kind := _pointing_back(clauses, begun, last)):
        yield Claimed(kind, back(clauses, at - 1), at - 2, (at, last))
        return
    if not (told or (loose and (about or plain or short)) or (mark == "," and (about or plain) and word != "which")):
        return
    kind = "denied" if turned else dismissal(clauses, begun, last)
    if not kind and clauses.words[at] == "or" and word == "so":
        kind = "alleged"
    if kind in {"alleged", "superseded"} and short and not (told or about or plain) and last - at > 3:
        kind = ""
    if kind:
        yield Claimed(kind, back(clauses, at - 1), at - 2, (at, last))


def _judges(word: str) -> bool:
    held = cues()
    predicate = held.predicates.get(word)
    return bool(predicate and predicate.affirmed) or word in held.words["removed"] | held.words["lapsed"]


def _nothing_of_it(clauses: Clauses, first: int, last: int) -> bool:
    """True of a comment by which there is nothing in what was said ("nothing of the kind happened")."""
    words = clauses.words[first : last + 1]
    begins = {"nothing", "nobody", "none", "no"} & set(words[:4])
    return bool(begins) and (
        words[-1] in {"this", "that", "it", "sort", "kind", "so"} or not {"sort", "kind"}.isdisjoint(words[1:8])
    )


def _remark(clauses: Clauses, at: int) -> Iterator[Claimed]:
    """A remark between marks on who thinks so or whether to believe it ("it is alleged", "if they can be trusted")."""
    held, end = cues(), len(clauses) - 1
    last = next(
        (k - 1 for k in range(at, min(end, at + _REMARK) + 1) if clauses.words[k] in MARKS | {")"}),
        end if end - at < _REMARK else None,
    )
    if last is None or last <= at:
        return
    stretch = clauses.words[at : last + 1]
    closing = held.predicates.get(stretch[-1])
    thought = bool(closing) and closing is not None and closing.name in {"opinion", "doubt", "rumoured"}
    believed = not held.words["believing"].isdisjoint(stretch[2:])
    impersonal = stretch[0] == "it" and clauses.at(at + 1) in held.words["be"] and thought
    trusting = stretch[0] == "if" and believed
    speaks = thought or stretch[-1] in held.words["goes"]
    anonymous = speaks and not held.words["anonymous"].isdisjoint(stretch)
    told = stretch[0] == "so" and stretch[-1] in held.words["goes"]
    opening = held.predicates.get(stretch[0])
    told |= bool(opening) and opening is not None and opening.name == "opinion" and stretch[0] in held.words["bare"]
    told |= clauses.at(last - 1) in {"without", "no"} and any(word in held.words["bare"] for word in stretch)
    told |= stretch[:2] == ("or", "so")
    if stretch[0] == "contrary" and not held.words["actual"].isdisjoint(stretch):
        yield Claimed("denied", back(clauses, at), at - 1, (at, last))
        yield Claimed("denied", last + 1, end, (at, last))
    if impersonal or trusting or anonymous or told:
        yield Claimed("alleged", back(clauses, at), at - 1, (at, last))
        yield Claimed("alleged", last + 1, end, (at, last))


def _dropped_clause(clauses: Clauses) -> Iterator[Claimed]:
    """A clause whose noun is dismissed at the end ("the sentence saying that S was struck out")."""
    held, end = cues(), len(clauses) - 1
    for at in range(end, max(3, end - _REMARK), -1):
        if clauses.words[at] not in held.words["be"] or clauses.words[at - 1] in held.words["be"]:
            continue
        that = next(
            (
                k
                for k in range(1, min(at, _HEAD))
                if clauses.words[k] in {"that", "whereby"}
                or (clauses.words[k] == "which" and clauses.words[k - 1] in {"to", "under", "by"})
            ),
            None,
        )
        nouns = held.words["text"] | held.words["telling"] | held.words["rule"] | held.words["thinkers"]
        named = that and not nouns.isdisjoint(clauses.words[:that])
        relative = that and clauses.at(that + 1) in held.words["auxiliaries"] | held.words["prepositions"]
        if that and named and not relative and at > that + 2 and (kind := dismissal(clauses, at, end)):
            yield Claimed(kind, that + 1, at - 1, (at, end))
        return


def _told_by_others(clauses: Clauses) -> Iterator[Claimed]:
    """Somebody's version only: "S is what the leaflet falsely says", "The plaintiff's version is that S"."""
    held, end = cues(), len(clauses) - 1
    for at in range(1, end):
        if clauses.words[at] not in {"is", "was"}:
            continue
        owned = clauses.words[at - 1] == "case" and clauses.words[at - 2].endswith("'s")
        if clauses.words[at + 1] == "that" and (owned or clauses.words[at - 1] in held.words["sides"]):
            yield Claimed("alleged", at + 2, end, (at - 1, at + 1))
        elif clauses.words[at + 1] == "what" and at > _OPENING and end - at <= _REMARK:
            kind = dismissal(clauses, at + 1, end)
            if kind or clauses.words[end] in held.words["goes"]:
                yield Claimed(kind or "alleged", back(clauses, at), at - 1, (at, end))


def _introduced(clauses: Clauses) -> Iterator[Claimed]:
    """Clauses that a few words before a colon judge or ascribe ("The following is untrue: S")."""
    colon = next((k for k, word in enumerate(clauses.words[: _REMARK + 2]) if word == ":"), 0)
    spaced = clauses.text[clauses.spans[colon][1] : clauses.spans[colon][1] + 1].isspace()
    if colon > 1 and spaced and colon + 2 < len(clauses) and (kind := dismissal(clauses, 0, colon - 1)):
        yield Claimed(kind, colon + 1, len(clauses) - 1, (0, colon))


def _afterthoughts(clauses: Clauses) -> Iterator[Claimed]:
    """Verdicts on what was just said ("S, which is not true") and sources behind it ("S, critics claim")."""
    held = cues()
    for at, word in enumerate(clauses.words):
        first, last, before = clauses.first[at], clauses.last[at], clauses.at(at - 1)
        parted = at > 1 and (at == first or before in {",", "but", "yet", "and"})
        begun = first if at > first + 1 else (clauses.first[first - 1] if first else 0)
        if before in {"but", "yet", "and"} and at - 1 == first and first:
            begun = clauses.first[first - 1]
        if (
            word in held.words["anaphora"]
            and parted
            and (said := verdict(clauses, at + 1))
            and said.kind not in {"", "superseded"}
        ):
            yield Claimed(said.kind, begun, at - 2, (at, said.last))
        elif word in held.words["be"] and at - first >= _FEWEST and (said := verdict(clauses, at)) and said.kind:
            noun = said.noun and said.kind in {"denied", "alleged"}
            if noun or clauses.words[first] in {"that", '"', "\u201c"} or clauses.words[at - 1] in {'"', "\u201d"}:
                yield Claimed(said.kind, first, at - 1, (at, said.last))
        elif parted and before not in {"but", "yet", "and"} and (named := _source(clauses, at)) is not None:
            yield Claimed(named.kind, begun, at - 1, named.cue)
            yield Claimed(named.kind, named.last, last, named.cue)


def _source(clauses: Clauses, at: int) -> Claimed | None:
    """A short clause that names who thinks so ("critics claim"), or an apposition that judges ("a myth")."""
    held = cues()
    last = clauses.last[at]
    for end in range(at, min(last, at + 5) + 1):
        word = clauses.words[end]
        predicate = held.predicates.get(word)
        over = end + 1 > last or clauses.at(end + 1) in {",", ")", "?"} or end + 1 >= len(clauses)
        apposed = clauses.words[at] in {"a", "an"} and end <= at + 3
        if predicate and predicate.name in {"opinion", "negative", "rumoured"}:
            if apposed and not word.endswith("ed") and not (over and word.endswith("s") and word in held.verbs):
                said = verdict(clauses, end + 2) if clauses.at(end + 1) in {"that", "which"} else None
                kind = said.kind if said and said.kind else predicate.affirmed
                return Claimed(kind, at, last + 1, (at, said.last if said else end))
            if over and word in held.verbs and not is_noun(clauses, end) and (end > at or clauses.at(at - 2) == "so"):
                return Claimed(predicate.affirmed, at, end + 1, (at, end))
            alone = all(k in held.words["adverbs"] or k in held.words["negators"] for k in clauses.words[at:end])
            if over and predicate.name == "negative" and alone and clauses.at(at - 1) in {"\u2014", "\u2013", "-", "("}:
                return Claimed("denied", at, end + 1, (at, end))
        if (word in held.words["auxiliaries"] and clauses.words[at] != "it") or word in {",", "that"}:
            return None
    return None
