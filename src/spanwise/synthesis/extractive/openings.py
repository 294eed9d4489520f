"""What a document is about: its title and the first sentences of its text, where a question asks for nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.lists import Element
from spanwise.text.passage_reading import Sentence, read_passage
from spanwise.text.patterns import lazy_pattern

_DOCUMENT = (
    r"(?:(?:this|the|my|that) )?(?:document|file|pdf|text|page|paper|report|letter|e-?mail|mail|contract|agreement"
    r"|lease|manual|book|article|note|form|policy|standard|presentation|minutes)"
)
_ASKED = lazy_pattern(
    rf"(?:what(?:'s|\u2019s| is| are) (?:{_DOCUMENT}|this|it)(?: all)? about"
    rf"|what does {_DOCUMENT} (?:say|contain|cover)"
    r"|what (?:kind|sort|type) of (?:document|file|text) is (?:this|it)"
    rf"|summari[sz]e (?:{_DOCUMENT}|this|it)"
    r"|worum geht es(?: in (?:diesem|dem) (?:dokument|text|brief|vertrag))?|wovon handelt (?:dieses|das) dokument"
    r"|de quoi parle (?:ce|le) (?:document|texte)|de qu\u00e9 trata (?:este|el) (?:documento|texto))",
    re.IGNORECASE,
)
_SENTENCES = 2
_RUNNING = re.compile(r"(?=(?:\S+\s+){5})[^:|]{25}[^|]*[.!?\u3002][)\"'\u201d\u2019]?")
"""A sentence of running text; dates, addresses, fields, rows and greetings are none."""
_PASSAGES = 4
"""From the beginning, among which the text begins."""


def asks_what_it_is_about(question: Question) -> bool:
    """True if a question asks what a document is about, and nothing that one of its sentences could answer."""
    return _ASKED.fullmatch(question.text.strip(" \t\n.?!\u00bf\u00a1")) is not None


def opening(document: str, store: Store, language: str) -> Sequence[Element]:
    """The title of a document and the first sentences of its text, each with its lines; nothing where it has none."""
    title: Sentence | None = None
    found: list[Sentence] = []
    for passage in islice(store.passages(document), _PASSAGES):
        for one in read_passage(passage, language).sentences:
            if one.role == "heading":
                title = title or one
            elif len(found) < _SENTENCES and _RUNNING.fullmatch(one.text):
                found.append(one)
        if found:
            break
    return [Element(one.text, one.line_start, one.line_end) for one in (title, *found) if one is not None]
