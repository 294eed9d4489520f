"""A sentence as the rules of the judge see it: its words by meaning, figures, negations, names and periods."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from spanwise.guard.figures import Figure, figures
from spanwise.text.terms import STOPWORDS, stem

_TOKEN = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*|[.,;:!?()]")
CLAUSE_ENDS = frozenset(".,;:!?()")
MODALS = frozenset(["shall", "must", "will", "may", "can", "should", "would", "could"])
BE = frozenset(["is", "are", "was", "were", "be", "been", "being"])
AUXILIARIES = MODALS | BE | frozenset(["has", "have", "had", "agrees", "agree", "does", "do", "cannot"])
NEGATORS = frozenset(["not", "no", "never", "neither", "nor", "cannot", "without", "none", "non"])
"""Words that turn what follows into its opposite, besides those that end with "n't"."""
_LIMITS = frozenset(["later", "less", "more", "fewer", "only", "earlier", "exceed", "exceeding"])
_LIGHT = frozenset(
    ["required", "require", "obliged", "obligated", "allowed", "permitted", "entitled", "able", "event", "any", "way"]
)
DUTY = frozenset(["shall", "must", "required", "obliged", "obligated"])
PERMISSION = frozenset(["may", "can", "entitled", "permitted", "allowed"])
ROLES = frozenset(
    [
        *("client", "customer", "vendor", "supplier", "provider", "contractor", "subcontractor", "company", "buyer"),
        *("seller", "purchaser", "licensor", "licensee", "lessor", "lessee", "landlord", "tenant", "employer"),
        *("employee", "borrower", "lender", "bank", "insurer", "insured", "consultant", "owner", "agent"),
        *("distributor", "franchisor", "franchisee", "assignor", "assignee", "guarantor", "sponsor"),
    ]
)
"""What contracts call their parties."""
ANY_PARTY = frozenset(["party", "parties", "either", "both", "each", "neither"])
_ONE_MEANING = (
    ("pay", "pays", "paid", "payment", "payable"),
    ("fee", "charge", "charged", "penalty"),
    ("end", "terminate", "termination", "cancel"),
    ("agreement", "contract"),
    ("receive", "receipt"),
    ("notify", "notice", "inform", "tell"),
    ("keep", "retain", "hold", "held", "kept"),
    ("secret", "confidential", "confidentiality", "confidence"),
    ("late", "overdue"),
    ("own", "owns", "belong", "ownership"),
    ("begin", "start", "commence"),
    ("liable", "liability"),
    ("infringe", "infringement"),
    ("apply", "accrue", "bear", "bears"),
    ("send", "sent", "issue"),
    ("supply", "provide", "deliver", "delivery"),
)
_PERIODS = {
    **dict.fromkeys(("daily", "day"), "day"),
    **dict.fromkeys(("weekly", "week"), "week"),
    **dict.fromkeys(("monthly", "month"), "month"),
    **dict.fromkeys(("quarterly", "quarter"), "quarter"),
    **dict.fromkeys(("annually", "annual", "yearly", "year", "annum"), "year"),
}
_DEED_NOUNS = ("ment", "ments", "tion", "tions", "sion", "sions", "receipt")
_LOOK_AHEAD = 6
_NO_CONTENT = STOPWORDS | AUXILIARIES | CLAUSE_ENDS | NEGATORS
_NO_TURNED = _LIGHT | ROLES | ANY_PARTY


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence and what the rules see in it."""

    text: str
    tokens: tuple[str, ...]
    """Lower case, clause marks included."""
    capitalised: frozenset[str]
    names: frozenset[str]
    """Capitalised words besides the first, without the parties."""
    figures: tuple[Figure, ...]
    content: frozenset[str]
    """Stems of the content words, one stem for words of one meaning."""
    affirmed: frozenset[str]
    """Stems of the content words that no negation stands before."""
    negated: frozenset[str]
    """Stems of the others."""
    periods: frozenset[str]


def statement(text: str) -> Statement:
    """Read one sentence."""
    found = list(_TOKEN.finditer(text))
    tokens = tuple(_plain(match.group()) for match in found)
    amounts = tuple(figures(text))
    covered = {position for figure in amounts for position in range(figure.start, figure.end)}
    counted = [match.start() in covered for match in found] if covered else [False] * len(found)
    capitalised = [token for token, match in zip(tokens, found, strict=True) if match.group()[0].isupper()]
    negated_at = set(_negated_positions(tokens, counted))
    meant = [index for index, token in enumerate(tokens) if not counted[index] and _is_content(token)]
    return Statement(
        text=text,
        tokens=tokens,
        capitalised=frozenset(token for token in capitalised if token not in STOPWORDS),
        names=frozenset(_names(tokens, found, counted)),
        figures=amounts,
        content=frozenset(meaning(tokens[index]) for index in meant),
        affirmed=_said([tokens[index] for index in meant if index not in negated_at]),
        negated=_said([tokens[index] for index in meant if index in negated_at]),
        periods=frozenset(
            _PERIODS[token] for index, token in enumerate(tokens) if token in _PERIODS and not counted[index]
        ),
    )


def tokens_of(text: str) -> list[str]:
    """The tokens of a sentence as a `Statement` has them."""
    return [_plain(token) for token in _TOKEN.findall(text)]


def _plain(token: str) -> str:
    return token.lower().replace("\u2019", "'").removesuffix("'s")


def is_duty(item: Statement) -> bool:
    """Whether the sentence says what someone must, may or must not do."""
    return not (MODALS | DUTY | PERMISSION | {"agrees", "agree"}).isdisjoint(item.tokens)


def is_negation(token: str) -> bool:
    """Whether this lower-case word turns what follows into its opposite."""
    return token in NEGATORS or token.endswith("n't")


def _negated_positions(tokens: tuple[str, ...], counted: list[bool]) -> Iterator[int]:
    """Positions of the first word with a meaning of its own behind each negation."""
    for index, token in enumerate(tokens):
        if not is_negation(token) or not _LIMITS.isdisjoint(tokens[index + 1 : index + 2]):
            continue
        for ahead in range(index + 1, min(index + 1 + _LOOK_AHEAD, len(tokens))):
            word = tokens[ahead]
            if word in CLAUSE_ENDS:
                break
            if _is_content(word) and not counted[ahead] and word not in _NO_TURNED:
                yield ahead
                break


def _names(tokens: tuple[str, ...], found: list[re.Match[str]], counted: list[bool]) -> Iterator[str]:
    for index, (token, match) in enumerate(zip(tokens, found, strict=True)):
        inside = index > 0 and not counted[index] and tokens[index - 1] not in ".!?:"
        if inside and match.group()[0].isupper() and len(token) > 1 and _is_content(token) and token not in ROLES:
            yield token


def _is_content(token: str) -> bool:
    return token not in _NO_CONTENT and not token.endswith("n't")


def _said(tokens: Sequence[str]) -> frozenset[str]:
    """What a negation can turn around: the words themselves, and the meaning of those that are not nouns of a deed.

    "Payment is due" neither affirms nor denies that something "was not paid".
    """
    meanings = {meaning(token) for token in tokens if not token.endswith(_DEED_NOUNS)}
    return frozenset(meanings.union(map(stem, tokens)))


def meaning(token: str) -> str:
    """The stem of a lower-case word, or one stem for all words that mean the same."""
    if token in ROLES:
        return token  # a provider is somebody, whatever is provided
    root = stem(token)
    return _meanings().get(root, root)


# Made at first use: loading a stemmer takes longer than importing this package may.
@cache
def _meanings() -> dict[str, str]:
    return {stem(word): group[0] for group in _ONE_MEANING for word in group}
