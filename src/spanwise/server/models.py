"""What goes over the wire beside the published records of `spanwise.contract.record`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from spanwise.contract.record import BoxRecord, CitationRecord
from spanwise.domain.claim import Policy
from spanwise.domain.document import Hidden, HiddenReason, Line, LineRole, Page, Section
from spanwise.domain.question import AnswerShape
from spanwise.domain.scope import Scope
from spanwise.extraction.fields import MOST_FIELDS
from spanwise.questions.parse import MOST_CHARACTERS
from spanwise.server.examples import CHECK, DOCUMENT, FIELDS, JOB, PROBLEM, QUESTION
from spanwise.serving.answers import Asked
from spanwise.serving.entries import Entry, spelled
from spanwise.serving.jobs import JobKind, JobState
from spanwise.serving.limits import LONGEST_TEXT

MOST_KEYS = 50
"""Of one object that is sent."""
MOST_DOCUMENTS = 1_000
MOST_PASSAGES = 1_000
LONGEST_PASSAGE = 1_000_000
LONGEST_TITLE = 500

DocumentId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16}$")]
# A text without a letter or digit is no question.
QuestionText = Annotated[str, StringConstraints(pattern=r"\w", max_length=MOST_CHARACTERS)]
Text = Annotated[str, StringConstraints(pattern=r"\S", max_length=LONGEST_TEXT)]
PassageText = Annotated[str, StringConstraints(pattern=r"\S", max_length=LONGEST_PASSAGE)]
Name = Annotated[str, StringConstraints(max_length=1_000)]
Label = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]


def shown(example: JsonDict) -> ConfigDict:
    """The configuration of a model with an example; what it does not know is refused."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [example]})


class Sent(BaseModel):
    """Base of what clients send: what is not known is refused, so that a misspelt option is not lost in silence.

    Lists of it are bounded and given up at their first fault: many faults would hold up the server, as many keys would.
    """

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _bound(cls, given: object) -> object:
        if isinstance(given, dict) and len(given) > MOST_KEYS:
            raise PydanticCustomError("too_many_keys", f"Input should have at most {MOST_KEYS} keys")
        return given


class Told(BaseModel):
    """Base of what the server answers."""

    model_config = ConfigDict(extra="forbid")


class Flaw(Told):
    """One thing that is wrong with a request."""

    at: list[str | int]
    """Where: `body`, `path` or `query`, then names and positions."""
    message: str


class OpenAIError(Told):
    """The same error as OpenAI's clients read it."""

    message: str
    type: str
    param: str | None = None
    code: str


class Problem(Told):
    """Every error, as RFC 9457 has it."""

    model_config = shown(PROBLEM)

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    """For programs; it does not change between versions."""
    errors: list[Flaw] | None = None
    error: OpenAIError | None = None
    """On the paths that OpenAI's clients call."""


class Health(Told):
    """Whether the server is up, or takes requests."""

    status: Literal["ok", "starting", "stopping"]


class CorpusInfo(Told):
    """A corpus that the token opens."""

    name: str
    documents: int
    model: str | None
    mode: str


class CorpusList(Told):
    """The corpora that the token opens."""

    corpora: list[CorpusInfo]


class DocumentInfo(Told):
    """A document."""

    model_config = shown(DOCUMENT)

    id: str
    name: str
    format: str
    media_type: str
    lines: int
    pages: int | None
    sha256: str
    size: int | None

    @classmethod
    def of(cls, entry: Entry) -> DocumentInfo:
        """From an entry of the library."""
        return cls(**{name: getattr(entry, name) for name in Entry.__dataclass_fields__})


class DocumentList(Told):
    """All documents of a corpus, by name."""

    documents: list[DocumentInfo]


class SectionInfo(Told):
    """A section of a document's table of contents."""

    level: int
    title: str
    first_line: int
    last_line: int
    start_page: int
    end_page: int

    @classmethod
    def of(cls, section: Section) -> SectionInfo:
        """From a section of the document."""
        return cls(
            level=section.level,
            title=section.title,
            first_line=section.first_line,
            last_line=section.last_line,
            start_page=section.start_page,
            end_page=section.section_end_page,
        )


class PageInfo(Told):
    """A page of a document; width and height in PDF points, 0 in formats without a layout."""

    number: int
    label: str
    width: float
    height: float
    first_line: int
    last_line: int

    @classmethod
    def of(cls, page: Page) -> PageInfo:
        """From a page of the document."""
        return cls(**{name: getattr(page, name) for name in cls.model_fields})


