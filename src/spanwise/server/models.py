"""Requests and responses of the API, apart from the published records in `spanwise.contract.record`."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from spanwise.domain.claim import Citation, Policy
from spanwise.domain.document import Box, HiddenReason, Line, LineRole
from spanwise.domain.question import AnswerShape, Scope
from spanwise.extraction.fields import MOST_FIELDS
from spanwise.guard.conflicts.values import ConflictKind
from spanwise.questions.parse import MOST_CHARACTERS
from spanwise.serving.corpus_library import Watchable
from spanwise.serving.corpus_limits import LONGEST_TEXT
from spanwise.serving.job_queue import JobKind, JobState
from spanwise.serving.server_registry import LONGEST_TITLE

VISIBLE = (
    "[!-~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03b1-\u03c9\u0400-\u0481\u05d0-\u05ea\u0621-\u064a"
    "\u0905-\u0939\u0e01-\u0e30\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]"
)
r"""A visible character, spelled out because `\w` differs between JSON Schema validators."""
MOST_KEYS = 50
"""Most keys of an object in a request."""
MOST_DOCUMENTS = 1_000
MOST_PASSAGES = 1_000
LONGEST_PASSAGE = 1_000_000
LONGEST_SECTION = 500

CorpusName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
DocumentId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{16}$")]
# A text without a letter or digit is no question.
QuestionText = Annotated[str, StringConstraints(pattern=r"\w", max_length=MOST_CHARACTERS)]
Text = Annotated[str, StringConstraints(pattern=r"\S", max_length=LONGEST_TEXT)]
PassageText = Annotated[str, StringConstraints(pattern=r"\S", max_length=LONGEST_PASSAGE)]
Name = Annotated[str, StringConstraints(max_length=1_000)]
Label = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]


EXAMPLES: Final[dict[str, JsonDict]] = json.loads(
    files("spanwise.server").joinpath("examples.json").read_text(encoding="utf-8")
)
"""Example values in the OpenAPI document, from the lease in examples/documents."""


def shown(example: str) -> ConfigDict:
    """The configuration of a model with an example, which refuses unknown fields."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLES[example]]})


class Sent(BaseModel):
    """Base of request bodies; unknown fields are refused, so that a misspelt option is not silently ignored.

    Lists are bounded and validated only up to their first fault: reporting many faults, or keys, would stall the
    server.
    """

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _bound(cls, given: object) -> object:
        if isinstance(given, dict) and len(given) > MOST_KEYS:
            raise PydanticCustomError("too_many_keys", f"Input should have at most {MOST_KEYS} keys")
        return given


class Told(BaseModel):
    """Base of responses."""

    model_config = ConfigDict(extra="forbid")

    @classmethod
    def from_source(cls, source: object, **more: object) -> Self:
        """A model built from the attributes of the same names of `source`; `more` replaces or adds fields."""
        known = {name: getattr(source, name) for name in cls.model_fields if name not in more}
        return cls.model_validate({**known, **more})


class Flaw(Told):
    """One thing that is wrong with a request."""

    at: list[str | int]
    """The path to it: `body`, `path` or `query`, then names and positions."""
    message: str


class OpenAIError(Told):
    """The same error as OpenAI's clients read it."""

    message: str
    type: str
    param: str | None = None
    code: str


class Problem(Told):
    """An error, in the format of RFC 9457."""

    model_config = shown("problem")

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    """A stable identifier for programs."""
    errors: list[Flaw] | None = None
    error: OpenAIError | None = None
    """The error as OpenAI's clients read it; only on the paths that they call."""


class Health(Told):
    """The state of the server: whether it runs, and whether it accepts requests."""

    status: Literal["ok", "starting", "stopping"]


class CorpusInfo(Told):
    """A corpus that the token gives access to."""

    name: str
    """The name in URLs; it never changes."""
    title: str
    """The title for people."""
    documents: int
    model: str | None
    mode: str
    removable: bool
    """True if it was made while the server ran, rather than configured."""


class CorpusList(Told):
    """The corpora that the token gives access to."""

    corpora: list[CorpusInfo]
    operator: bool
    """True if the token may make, rename and remove collections, and administer the server."""


class Title(Sent):
    """The title of a collection."""

    title: Annotated[str, StringConstraints(pattern=VISIBLE, max_length=LONGEST_TITLE)]


