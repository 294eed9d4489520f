"""Every error that Spanwise raises on purpose; each says in a sentence or two what is wrong and what to do.

`InputError` (also a `ValueError`) is what the caller gave and cannot be used, exit code 2; `ServiceError` is a provider
or a service that failed, exit code 3. Each carries the object that it is about.
"""

from __future__ import annotations


class SpanwiseError(Exception):
    """Base of everything raised on purpose."""

    exit_code = 2


class InputError(SpanwiseError, ValueError):
    """What the caller gave cannot be used; the message says what to do."""


def expect(
    given: object, kind: type | tuple[type, ...], what: str, wanted: str, error: type[InputError] = InputError
) -> None:
    """Refuse what is not of a kind, at the doors of the library, before it fails deep inside.

    Args:
        given: What the caller gave.
        kind: What it has to be, as `isinstance` takes it.
        what: What it stands for ("the question").
        wanted: What to give instead ("it as text").
        error: The error to raise.
    """
    if not isinstance(given, kind):
        raise error(f"{what} is of type {type(given).__name__}: give {wanted}")


class QuestionError(InputError):
    """The question is empty or too long to be one."""


class DocumentError(InputError):
    """A document cannot be read.

    Attributes:
        document: The path or name of the document.
    """

    def __init__(self, message: str, *, document: str) -> None:
        super().__init__(message)
        self.document = document

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process borders during ingest; the default would call __init__ without `document`.
        return _rebuild_document_error, (type(self), str(self), self.document)


def _rebuild_document_error(kind: type[DocumentError], message: str, document: str) -> DocumentError:
    return kind(message, document=document)


class DocumentNotFoundError(DocumentError):
    """No file, folder or glob match at that path."""


class DocumentReplacedError(DocumentError):
    """The document is another version by now than the one that is meant."""


class UnsupportedFormatError(DocumentError):
    """No reader is registered for this kind of file."""


class EmptyDocumentError(DocumentError):
    """The file has no bytes, or no text at all."""


class DamagedDocumentError(DocumentError):
    """The file is not what its name or its first bytes promise, and could not be repaired."""


class PasswordError(DocumentError):
    """The document is encrypted and the password is missing or wrong."""


class NoTextError(DocumentError):
    """No page has a text layer (a scan, for example)."""


class RecognitionError(DocumentError):
    """Text in pictures cannot be recognised: tesseract or one of its languages is missing, or it does not work."""


class LimitError(DocumentError):
    """The document is larger, deeper or slower than the limits allow."""


class CorpusError(InputError):
    """A corpus file cannot be used.

    Attributes:
        path: The path of the corpus.
    """

    def __init__(self, message: str, *, path: str) -> None:
        super().__init__(message)
        self.path = path


class NotACorpusError(CorpusError):
    """The file is not a corpus, or one of another version."""


def no_corpus(place: str) -> NotACorpusError:
    """The error for a file, or an address, where no corpus is and none is to be made."""
    made = f"spanwise index FOLDER --corpus {place}"
    return NotACorpusError(f"There is no corpus at {place}: check its name, or make one: {made}", path=place)


class CorpusBusyError(CorpusError):
    """Another process is writing to this corpus."""


class StorageError(InputError):
    """Something could not be written: the disk is full, or permission is missing."""


class DatabaseDownError(StorageError):
    """The database that holds a corpus cannot be reached, cut the connection, or takes no work now."""


class HighlightError(InputError):
    """A highlighted copy cannot be made from this result."""


class ComputationError(InputError):
    """Values cannot be computed with: too few, no finite numbers, or a division by zero."""


class MissingRateError(ComputationError):
    """Two currencies meet and no rate between them was given.

    Attributes:
        pair: The currency that is converted, and the one it is converted to.
    """

    def __init__(self, message: str, *, pair: tuple[str, str]) -> None:
        super().__init__(message)
        self.pair = pair


class UnitError(ComputationError):
    """Values of different units or magnitudes meet."""


class ContractError(InputError):
    """A value class, a label or a schema cannot be part of the typed contract."""


class ModelSetupError(InputError):
    """A model cannot be set up as it was asked for."""


class UnknownModelError(ModelSetupError):
    """No provider has that name, or the name of the model is missing."""


