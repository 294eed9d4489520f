"""Answers from your documents, proved line by line.

Importing this package imports no other module: each public name is imported when it is first used (PEP 562).
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spanwise.answering.decision import route
    from spanwise.answering.grounding import GroundedValue, Grounding, GroundingDict
    from spanwise.answering.guarded import ResponseSynthesizer
    from spanwise.answering.simple import answer_query
    from spanwise.contract.answers import (
        ANSWER_REGISTRY,
        AddressAnswer,
        AmountAnswer,
        AnswerBase,
        AnswerWithEvidence,
        BooleanAnswer,
        DateAnswer,
        DateRangeAnswer,
        IbanAnswer,
        ListAnswer,
        PersonAnswer,
        PriceAnswer,
        QuantityAnswer,
        TableAnswer,
        TextAnswer,
    )
    from spanwise.contract.compute import Comparison, Computation, compare, convert
    from spanwise.contract.items import (
        AddressItem,
        AmountItem,
        BooleanItem,
        DateItem,
        DateRangeItem,
        IbanItem,
        PersonItem,
        PriceItem,
        QuantityItem,
        TableItem,
        TextItem,
        boxes,
        snippets,
    )
    from spanwise.contract.record import ResultDict
    from spanwise.contract.registry import register, register_answer, schema_for, unregister
    from spanwise.contract.result import Decision, GenerationResult, Result
    from spanwise.contract.strict import strict_json_schema
    from spanwise.contract.validation.problems import Problem
    from spanwise.contract.values import (
        Address,
        Amount,
        DateRange,
        DateValue,
        Iban,
        PersonName,
        Price,
        Quantity,
        Span,
        TableValue,
    )
    from spanwise.domain.claim import Citation, Claim
    from spanwise.domain.document import Box, Document, Line, LineRow, Page, Section, SectionRow
    from spanwise.domain.passage import Hit, Passage
    from spanwise.domain.question import Question, Scope
    from spanwise.engine import Engine, Outcomes, aanswer, answer, ask, ground, validate_answer
    from spanwise.errors import ScriptExhausted, SpanwiseError, StructuredOutputError
    from spanwise.guard.completeness.truncation import BoundaryCheck, completeness, span_boundaries
    from spanwise.guard.confidence import confidence_action
    from spanwise.guard.conflicts.finding import find_conflicts
    from spanwise.guard.conflicts.values import Conflict, ConflictDict
    from spanwise.guard.judge import LLMJudge
    from spanwise.guard.verification import Verification, VerificationDict
    from spanwise.guard.verifiers import EntailmentVerifier, ModelVerifier
    from spanwise.guard.verify import verify
    from spanwise.ingest.corpus import Corpus
    from spanwise.ingest.ingest import IngestReport
    from spanwise.llm.embedding import Embedder, OnnxEmbedder, embedder_from
    from spanwise.llm.flow import Flow
    from spanwise.llm.port import Call, Model, ModelProfile, Reply, Usage
    from spanwise.llm.providers import model_from
    from spanwise.llm.rounds import Cancel
    from spanwise.llm.scripted import ScriptedModel
    from spanwise.llm.structured import parse_structured
    from spanwise.mock_data import MockDocumentStore
    from spanwise.questions.decomposer import QueryDecomposer
    from spanwise.questions.parse import parse_question
    from spanwise.readers.reading import read
    from spanwise.readers.registry import register_reader
    from spanwise.replaying.replay import replay
    from spanwise.retrieval.agentic import AgenticRetriever
    from spanwise.retrieval.hybrid import OnnxReranker
    from spanwise.synthesis.generator import ResponseGenerator
    from spanwise.synthesis.guarded.context import chunks_from_sections
    from spanwise.synthesis.guarded.schema import Chunk, ModelConfig, SynthesisInput, SynthesisOutput
    from spanwise.synthesis.modes import MODES, ResponseMode
    from spanwise.synthesis.response import Plan, Response
    from spanwise.synthesis.synthesizer import Synthesizer
    from spanwise.text.tables.find import Table, TableCell, TableRow, find_tables
    from spanwise.text.tokens import count_tokens, split_tokens

__version__ = "0.1.0"

_ROOMS = {
    "answering.decision": "route",
    "answering.grounding": "GroundedValue Grounding GroundingDict",
    "answering.guarded": "ResponseSynthesizer",
    "answering.simple": "answer_query",
    "contract.answers": (
        "ANSWER_REGISTRY AddressAnswer AmountAnswer AnswerBase AnswerWithEvidence BooleanAnswer DateAnswer "
        "DateRangeAnswer IbanAnswer ListAnswer PersonAnswer PriceAnswer QuantityAnswer TableAnswer TextAnswer"
    ),
    "contract.compute": "Comparison Computation compare convert",
    "contract.items": (
        "AddressItem AmountItem BooleanItem DateItem DateRangeItem IbanItem PersonItem PriceItem QuantityItem "
        "TableItem TextItem boxes snippets"
    ),
    "contract.record": "ResultDict",
    "contract.registry": "register register_answer schema_for unregister",
    "contract.result": "Decision GenerationResult Result",
    "contract.strict": "strict_json_schema",
    "contract.validation.problems": "Problem",
    "contract.values": "Address Amount DateRange DateValue Iban PersonName Price Quantity Span TableValue",
    "domain.claim": "Citation Claim",
    "domain.document": "Box Document Line LineRow Page Section SectionRow",
    "domain.passage": "Hit Passage",
    "domain.question": "Question Scope",
    "engine": "Engine Outcomes aanswer answer ask ground validate_answer",
    "errors": "ScriptExhausted SpanwiseError StructuredOutputError",
    "guard.completeness.truncation": "BoundaryCheck completeness span_boundaries",
    "guard.confidence": "confidence_action",
    "guard.conflicts.finding": "find_conflicts",
    "guard.conflicts.values": "Conflict ConflictDict",
    "guard.judge": "LLMJudge",
    "guard.verification": "Verification VerificationDict",
    "guard.verifiers": "EntailmentVerifier ModelVerifier",
    "guard.verify": "verify",
    "ingest.corpus": "Corpus",
    "ingest.ingest": "IngestReport",
    "llm.embedding": "Embedder OnnxEmbedder embedder_from",
    "llm.flow": "Flow",
    "llm.port": "Call Model ModelProfile Reply Usage",
    "llm.providers": "model_from",
    "llm.rounds": "Cancel",
    "llm.scripted": "ScriptedModel",
    "llm.structured": "parse_structured",
    "mock_data": "MockDocumentStore",
    "questions.decomposer": "QueryDecomposer",
    "questions.parse": "parse_question",
    "readers.reading": "read",
    "readers.registry": "register_reader",
    "replaying.replay": "replay",
    "retrieval.agentic": "AgenticRetriever",
    "retrieval.hybrid": "OnnxReranker",
    "synthesis.generator": "ResponseGenerator",
    "synthesis.guarded.context": "chunks_from_sections",
    "synthesis.guarded.schema": "Chunk ModelConfig SynthesisInput SynthesisOutput",
    "synthesis.modes": "MODES ResponseMode",
    "synthesis.response": "Plan Response",
    "synthesis.synthesizer": "Synthesizer",
    "text.tables.find": "Table TableCell TableRow find_tables",
    "text.tokens": "count_tokens split_tokens",
}
_HOMES = {name: room for room, names in _ROOMS.items() for name in names.split()}

# fmt: off
__all__ = [  # noqa: RUF022  # sorted as `sorted` does
    "ANSWER_REGISTRY", "Address", "AddressAnswer", "AddressItem", "AgenticRetriever", "Amount", "AmountAnswer",
    "AmountItem", "AnswerBase", "AnswerWithEvidence", "BooleanAnswer", "BooleanItem", "BoundaryCheck", "Box", "Call",
    "Cancel", "Chunk", "Citation", "Claim", "Comparison", "Computation", "Conflict", "ConflictDict", "Corpus",
    "DateAnswer", "DateItem", "DateRange", "DateRangeAnswer", "DateRangeItem", "DateValue", "Decision", "Document",
    "Embedder", "Engine", "EntailmentVerifier", "Flow", "GenerationResult", "GroundedValue", "Grounding",
    "GroundingDict", "Hit", "Iban", "IbanAnswer", "IbanItem", "IngestReport", "LLMJudge", "Line", "LineRow",
    "ListAnswer", "MODES", "MockDocumentStore", "Model", "ModelConfig", "ModelProfile", "ModelVerifier",
    "OnnxEmbedder", "OnnxReranker", "Outcomes", "Page", "Passage", "PersonAnswer", "PersonItem", "PersonName", "Plan",
    "Price", "PriceAnswer", "PriceItem", "Problem", "Quantity", "QuantityAnswer", "QuantityItem", "QueryDecomposer",
    "Question", "Reply", "Response", "ResponseGenerator", "ResponseMode", "ResponseSynthesizer", "Result",
    "ResultDict", "Scope", "ScriptExhausted", "ScriptedModel", "Section", "SectionRow", "Span", "SpanwiseError",
    "StructuredOutputError", "SynthesisInput", "SynthesisOutput", "Synthesizer", "Table", "TableAnswer", "TableCell",
    "TableItem", "TableRow", "TableValue", "TextAnswer", "TextItem", "Usage", "Verification", "VerificationDict",
    "aanswer", "answer", "answer_query", "ask", "boxes", "chunks_from_sections", "compare", "completeness",
    "confidence_action", "convert", "count_tokens", "embedder_from", "find_conflicts", "find_tables", "ground",
    "model_from", "parse_question", "parse_structured", "read", "register", "register_answer", "register_reader",
    "replay", "route", "schema_for", "snippets", "span_boundaries", "split_tokens", "strict_json_schema",
    "unregister", "validate_answer", "verify",
]
# fmt: on


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
