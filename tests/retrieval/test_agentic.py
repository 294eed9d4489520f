"""How sections are scored and chosen."""

import asyncio
import copy
import inspect
import logging
from collections.abc import Mapping, Sequence

import pytest

from spanwise.mock_data import MockDocumentStore
from spanwise.questions.decomposer import QueryDecomposer
from spanwise.retrieval.agentic import AgenticRetriever, ScoredSection

Record = Mapping[str, object]
FEES = "A balance that is still open after 30 days bears a late charge of 1.5% each month."


class ListStore:
    """A user's own store: what the search finds, and everything."""

    def __init__(self, sections: Sequence[Record], found: Sequence[Record] = ()) -> None:
        self.sections, self.found, self.calls = sections, found, list[str]()

    async def full_text_search(self, query: str) -> Sequence[Record]:
        self.calls.append(f"search {query}")
        return self.found

    async def all_sections(self) -> Sequence[Record]:
        self.calls.append("all")
        return self.sections


def section(title: str = "T", content: str = "Text.", page: int = 1, **more: object) -> dict[str, object]:
    return {"title": title, "content": content, "page_num": page, **more}


def retrieve(sections: Sequence[Record], query: str = "x", **decomposition: object) -> list[ScoredSection]:
    return asyncio.run(AgenticRetriever(ListStore(sections)).retrieve(query, decomposition))


def score(item: Record, query: str = "", **decomposition: object) -> float:
    return AgenticRetriever(ListStore([]))._score_section(item, query, decomposition)


def test_r019_takes_a_store_and_retrieves_asynchronously() -> None:
    assert inspect.iscoroutinefunction(AgenticRetriever.retrieve)
    with pytest.raises(TypeError):
        AgenticRetriever()  # type: ignore[call-arg]


def test_r020_intent_map() -> None:
    assert AgenticRetriever.INTENT_SECTION_MAP == {
        "penalty": ["Late Payment Penalties", "Payment Terms"],
        "payment_terms": ["Payment Terms", "Late Payment Penalties"],
        "intellectual_property": ["Intellectual Property Rights"],
        "indemnification": ["Indemnification"],
        "termination": ["Termination for Convenience"],
        "confidentiality": ["Confidentiality"],
        "scope_of_services": ["Scope of Services"],
    }


def test_r020_the_map_of_an_instance_can_be_replaced() -> None:
    retriever = AgenticRetriever(ListStore([]))
    retriever.INTENT_SECTION_MAP = {"warranty": ["Warranties"]}
    assert retriever._score_section(section("Warranties"), "", {"intent": "warranty"}) == 7.0
    assert "warranty" not in AgenticRetriever.INTENT_SECTION_MAP


@pytest.mark.parametrize("parts", [{}, {"intent": None, "entities": None, "constraints": None, "temporals": None}])
def test_r021_missing_parts_count_as_empty(parts: dict[str, object]) -> None:
    retriever = AgenticRetriever(ListStore([section()]))
    assert len(asyncio.run(retriever.retrieve("x", parts))) == 1


def test_r022_every_result_has_four_typed_keys() -> None:
    results = asyncio.run(AgenticRetriever(MockDocumentStore()).retrieve("payment", {}))
    kinds = {(type(r["title"]), type(r["content"]), type(r["page_num"]), type(r["_relevance_score"])) for r in results}
    assert kinds == {(str, str, int, float)}


def test_r023_the_stores_records_stay_as_they_are() -> None:
    records = [section("Payment Terms"), section("Other")]
    before = copy.deepcopy(records)
    results = retrieve(records, intent="payment_terms")
    assert records == before
    assert results[0] is not records[0]


@pytest.mark.parametrize(
    ("title", "points"),
    [
        *(("Late Payment Penalties", 7.0), ("Payment Terms", 5.0), ("Confidentiality", 0.0)),
        *(("  late payment PENALTIES ", 7.0), ("Late Payment", 0.0)),
    ],
)
def test_r024_intent_points(title: str, points: float) -> None:
    assert score(section(title, ""), intent="penalty", entities=[]) == points


@pytest.mark.parametrize(
    ("title", "content", "entities", "points"),
    [
        ("T", "A fee.", ["fee"], 1.0),
        ("Fee", "A price.", ["fee"], 1.5),
        ("Fee", "A fee.", ["fee"], 2.5),
        ("Fee", "A fee.", ["fee", "fees", "rate"], 2.5),
        ("T", "fee", ["", None, 3], 0.0),
    ],
)
def test_r025_entity_points(title: str, content: str, entities: list[object], points: float) -> None:
    assert score(section(title, content), entities=entities) == points


@pytest.mark.parametrize(
    ("query", "content", "points"),
    [
        *(("fee fee due", "fees due", 0.0), ("late late", "late", 0.5), ("Late, payment!", "late late payments", 1.0)),
        *(("title", "text", 0.0),),
    ],
)
def test_r026_term_points(query: str, content: str, points: float) -> None:
    assert score(section("Title", content), query) == points


@pytest.mark.parametrize(
    ("entity", "title", "content", "points"),
    [
        *(("penalty", "Late Payment Penalties", "", 1.5), ("late", "T", "related", 0.0), ("LATE", "T", "late", 1.0)),
        *(("late payment", "T", "a late payment", 1.0), ("late payment", "T", "late or no payment", 0.0)),
    ],
)
def test_r027_whole_words_with_plurals_folded(entity: str, title: str, content: str, points: float) -> None:
    assert score(section(title, content), entities=[entity]) == points


