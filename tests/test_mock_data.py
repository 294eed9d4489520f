"""The sample contract."""

import asyncio

from spanwise.mock_data import ContractSection, MockDocumentStore
from spanwise.retrieval.agentic import AgenticRetriever

PAGES = {
    "Scope of Services": 2,
    "Deliverables": 3,
    "Payment Terms": 4,
    "Late Payment Penalties": 5,
    "Termination for Convenience": 8,
    "Intellectual Property Rights": 12,
}


def sections() -> list[ContractSection]:
    return asyncio.run(MockDocumentStore().all_sections())


def test_r042_every_section_has_title_content_and_page() -> None:
    assert all(
        section["title"] and section["content"] and isinstance(section["page_num"], int) for section in sections()
    )


def test_r043_titles_and_pages() -> None:
    pages = {section["title"]: section["page_num"] for section in sections()}
    assert PAGES.items() <= pages.items()
    assert {title for titles in AgenticRetriever.INTENT_SECTION_MAP.values() for title in titles} <= set(pages)


def test_sections_stand_in_the_order_of_their_pages() -> None:
    assert sections() == sorted(sections(), key=lambda section: section["page_num"])


def test_what_is_handed_out_are_copies() -> None:
    store = MockDocumentStore()
    for found in (asyncio.run(store.all_sections()), asyncio.run(store.full_text_search("payment"))):
        found[0]["content"] = "changed"
    assert all(section["content"] != "changed" for section in asyncio.run(store.all_sections()))


def test_the_search_puts_most_words_first_and_ignores_function_words() -> None:
    store = MockDocumentStore()
    assert asyncio.run(store.full_text_search("late payment penalty"))[0]["title"] == "Late Payment Penalties"
    assert asyncio.run(store.full_text_search("what is the")) == []
