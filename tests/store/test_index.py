from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from spanwise.domain.passage import Passage
from spanwise.store.index import (
    MOST_TERMS,
    IndexUnusableError,
    PassageIndex,
    create_index,
    open_index,
    other_query_terms,
    query_terms,
    searchable,
)
from spanwise.store.port import NOTHING, Change


def passage(text: str, document: str = "a", section: str | None = None) -> Passage:
    return Passage(f"{document}:1-1", document, 1, 1, 1, text, section, (1,))


def fill(index: PassageIndex, *passages: Passage) -> None:
    with index.writing(much=False) as writer:
        for number, one in enumerate(passages, start=1):
            writer.replace(one.document, {number: one})
        writer.commit(Change(len(passages), "token"))


def found(index: PassageIndex, query: str, documents: list[str] | None = None) -> list[int]:
    return [ranked.passage for ranked in index.now.search(query_terms(query), 10, documents, other_query_terms(query))]


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("What is the late payment penalty?", ["late", "payment", "penalti"]),
        ("payments payment PAYMENT", ["payment"]),
        ("Café", ["cafe"]),
        ("what is it?", ["what", "is", "it"]),
        ("", []),
        ("?! -- ()", []),
        ('title:x AND (y OR "z" ^2 ~1 [a TO b]', ["titl", "x", "y", "z", "2", "1", "b"]),
        ("half a \ud800 pair", ["half", "pair"]),
    ],
)
def test_query_is_words_and_never_syntax(query: str, terms: list[str]) -> None:
    assert query_terms(query) == terms


def test_number_of_terms_is_bounded() -> None:
    assert len(query_terms(" ".join(f"w{n}" for n in range(1000)))) == MOST_TERMS


def test_broken_word_is_found_by_its_whole() -> None:
    assert searchable("the obliga-\ntion of") == "the obliga-\ntion of\nobligation"
    assert searchable("long-term\nplan") == "long-term\nplan"


def test_text_without_end_takes_no_time() -> None:
    started = time.process_time()
    searchable("a" * 1_000_000)
    assert time.process_time() - started < 20  # a runaway takes minutes


def test_finds_by_stem_and_by_section_title() -> None:
    index = create_index(None)
    fill(index, passage("The penalties are high."), passage("Ten euros.", "b", "Penalty"), passage("Nothing.", "c"))
    assert sorted(found(index, "penalty")) == [1, 2]


def test_only_in_named_documents() -> None:
    index = create_index(None)
    fill(index, passage("The penalty."), passage("The penalty.", "b"))
    assert found(index, "penalty", ["b"]) == [2]


def test_filter_does_not_change_the_score() -> None:
    index = create_index(None)
    fill(index, passage("The penalty."), passage("Other.", "b"))
    terms = query_terms("penalty")
    assert index.now.search(terms, 10, ["a"]) == index.now.search(terms, 10, None)


def test_replaced_and_removed_documents_are_gone() -> None:
    index = create_index(None)
    fill(index, passage("The penalty."), passage("A fee.", "b"))
    with index.writing() as writer:
        writer.replace("a", {7: passage("A bonus.")})
        writer.replace("b", {})
        writer.commit(Change(4, "t"))
    assert found(index, "penalty fee bonus") == [7]


def test_uncommitted_changes_are_dropped() -> None:
    index = create_index(None)
    with index.writing() as writer:
        writer.replace("a", {1: passage("The penalty.")})
    assert index.now.state == NOTHING
    assert found(index, "penalty") == []


def test_state_is_kept(tmp_path: Path) -> None:
    fill(create_index(tmp_path), passage("The penalty."))
    reopened = open_index(tmp_path)
    assert reopened.now.state == Change(1, "token")
    assert found(reopened, "penalty") == [1]


def test_missing_index_is_unusable(tmp_path: Path) -> None:
    with pytest.raises(IndexUnusableError):
        open_index(tmp_path)


@pytest.mark.parametrize("content", [b"", b"{}", b"\0" * 100])
def test_damaged_index_is_unusable(tmp_path: Path, content: bytes) -> None:
    fill(create_index(tmp_path), passage("The penalty."))
    next(tmp_path.rglob("meta.json")).write_bytes(content)
    with pytest.raises(IndexUnusableError):
        open_index(tmp_path)


@pytest.mark.parametrize(("raised", "told"), [(KeyboardInterrupt, KeyboardInterrupt), (OSError, IndexUnusableError)])
def test_an_index_that_is_interrupted_is_not_called_unusable(raised: type[BaseException], told: type) -> None:
    class Terms(list[str]):
        def __iter__(self) -> Iterator[str]:
            raise raised

    index = create_index(None)
    with pytest.raises(told):
        index.now.rarities(Terms())


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("这座石桥建于河上。", "石桥在哪里？"),
        ("川に石橋が建てられた。", "石橋はいつ"),
        ("강에 돌다리를 놓았다.", "돌다리는 어디"),
        ("มีสะพานหินเหนือแม่น้ำ", "สะพานหินอยู่ที่ไหน"),
        ("नदी पर पत्थर का पुल है।", "पत्थर के पुल कहाँ हैं?"),
        ("Над рекой стоят старые мосты.", "Где старый мост?"),
        ("Die Brücken stehen über dem Fluss und sind alt.", "Wo ist die Brücke über den Fluss?"),
        ("2021年にNASAが調べた。", "NASA 2021"),
    ],
)
def test_finds_words_of_every_script(text: str, query: str) -> None:
    index = create_index(None)
    fill(index, passage(text), passage("Something else entirely, in English.", "b"))
    assert found(index, query)[:1] == [1]


def test_english_has_no_other_terms() -> None:
    assert other_query_terms("What is the late payment penalty?") == []
    assert other_query_terms("How naïve was the café's \u201cfiancé\u201d?") == []


def test_similar_terms() -> None:
    index = create_index(None)
    fill(index, passage("The penalties are high; receipts were received."))
    assert index.now.similar_terms("penalty") == {"penalti": 1}
    assert "receiv" in index.now.similar_terms("recieved")
    assert index.now.similar_terms("qqq") == {}
    assert index.now.similar_terms("") == {}
