"""What a question is taken apart into."""

import asyncio

import pytest

from spanwise.questions.decomposer import Decomposition, QueryDecomposer
from spanwise.retrieval.agentic import AgenticRetriever


def decompose(query: str) -> Decomposition:
    return asyncio.run(QueryDecomposer().decompose(query))


def test_r045_has_exactly_four_parts() -> None:
    assert set(decompose("Anything")) == {"intent", "entities", "constraints", "temporals"}


def test_r046_late_payment_penalty() -> None:
    assert decompose("What is the late payment penalty?") == {
        "intent": "penalty",
        "entities": ["late", "payment", "penalty"],
        "constraints": {},
        "temporals": [],
    }


@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("What are the payment terms?", "payment_terms"),
        ("What intellectual property rights does the client retain?", "intellectual_property"),
        ("Who owns the IP?", "intellectual_property"),
        ("hello", "unknown"),
        ("", "unknown"),
        ("IS A LATE FEE CHARGED ON OVERDUE INVOICES?", "penalty"),
        ("Who must indemnify whom?", "indemnification"),
        ("How can the agreement be terminated?", "termination"),
        ("What proprietary information is protected?", "confidentiality"),
        ("Which services are included?", "scope_of_services"),
        ("Is the ship late?", "unknown"),
        ("Which tips and zips are there?", "unknown"),
    ],
)
def test_r047_rc01_intent(query: str, intent: str) -> None:
    assert decompose(query)["intent"] == intent


@pytest.mark.parametrize("intent", AgenticRetriever.INTENT_SECTION_MAP)
def test_r047_every_mapped_intent_can_be_asked_for(intent: str) -> None:
    questions = {
        "penalty": "What is the penalty?",
        "payment_terms": "When must we pay?",
        "intellectual_property": "Does it infringe?",
        "indemnification": "Is there an indemnity?",
        "termination": "May we terminate?",
        "confidentiality": "What is confidential?",
        "scope_of_services": "What is the scope?",
    }
    assert decompose(questions[intent])["intent"] == intent


def test_rc01_the_first_intent_in_order_wins() -> None:
    assert decompose("May the Client terminate if an invoice is overdue?")["intent"] == "penalty"


def test_rc02_function_words_go_and_the_rest_stays_once() -> None:
    assert decompose("Who does what with the rights, and what rights?")["entities"] == ["who", "does", "rights"]


@pytest.mark.parametrize(
    ("query", "constraints"),
    [
        ("due within 30 days", {"timeframe": "30 days"}),
        ("due Within 2  Weeks, please", {"timeframe": "2 Weeks"}),
        ("a 1.5% fee", {"percentage": "1.5"}),
        ("Is it 2 %?", {"percentage": "2"}),
        ("18% within 1 year", {"timeframe": "1 year", "percentage": "18"}),
        ("after 30 days", {}),
    ],
)
def test_rc03_constraints(query: str, constraints: dict[str, str]) -> None:
    assert decompose(query)["constraints"] == constraints


@pytest.mark.parametrize(
    ("query", "temporals"),
    [
        ("Invoices sent before March 1, 2025?", ["before March 1, 2025"]),
        ("paid by june 30", ["by june 30"]),
        ("on May 2nd 2024 or after 3 days", ["on May 2nd 2024"]),
        ("March 1, 2025", []),
    ],
)
def test_rc03_temporals(query: str, temporals: list[str]) -> None:
    assert decompose(query)["temporals"] == temporals