@pytest.mark.parametrize(("boost", "points"), [(2.0, 2.0), (1, 1.0), (None, 0.0), ("3", 0.0), (float("nan"), 0.0)])
def test_r028_text_boost(boost: object, points: float) -> None:
    assert score(section(_text_boost=boost)) == points


def test_r029_score_is_the_sum() -> None:
    item = section("Late Payment Penalties", "Late payment terms apply.")
    assert score(item, "late payment", intent="penalty", entities=["late", "payment"]) == 13.0


def test_r030_worked_example() -> None:
    entities = ["late", "payment", "penalty"]
    item = section("Late Payment Penalties", FEES, 5)
    assert score(item, "What is the late payment penalty?", intent="penalty", entities=entities) == 13.0


@pytest.mark.parametrize(
    ("scores", "threshold", "kept"), [([1.0, 0.99], None, 1), ([2.0, 1.99], 2.0, 1), ([], None, 0)]
)
def test_r031_filter(scores: list[float], threshold: float | None, kept: int) -> None:
    sections: list[ScoredSection] = [{"_relevance_score": value} for value in scores]
    arguments = {} if threshold is None else {"threshold": threshold}
    assert len(AgenticRetriever(ListStore([]))._filter_irrelevant(sections, **arguments)) == kept


def test_r032_retrieve_filters_at_two() -> None:
    results = retrieve([section(_text_boost=1.5), section("U", _text_boost=3.0), section("V", _text_boost=2.0)])
    assert [result["title"] for result in results] == ["U", "V"]


def test_r033_the_best_one_when_none_reaches_the_threshold() -> None:
    results = retrieve([section("A", _text_boost=0.5), section("B", _text_boost=1.9)])
    assert [result["title"] for result in results] == ["B"]


def test_r034_at_most_five_best_first_equal_ones_in_document_order() -> None:
    boosts = [2.0, 2.0, 9.0, 4.0, 4.0, 4.0, 3.0, 2.5]
    sections = [section(f"S{n}", page=20 - n, _text_boost=boost) for n, boost in enumerate(boosts)]
    assert [result["title"] for result in retrieve(sections)] == ["S2", "S5", "S4", "S3", "S6"]


def test_r034_equal_ones_of_a_page_keep_their_order() -> None:
    assert [result["title"] for result in retrieve([section(t, _text_boost=2) for t in "CAB"])] == ["C", "A", "B"]


@pytest.mark.parametrize(("boosts", "count"), [([], 0), ([5.0], 1), ([5.0, 5.0, 0.0, 1.0], 2)])
def test_r035_no_padding(boosts: list[float], count: int) -> None:
    assert len(retrieve([section(_text_boost=boost) for boost in boosts])) == count


def test_r036_all_sections_only_when_the_search_finds_nothing() -> None:
    store = ListStore([section("All")])
    asyncio.run(AgenticRetriever(store).retrieve("zzzz", {}))
    assert store.calls == ["search zzzz", "all"]
    store = ListStore([section("All")], [section("Found")])
    results = asyncio.run(AgenticRetriever(store).retrieve("payment", {}))
    assert store.calls == ["search payment"]
    assert [result["title"] for result in results] == ["Found"]


def test_r036_sample_contract_search() -> None:
    assert asyncio.run(MockDocumentStore().full_text_search("zzzz")) == []
    assert asyncio.run(MockDocumentStore().full_text_search("payment"))


def test_r037_falls_back_to_the_given_store() -> None:
    assert [result["title"] for result in retrieve([section("Lease")], "zzzz")] == ["Lease"]


def test_r038_logs_intent_and_count_but_no_content(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "spanwise"):
        retrieve([section("Payment Terms", "secret words")], "secret", intent="penalty")
    assert "penalty" in caplog.text
    assert "1 of 1 sections" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize("intent", ["unknown", None, 7, ["penalty"]])
def test_r039_unknown_intents_add_nothing(intent: object) -> None:
    assert score(section("Payment Terms", ""), intent=intent) == 0.0


def test_r040_constraints_have_no_weight() -> None:
    item = section("Payment Terms", "Payment within 30 days.")
    limited = score(item, "pay", intent="penalty", constraints={"timeframe": "30 days"})
    assert limited == score(item, "pay", intent="penalty", constraints={})


def test_r041_usage_example() -> None:
    query = "What intellectual property rights does the client retain?"

    async def run() -> list[ScoredSection]:
        return await AgenticRetriever(MockDocumentStore()).retrieve(query, await QueryDecomposer().decompose(query))

    results = asyncio.run(run())
    assert results[0]["title"] == "Intellectual Property Rights"
    assert all(float(f"{result['_relevance_score']:.1f}") >= 2.0 for result in results)


def test_r044_rc04_a_small_class_of_the_users_own_is_a_store() -> None:
    assert retrieve([section("Payment Terms")], intent="payment_terms")[0]["_relevance_score"] == 7.0


def test_scope_all_skips_the_search() -> None:
    store = ListStore([section("All")], [section("Found")])
    asyncio.run(AgenticRetriever(store).retrieve("payment", {"scope": "all"}))
    assert store.calls == ["all"]


def test_threshold_can_be_lowered() -> None:
    assert len(retrieve([section(_text_boost=1.0), section(_text_boost=1.5)], threshold=1.0)) == 2


def test_records_with_missing_fields_do_no_harm() -> None:
    assert retrieve([{}, {"title": None, "content": None, "page_num": None}])[0]["title"] == ""
