"""Every error that Spanwise raises on purpose.

Each message says in a sentence or two what is wrong and what to do, and each error carries the object it is about.

* SpanwiseError
  + InputError (also a ValueError): what the caller gave cannot be used; exit code 2
    - QuestionError
    - DocumentError
      x DocumentNotFoundError
      x UnsupportedFormatError
      x EmptyDocumentError
      x DamagedDocumentError
      x PasswordError
      x NoTextError
      x LimitError
    - CorpusError
      x NotACorpusError
      x CorpusBusyError
    - StorageError
    - HighlightError
  + ServiceError: a provider or a service failed; exit code 3
"""

from __future__ import annotations


class SpanwiseError(Exception):
    """Base of everything raised on purpose."""

    exit_code = 2


class InputError(SpanwiseError, ValueError):
    """What the caller gave cannot be used; the message says what to do."""


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


class CorpusBusyError(CorpusError):
    """Another process is writing to this corpus."""


class StorageError(InputError):
    """Something could not be written: the disk is full, or permission is missing."""


class HighlightError(InputError):
    """A highlighted copy cannot be made from this result."""


class ServiceError(SpanwiseError):
    """A provider or a service failed."""

    exit_code = 3
