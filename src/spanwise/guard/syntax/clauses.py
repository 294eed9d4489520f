"""A sentence cut into its clauses: what is done, who does it, to what, and how.

A shallow parser by rules: verb groups are found from a list of English verbs and the words around them, noun phrases
are what lies between, and each clause gets the phrases that a reader would give it. It needs no treebank, takes time
linear in the words, and is cautious: what it cannot tell it leaves open (a pronoun, a subject of two readings).
Chunks before clauses: Abney, "Parsing by Chunks" (1991).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from spanwise.guard.sentence import words_of
from spanwise.guard.syntax.groups import Group, contracted, is_verb_in_phrase, verb_group
from spanwise.guard.syntax.lexicon import word_class
from spanwise.guard.syntax.reading import Clause, Phrase, Reading

LONGEST = 90
"""Words of a sentence; a longer one is not parsed."""
_STEM = 4
"""Letters by which a noun is known again: "two puffs in the morning and one puff at night"."""
_ANEW = frozenset(["a", "an"])
_GAPPED = 2
"""Phrases at least of a clause without its verb."""


@lru_cache(maxsize=4096)
def clauses_of(text: str) -> tuple[Clause, ...]:
    """The clauses of an English sentence, in the order of their verbs; none of one with more words than `LONGEST`."""
    words = words_of(text)
    if not 1 < len(words) <= LONGEST:
        return ()
    found = _Parser(Reading(words, text)).parsed()
    if all(clause.kind != "finite" for clause in found):  # a sentence has a verb, though it may look like a noun
        found = _Parser(Reading(words, text, eager=True)).parsed()
    return tuple(found)


class _Parser:
    """One pass over the words."""

    def __init__(self, reading: Reading) -> None:
        self.state = reading
        self.clauses: list[Clause] = []

    def parsed(self) -> list[Clause]:
        """The clauses."""
        at = 0
        while at < len(self.state.words):
            at = self._step(at)
        self._gapped()
        for clause in self.clauses:
            shared = {one.first for one in clause.obliques}
            if all(one.first in shared for one in clause.objects):  # "pays for transport and insurance"
                clause.objects = []
        return self.clauses

    def _step(self, at: int) -> int:
        state = self.state
        if at and state.breaks[at]:
            self._break(state.breaks[at])
        if contracted(state.plain[at]):
            self._add(Phrase(at, at + 1, at))
        group = verb_group(state, at)
        if group is not None:
            self._verb(group)
            return group.end
        if state.plain[at : at + 3] == ["as", "well", "as"]:
            state.bound("and")
            return at + 3
        if self._joint(at):
            return at + 1
        phrase = self._phrase(at)
        if phrase is not None:
            self._add(phrase)
        return at + 1 if phrase is None else phrase.last

    def _joint(self, at: int) -> bool:
        """True if a word joins clauses or phrases, which is then noted."""
        state = self.state
        if not state.known[at].classes:
            return False
        if state.is_a(at, "coordinator"):
            self._gapped()
            state.bound(state.plain[at])
        elif state.is_a(at, "relative") and self._relates(at):
            self._relative()
        elif state.plain[at + 1 : at + 2] == ["of"] and state.is_a(
            at, "opening", "adverb"
        ):  # "because of", "instead of"
            state.preposition = state.plain[at]
        elif (
            state.is_a(at, "opening")
            or (state.is_a(at, "either") and not state.is_figure(at + 1) and state.clause_follows(at))
            or (state.plain[at] == "that" and self._completes(at))
        ):
            self._open(state.plain[at])
        elif state.is_a(at, "preposition", "either"):
            if state.plain[at] != "of" or not state.preposition:
                state.preposition = state.plain[at]
        else:
            return False
        return True

    def _break(self, kind: str) -> None:
        state = self.state
        self._gapped()
        state.bound(kind)
        if kind == ";":
            state.current, state.front, state.waiting, state.antecedents, state.connective = None, [], [], [], ""

    def _gapped(self) -> None:
        """A clause whose verb is left out, since the one before it has it: "..., the registrar for the borrower"."""
        state, current = self.state, self.state.current
        if current is None or not state.boundary or len(state.since) < _GAPPED or state.since[0].preposition:
            return
        thing, *others = state.since
        given = {one.first for one in state.since}
        before = {one.preposition for one in current.obliques if one.first not in given}
        figure = any(word.number for word in state.words[others[0].first : others[0].last])
        timed = [one for one in current.obliques if one.first not in given and state.is_a(one.head, "time")]
        alike = others[0].preposition in before or (bool(timed) and state.is_a(others[0].head, "time"))
        counted = any(word.number for word in state.words[thing.first : thing.last])
        again = counted and any(
            state.plain[one.head][:_STEM] == state.plain[thing.head][:_STEM] for one in current.objects if one != thing
        )
        definite = state.words[thing.first].initial or state.plain[thing.first] == "the"
        other = (
            current.passive and definite and state.boundary == "," and not thing.preposition
        )  # "one is given with food, the other without"
        # "men a dark suit": two phrases side by side are no list, where the second begins anew.
        beside = (
            state.boundary == ","
            and state.plain[others[0].first] in _ANEW
            and all(one.preposition for one in others[1:])
        )
        parallel = alike or again or other if others[0].preposition else figure or beside
        if state.is_a(thing.head, "time") or not parallel:
            return
        for slot in (current.objects, current.obliques):
            slot[:] = [one for one in slot if one.first not in given]
        clause = replace(current, subjects=list(current.subjects), objects=[], obliques=[])
        clause.obliques = [one for one in others if one.preposition]
        if not others[0].preposition:  # "petrol 1.80 euros"
            clause.subjects, clause.objects = [thing], [one for one in others if not one.preposition]
        elif current.objects and not current.passive:
            clause.objects = [thing]
        else:
            clause.subjects = [thing]
        self.clauses.append(clause)
        state.since = []

    def _relates(self, at: int) -> bool:
        """True if "who", "which" or "that" opens a relative clause on the phrase before it."""
        state = self.state
        if state.last is None:
            return False
        if state.plain[at] != "that":
            return True
        told = state.current is not None and state.current.lemma in word_class("reporting") and not state.since
        behind = state.last.last == at and not state.breaks[at] and not told
        verb = state.past_adverbs(at + 1)
        plain = bool(state.form(verb, "s", "past", "base")) and not state.is_a(verb, "determiner")
        return behind and (plain or state.is_auxiliary(verb) or state.clause_follows(at))

    def _completes(self, at: int) -> bool:
        """True if "that" opens what is said or thought, or a result ("so that")."""
        state = self.state
        if state.breaks[at]:
            return False
        if at and state.plain[at - 1] == "so":
            return True
        return state.current is not None and (state.last is None or state.last.last < at or state.clause_follows(at))

    def _open(self, word: str) -> None:
        """A clause with a connective begins."""
        state = self.state
        self._gapped()
        self._interrupt()
        state.boundary, state.connective, state.antecedents = "sub", word, []

    def _relative(self) -> None:
        state = self.state
        last, inner, current = state.last, state.inner, state.current
        joined = state.boundary in word_class("coordinator")
        self._interrupt()
        own = [one._replace(preposition="") for one in (last, inner) if one is not None]
        if current is not None and last in current.objects:
            # "an aroma and a flavour that ...", "a clause is a part that ..."
            own += [one for one in current.objects if joined and one != last]
            own += current.subjects if current.lemma == "be" else []
        state.boundary, state.connective, state.antecedents = "rel", "", own

    def _interrupt(self) -> None:
        """What has no verb yet waits until the clause that begins has ended."""
        state = self.state
        if state.current is not None:
            state.main = state.current
        elif state.front:
            state.waiting.append((state.front, state.connective))
        state.current, state.front, state.since, state.preposition = None, [], [], ""

    # ---- phrases

    def _phrase(self, at: int) -> Phrase | None:
        """The noun phrase that begins at a word."""
        state = self.state
        if state.is_a(at, "pronoun") or self._stands_alone(at):
            return Phrase(at, at + 1, at, state.preposition)
        place, head = at, -1
        while place < len(state.words) and (place == at or not state.breaks[place]):
            if self._ends_phrase(at, place, head):
                break
            if not state.is_a(place, "determiner") and not state.is_adverb(place):
                head = place
            place += 1
        return Phrase(at, place, head, state.preposition) if head >= 0 else None

    def _stands_alone(self, at: int) -> bool:
        """True if a determiner has no noun: "any", "this is", "those bought"."""
        state = self.state
        if not state.is_a(at, "determiner") or state.plain[at] in ("the", "a", "an"):
            return False
        if state.ends(at + 1) or state.is_closed(at + 1):
            return True
        return state.is_a(at, "pointing") and bool(state.form(at + 1, "s", "past"))

    def _ends_phrase(self, first: int, place: int, head: int) -> bool:
        state = self.state
        if state.is_a(place, "determiner"):
            return head >= 0 or (place > first and not state.is_a(place - 1, "determiner"))
        if state.is_closed(place) or (state.is_a(place, "pronoun") and state.plain[place] != "one"):
            return True
        if state.plain[place] in ("not", "never"):
            return True
        if head >= 0 and state.words[place].number and not state.words[head].initial:
            return not state.ends(place + 1) and not state.is_closed(place + 1)  # "petrol 1.80 euros"
        return head >= 0 and (state.is_adverb(place) or is_verb_in_phrase(state, first, place, head))

    def _add(self, phrase: Phrase) -> None:
        """A phrase goes to the clause whose verb has been read, or waits for its verb."""
        state, before = self.state, self.state.last
        behind = before is not None and before.last == phrase.first
        if before is not None and phrase.preposition == "of" and before.last == phrase.first - 1:
            self._extend(before, before._replace(last=phrase.last), phrase._replace(preposition=""))
            return
        if before is not None and phrase.preposition and (behind or before.last == phrase.first - 1):
            phrase = phrase._replace(beside=before.head)
        joint = state.words[before.last : phrase.first] if before is not None else ()
        shares = before is not None and before.preposition and len(joint) in (1, 3) and not state.since
        if before is not None and shares and not phrase.preposition and state.boundary in ("and", "or"):
            shared = phrase._replace(preposition=before.preposition)
            if state.current is not None:
                state.current.obliques.append(shared)
            elif state.has_subject:
                phrase = shared
        state.preposition, state.last, state.inner = "", phrase, None
        if self._is_excepted(phrase):
            return
        state.since.append(phrase)
        if state.current is None:
            state.front.append(phrase)
        else:
            (state.current.obliques if phrase.preposition else state.current.objects).append(phrase)

    def _is_excepted(self, phrase: Phrase) -> bool:
        """True if a phrase is what the clause does not say: "sell single tickets, but not day tickets"."""
        state, current = self.state, self.state.current
        before = phrase.first - 1
        if phrase.preposition and state.plain[before] == phrase.preposition:  # "on the coach, but not in the mine"
            before -= 1
        if current is None or before < 0 or state.plain[before] not in ("not", "never") or not state.boundary:
            return False
        denied = replace(current, subjects=list(current.subjects), objects=[], obliques=[], negated=not current.negated)
        if phrase.preposition:
            denied.obliques = [phrase]
        elif current.objects:
            denied.objects = [phrase]
        else:
            denied.subjects = [phrase]
        self.clauses.append(denied)
        return True

    def _extend(self, old: Phrase, new: Phrase, inner: Phrase) -> None:
        """A phrase goes on: "copies" is "copies of the catalogue"."""
        state = self.state
        slots = [state.front, state.since]
        if state.current is not None:
            slots += [state.current.objects, state.current.obliques]
        for slot in slots:
            slot[:] = [new if one == old else one for one in slot]
        state.last, state.inner, state.preposition = new, inner, ""

    # ---- clauses

    def _verb(self, group: Group) -> None:
        state, before = self.state, self.state.current
        clause = Clause(*group[1:7], modal=group.modal, past=group.past)
        if group.kind == "finite" and group.unsure and self._is_reduced(group, before):
            clause.kind, clause.passive = "part", True
        clause.connective = state.connective
        if clause.kind == "ing" and state.preposition in word_class("either"):  # "after hearing the coach"
            clause.connective = state.preposition
        if clause.kind == "finite":
            self._finite(clause, before)
        else:
            self._nonfinite(clause, before)
        self.clauses.append(clause)
        state.current, state.front, state.since, state.antecedents = clause, [], [], []
        state.boundary, state.connective, state.preposition, state.earlier = "", "", "", []

    def _is_reduced(self, group: Group, before: Clause | None) -> bool:
        """True if a form of past and participle rather describes the noun before it ("tickets sold on board are")."""
        state = self.state
        if state.antecedents:
            return False
        if state.plain[group.verb - 1 : group.verb] == ["not"]:  # "a balance not paid": a past has "did not pay"
            return True
        if (state.connective and not state.front) or (before is not None and not state.boundary):
            return True
        if before is not None and state.boundary == ",":  # "..., founded in 1887"
            return not (state.has_subject or self._apposed() or state.opens_object(group.end))
        by = state.plain[group.end : group.end + 1] == ["by"]
        return state.finite_ahead(group.end) or (by and before is not None and not state.since)

    def _finite(self, clause: Clause, before: Clause | None) -> None:
        state = self.state
        if state.connective:
            clause.parent = state.main
        if state.antecedents:
            self._in_relative(clause)
        elif before is None:
            self._first_verb(clause)
        else:
            self._next_verb(clause, before)
        last = self.clauses[-1] if self.clauses else None
        if last is not None and last.connective and last.parent is None and not clause.connective:
            last.parent = clause

    def _in_relative(self, clause: Clause) -> None:
        state = self.state
        clause.parent = state.main
        if any(not one.preposition for one in state.front):
            self._take(clause, state.front)
            clause.objects += state.antecedents[:1]
        else:
            clause.subjects = list(state.antecedents)
            clause.obliques += state.front

    def _first_verb(self, clause: Clause) -> None:
        state = self.state
        if state.front:
            self._take(clause, state.front)
        elif state.waiting:
            front, clause.connective = state.waiting.pop()
            self._take(clause, front)
        elif self.clauses and state.boundary not in ("", ";"):
            clause.subjects = list(self.clauses[-1].subjects)

    def _next_verb(self, clause: Clause, before: Clause) -> None:
        """A verb behind another one: of a clause that was interrupted, of a new subject, or of the same."""
        state = self.state
        if state.boundary == "," and not state.since:
            state.since = self._apposed()
        bare = [one for one in state.since if not one.preposition]
        joined = state.boundary in word_class("coordinator")
        if state.waiting and not joined and (not bare or state.boundary != ","):
            front, clause.connective = state.waiting.pop()
            self._take(clause, front)
            return
        taken = state.since[state.since.index(bare[-1]) :] if bare and not state.boundary else state.since
        given = {one.first for one in taken}
        for slot in (before.objects, before.obliques):
            slot[:] = [one for one in slot if one.first not in given]
        self._take(clause, taken)
        if not bare:
            outer = before.parent.subjects if before.parent is not None and joined else []
            clause.subjects = list(dict.fromkeys([*before.subjects, *outer]))

    def _apposed(self) -> list[Phrase]:
        """The subject before a comma with its other name: "..., and the sexton, Bram Klaas, repaired it"."""
        if len(self.state.earlier) < _GAPPED:
            return []
        (joint, before), (comma, name) = self.state.earlier[-2:]
        named = comma == "," and len(name) == 1 and not name[0].preposition
        return [*before, *name] if named and joint in word_class("coordinator") else []

    def _nonfinite(self, clause: Clause, before: Clause | None) -> None:
        state = self.state
        nearest = [state.last._replace(preposition="")] if state.last is not None else []
        if before is None and state.front and not state.connective:
            state.waiting.append((state.front, ""))
            own = [one for one in state.front if not one.preposition] if clause.kind == "ing" else []
            clause.subjects = [] if clause.kind == "infinitive" else list(dict.fromkeys([*own, *nearest]))
            return
        outer = before if before is not None else state.main
        clause.parent = outer if before is not None or state.connective else None
        if before is not None and before.kind == clause.kind and state.boundary in word_class("coordinator"):
            clause.parent = before.parent
        if clause.kind == "part" and not state.connective and not state.boundary:
            clause.subjects = nearest
        elif outer is not None:
            # "..., bringing fresh meat", "before bringing it"
            attached = clause.kind == "ing" and (state.boundary == "," or bool(clause.connective))
            clause.subjects = list(outer.subjects) if attached else [*outer.subjects, *outer.objects]
            if clause.kind == "ing" and not attached:
                clause.subjects += nearest

    def _take(self, clause: Clause, phrases: Sequence[Phrase]) -> None:
        """Give a clause the phrases before its verb; one that is no time is its subject."""
        bare = [one for one in phrases if not one.preposition]
        clause.subjects = [one for one in bare if not self.state.is_a(one.head, "time")] or bare
        clause.obliques += [one for one in phrases if one.preposition]


def described(text: str) -> list[str]:
    """The clauses of a sentence in words, a line each: for a look, and for tests."""
    words = words_of(text)

    def told(phrases: Sequence[Phrase]) -> str:
        return " | ".join(
            " ".join(filter(None, [one.preposition, *(word.plain for word in words[one.first : one.last])]))
            for one in phrases
        )

    return [
        f"{clause.connective + ' ' if clause.connective else ''}{'not ' if clause.negated else ''}{clause.lemma}"
        f"{' passive' if clause.passive else ''}: "
        f"{told(clause.subjects)} > {told(clause.objects)} > {told(clause.obliques)}"
        for clause in clauses_of(text)
    ]
