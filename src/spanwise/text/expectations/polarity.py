"""Yes or no, where a sentence states or denies exactly what a question asks; anything else is neither.

Whoever answers and whoever checks the answer use this one rule. `denials` knows the words that deny in any language but
English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from spanwise.text.framing.frames import Frame, frames, holds_most, is_over, unasked
from spanwise.text.languages.data import languages
from spanwise.text.patterns import AUXILIARIES, lazy_pattern
from spanwise.text.related import is_filler, related
from spanwise.text.terms import terms

# Its first letters as a set: the search for them passes over everything else at once.
NEGATION = lazy_pattern(
    r"[ncwupfNCWUPF](?:(?<=\b[nN])(?i:ot|ever|either|or|o|one|othing|obody)\b|(?<=\b[cC])(?i:annot)\b"
    r"|(?<=\b[wW])(?i:ithout)\b|(?<=\b[uU])(?i:nable)\b|(?<=\b[pP])(?i:rohibited)\b|(?<=\b[fF])(?i:orbidden)\b"
    r"|(?<=[nN])['\u2019][tT]\b)"
)
_BREAK = lazy_pattern(
    r"[;:]|\b(?:but|however|although|though|whereas|while|except|unless|provided|because|since|if|which|so\s+that"
    r"|in\s+order\s+to|with\s+the(?:\s+possible)?\s+exception)\b",
    re.IGNORECASE,
)
_CONDITION = lazy_pattern(r"\b(?:if|unless|except|provided\s+that|to\s+the\s+extent|until|without)\b", re.IGNORECASE)
_ASKS = lazy_pattern(rf"^\W*(?P<verb>am|{AUXILIARIES})(?:n['\u2019]t)?\s", re.IGNORECASE)
_ANYBODY = lazy_pattern(
    r"^\W*\w+\s+(?:there\s+)?(?:any|any\s*(?:body|one|thing)|some\s*(?:body|one|thing))\s", re.IGNORECASE
)
"""A question whether there is anybody of whom something holds."""
_NOBODY = lazy_pattern(
    r"(?:^|[,;:.]|\b(?:and|but|that))\W*(?:nobody|no\s+one|none|nothing)\s+(?P<said>[^,;:.!?]{1,200})",
    re.IGNORECASE,
)
_SCOPE = lazy_pattern(
    r"\s(?:under|of|for|in|within|on|with|by|to|according\s+to|during)\s+(?:(?!\s(?:under|of|in)\s).)+$"
)
_INTENDED = lazy_pattern(
    r"\b(?:motions?|proposals?|proposed|proposes|plans?|planned|intends?|intended|requests?|requested|applied|agreed?\s+in"
    r"\s+principle)\s+(?:to|that)\b",
    re.IGNORECASE,
)
"""What is meant to be so, and may not be."""
_STRENGTH = {
    **dict.fromkeys(("must", "shall"), "duty"),
    **dict.fromkeys(("can", "could", "may"), "option"),
    "should": "advice",
}
_SAID = {
    "duty": re.compile(r"\b(?:must|shall|requir\w+|obligat\w+|will)\b", re.IGNORECASE),
    "option": re.compile(
        r"\b(?:can(?:not)?|could|may|able|unable|permitt\w+|allow\w+|entitled|right|will|shall|must)\b"
    ),
    "advice": re.compile(r"\b(?:should|recommend\w*|must|shall)\b", re.IGNORECASE),
}
_PAST = frozenset(["was", "were", "did", "had"])
_TURNS = lazy_pattern(r"\b(?:without|unable|prohibited|forbidden|not\s+un\w+)\b", re.IGNORECASE)
"""Denials that undo another one ("cannot be used without"), unlike "not ... nor"."""
_LIMITS = lazy_pattern(r"\b(?:only|solely|exclusively|merely|other\s+than)\b", re.IGNORECASE)
_ALL = lazy_pattern(r"\b(?:all|every|always|entirely)\b", re.IGNORECASE)
_HEDGE = lazy_pattern(r"\b(?:may|might|could|possibly|perhaps|sometimes|some)\b", re.IGNORECASE)
_NO_DENIAL = lazy_pattern(
    r"\b(?:no|not)\s+(?:later|more|less|fewer|earlier|only|limited)\b|\bwhether\s+or\s+not\b", re.IGNORECASE
)
_PLAIN = lazy_pattern(r"[^\W\d_]+(?:['\u2019]t)?")
_FALSE = frozenset(
    ["false", "untrue", "incorrect", "wrong", "myth", "misconception", "fallacy", "falsehood", "fiction"]
)
_DENYING = frozenset(["not", "isn't", "isn\u2019t"])
_TRUE = frozenset(["true", "correct", "right", "accurate", "case"])
_VERDICT = frozenset(
    "it is was a an the that simply plainly common popular claim idea notion belief statement assertion view story"
    " rumour rumor".split()
)
"""Words of a sentence that does nothing but judge another clause."""
CORE = 0.7
"""Share of the question's core words that one clause has to have; what stands before it has the rest."""
_FEWEST = 2
_LONGEST_SENTENCE = 2000
_LONGEST_SCOPE = 120


