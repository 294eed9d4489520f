"""Words around a clause that say where it stands or what became of it: adjuncts, comments, remarks in between.

"Under the rejected proposal, S", "S; this was withdrawn", "S, it is alleged, T" and "An unsigned letter says that S"
do not assert their clauses; "According to the report, S" and "S, as the court confirmed" do.
"""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.text.clauses import Clauses
from spanwise.text.complements import Claimed
from spanwise.text.cues import cues

_ADJUNCT = 14
"""Tokens of an adjunct, of a comment and of a remark, at most."""
_COMMENT = 16
_REMARK = 9
_NEAR = 7
"""Tokens of an adjunct that no comma ends, and of a subject."""
_OPENING = 4
"""Tokens in front of an adjunct that opens its sentence ("Moreover, under the old law")."""
_MARKS = frozenset({",", ";", "\u2014", "\u2013", "-", "--", "(", ":"})


def asides(clauses: Clauses) -> Iterator[Claimed]:
    """What stands under an adjunct about a shaky text, a comment behind it, a remark within it, or a shaky subject."""
    for at, word in enumerate(clauses.words):
        if word in cues().words["adjunct"]:
            yield from _adjunct(clauses, at)
        if at > 1 and (clauses.words[at - 1] in _MARKS or (word == "or" and clauses.at(at + 1) == "so")):
            yield from _comment(clauses, at)
            yield from _remark(clauses, at)
    yield from _shaky_subject(clauses)
    yield from _dropped_clause(clauses)
    yield from _told_by_others(clauses)
    yield from _introduced(clauses)


def dismissal(clauses: Clauses, first: int, last: int) -> str:
    """The kind of the first verdict among some tokens ("was later withdrawn", "is not known"), or nothing."""
    held, negated = cues(), False
    for at in range(first, last + 1):
        word = clauses.words[at]
        predicate = held.predicates.get(word)
        if word in held.words["falsely"]:
            return "denied"
        if word == "no" and clauses.at(at + 1) in {"longer", "more"}:
            return "superseded"
        if (word in held.words["removed"] or word in held.words["lapsed"]) and (word != "void" or not negated):
            return "" if negated else "superseded"
        if predicate and predicate.name in {"negative", "doubt", "rumoured", "veridical", "excluded", "opinion"}:
            kind = predicate.negated if negated else predicate.affirmed
            if kind or predicate.name in {"veridical", "negative"}:
                return kind
        if word in held.words["lasting"] and negated:
            return "denied"
        if word in {"remains", "remained", "remain"} and clauses.at(at + 1) == "to":
            return "doubted"
        negated = negated and word != ","
        negated ^= word in {"not", "never", "nor", "hardly", "cannot", "no", "none", "nobody"} or word.endswith("n't")
    return _text(clauses, first, last)


def _text(clauses: Clauses, first: int, last: int) -> str:
    """The kind that a noun phrase about a text gives what stands in it ("the rejected proposal"), or nothing."""
    words, stretch = cues().words, clauses.words[first : last + 1]
    if not words["fictional"].isdisjoint(stretch):
        return "hypothetical"
    if not words["unreal"].isdisjoint(stretch) and not words["worlds"].isdisjoint(stretch):
        return "hypothetical"
    if "some" in stretch and not words["versions"].isdisjoint(stretch):
        return "alleged"
    if not words["unproved"].isdisjoint(stretch) or (stretch[:1] == ("an",) and "unnamed" in stretch):
        return "alleged"
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


