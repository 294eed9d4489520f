"""What a line that ranks first lacks of an answer: a side, a cause, a value, a name; it is then shown with a mark."""

from __future__ import annotations

import re

from spanwise.domain.question import Question
from spanwise.synthesis.extractive.candidates import Candidate
from spanwise.synthesis.extractive.features import VERB
from spanwise.synthesis.extractive.span_tokens import asking
from spanwise.text.expectations.forms import expectation
from spanwise.text.expectations.polarity import NEGATION, intends
from spanwise.text.framing.frames import in_a_condition
from spanwise.text.languages import ENGLISH
from spanwise.text.related import implied, related
from spanwise.text.terms import terms

_YES_OR_NO = re.compile(r"\W*(?:yes|no)\b(?!\s+\w+\s+(?:is|are|may|can|must)\b)", re.IGNORECASE)
_WHICH = re.compile(r"\W*(?:(?:at|by|for|from|in|of|on|to|with)\s+)?which\b", re.IGNORECASE)


def tells_polarity(question: Question, best: Candidate) -> bool:
    """True if a sentence says or denies all that is asked: "Was it approved?" wants more than that it was proposed.

    "If diesel is still supplied, ..." says neither yes nor no, nor does a line that names a thing and has no verb: what
    is said of all things of its list stands elsewhere.
    """
    text = best.elements[0].text
    if best.kind == "definition" and best.sentence is None and _YES_OR_NO.match(text):
        return True  # what follows the same question; an item of a list ("No dogs") may begin so too
    named_only = not VERB.search(text) and expectation(question.text).held(text) < 1.0
    if named_only or in_a_condition(text, question.text) or intends(text, question.text):
        return False
    said = {*terms(f"{best.passage.section or ''} {text}", question.language)}
    lacking = [one for one in question.stems if one not in said and said.isdisjoint({*related(one), *implied(one)})]
    return not lacking or NEGATION.search(text) is not None


def lacks_the_value(question: Question, best: Candidate) -> bool:
    """True if "why" is asked and the sentence only says that it was so, or "what fee" and it has no figure."""
    if best.sentence is None:
        return False
    expected, said = expectation(question.text), best.sentence.text
    causeless = expected.form == "why" and expected.held(said) == 0.0
    return causeless or expected.shaped(said) < 0 or _names_no_such(question, best)


def _names_no_such(question: Question, best: Candidate) -> bool:
    """True if "which colour" is asked and the line speaks of no colour and names nothing that might be one."""
    heads = asking(question.text).nouns if _WHICH.match(question.text) else frozenset[str]()
    if question.language != ENGLISH or not heads or expectation(question.text).shape is not None:
        return False
    text, asked = best.elements[0].text, frozenset(question.stems)
    said = {*terms(f"{best.passage.section or ''} {text}")}
    if any(one in said or not said.isdisjoint({*related(one), *implied(one)}) for one in heads):
        return False
    return not any(word[:1].isupper() and not asked.issuperset(terms(word)) for word in text.split()[1:])


def only_announces(best: Candidate) -> bool:
    """True if a sentence says that something follows: "These steps follow:"."""
    return best.sentence is not None and best.sentence.text.rstrip("*_ ").endswith((":", "following steps."))
