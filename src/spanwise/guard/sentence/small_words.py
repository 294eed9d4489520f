"""Small words that decide what a sentence says: auxiliaries, negations, parties, and words of one meaning."""

from __future__ import annotations

import re
from functools import cache

from spanwise.text.terms import stem

BE = frozenset(["is", "are", "was", "were", "be", "been", "being"])
AUXILIARIES = BE | frozenset(
    "shall must will may can should would could has have had agrees agree does do cannot".split()
)
NEGATORS = frozenset(["not", "no", "never", "neither", "nor", "cannot", "without", "none", "non"])
"""Words that turn what follows into its opposite, besides those that end with "n't"."""
ROLES = frozenset(
    [
        *("client", "customer", "vendor", "supplier", "provider", "contractor", "subcontractor", "company", "buyer"),
        *("seller", "purchaser", "licensor", "licensee", "lessor", "lessee", "landlord", "tenant", "employer"),
        *("employee", "borrower", "lender", "bank", "insurer", "insured", "consultant", "owner", "agent"),
        *("distributor", "franchisor", "franchisee", "assignor", "assignee", "guarantor", "sponsor"),
    ]
)
"""Names of roles in contracts."""
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


_MAY_NEGATE = re.compile(rf"(?<![a-z])(?:{'|'.join(sorted(NEGATORS))})(?![a-z])|n't", re.IGNORECASE | re.ASCII)


def may_negate(text: str) -> bool:
    """True unless no word of a text can be a negation: a look at it instead of at its words."""
    return not text.isascii() or _MAY_NEGATE.search(text) is not None


def is_negation(token: str) -> bool:
    """True if this lower-case word turns what follows into its opposite."""
    return token in NEGATORS or token.endswith("n't")


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
