"""The worked examples of the components, each with the number of the requirement it shows.

What is not an example (weights, limits, bad input) is checked with the same numbers beside the room it belongs to:
R-001..R-015 in tests/synthesis/test_generator.py, R-019..R-041 in tests/retrieval/test_agentic.py, R-042..R-043 in
tests/test_mock_data.py, R-045..R-047 and R-C-01..R-C-03 in tests/questions/test_decomposer.py, R-048 and R-C-06 in
tests/guard/test_judge.py, R-049, R-C-07 and R-C-08 in tests/answering/test_simple.py.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

LATE: dict[str, object] = {
    "title": "Late Payment Penalties",
    "content": "A balance that is still open after 30 days bears a late charge of 1.5% per month (18% a year).",
    "page_num": 5,
}
TERMS: dict[str, object] = {
    "title": "Payment Terms",
    "content": "Payment is due within 30 days of invoice receipt. The Vendor bills at the start of a month.",
    "page_num": 4,
}
SCOPE: dict[str, object] = {
    "title": "Scope of Services",
    "content": "The Vendor shall build and test the software. Hosting is not included.",
    "page_num": 2,
}
DELIVERABLES: dict[str, object] = {
    "title": "Deliverables",
    "content": "Every deliverable has to match Exhibit A. Test reports come with it.",
    "page_num": 3,
}


@pytest.mark.parametrize(
    ("sections", "expected"),
    [
        pytest.param(
            [LATE, TERMS],
            f"{LATE['content']} (See Late Payment Penalties, page 5) "
            "Payment is due within 30 days of invoice receipt. (See Payment Terms, page 4)",
            id="R-008",
        ),
        pytest.param(
            [TERMS],
            "Payment is due within 30 days of invoice receipt. (See Payment Terms, page 4)",
            id="R-009 one section",
        ),
        pytest.param(
            [SCOPE, DELIVERABLES],
            "The Vendor shall build and test the software. (See Scope of Services, page 2) "
            "Every deliverable has to match Exhibit A. (See Deliverables, page 3)",
            id="R-009 two sections",
        ),
        pytest.param([], "No relevant information found in the documents.", id="R-002"),
        pytest.param(
            [{"title": None, "content": "This section has missing metadata.", "page_num": None}],
            "This section has missing metadata. (See Unknown, page ?)",
            id="R-010",
        ),
    ],
)
def test_generated_answers(sections: list[dict[str, object]], expected: str) -> None:
    from spanwise.components import ResponseGenerator

    assert ResponseGenerator().generate(sections) == expected


def test_four_steps_by_hand() -> None:
    """R-016, R-017: decompose, retrieve, generate, evaluate with the names of the two modules."""
    from spanwise.components import AgenticRetriever, LLMJudge, QueryDecomposer, ResponseGenerator
    from spanwise.mock_data import MockDocumentStore

    async def run(query: str) -> tuple[str, bool]:
        parts = await QueryDecomposer().decompose(query)
        sections = await AgenticRetriever(MockDocumentStore()).retrieve(query, parts)
        response = ResponseGenerator().generate(sections)
        return response, (await LLMJudge().evaluate(response, sections))["should_return"]

    response, should_return = asyncio.run(run("What are the payment terms?"))
    assert should_return
    assert "(See Payment Terms, page 4)" in response


def test_late_payment_question_over_the_worked_text() -> None:
    """R-030, R-044, R-046, R-C-04: the question of the worked example over a store of one's own scores 13.0."""
    from spanwise.components import AgenticRetriever, QueryDecomposer

    class Store:
        async def full_text_search(self, query: str) -> Sequence[Mapping[str, object]]:
            return [TERMS, LATE] if "payment" in query else []

        async def all_sections(self) -> Sequence[Mapping[str, object]]:
            return [TERMS, LATE]

    async def run(query: str) -> list[tuple[str, float]]:
        found = await AgenticRetriever(Store()).retrieve(query, await QueryDecomposer().decompose(query))
        return [(section["title"], section["_relevance_score"]) for section in found]

    assert asyncio.run(run("What is the late payment penalty?"))[0] == ("Late Payment Penalties", 13.0)


def test_changed_number() -> None:
    """R-048, R-C-06: the extractive answer passes, the same answer with 2% for 1.5% does not."""
    from spanwise.components import LLMJudge, ResponseGenerator

    sections = [LATE, TERMS]
    answer = ResponseGenerator().generate(sections)
    good = asyncio.run(LLMJudge().evaluate(answer, sections))
    bad = asyncio.run(LLMJudge().evaluate(answer.replace("1.5%", "2%"), sections))
    assert (good["should_return"], bad["should_return"]) == (True, False)
    assert (bad["confidence_score"], bad["summary"]["contradicted"]) == (0.2, 1)


def test_documented_trade_off() -> None:
    """R-018: the page says what extraction gives and what it does not."""
    page = (ROOT / "docs" / "components.md").read_text(encoding="utf-8")
    assert "deterministic" in page
    assert "should_return" in page


def test_documented_example_runs() -> None:
    """R-016: the shipped example answers and exits with 0."""
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "seed_components.py"], capture_output=True, text=True, check=True
    )
    assert "(See Payment Terms, page 4)" in done.stdout


def test_components_load_nothing_heavy() -> None:
    """R-014: no library beyond the standard ones is loaded by importing the components."""
    program = "import spanwise.components, spanwise.mock_data, sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    heavy = {"pydantic", "nupunkt", "snowballstemmer", "tantivy", "rapidfuzz", "pypdfium2", "pikepdf", "docx", "numpy"}
    assert heavy.isdisjoint(json.loads(done.stdout))
