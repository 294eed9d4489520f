"""The trace of a result as one JSON file, sealed with a digest so that an edited one is recognised."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from spanwise.errors import StorageError, TraceError

TRACE_VERSION = 1
LARGEST_TRACE = 200_000_000
"""Bytes of a trace that are read."""
_UNSEALED = ("timings", "digest")
"""Fields that may differ between two runs with the same outcome."""


def sealed(record: Mapping[str, object]) -> dict[str, object]:
    """The trace with the digest that makes an edited one recognised."""
    return {**record, "digest": digest_of(record)}


def digest_of(record: Mapping[str, object]) -> str:
    """SHA-256, in hex, of everything but the timings."""
    sealed = {name: value for name, value in record.items() if name not in _UNSEALED}
    content = json.dumps(sealed, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def save_record(record: Mapping[str, object], path: Path) -> None:
    """Write a sealed trace, whole or not at all."""
    content = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        beside.write_bytes(content.encode("utf-8", "surrogatepass"))
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise StorageError(f"cannot write {path}: {error.strerror}") from error


def load_trace(path: Path) -> dict[str, object]:
    """The record in a trace file."""
    try:
        if path.stat().st_size > LARGEST_TRACE:
            raise TraceError(f"{path} is larger than {LARGEST_TRACE:,} bytes: it is not a trace")
        record = json.loads(path.read_bytes().decode("utf-8", "surrogatepass"))
    except OSError as error:
        raise TraceError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise TraceError(f"{path} is not a trace: it is not JSON ({error})") from error
    if not isinstance(record, dict) or "trace_version" not in record:
        raise TraceError(f"{path} is not a trace: give a file that `spanwise ask --trace` wrote")
    if record["trace_version"] != TRACE_VERSION:
        told = str(record["trace_version"])[:20]
        raise TraceError(f"{path} is a trace of version {told}, this program reads {TRACE_VERSION}: ask again")
    try:
        digest = digest_of(record)
    except (ValueError, RecursionError) as error:
        raise TraceError(f"{path} is not a trace: it is nested too deeply") from error
    if record.get("digest") != digest:
        raise TraceError(f"{path} was edited after it was written: its content does not have the digest it names")
    return record
