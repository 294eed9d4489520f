"""Listings: every row of the table that a question asks to list ("List the plants", "Which services are there?").

A list is complete or says that it is not: where a table was read in part, is longer than what is shown, or has a sister
with the same heads, the answer says so.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import dropwhile, takewhile
from pathlib import PurePath

from spanwise.contract.result import Draft
from spanwise.domain.question import Question
from spanwise.store.port import Store
from spanwise.synthesis.extractive.calibration import Weigh
from spanwise.synthesis.extractive.tables.drafting import in_part, records_draft, weighed
from spanwise.synthesis.extractive.tables.near import NearTable
from spanwise.synthesis.extractive.tables.records import (
    BLANK,
    MOST_ROWS_LISTED,
    Records,
    head_kinds,
    is_total,
)
from spanwise.text.languages import ENGLISH
from spanwise.text.related import related
from spanwise.text.terms import stem

_NAMES = frozenset(["name", "names"])
"""Words that a head may have, and that say nothing where none has them."""
_POLITE = frozenset(["can", "could", "kindly", "please", "would", "you"])
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class _Listing:
    """A table of which every row is asked for."""

    table: NearTable
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    named: int
    """How surely the question means it: words of its title count once, of the head of its labels twice."""


def listing_answer(question: Question, near: Sequence[NearTable], store: Store, weigh: Weigh) -> Draft | None:
    """Every row of the one table that a question asks to list; None where it asks for something else.

    With the labels of the rows come the columns that the question names; a column of words alone ("Which roles are
    there?") is listed by its different values.
    """
    things = _things(question)
    found = [one for table in near if (one := _listed(things, table)) is not None] if things else []
    best = max(found, key=lambda one: one.named, default=None)
    if best is None:
        return None
    grid = best.table.grid
    rivals = [one for one in found if one.named == best.named and one is not best]
    if any(one.table.grid.names != grid.names for one in rivals):
        return None  # which of them is not said
    shown = best.rows[:MOST_ROWS_LISTED]
    chance = weighed("list", 1.0, weigh)
    draft = records_draft(grid, shown, best.columns, chance, store, best.table.lines, plain=True)
    more = [f"Another table with the same columns begins at line {one.table.grid.first}." for one in rivals[:1]]
    return in_part(draft, len(shown), len(best.rows), whole=best.table.whole, caveats=more)


def _things(question: Question) -> tuple[str, ...]:
    """The words that name what is to be listed, as written; none where no list of everything is asked for."""
    opens, carries, plurals = _words()
    words = dropwhile(_POLITE.__contains__, (word.lower() for word in _WORD.findall(question.text)))
    first_word, behind = next(words, ""), [*words]
    run = takewhile(lambda word: word not in carries, dropwhile(carries.__contains__, behind))
    several = any(word in plurals or (word.endswith("s") and not word.endswith("ss")) for word in run)
    plain = question.model is None and question.count is None and question.demanded in (None, "text")
    acts = first_word == "who" and behind[:1] not in (["are"], ["were"])  # "Who chairs the board?"
    wanted = first_word in opens and several and plain and not acts and question.language == ENGLISH
    return tuple(word for word in behind if word not in carries) if wanted else ()


def _listed(things: Sequence[str], table: NearTable) -> _Listing | None:
    """The rows and columns that are asked for; None where a word is in no head or title, or tells the rows apart."""
    records = Records(table.grid)
    if records.count < 2 or len(records.heads) < 2 or not records.labels(records.named) or table.grid.has_periods:
        return None
    titled = _titled(things, table)
    columns: set[int] = set()
    named = 0
    for word in things:
        own = stem(word)
        if heads := [at for at, head in enumerate(records.heads) if own in head]:
            columns.update(heads)
        elif 0 < records.frequency.get(own, 0) < records.count:
            return None  # it describes some of the rows
        elif word in titled:
            named += 1
        elif heads := _near_heads(own, records):
            columns.update(heads)
        elif word not in _NAMES:
            return None
    labels = [at for at in columns if records.labels(at)]
    named += 2 * len(labels)
    if not (columns or named):
        return None
    one = next(iter(columns)) if len(columns) == 1 and not named else None
    of_words = one is not None and not (records.numeric[one] or records.is_of(one, "time"))
    shown = sorted(columns if labels or of_words else {records.named, *columns})
    first = shown[0] if len(shown) == 1 else records.named
    rows = tuple(at for at in range(len(table.grid.rows)) if not _is_passed(records, at, first))
    return _Listing(table, rows, tuple(shown), named) if 2 * len(rows) > len(table.grid.rows) else None


def _titled(things: Sequence[str], table: NearTable) -> frozenset[str]:
    """The words of what is listed that are all of a title: of the heading or the caption of a table, or of its file.

    "Packages" lists packages, and "The package and its pins" has no list of them.
    """
    _, carries, _ = _words()
    grid = table.grid
    above = [line.text for line in table.lines if line.number < grid.first and line.role == "heading"]
    named = PurePath(grid.document).stem.replace("_", " ").replace("-", " ")
    titles = [{word.lower() for word in _WORD.findall(title)} for title in (*above[-1:], grid.caption, named)]
    return frozenset(word for title in titles if (title - carries).issubset(things) for word in title)


def _near_heads(own: str, records: Records) -> list[int]:
    """The columns whose head has a word of the same kind as a stem, or one that is near to it in meaning."""
    for kind, words in head_kinds().items():
        if own in words and (held := [at for at in range(len(records.heads)) if records.is_of(at, kind)]):
            return [records.named] if records.named in held else held[:1]
    near = related(own)
    return [at for at, head in enumerate(records.heads) if not head.isdisjoint(near)]


def _is_passed(records: Records, at: int, column: int) -> bool:
    """True if a row lists nothing: a total, or one that has nothing in the column that is listed."""
    return records.grid.texts(at)[column].strip().lower() in BLANK or is_total(records, at)


@lru_cache(maxsize=1)
def _words() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    raw = tomllib.loads(resources.files(__package__).joinpath("listings.toml").read_text(encoding="utf-8"))
    return frozenset(raw["opens"]), frozenset(raw["carries"]), frozenset(raw["plurals"])
