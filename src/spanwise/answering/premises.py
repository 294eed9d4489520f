"""Answers whose question rests on what the source denies: "Who left in 1971?", where all left in 1961."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import astuple, replace

from spanwise.contract.result import ANSWERED, Draft
from spanwise.domain.question import Question
from spanwise.guard.verify import verify
from spanwise.questions.premise import premise
from spanwise.store.port import Store
from spanwise.synthesis.extractive.answer import UNSURE, nothing
from spanwise.synthesis.extractive.features import NEGATION
from spanwise.text.framing.tense import asks_of_done, time_of, tokens
from spanwise.text.languages import ENGLISH
from spanwise.text.related import FORM, related
from spanwise.text.terms import stem, terms

_AFFIRMED = "The question denies what the source says."
_ONLY_PLANNED = "The source only plans what the question asks of as done."
_MOST_OF_IT = 0.6
"""Least share of a question's words in lines that say the same."""
_DENYING = re.compile(
    r"\b(?:not|never|no|nobody|nothing|none|cannot|without|neither|nor|except|exclu|forb[ia]d|prohibit|bann|refus|reject|lack"
    r"|fail|prevent|avoid|stop|free|clos|absent|missing|only|unless|instead|rather|other\s+than|un\w{4}|zero|0\b)|n['\u2019]t\b",
    re.IGNORECASE,
)
"""Signs that a text denies something or leaves something out."""


def on_its_premise(question: Question, draft: Draft, store: Store) -> Draft:
    """A draft as sure as its question allows: what the question says is checked like a claim against what answers it.

    Where the lines of every item contradict the question, a sure answer becomes a possible one, a possible one none;
    both say why. What is said to be so answers no question of what is not. An answer that only plans what the question
    says was done, or one to a question with another word than was asked, is not sure either.
    """
    if not draft.answer.answer_found or draft.answer.conflicting_evidence:
        return draft
    cited = [
        "\n".join(line.text for place in places for line in store.lines(*astuple(place))) for places in draft.places
    ]
    affirmed, sure = _affirmed(question, cited), draft.relevance >= ANSWERED
    denial = [_AFFIRMED] if affirmed else _denial(question, cited)
    planned = [_ONLY_PLANNED] if sure and not denial and _only_planned(question, cited) else []
    caveats = [*draft.answer.caveats, *denial, *planned]
    if affirmed or (denial and not sure):
        none = nothing(question, None, (), draft.lacking)
        return replace(none, nearest=draft.nearest, answer=none.answer.model_copy(update={"caveats": caveats}))
    if not sure or not (denial or planned or _perhaps_another_word(question)):
        return draft
    answer = draft.answer.model_copy(update={"caveats": caveats, "confidence": min(draft.answer.confidence, UNSURE)})
    return replace(draft, answer=answer, relevance=UNSURE, possible=True)


def _affirmed(question: Question, cited: Sequence[str]) -> bool:
    """True if the lines of each item say of what the question denies that it is so: "What does it not contain?"."""
    said = premise(question.text)
    if said is None or not NEGATION.search(said) or not question.stems:
        return False
    least = _MOST_OF_IT * len(question.stems)
    return all(
        not _DENYING.search(text) and len(set(question.stems).intersection(terms(text))) >= least for text in cited
    )


def _only_planned(question: Question, cited: Sequence[str]) -> bool:
    """True if the lines of each item only plan what the question says was done ("Who mended it?", "will be mended")."""
    if question.language != ENGLISH or not asks_of_done(question.text):
        return False
    forms = {form for one in question.stems for form, share in related(one).items() if share >= FORM}
    return all(_plans(text, forms.union(question.stems)) for text in cited)


def _plans(text: str, stems: Collection[str]) -> bool:
    words = tokens(text)
    times = {time_of(words, at) for at, word in enumerate(words) if stem(word) in stems}
    return "planned" in times and "done" not in times


def _denial(question: Question, cited: Sequence[str]) -> list[str]:
    """Why the lines of each item contradict the question, in a sentence; nothing where those of one do not."""
    said = premise(question.text, question.language)
    if said is None:
        return []
    told: list[str] = []
    for text in cited:
        told.append(_denied(said, text))
        if not told[-1]:
            return []  # most often the first one: the others need no look
    return told[:1]


def _perhaps_another_word(question: Question) -> bool:
    """True if a word was corrected by a letter in another's place: nitrite may be nitrate misspelled, or nitrite."""
    return any(
        len(written) == len(meant) and sorted(written.lower()) != sorted(meant.lower())
        for written, meant in question.corrections.items()
    )


def _denied(said: str, text: str) -> str:
    """Why a text contradicts a statement, in words; nothing where it does not.

    "The late payment fee" and "balances that are not paid" are no denial: only what itself denies something is denied
    by what says it.
    """
    found = verify(said, [text])
    denying = [one for one in found.findings if one.denies and one.claim == 0]
    if not any(one.at != (0, len(said)) or NEGATION.search(said) for one in denying):
        return ""
    told = found.claims[0].reason.replace("the answer", "the question", 1)
    return f"{told[0].upper()}{told[1:]}."