def asks_yes_or_no(question: str) -> bool:
    """True if the question opens like one that yes or no answers, and offers no alternatives."""
    return bool(_ASKS.match(question)) and not re.search(r"\bor\b", question)


def intends(sentence: str, question: str) -> bool:
    """True if a sentence speaks of a motion, a plan or a wish, and the question of what became of it."""
    return _INTENDED.search(sentence) is not None and _INTENDED.search(question) is None


def scope_words(question: str) -> tuple[str, ...]:
    """Stems of the phrase at the end that says where or of what ("under IaaS"); the text around may say them."""
    trailing = _SCOPE.search(question[-_LONGEST_SCOPE:].rstrip(" ?.!"))
    return tuple(terms(trailing.group())) if trailing else ()


def polarity(question: str, sentence: str) -> bool | None:
    """True where the sentence states what is asked, False where it denies it, None where it does neither explicitly.

    The sentence must have all words of the question but those of its scope, nearly all of them in one clause, say it
    as firmly as the question asks ("must", "may"), and hang on no condition that the question does not name. What it
    says in a frame (an opinion, a question, an order) it does not state; what it calls false it denies.
    """
    asks = _ASKS.match(question)
    if asks is None or not asks_yes_or_no(question) or len(sentence) > _LONGEST_SENTENCE or NEGATION.search(question):
        return None  # "Isn't it?" is answered with yes by some and with no by others
    if _ANYBODY.match(question) and _of_nobody(question, sentence):
        return False
    core = _core(question)
    over = [one for one in frames(sentence) if is_over(one, sentence)]
    framed = [one for one in unasked(sentence, question) if one not in over and holds_most([one], sentence, core)]
    if framed:
        return False if _calls_false(framed, question, sentence) else None
    clause = None if intends(sentence, question) else _clause(core, sentence)
    if clause is None or not _as_firm(asks["verb"].lower(), clause) or (over and asks["verb"].lower() in _PAST):
        return None  # what is no longer so once was
    # "only technical information" is another claim than "technical information".
    limited = _found(_LIMITS, question) != _found(_LIMITS, sentence) or _found(_ALL, question) - _found(_ALL, sentence)
    if limited or (_CONDITION.search(sentence) and not _CONDITION.search(question)):
        return None
    said = _NO_DENIAL.sub(" ", _before_last(clause, core, asks["verb"].lower()))
    denials = len(NEGATION.findall(said))
    return None if denials > 1 and _TURNS.search(said) else not denials


def _of_nobody(question: str, sentence: str) -> bool:
    """True if a sentence says of nobody what is asked of anybody, in its words or related ones, and nothing else.

    "Nobody was hurt" says it for "Was anybody injured?"; "nobody was hurt seriously" is another claim.
    """
    asked = {one for one in terms(question) if not is_filler(one)}
    core = asked & _core(question)
    meant = asked.union(*map(related, core))
    clauses = [set(terms(found["said"])) for found in _NOBODY.finditer(sentence)]
    said = any(clause <= meant and all(clause & {one, *related(one)} for one in core) for clause in clauses)
    return bool(core) and said and not _CONDITION.search(sentence) and not unasked(sentence, question)


def _calls_false(framed: Sequence[Frame], question: str, sentence: str) -> bool:
    """True if a sentence does nothing but call false what is asked ("It is not true that S", "Myth: S")."""
    if len({(one.start, one.end, one.kind) for one in framed}) > 1 or framed[0].kind != "denied":
        return False
    start, end = framed[0].start, framed[0].end
    rest = _PLAIN.findall(sentence[:start].lower() + " " + sentence[end:].lower())
    turns = sum(word in _FALSE for word in rest) + sum(word in _DENYING for word in rest)
    true = sum(word in _TRUE for word in rest)
    plain = all(word in _FALSE | _DENYING | _TRUE | _VERDICT for word in rest)
    return (
        plain
        and turns == 1
        and true == sum(word in _DENYING for word in rest)
        and bool(polarity(question, sentence[start:end]))
    )


