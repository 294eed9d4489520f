"""The extractive answer."""

import copy
import inspect
import random
import timeit

import pytest

from spanwise.messages import NO_RELEVANT_INFORMATION
from spanwise.synthesis.generator import ResponseGenerator

Section = dict[str, object]


def generate(*sections: Section) -> str:
    return ResponseGenerator().generate(sections)


def section(content: object = "Text.", title: object = "T", page: object = 1) -> Section:
    return {"title": title, "content": content, "page_num": page}


def test_r001_synchronous_and_a_string() -> None:
    assert not inspect.iscoroutinefunction(ResponseGenerator().generate)
    assert type(ResponseGenerator().generate([])) is str


@pytest.mark.parametrize("nothing", [[], (), None])
def test_r002_no_sections(nothing: list[Section] | None) -> None:
    assert ResponseGenerator().generate(nothing) == "No relevant information found in the documents."


def test_r003_unknown_keys_are_ignored() -> None:
    assert generate(section() | {"_relevance_score": 9.5}) == generate(section())


def test_r004_a_decimal_point_ends_no_sentence() -> None:
    assert generate(section("Fee is 1.5% now! Second.")) == "Fee is 1.5% now! (See T, page 1)"


@pytest.mark.parametrize(
    ("content", "length"),
    [("a" * 500, 200), ("a" * 300 + ".", 301), ("a" * 300 + ".)\u201d", 303), ("a" * 300 + ". Next", 301), ("ab", 2)],
)
def test_r005_text_without_a_sentence_end_is_cut(content: str, length: int) -> None:
    assert len(generate(section(content)).removesuffix(" (See T, page 1)")) == length


def test_r006_citation() -> None:
    assert generate(section("Text.", "Termination for Convenience", 8)).endswith(
        " (See Termination for Convenience, page 8)"
    )


def test_r007_every_part_is_cited_in_order() -> None:
    assert generate(*(section(f"{word}.") for word in "BAC")) == (
        "B. (See T, page 1) A. (See T, page 1) C. (See T, page 1)"
    )


@pytest.mark.parametrize(
    ("title", "page", "citation"),
    [
        *((None, None, "(See Unknown, page ?)"), (" ", "", "(See Unknown, page ?)"), ("T", 0, "(See T, page 0)")),
        *(("T (a)", "iv", "(See T (a), page iv)"),),
    ],
)
def test_r010_missing_title_or_page(title: object, page: object, citation: str) -> None:
    assert generate(section("Text.", title, page)).endswith(citation)


def test_r010_absent_keys() -> None:
    assert generate({"content": "Text."}) == "Text. (See Unknown, page ?)"


@pytest.mark.parametrize("content", [None, "", "  \n "])
def test_r011_sections_without_text_are_skipped(content: object) -> None:
    assert generate(section(content)) == NO_RELEVANT_INFORMATION
    assert generate(section(content), section("Text.")) == "Text. (See T, page 1)"
    assert generate({"title": "T", "page_num": 1}) == NO_RELEVANT_INFORMATION


def test_r012_outer_white_space_goes_inner_stays() -> None:
    assert generate(section("  Lead  in. Two.")) == "Lead  in. (See T, page 1)"


def test_r013_every_statement_is_in_its_section() -> None:
    pick = random.Random(7)
    for _ in range(200):
        content = "".join(pick.choices("ab .!?\n\u00e9)1", k=pick.randint(1, 400))) + "x"
        assert generate(section(content)).removesuffix(" (See T, page 1)") in content


def test_r014_same_in_same_out_and_input_untouched() -> None:
    sections = [section("One. Two."), section(None)]
    before = copy.deepcopy(sections)
    assert generate(*sections) == generate(*sections)
    assert sections == before


def test_r015_takes_less_than_a_millisecond() -> None:
    sections = [section("A sentence of ordinary length for a test. " * 20) for _ in range(5)]
    assert min(timeit.repeat(lambda: generate(*sections), number=10, repeat=5)) / 10 < 0.001
