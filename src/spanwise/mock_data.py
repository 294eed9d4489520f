"""`MockDocumentStore`: a small services contract, kept in memory, for trying out the components."""

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
    """A document store with the sections of the sample contract; its methods return fresh copies."""

    async def full_text_search(self, query: str) -> list[ContractSection]:
        """The sections that share a word with the query in title or content, those that share the most first."""
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
    """The sections from `mock_data.json`, which was written for this package."""
    sections: list[ContractSection] = json.loads(_written())
    return sections


@cache
def _written() -> str:
    return files("spanwise").joinpath("mock_data.json").read_text(encoding="utf-8")