class Changed(Told):
    """A part of a collection has changed: read it again."""

    corpus: str
    what: Watchable


class TokenSent(Sent):
    """A token to make."""

    label: Annotated[str, StringConstraints(pattern=r"\w", max_length=LONGEST_TITLE)]
    corpora: list[CorpusName] | None = Field(default=None, min_length=1, max_length=100, fail_fast=True)
    """Names of the corpora that it gives access to.

    Null for an operator's token, which gives access to all of them and to the operator's pages.
    """
    questions: int | None = Field(default=None, ge=1, le=1_000_000)
    """Daily quota of questions."""


class TokenInfo(Told):
    """What is known of a token; the token itself is not stored."""

    id: str
    label: str
    corpora: list[str] | None
    questions: int | None
    asked_today: int | None
    """Questions asked today; null if there is no quota."""
    made: str


class TokenList(Told):
    """The tokens that were made, the oldest first; those of the configuration are not among them."""

    tokens: list[TokenInfo]


class TokenMade(TokenInfo):
    """A new token; no other response contains the token itself."""

    token: str


class CorpusState(Told):
    """The state of a corpus."""

    name: str
    title: str
    documents: int
    most_documents: int
    answers: int
    most_answers: int
    bytes: dict[str, int]
    """Bytes on the server's disk: of the corpus, of uploaded files, of answers."""
    most_file_bytes: int | None
    jobs: dict[JobState, int]


class ServerState(Told):
    """The state of the server."""

    version: str
    seconds: int
    """Seconds since the server was started."""
    asks_for_tokens: bool
    sessions: int
    limits: dict[str, int | float]
    disk_free: int
    disk_total: int
    audit: str | None
    """Name of the audit log; null if there is none."""
    audit_problem: str | None
    """Why the last line could not be written; null if it was."""
    corpora: list[CorpusState]


class DocumentInfo(Told):
    """A document."""

    model_config = shown("document")

    id: str
    name: str
    format: str
    media_type: str
    lines: int
    pages: int | None
    sha256: str
    size: int | None
    language: str | None
    """ISO 639-1 code, empty if undetermined; null if not known yet, as for the following fields."""
    recognised: bool | None
    """True if it has lines from text recognition."""
    hidden: int | None
    """The number of hidden texts."""


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


class PageInfo(Told):
    """A page of a document; width and height in PDF points, 0 in formats without a layout."""

    number: int
    label: str
    width: float
    height: float
    first_line: int
    last_line: int


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
    box: Box | None
    role: LineRole
    left_out: int
    """Characters that are cut off at its end: 0 unless the line is longer than an answer may be."""

    @classmethod
    def cut(cls, line: Line, most: int, **more: object) -> Self:
        """A line of a document, with at most `most` characters of its text."""
        return cls.from_source(line, text=line.text[:most], left_out=max(0, len(line.text) - most), **more)


class LineList(Told):
    """Lines of a document, in order."""

    lines: list[LineInfo]
    next: int | None
    """Number of the first requested line that did not fit; null if all did."""


class FoundLine(LineInfo):
    """A line that contains the words."""

    at: list[tuple[int, int]]
    """Start and end of each match, as character offsets."""


class FoundList(Told):
    """Lines that contain the words, in order."""

    lines: list[FoundLine]
    total: int
    """The number of matching lines in the document."""


class PageLines(Told):
    """One page with its lines."""

    number: int
    label: str
    width: float
    height: float
    lines: list[LineInfo]
    next: int | None
    """Number of the first line of the page that did not fit; null if all did."""


class HiddenInfo(Told):
    """Text in a file that is invisible in the document; its box in PDF points, origin top left."""

    page: int
    text: str
    r"""Invisible characters are replaced by their codes: a zero-width space is `\u{200b}`."""
    reason: HiddenReason
    box: Box | None
    left_out: int
    """Characters that are cut off at its end: 0 unless the text is longer than an answer may be."""


class HiddenList(Told):
    """Hidden texts of a document, in order."""

    hidden: list[HiddenInfo]
    total: int
    """The number of hidden texts in the document."""
    next: int | None
    """Number of the first requested text that did not fit; null if all did."""


