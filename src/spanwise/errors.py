"""Every error that Spanwise raises on purpose; each message says in a sentence or two what is wrong and what to do.

`InputError` (also a `ValueError`) means that what the caller gave cannot be used, and ends a command with exit code 2.
`ServiceError` means that a provider or another service failed, and ends it with exit code 3. Errors carry as attributes
the object that they are about (a document, a path, a status).
"""

from __future__ import annotations


class SpanwiseError(Exception):
    """Base class of every error that Spanwise raises on purpose."""

    exit_code = 2


class InputError(SpanwiseError, ValueError):
    """Something that the caller gave cannot be used; the message says what to do."""


def expect(
    given: object, kind: type | tuple[type, ...], what: str, wanted: str, error: type[InputError] = InputError
) -> None:
    """Raise an error at the library's entry points if an argument has the wrong type, before it fails deep inside.

    Args:
        given: The argument as the caller gave it.
        kind: The type or types that it must have, as for `isinstance`.
        what: The name of the argument in the message ("the question").
        wanted: What the message tells the caller to give instead ("it as text").
        error: The error class to raise.
    """
    if not isinstance(given, kind):
        raise error(f"{what} is of type {type(given).__name__}: give {wanted}")


class QuestionError(InputError):
    """The question is empty or too long."""


class DocumentError(InputError):
    """A document cannot be read.

    Attributes:
        document: The path or name of the document.
    """

    def __init__(self, message: str, *, document: str) -> None:
        super().__init__(message)
        self.document = document

    def __reduce__(self) -> tuple[object, ...]:
        # Errors are pickled between processes during ingest; the default would call __init__ without `document`.
        return _rebuild_document_error, (type(self), str(self), self.document)


def _rebuild_document_error(kind: type[DocumentError], message: str, document: str) -> DocumentError:
    return kind(message, document=document)


class DocumentNotFoundError(DocumentError):
    """No file or folder has that path, or no file matches the glob."""


class DocumentReplacedError(DocumentError):
    """The document has been replaced by another version since the caller read it."""


class UnsupportedFormatError(DocumentError):
    """No reader is registered for this kind of file."""


class EmptyDocumentError(DocumentError):
    """The file has no bytes, or no text at all."""


class DamagedDocumentError(DocumentError):
    """The file is not of the format that its name or its first bytes indicate, and could not be repaired."""


class PasswordError(DocumentError):
    """The document is encrypted and the password is missing or wrong."""


class NoTextError(DocumentError):
    """No page has a text layer (the file is a scan, for example)."""


class RecognitionError(DocumentError):
    """Text in pictures cannot be recognised: tesseract or one of its languages is missing, or tesseract failed."""


class LimitError(DocumentError):
    """The document exceeds a limit on size, nesting or reading time."""


class CorpusError(InputError):
    """A corpus file cannot be used.

    Attributes:
        path: The path of the corpus.
    """

    def __init__(self, message: str, *, path: str) -> None:
        super().__init__(message)
        self.path = path


class NotACorpusError(CorpusError):
    """The file is not a corpus, or it was written by another version of the corpus format."""


def no_corpus(place: str) -> NotACorpusError:
    """The error to raise for a path or address that has no corpus, where none is to be created."""
    made = f"spanwise index FOLDER --corpus {place}"
    return NotACorpusError(f"There is no corpus at {place}: check its name, or make one: {made}", path=place)


class CorpusBusyError(CorpusError):
    """Another process is writing to this corpus."""


class StorageError(InputError):
    """Data could not be written: the disk is full, or permission is missing."""


class DatabaseDownError(StorageError):
    """The database that contains a corpus cannot be reached, closed the connection, or accepts no work at present."""


class HighlightError(InputError):
    """No highlighted copy can be made from this result."""


class ComputationError(InputError):
    """The computation is not possible: too few values, a value that is not a finite number, or a division by zero."""


class MissingRateError(ComputationError):
    """Values in two currencies are combined, and no exchange rate between them was given.

    Attributes:
        pair: The currency to convert from, and the currency to convert to.
    """

    def __init__(self, message: str, *, pair: tuple[str, str]) -> None:
        super().__init__(message)
        self.pair = pair


class UnitError(ComputationError):
    """Values of different units, or of different magnitudes such as thousand and million, are combined."""


class ContractError(InputError):
    """A value class, a label or a schema cannot be part of the typed contract."""


class ModelSetupError(InputError):
    """A model cannot be set up with the given options."""


class UnknownModelError(ModelSetupError):
    """No provider has that name, or the name of the model is missing."""


