"""What a reading process is asked, and what it failed at."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TypeAlias

from spanwise.readers.port import Limits, Ocr, ocr_of_environment
from spanwise.store.codec import Record


@dataclass(frozen=True, slots=True)
class Job:
    """A file to read, or to do something else with."""

    path: str
    """Where it lies; of no meaning where the bytes are given."""
    name: str
    """What the document is called."""
    password: str | None = field(default=None, repr=False)
    limits: Limits = field(default_factory=Limits)
    reader: str | None = None
    """Name of the reader, instead of choosing by content and suffix."""
    data: bytes | None = field(default=None, repr=False)
    """The bytes of the file, where it does not lie at a path."""
    function: str | None = None
    """`MODULE:NAME` of a function of Spanwise that makes bytes of the job and `arguments`; None to read the file."""
    arguments: Mapping[str, object] | None = None
    """What the function is given beside: what JSON can hold."""
    ocr: Ocr = field(default_factory=ocr_of_environment)
    processes: int = 1
    """So many may read the pages of the file at the same time."""

    def to_json(self) -> dict[str, object]:
        """As it is sent, but for the bytes."""
        return {
            # A path is bytes, and the other side may hold another encoding for the right one.
            "path": os.fsencode(self.path).decode("latin-1"),
            "name": self.name,
            "password": self.password,
            "reader": self.reader,
            "limits": asdict(self.limits),
            "given": self.data is not None,
            "function": self.function,
            "arguments": dict(self.arguments or {}),
            "ocr": [self.ocr.mode, self.ocr.language],
            "processes": self.processes,
        }


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be read."""

    path: str
    message: str
    """One sentence that says what is wrong and what to do."""
    error: str
    """Name of the error's type, for example `PasswordError`."""


Outcome: TypeAlias = Record | Failure


def job_from(sent: Mapping[str, object], data: bytes) -> Job:
    """What `Job.to_json` made.

    Raises:
        ValueError: It made something else.
    """
    limits, arguments = sent.get("limits"), sent.get("arguments")
    if not isinstance(limits, dict) or set(limits) != {one.name for one in fields(Limits)}:
        raise ValueError("a request without its limits")
    if not all(type(value) in (int, float) for value in limits.values()) or not isinstance(arguments, dict):
        raise ValueError("a request with limits that are no numbers")
    ocr = sent.get("ocr")
    if not isinstance(ocr, list) or len(ocr) != 2:
        raise ValueError("a request that does not say whether text is recognised")
    processes = sent.get("processes")
    if type(processes) is not int:
        raise ValueError("a request that does not say how many processes read")
    return Job(
        path=os.fsdecode((_text(sent, "path") or "").encode("latin-1")),
        name=_text(sent, "name") or "",
        password=_text(sent, "password"),
        limits=Limits(**limits),
        reader=_text(sent, "reader"),
        data=data if sent.get("given") is True else None,
        function=_text(sent, "function"),
        arguments=arguments,
        ocr=Ocr(*ocr),
        processes=processes,
    )


def _text(sent: Mapping[str, object], key: str) -> str | None:
    value = sent.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"a request in which {key} is no text")
    return value