def _adjunct(clauses: Clauses, at: int) -> Iterator[Claimed]:
    """What an adjunct frames: the rest of the sentence in front, all of it behind, both parts in the middle."""
    first, last, end = clauses.first[at], clauses.last[at], len(clauses) - 1
    ends = next((k for k in range(at + 1, min(end, at + _ADJUNCT) + 1) if clauses.words[k] in {",", ")", ";"}), None)
    opens = clauses.at(at - 1) in {";", ":", "!", "", '"'} or all(
        word in cues().words["opening"] for word in clauses.words[first:at][:_OPENING]
    )
    if clauses.words[at] in {"until", "before", "prior"}:
        if opens and ends and not cues().words["changes"].isdisjoint(clauses.words[at:ends]):
            yield Claimed("superseded", ends + 1, end, (at, ends - 1))
        return
    closes = ends is None and end - at <= _ADJUNCT
    until = ends - 1 if ends else end if closes else at + _NEAR
    told = next((k for k in range(at + 2, until + 1) if clauses.words[k] in cues().words["auxiliaries"]), None)
    if told and not {"that", "which", "whose", "who"} & set(clauses.words[at:told]):
        ends, until = (ends, until) if closes else (None, min(until, at + _NEAR))
    kind = "alleged" if _view(clauses, at, until) else _text(clauses, at + 1, until)
    if not kind:
        return
    if opens:
        yield Claimed(kind, (ends if ends is not None else at) + 1, end, (at, ends - 1 if ends else at))
    elif clauses.words[_over_concession(clauses, at) - 1] in _MARKS or closes:
        yield Claimed(kind, _back(clauses, at), _over_concession(clauses, at) - 1, (at, until))
        if ends is not None:
            yield Claimed(kind, ends + 1, last, (at, until))


def _view(clauses: Clauses, at: int, until: int) -> bool:
    """True if an adjunct names somebody's opinion ("in the eyes of the owner", "in her view")."""
    view = next((k for k in range(at + 2, min(at + 4, until + 1)) if clauses.words[k] in cues().words["views"]), None)
    owned = view is not None and clauses.words[at + 1] in {"his", "her", "their", "its", "my"}
    return clauses.words[at] in {"in", "from", "to", "by"} and view is not None and (owned or clauses.at(view + 1) == "of")


def comment_kind(clauses: Clauses) -> str:
    """The kind that a sentence gives the one before it ("This is not true."), or nothing."""
    held, end = cues(), len(clauses) - 1
    word, follows = clauses.at(0), clauses.at(1)
    if end > _COMMENT or ":" in clauses.words:
        return ""
    if _nothing_of_it(clauses, 0, end):
        return "denied"
    about = follows in held.words["rule"] | held.words["text"] | held.words["telling"]
    plain = follows in held.words["be"] | held.words["auxiliaries"]
    if (word in {"this", "that"} and (about or plain)) or (word == "so" and follows in {"much", "the", "says"}):
        return dismissal(clauses, 1, end)
    return ""


def _introduced(clauses: Clauses) -> Iterator[Claimed]:
    """What a few words in front of a colon judge or ascribe ("The following is untrue: S")."""
    colon = next((k for k, word in enumerate(clauses.words[: _REMARK + 2]) if word == ":"), 0)
    spaced = clauses.text[clauses.spans[colon][1] : clauses.spans[colon][1] + 1].isspace()
    if colon > 1 and spaced and colon + 2 < len(clauses) and (kind := dismissal(clauses, 0, colon - 1)):
        yield Claimed(kind, colon + 1, len(clauses) - 1, (0, colon))


def _over_concession(clauses: Clauses, at: int) -> int:
    """The first of the words that make an adjunct a concession ("at least in the version of May")."""
    while at > 1 and clauses.words[at - 1] in cues().words["conceding"]:
        at -= 1
    return at


def _back(clauses: Clauses, at: int) -> int:
    """The first token behind the last semicolon before a token: what a comment on the whole speaks of."""
    return next((k + 1 for k in range(at - 2, -1, -1) if clauses.words[k] == ";"), 0)