def _found(pattern: re.Pattern[str], text: str) -> set[str]:
    return {" ".join(found.lower().split()) for found in pattern.findall(text)}


def _clause(core: frozenset[str], sentence: str) -> str | None:
    """The one clause that speaks of the core; what its subject is may stand in the clauses before it."""
    if len(core) < _FEWEST:
        return None
    clauses = [clause for clause in _BREAK.split(sentence) if clause.strip()]
    shares = [len(core.intersection(terms(clause))) / len(core) for clause in clauses]
    best = max(shares, default=0.0)
    if best < CORE or shares.count(best) > 1:
        return None
    at = shares.index(best)
    return clauses[at] if core <= set(terms(" ".join(clauses[: at + 1]))) else None


def _core(question: str) -> frozenset[str]:
    """The words that the sentence itself must say: all but the scope, or all when nothing else is left."""
    words = frozenset(terms(question))
    rest = words - frozenset(scope_words(question))
    return rest if len(rest) >= _FEWEST else words


def _as_firm(verb: str, clause: str) -> bool:
    """True if a clause says duty, option or fact as the question asks for it."""
    wanted = _STRENGTH.get(verb)
    if wanted is None:
        return not _HEDGE.search(clause) or verb in ("will", "would")
    return bool(_SAID[wanted].search(clause))


def _before_last(clause: str, core: frozenset[str], verb: str) -> str:
    """The clause up to the last word that the question has: what comes after denies something else.

    What says whether it is allowed or required may come after ("Votes by proxy are not allowed").
    """
    words = re.finditer(r"[\w'\u2019-]+", clause)
    end = max((word.end() for word in words if core.intersection(terms(word.group()))), default=0)
    wanted = _STRENGTH.get(verb)
    firm = _SAID[wanted].search(clause) if wanted is not None else None
    return clause[: max(end, firm.end() if firm is not None else 0)]


_OTHER_WORD = re.compile("[^\\s'\u2019\"\u00ab\u00bb\u201c\u201d\u201e.,;:!?()\\[\\]|/\u0964\u061f\u060c\u061b]+")
_UNSPACED = frozenset(["zh", "ja", "ko", "th"])
_LONGEST_TEXT = 4000
"""Characters of a text that are looked at."""
_MOST_DENIALS = 100


class _Words(NamedTuple):
    whole: frozenset[str]
    beginnings: tuple[str, ...]
    endings: tuple[str, ...]

    def has(self, word: str) -> bool:
        """True if a word is one of them."""
        return word in self.whole or word.startswith(self.beginnings) or word.endswith(self.endings)


@lru_cache(maxsize=1024)
def denials(text: str, language: str) -> tuple[tuple[int, int], ...]:
    """Where the words of a text stand that deny, in order; none in a language of which none is known."""
    lower = text[:_LONGEST_TEXT].lower()
    if len(lower) != len(text[:_LONGEST_TEXT]):  # "İ" has two characters in lower case
        lower = "".join(letter.lower()[:1] for letter in text[:_LONGEST_TEXT])
    if language in _UNSPACED:
        denying, other = _denying_signs(language)
        plain = other.sub(lambda match: " " * len(match[0]), lower) if other else lower
        return tuple(match.span() for match in islice(denying.finditer(plain), _MOST_DENIALS))
    denies, harmless = _denying(language)
    words = (word.span() for word in _OTHER_WORD.finditer(lower) if denies.has(word[0]) and not harmless.has(word[0]))
    return tuple(islice(words, _MOST_DENIALS))


@cache
def _denying(language: str) -> tuple[_Words, _Words]:
    known = languages().get(language)
    return (_sorted(known.negations), _sorted(known.not_negations)) if known else (_sorted(frozenset()),) * 2


def _sorted(listed: frozenset[str]) -> _Words:
    return _Words(
        frozenset(word for word in listed if "*" not in word),
        tuple(sorted(word[:-1] for word in listed if word.endswith("*"))),
        tuple(sorted(word[1:] for word in listed if word.startswith("*"))),
    )


@cache
def _denying_signs(language: str) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    known = languages()[language]
    denying, other = (
        "|".join(re.escape(word).replace("_", "\\s") for word in sorted(listed, key=lambda word: (-len(word), word)))
        for listed in (known.negations, known.not_negations)
    )
    return re.compile(denying), re.compile(other) if other else None
