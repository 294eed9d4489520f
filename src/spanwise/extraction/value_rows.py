"""Rows: one for each value of a field in a document, with its citation; or one that says that nothing was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from dataclasses import fields as fields_of
from typing import TypeAlias

from spanwise.contract.rendering import worded
from spanwise.contract.result import Result
from spanwise.extraction.fields import Field


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One value of a field in a document, or the statement that there is none."""

    document: str
    """Name of the document that was asked; empty if several were asked together."""
    document_id: str
    """SHA-256 of the file's bytes; empty for a file that could not be read. For several documents, a hash of all
    versions."""
    name: str
    question: str
    type: str | None
    """The type that was demanded; None if it was left to the question."""
    shape: str | None
    item: int = 0
    """Index among the values of the field, from 0."""
    of: int = 0
    """Number of values of the field in this document; 0 if nothing was found."""
    found: bool = False
    value: str | None = None
    """The value in words, as shown to people."""
    typed: Mapping[str, object] | None = None
    """The item of the typed answer, such as `{"amount": {"value": ..., "currency": ...}}`."""
    confidence: float = 0.0
    decision: str
    """`ship`, `clarify` or `not_found`; or `unreadable` for a file that could not be read, `removed` for a document
    that was removed before it was asked, `failed` for a question that met an error (asked again by another run), `died`
    for one that killed its worker (not asked again)."""
    reason: str
    review: str | None = None
    page: int | None = None
    line_start: int | None = None
    line_end: int | None = None
    quote: str | None = None
    cited_document: str | None = None
    """The document to which page, lines and quote belong."""
    cost_usd: float | None = None
    """Cost of the model calls for the question; only given in the row of the field's first value."""
    citations: tuple[Mapping[str, object], ...] = ()
    """All citations that prove the value, with their boxes."""

    def to_dict(self) -> dict[str, object]:
        """The row as JSON values, in the order of the columns."""
        values: dict[str, object] = {column: getattr(self, column) for column in COLUMNS}
        return values | {"citations": list(self.citations), "typed": None if self.typed is None else dict(self.typed)}


COLUMNS = tuple(field.name for field in fields_of(Row))
KEY = ("document", "document_id", "name", "question", "type", "shape")
"""The columns that identify a field of a document."""
Version: TypeAlias = tuple[str, str]
"""Document and document id: the first two columns of the key."""
FieldKey: TypeAlias = tuple[str, str, str, str]
"""Name, question, type and shape: the other columns of the key; empty text for None."""
FieldKeys: TypeAlias = Mapping[Version, AbstractSet[FieldKey]]
"""The fields of each document version; grouped, because there may be a million fields."""
FAILED = "failed"
DIED = "died"


def keys_of(rows: Iterable[Row]) -> dict[Version, set[FieldKey]]:
    """The keys of some rows, by document version."""
    found: dict[Version, set[FieldKey]] = {}
    for row in rows:
        asked = row.name, row.question, row.type or "", row.shape or ""
        found.setdefault((row.document, row.document_id), set()).add(asked)
    return found


def stale(held: FieldKeys, wanted: FieldKeys) -> Iterator[tuple[Version, set[FieldKey]]]:
    """The keys in `held` of a wanted document and field name whose version or wording is no longer wanted."""
    names: dict[str, set[str]] = {}
    for (document, _), asked in wanted.items():
        names.setdefault(document, set()).update(name for name, *_ in asked)
    for version, asked in held.items():
        others = asked - wanted.get(version, frozenset())
        if gone := {one for one in others if one[0] in names.get(version[0], ())}:
            yield version, gone


def rows_of(result: Result, field: Field, document: str, document_id: str) -> list[Row]:
    """The rows for the result of one question about one document."""
    cost = result.metrics.get("cost_usd") or None
    kind, reason = result.decision.kind, result.decision.reason
    if kind != "ship" and result.missing is not None:
        reason = result.missing.reason
    row = nothing(field, document, document_id, decision=kind, reason=reason, cost_usd=cost)
    if kind != "ship":
        return [row]
    citations = result.to_dict()["citations"]
    rows = []
    for at, item in enumerate(result.answer.items):
        proofs = tuple(one for one in citations if one["item"] == at)
        first = proofs[0] if proofs else None
        rows.append(
            replace(
                row,
                item=at,
                of=len(result.answer.items),
                found=True,
                value=worded(item),
                typed=item.model_dump(mode="json", exclude={"spans"}),
                confidence=result.confidence,
                review=result.decision.review,
                page=first and first["page"],
                line_start=first and first["line_start"],
                line_end=first and first["line_end"],
                quote=first and first["quote"],
                cited_document=first and first["document"],
                cost_usd=None if at else cost,
                citations=proofs,
            )
        )
    return rows


def nothing(
    field: Field, document: str, document_id: str, *, decision: str, reason: str, cost_usd: float | None = None
) -> Row:
    """The row which says that a field has no value, and why."""
    return Row(
        document=document,
        document_id=document_id,
        name=field.name,
        question=field.question,
        type=field.type,
        shape=field.shape,
        decision=decision,
        reason=reason,
        cost_usd=cost_usd,
    )