def _comment(clauses: Clauses, at: int) -> Iterator[Claimed]:
    """A comment at the end of a sentence on what it just said."""
    held, mark, end = cues(), clauses.words[at - 1], len(clauses) - 1
    last = end - 1 if clauses.words[end] in {")", '"'} else end
    if last - at > _COMMENT:
        return
    begun = next((k for k in range(at, last + 1) if clauses.words[k] not in held.words["conceding"]), last)
    word, follows = clauses.words[begun], clauses.at(begun + 1)
    about = word in {"this", "that", "these", "such", "the", "both"} and follows in (
        held.words["text"] | held.words["telling"] | held.words["rule"]
    )
    plain = word in {"this", "that", "these", "all", "none", "which", "such"} and (
        follows in held.words["be"] | held.words["auxiliaries"] | held.words["adverbs"] or follows in {"of", "no"}
        or (follows == "," and mark not in {",", ":"})
    )
    loose = mark != ","
    told = word in {"so", "as"} and (loose or begun > at or clauses.at(at) == "or")
    short = mark in {"(", "\u2014", "\u2013", "-", "--"} and last - at <= _NEAR
    short |= mark == ":" and last - at <= 1
    turned = follows in {"opposite", "reverse", "contrary"} and clauses.at(begun + 2) in held.words["be"] | {"of"}
    about |= word == "the" and turned
    if loose and _nothing_of_it(clauses, begun, last):
        yield Claimed("denied", _back(clauses, at - 1), at - 2, (at, last))
        return
    if not (told or (loose and (about or plain or short)) or (mark == "," and (about or plain) and word != "which")):
        return
    kind = "denied" if turned else dismissal(clauses, begun, last)
    if not kind and clauses.words[at] == "or" and word == "so":
        kind = "alleged"
    if kind in {"alleged", "superseded"} and short and not (told or about or plain) and last - at > 3:
        kind = ""
    if kind:
        yield Claimed(kind, _back(clauses, at - 1), at - 2, (at, last))


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
        (k - 1 for k in range(at, min(end, at + _REMARK) + 1) if clauses.words[k] in _MARKS | {")"}),
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
    anonymous = speaks and not held.words["anonymous"].isdisjoint(
        stretch
    )
    told = stretch[0] == "so" and stretch[-1] in held.words["goes"]
    told |= stretch[:2] == ("or", "so")
    if stretch[0] == "contrary" and not held.words["actual"].isdisjoint(stretch):
        yield Claimed("denied", _back(clauses, at), at - 1, (at, last))
        yield Claimed("denied", last + 1, end, (at, last))
    if impersonal or trusting or anonymous or told:
        yield Claimed("alleged", _back(clauses, at), at - 1, (at, last))
        yield Claimed("alleged", last + 1, end, (at, last))


def _told_by_others(clauses: Clauses) -> Iterator[Claimed]:
    """What is only somebody's version: "S is what the leaflet falsely says", "The plaintiff's version is that S"."""
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
                yield Claimed(kind or "alleged", _back(clauses, at), at - 1, (at, end))


def _shaky_subject(clauses: Clauses) -> Iterator[Claimed]:
    """What a source that is not to be trusted says, with whatever verb ("An unsigned letter has it that S")."""
    for that in (k for k, word in enumerate(clauses.words) if word == "that"):
        first = clauses.first[that]
        verb = next((k for k in range(first, that) if clauses.words[k] in cues().words["auxiliaries"]), that)
        stop = min(verb, first + _NEAR)
        if that - first > _ADJUNCT or that - first < 3 or clauses.at(that + 1) in cues().words["auxiliaries"]:
            continue
        relative = clauses.words[that - 1] in cues().words["telling"] and that - first <= _OPENING
        if clauses.words[first] in {"someone", "somebody"}:
            yield Claimed("alleged", that + 1, len(clauses) - 1, (first, that))
        elif not relative and (kind := _text(clauses, first, stop - 1)):
            yield Claimed(kind, that + 1, len(clauses) - 1, (first, that))


def _dropped_clause(clauses: Clauses) -> Iterator[Claimed]:
    """A clause whose noun is dismissed at the end ("the sentence saying that S was struck out")."""
    held, end = cues(), len(clauses) - 1
    for at in range(end, max(3, end - _REMARK), -1):
        if clauses.words[at] not in held.words["be"] or clauses.words[at - 1] in held.words["be"]:
            continue
        that = next(
            (
                k
                for k in range(1, min(at, _ADJUNCT))
                if clauses.words[k] in {"that", "whereby"}
                or (clauses.words[k] == "which" and clauses.words[k - 1] in {"to", "under", "by"})
            ),
            None,
        )
        nouns = held.words["text"] | held.words["telling"] | held.words["rule"] | held.words["thinkers"]
        named = that and not nouns.isdisjoint(clauses.words[:that])
        if that and named and at > that + 2 and (kind := dismissal(clauses, at, end)):
            yield Claimed(kind, that + 1, at - 1, (at, end))
        return