class MissingKeyError(ModelSetupError):
    """The provider needs an API key and none was found."""


class MissingExtraError(ModelSetupError, ImportError):
    """The libraries of an optional extra are missing or too old; the message has the command that installs them."""


def install_line(extra: str) -> str:
    """The command that installs an extra; Spanwise is installed from its repository, so it is run there."""
    return f'pip install ".[{extra}]" in the folder of the repository'


class ScriptExhausted(InputError):  # noqa: N818  # the name is part of the public interface
    """A scripted model was called more often than it has replies."""


class TraceError(InputError):
    """The trace is not valid, was edited, or no longer proves its answer."""


class AnswerNotFoundError(InputError):
    """No stored answer has that id."""


class JobNotFoundError(InputError):
    """No job has that id."""


class NameTakenError(InputError):
    """The name is already in use."""


class QuotaError(InputError):
    """The caller has used up their quota; the message says until when they have to wait."""


class PassageError(InputError):
    """A passage has no form that Spanwise can read.

    Attributes:
        item: The passage as it was given.
    """

    def __init__(self, message: str, *, item: object = None) -> None:
        super().__init__(message)
        self.item = item


class SynthesisError(InputError):
    """No response can be written from the given input."""


class ModeError(SynthesisError):
    """No response mode has that name, or the mode needs a model and there is none."""


class TemplateError(SynthesisError):
    """A prompt template lacks one of its variables."""


class WindowError(SynthesisError):
    """The context window is too small for the instructions, some evidence and the reply."""


class ServiceError(SpanwiseError):
    """A provider or another service failed."""

    exit_code = 3


class ModelError(ServiceError):
    """A call to a model failed; also stored as a value in `Reply.error`.

    Attributes:
        retryable: Whether the same call may succeed later.
        retry_after: Seconds that the provider asked the caller to wait; None if it gave no time.
        status: The HTTP status; None if there was no HTTP response.
    """

    retryable = False

    def __init__(self, message: str, *, retry_after: float | None = None, status: int | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.status = status


class ProviderError(ModelError):
    """The provider rejected the request, or failed."""


class ProviderDownError(ProviderError):
    """The provider failed on its side; a retry may help."""

    retryable = True


class RateLimitedError(ProviderError):
    """Too many requests were sent; `retry_after` is how long to wait, if the provider says."""

    retryable = True


class UnreachableError(ProviderError):
    """The connection to the server could not be made, or broke."""

    retryable = True


class ModelTimeoutError(ProviderError):
    """No reply arrived before the timeout."""

    retryable = True


class SchemaUnsupportedError(ProviderError):
    """The provider does not accept a schema in the form in which it was sent."""


class WindowExceededError(ProviderError):
    """The prompt is longer than the context window of the model.

    Attributes:
        window: The server's limit in tokens, prompt and reply together; None if it does not report one.
        prompt_tokens: The length of the prompt in tokens, as the server counts them; None if it does not report it.
    """

    def __init__(
        self,
        message: str,
        *,
        window: int | None = None,
        prompt_tokens: int | None = None,
        retry_after: float | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(message, retry_after=retry_after, status=status)
        self.window = window
        self.prompt_tokens = prompt_tokens


class UnofferedToolError(ModelError):
    """The model called a tool that it was not offered, instead of answering."""


class RefusedError(ModelError):
    """The model, or a filter of its provider, refused to answer."""


class EmptyReplyError(ModelError):
    """The reply contains no text."""

    retryable = True


class CutReplyError(ModelError):
    """The reply ended before it was complete."""

    retryable = True


class StructuredOutputError(ModelError):
    """The reply does not match the schema that was asked for.

    Attributes:
        text: The reply as the model wrote it.
        problems: The violations, each in a few words.
    """

    def __init__(self, message: str, *, text: str = "", problems: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.text = text
        self.problems = problems


class BudgetError(ModelError):
    """The budget of calls, tokens or money is used up."""


class NotRecordedError(ModelError):
    """A replayed recording contains no reply to this call."""


class CallCancelledError(ModelError):
    """The run was cancelled before this call finished."""


class AllCallsFailedError(ServiceError):
    """Every call to the model failed, so there is no answer; the response lists what was not read.

    Attributes:
        response: The response without text, a `spanwise.Response`, or None.
    """

    def __init__(self, message: str, *, response: object = None) -> None:
        super().__init__(message)
        self.response = response


class WorkStoppedError(ServiceError):
    """The work was stopped before it finished: by the user who had started it, or because the server shuts down."""


class BusyError(ServiceError):
    """The queue of waiting work is full; the same request may succeed later."""