class DocumentDetail(DocumentInfo):
    """A document with its table of contents and its pages."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=None)

    sections: list[SectionInfo]
    page_list: list[PageInfo]


class LineInfo(Told):
    """A line; its box in PDF points, origin top left."""

    number: int
    page: int
    text: str
    box: BoxRecord | None
    role: LineRole
    left_out: int
    """Characters at its end that are left out: 0 but of a line that is longer than one answer may be."""

    @classmethod
    def of(cls, line: Line, most: int) -> LineInfo:
        """From a line of the document; at most so many characters of its text."""
        box = line.box
        return cls(
            number=line.number,
            page=line.page,
            text=line.text[:most],
            box=None if box is None else BoxRecord(page=box.page, x0=box.x0, y0=box.y0, x1=box.x1, y1=box.y1),
            role=line.role,
            left_out=max(0, len(line.text) - most),
        )


class LineList(Told):
    """Lines of a document, in order."""

    lines: list[LineInfo]
    next: int | None
    """The first of the lines that were asked for and did not fit; None where all are here."""


class PageLines(Told):
    """One page with its lines."""

    number: int
    label: str
    width: float
    height: float
    lines: list[LineInfo]
    next: int | None
    """The first of its lines that did not fit; None where all are here."""


class HiddenInfo(Told):
    """Text in a file that nobody who looks at the document can see; its box in PDF points, origin top left."""

    page: int
    text: str
    """Characters that cannot be seen are spelled: a zero-width space is `\\u{200b}`."""
    reason: HiddenReason
    box: BoxRecord | None
    left_out: int
    """Characters at its end that are left out: 0 but of a text that is longer than one answer may be."""

    @classmethod
    def of(cls, hidden: Hidden, most: int) -> HiddenInfo:
        """From a hidden text of the document; at most so many characters of it."""
        box = hidden.box
        return cls(
            page=hidden.page,
            text=spelled(hidden.text[:most]),
            reason=hidden.reason,
            box=None if box is None else BoxRecord(page=box.page, x0=box.x0, y0=box.y0, x1=box.x1, y1=box.y1),
            left_out=max(0, len(hidden.text) - most),
        )


class HiddenList(Told):
    """Hidden texts of a document, in order."""

    hidden: list[HiddenInfo]
    total: int
    """How many the document has."""
    next: int | None
    """The first of those that were asked for and did not fit; None where all are here."""


class CitedDocument(Told):
    """A document that an answer cites, as it was then."""

    name: str
    sha256: str
    """Of the file that was read for the answer."""
    state: Literal["current", "replaced", "removed"]
    """Whether that file is still the document's, the name has another file now, or the document is gone."""


class CitedDocuments(Told):
    """The documents that an answer cites, by name."""

    documents: list[CitedDocument]


class RowRecord(Told):
    """One extracted value with its citation, or the lack of one with the reason."""

    document: str
    document_id: str
    name: str
    question: str
    type: str | None
    shape: str | None
    item: int
    of: int
    found: bool
    value: str | None
    typed: dict[str, object] | None
    confidence: float
    decision: str
    reason: str
    review: str | None
    page: int | None
    line_start: int | None
    line_end: int | None
    quote: str | None
    citations: list[CitationRecord]


class JobInfo(Told):
    """Work that goes on after its request was answered."""

    model_config = shown(JOB)

    id: str
    kind: JobKind
    state: JobState
    done: int
    total: int
    message: str
    document: DocumentInfo | None
    problem: Problem | None
    rows: list[RowRecord] | None


class ScopeSent(Sent):
    """A section, pages or lines that a question is limited to."""

    section: str | None = Field(default=None, min_length=1, max_length=LONGEST_TITLE)
    first_page: int | None = Field(default=None, ge=1)
    last_page: int | None = Field(default=None, ge=1)
    first_line: int | None = Field(default=None, ge=1)
    last_line: int | None = Field(default=None, ge=1)
    overlap: bool | None = None

    def read(self) -> Scope:
        """The scope.

        Raises:
            InputError: A last page or line comes before the first.
        """
        return Scope(**self.model_dump())


class Ask(Sent):
    """A question."""

    model_config = shown(QUESTION)

    question: QuestionText
    documents: list[DocumentId] | None = Field(default=None, min_length=1, max_length=MOST_DOCUMENTS, fail_fast=True)
    type: Label | None = None
    shape: AnswerShape | None = None
    scope: ScopeSent | None = None
    policy: Policy | None = None


class AskedInfo(Told):
    """One question of the history."""

    id: str
    question: str
    decision: str
    confidence: float
    when: str
    possible: bool
    review: bool

    @classmethod
    def of(cls, asked: Asked) -> AskedInfo:
        """From the history of the library."""
        return cls(**{name: getattr(asked, name) for name in cls.model_fields})


class History(Told):
    """Answers, the newest first; pass the last id as `before` for older ones."""

    results: list[AskedInfo]


class CallEvent(Told):
    """The model has answered; `done` of the `total` calls of this round are."""

    purpose: str
    done: int
    total: int


class TextEvent(Told):
    """The next piece of the answer's text, already checked."""

    text: str


class Chunk(Sent):
    """A passage from a retriever."""

    text: PassageText
    chunk_id: Name | None = None
    source_url: Name | None = None


class SectionText(Sent):
    """A section of a document as a passage."""

    content: PassageText
    title: Name | None = None
    page_num: int | None = Field(default=None, ge=1, le=1_000_000)


class Verify(Sent):
    """An answer to be checked."""

    model_config = shown(CHECK)

    text: Text
    question: QuestionText | None = None
    passages: list[PassageText | Chunk | SectionText] | None = Field(
        default=None, max_length=MOST_PASSAGES, fail_fast=True
    )
    documents: list[DocumentId] | None = Field(default=None, min_length=1, max_length=MOST_DOCUMENTS, fail_fast=True)


class FieldSpec(Sent):
    """One column: its name, the question that fills it, and the type and shape of its value when they are known."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    """One that is given twice gets a number."""
    question: QuestionText
    type: Label | None = None
    shape: AnswerShape | None = None


class Extract(Sent):
    """What to extract from every document."""

    model_config = shown(FIELDS)

    fields: list[FieldSpec] = Field(min_length=1, max_length=MOST_FIELDS, fail_fast=True)
    documents: list[DocumentId] | None = Field(default=None, min_length=1, max_length=MOST_DOCUMENTS, fail_fast=True)


class Session(Sent):
    """A token, to be kept in a cookie."""

    token: Annotated[str, StringConstraints(pattern=r"^[!-~]{1,1000}$")]