class CitedDocument(Told):
    """A document that an answer cites, as it was then."""

    name: str
    sha256: str
    """Digest of the file that was read for the answer."""
    state: Literal["current", "replaced", "removed"]
    """Whether the document still has that file, has another one now, or was removed."""


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
    cited_document: str | None
    cost_usd: float | None
    citations: list[Citation]


class JobInfo(Told):
    """Work that continues after the response to its request."""

    model_config = shown("job")

    id: str
    kind: JobKind
    name: str | None
    """Name of the document that is read."""
    state: JobState
    done: int
    total: int
    message: str
    document: DocumentInfo | None
    problem: Problem | None
    rows: list[RowRecord] | None


class JobList(Told):
    """The jobs that the server remembers, the newest first; without the rows of extractions."""

    jobs: list[JobInfo]


class ScopeSent(Sent):
    """A section, pages or lines that a question is limited to."""

    section: str | None = Field(default=None, min_length=1, max_length=LONGEST_SECTION)
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

    model_config = shown("question")

    question: QuestionText
    documents: list[DocumentId] | None = Field(default=None, min_length=1, max_length=MOST_DOCUMENTS, fail_fast=True)
    type: Label | None = None
    shape: AnswerShape | None = None
    scope: ScopeSent | None = None
    policy: Policy | None = None
    after: QuestionText | None = None
    """The previous question, in words or as the id of its answer.

    A follow-up question is completed from it, and the result's `question` is the complete one.
    """
    model: Name | None = None
    """One of the models in the corpus's `choices`."""
    mode: Label | None = None
    profile: Label | None = None
    language: Label | None = None
    """Code of the question's language (de, fr, ...); determined from its words by default."""


class Choices(Told):
    """What a question to a corpus may choose."""

    model: str
    """The default model; `none` answers in the documents' own words."""
    models: list[str]
    mode: str
    modes: list[str]
    """Response modes of a model."""
    policies: list[Policy]
    profile: str | None
    profiles: list[str]
    languages: list[str]
    """Codes of the supported languages."""


class PlanInfo(Told):
    """An upper bound of what a question will cost, before a model is called; all 0 if none would be called."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    """Null if the model's prices are not known."""


class Suggestions(Told):
    """Questions that the documents suggest, and answer."""

    questions: list[str]


class ConflictSide(Told):
    """What one document says."""

    document: str
    document_id: str
    page: int | None
    line_start: int
    line_end: int
    quote: str
    value: str
    dated: str | None


class ConflictInfo(Told):
    """Two documents that contradict each other."""

    kind: ConflictKind
    later: Literal["one", "other"] | None
    """The side that is later, according to the documents; null if they do not tell."""
    reason: str
    one: ConflictSide
    other: ConflictSide


class ConflictList(Told):
    """Conflicts between the documents of a corpus."""

    conflicts: list[ConflictInfo]


class AskedInfo(Told):
    """One question of the history."""

    id: str
    question: str
    decision: str
    confidence: float
    when: str
    possible: bool
    review: bool


class History(Told):
    """Answers, the newest first; pass the last id as `before` for older ones."""

    results: list[AskedInfo]


class CallEvent(Told):
    """The model has answered a call; `done` of the `total` calls of this round are answered."""

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

    model_config = shown("check")

    text: Text
    question: QuestionText | None = None
    passages: list[PassageText | Chunk | SectionText] | None = Field(
        default=None, max_length=MOST_PASSAGES, fail_fast=True
    )
    documents: list[DocumentId] | None = Field(default=None, min_length=1, max_length=MOST_DOCUMENTS, fail_fast=True)


class FieldSpec(Sent):
    """One column: its name, the question that fills it, and the type and shape of its value when they are known."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    """A repeated name gets a number."""
    question: QuestionText
    type: Label | None = None
    shape: AnswerShape | None = None


class Extract(Sent):
    """What to extract from every document."""

    model_config = shown("fields")

    fields: list[FieldSpec] = Field(min_length=1, max_length=MOST_FIELDS, fail_fast=True)
    documents: list[DocumentId] | None = Field(default=None, min_length=1, max_length=MOST_DOCUMENTS, fail_fast=True)


class Session(Sent):
    """A token, to open a session for the page."""

    token: Annotated[str, StringConstraints(pattern=r"^[!-~]{1,1000}$")]
