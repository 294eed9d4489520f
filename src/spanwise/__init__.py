"""Answers from your documents, proved line by line.

Importing this package loads nothing else: each public name loads its room when it is first used (PEP 562).
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spanwise.contract.answers import (
        ANSWER_REGISTRY,
        AmountAnswer,
        AnswerBase,
        BooleanAnswer,
        DateAnswer,
        ListAnswer,
        TableAnswer,
        TextAnswer,
    )
    from spanwise.contract.evidence import boxes, snippets
    from spanwise.contract.items import AmountItem, BooleanItem, DateItem, TableItem, TextItem
    from spanwise.contract.result import Decision, Result
    from spanwise.contract.values import Amount, DateValue, Span, TableValue
    from spanwise.domain.claim import Citation, Claim
    from spanwise.domain.document import Box, Document, Line, Page, Section
    from spanwise.domain.passage import Hit, Passage
    from spanwise.domain.question import Question
    from spanwise.engine import Engine, ask
    from spanwise.guard.judge import LLMJudge
    from spanwise.mock_data import MockDocumentStore
    from spanwise.pipeline.corpus import Corpus
    from spanwise.pipeline.ingest import IngestReport
    from spanwise.pipeline.simple import answer_query
    from spanwise.questions.decomposer import QueryDecomposer
    from spanwise.questions.parse import parse_question
    from spanwise.readers.registry import read, register_reader
    from spanwise.retrieval.agentic import AgenticRetriever
    from spanwise.synthesis.generator import ResponseGenerator
    from spanwise.text.tokens import count_tokens

__version__ = "0.1.0"

_HOMES = {
    "ANSWER_REGISTRY": "contract.answers",
    "AgenticRetriever": "retrieval.agentic",
    "Amount": "contract.values",
    "AmountAnswer": "contract.answers",
    "AmountItem": "contract.items",
    "AnswerBase": "contract.answers",
    "BooleanAnswer": "contract.answers",
    "BooleanItem": "contract.items",
    "Box": "domain.document",
    "Citation": "domain.claim",
    "Claim": "domain.claim",
    "Corpus": "pipeline.corpus",
    "DateAnswer": "contract.answers",
    "DateItem": "contract.items",
    "DateValue": "contract.values",
    "Decision": "contract.result",
    "Document": "domain.document",
    "Engine": "engine",
    "Hit": "domain.passage",
    "IngestReport": "pipeline.ingest",
    "LLMJudge": "guard.judge",
    "Line": "domain.document",
    "ListAnswer": "contract.answers",
    "MockDocumentStore": "mock_data",
    "Page": "domain.document",
    "Passage": "domain.passage",
    "QueryDecomposer": "questions.decomposer",
    "Question": "domain.question",
    "ResponseGenerator": "synthesis.generator",
    "Result": "contract.result",
    "Section": "domain.document",
    "Span": "contract.values",
    "TableAnswer": "contract.answers",
    "TableItem": "contract.items",
    "TableValue": "contract.values",
    "TextAnswer": "contract.answers",
    "TextItem": "contract.items",
    "answer_query": "pipeline.simple",
    "ask": "engine",
    "boxes": "contract.evidence",
    "count_tokens": "text.tokens",
    "parse_question": "questions.parse",
    "read": "readers.registry",
    "register_reader": "readers.registry",
    "snippets": "contract.evidence",
}

__all__ = [
    "ANSWER_REGISTRY",
    "AgenticRetriever",
    "Amount",
    "AmountAnswer",
    "AmountItem",
    "AnswerBase",
    "BooleanAnswer",
    "BooleanItem",
    "Box",
    "Citation",
    "Claim",
    "Corpus",
    "DateAnswer",
    "DateItem",
    "DateValue",
    "Decision",
    "Document",
    "Engine",
    "Hit",
    "IngestReport",
    "LLMJudge",
    "Line",
    "ListAnswer",
    "MockDocumentStore",
    "Page",
    "Passage",
    "QueryDecomposer",
    "Question",
    "ResponseGenerator",
    "Result",
    "Section",
    "Span",
    "TableAnswer",
    "TableItem",
    "TableValue",
    "TextAnswer",
    "TextItem",
    "answer_query",
    "ask",
    "boxes",
    "count_tokens",
    "parse_question",
    "read",
    "register_reader",
    "snippets",
]


def __getattr__(name: str) -> object:
    try:
        home = _HOMES[name]
    except KeyError:
        raise AttributeError(f"module 'spanwise' has no attribute {name!r}") from None
    value: object = getattr(import_module(f"spanwise.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
