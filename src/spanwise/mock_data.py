"""`MockDocumentStore`: a small services contract, held in memory, to try the components on."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TypedDict

from spanwise.text.terms import FUNCTION_WORDS, folded_words, singular, words


class ContractSection(TypedDict):
    """One section of the sample contract."""

    title: str
    content: str
    page_num: int


class MockDocumentStore:
    """The sample contract as a document store; what it hands out are copies."""

    async def full_text_search(self, query: str) -> list[ContractSection]:
        """The sections with a word of the query in their title or content, those with the most words first."""
        wanted = {singular(word) for word in words(query) if word not in FUNCTION_WORDS}
        found = [
            (len(wanted.intersection(folded_words(f"{section['title']} {section['content']}"))), section)
            for section in _sections()
        ]
        return [section for count, section in sorted(found, key=lambda pair: -pair[0]) if count]

    async def all_sections(self) -> list[ContractSection]:
        """Every section, in the order of the contract."""
        return _sections()


def _sections() -> list[ContractSection]:
    """The sections as `mock_data.json` has them, written for this package."""
    sections: list[ContractSection] = json.loads(_written())
    return sections


@cache
def _written() -> str:
    return files("spanwise").joinpath("mock_data.json").read_text(encoding="utf-8")