class MissingKeyError(ModelSetupError):
    """The provider needs a key and none was found."""


class MissingExtraError(ModelSetupError, ImportError):
    """The libraries of an extra are not installed, or are too old; the message has the line that installs them."""


def install_line(extra: str) -> str:
    """What installs an extra; Spanwise is installed from its repository, so that is where the line is run."""
    return f'pip install ".[{extra}]" in the folder of the repository'


class ScriptExhausted(InputError):  # noqa: N818  # the name that tests know
    """A scripted model was called more often than it has replies."""


class TraceError(InputError):
    """A trace is not one, was edited, or proves no longer what it proved."""


class AnswerNotFoundError(InputError):
    """No answer of that id is kept."""


class JobNotFoundError(InputError):
    """No job of that id is known."""


class NameTakenError(InputError):
    """Something else is called so already."""


class QuotaError(InputError):
    """Somebody has asked as much as they may; the message says until when."""


class PassageError(InputError):
    """A passage is in no form that can be read.

    Attributes:
        item: What was given.
    """

    def __init__(self, message: str, *, item: object = None) -> None:
        super().__init__(message)
        self.item = item


class SynthesisError(InputError):
    """A response cannot be written from what was given."""


class ModeError(SynthesisError):
    """No response mode has that name, or the mode needs a model and there is none."""


class TemplateError(SynthesisError):
    """A prompt template lacks one of its variables."""


class WindowError(SynthesisError):
    """The context window has no room for the instructions, some evidence and the reply."""


class ServiceError(SpanwiseError):
    """A provider or a service failed."""

    exit_code = 3


class ModelError(ServiceError):
    """A call to a model failed; also kept as a value in `Reply.error`.

    Attributes:
        retryable: The same call may succeed later.
        retry_after: Seconds that the provider asked to wait; None where it did not say.
        status: The HTTP status; None where there was none.
    """

    retryable = False

    def __init__(self, message: str, *, retry_after: float | None = None, status: int | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.status = status


class ProviderError(ModelError):
    """The provider refused the request, or failed."""


class ProviderDownError(ProviderError):
    """The provider failed on its side; trying again may help."""

    retryable = True


class RateLimitedError(ProviderError):
    """Too many requests; `retry_after` says how long to wait, where the provider does."""

    retryable = True


class UnreachableError(ProviderError):
    """No connection to the server, or it broke."""

    retryable = True


class ModelTimeoutError(ProviderError):
    """No reply in time."""

    retryable = True


class SchemaUnsupportedError(ProviderError):
    """The provider does not take a schema in the way it was sent."""


class WindowExceededError(ProviderError):
    """The prompt is longer than the window of the model.

    Attributes:
        window: Tokens that the server takes, prompt and reply together; None where it does not say.
        prompt_tokens: Tokens of the prompt as the server counts them; None where it does not say.
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
    """The model called a tool that nobody offered instead of answering."""


class RefusedError(ModelError):
    """The model, or a filter of its provider, refused to answer."""


class EmptyReplyError(ModelError):
    """The reply has no text."""

    retryable = True


class CutReplyError(ModelError):
    """The reply ended before it was complete."""

    retryable = True


class StructuredOutputError(ModelError):
    """The reply is not the answer that its schema asks for.

    Attributes:
        text: What the model said.
        problems: What is wrong with it, each in a few words.
    """

    def __init__(self, message: str, *, text: str = "", problems: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.text = text
        self.problems = problems


class BudgetError(ModelError):
    """The calls, the tokens or the money that were allowed are spent."""


class NotRecordedError(ModelError):
    """A recording is replayed and has no reply to this call."""


class CallCancelledError(ModelError):
    """The run was cancelled before this call was done."""


class AllCallsFailedError(ServiceError):
    """Every call to the model failed, so there is no answer; the response says what was not read.

    Attributes:
        response: The response without text, a `spanwise.Response`, or None.
    """

    def __init__(self, message: str, *, response: object = None) -> None:
        super().__init__(message)
        self.response = response


class WorkStoppedError(ServiceError):
    """Work was stopped before it was done: by who wanted it, or because the server ends."""


class BusyError(ServiceError):
    """More work is waiting than is taken on; the same request may succeed later."""
