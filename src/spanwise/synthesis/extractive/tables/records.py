"""Records: the row of a table that a question means, and the cells of the columns that it asks for."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, lru_cache
from importlib import resources

from spanwise.domain.question import Question
from spanwise.synthesis.extractive.tables.near import NearTable
from spanwise.synthesis.extractive.tables.table_question import TableQuestion
from spanwise.text.expectations.forms import VALUED, expectation
from spanwise.text.languages.data import MONTHS
from spanwise.text.quantities import quantities
from spanwise.text.related import related
from spanwise.text.tables.bands import banded_rows
from spanwise.text.tables.grid import Grid, names_head, read_cell, years_of
from spanwise.text.terms import stem, terms

MOST_ROWS_LISTED = 200
"""Rows of one answer; of more it says that they are not all."""
MOST_COLUMNS_SHOWN = 6
_MOST_ROWS = 400
_LONGEST_CELL = 600
_MOSTLY = 0.6
"""Share of the cells of a column that tell what it holds."""
_ALTERNATIVE = 5
"""Words on either side of "or" that name a thing."""
_NONE: frozenset[str] = frozenset()
_MARKS = ".,;:?!()'\"\u2018\u2019\u201c\u201d"
BLANK = frozenset(["", "-", "\u2013", "\u2014", "n/a", "none", "?"])
"""Cells that say nothing."""
_OF_TITLE = 0.3
"""What a word counts that the title of the table has."""
_PHRASE = 0.5
"""What it counts beside its words that a whole cell stands in the question."""
_WORD = re.compile(r"[^\W_]+")
_WHOLE = re.compile(r"[^\W_]+(?:[.,:](?=\d)[^\W_]+)*")
"""A word of a cell; of a figure or a time all digits, since half of "8.00" is no 8."""
_PERSON = re.compile(r"(?:[^\W\d_a-z][\w.'\u2019-]*\s+){1,3}[^\W\d_a-z][\w'\u2019-]+")
"""The full name of a person, where a whole column looks like this."""
_ISO = re.compile(r"(\d{4}|-)-(\d\d)(?:-(\d\d))?")
_BRACKETS = re.compile(r"\([^()]{0,80}\)")
_KIN = 5
"""Letters that two stems of one family share at their beginning."""
_NAMED = 0.5
"""Least share of what tells a head apart that a question has which names it."""
_TOTAL = re.compile(r"(?:(?:grand\s+|sub-?)?total|overall|sum)\b", re.IGNORECASE)
_MOST = re.compile(
    r"\b(?:most|more|highest|higher|largest|larger|biggest|bigger|greatest|greater|longest|longer|oldest|older|tallest|taller|"
    r"fastest|faster|heaviest|heavier|top|best|maximum|max|latest|later|newest|newer|furthest|farthest)\b"
)
_LEAST = re.compile(
    r"\b(?:least|fewest|fewer|less|lowest|lower|smallest|smaller|shortest|shorter|youngest|younger|lightest|lighter|slowest|"
    r"slower|cheapest|cheaper|minimum|min|earliest|earlier|worst|nearest|closest)\b"
)
_SMALL_IS_MORE = frozenset("fastest faster oldest older best".split())
"""Words that ask for the lowest time, year or rank."""
_LARGE_IS_LESS = frozenset("slowest slower youngest younger worst".split())
_AFTER = re.compile(
    r"\b(?:directly |immediately |right |just )?(?:after|following|follows|below|next to|next after|succeeded)\b"
)
_BEFORE = re.compile(
    r"\b(?:directly |immediately |right |just )?(?:before|prior to|previous to|preceding|precedes|above)\b"
)
_FIRST = re.compile(r"\b(?:first|earliest|top|initial)\b")
_LAST = re.compile(r"\b(?:last|final|latest|bottom|most recent)\b")
ORDER_STEMS = frozenset(
    terms(
        "first last most least highest lowest largest smallest biggest longest shortest oldest youngest earliest latest"
        " next previous average mean sum combined altogether many much number name list listed table row column top"
        " bottom final more fewer fewest less greater greatest higher lower total"
    )
)
"""Stems of words that order, count or sum records and describe none."""
_WHO, _WHEN, _WHERE = re.compile(r"\bwho\b|\bwhom\b"), re.compile(r"\bwhen\b"), re.compile(r"\bwhere\b")
_PRICE = re.compile(r"\bhow much (?:is|are|was|were|do|does|did)\b")
_DIMENSION = re.compile(r"\bhow (?!much\b|many\b|long\b|often\b|soon\b|frequently\b)(\w+)")
_HOW_MANY = re.compile(r"\bhow (?:many|much)\b")
_FOCUS = re.compile(r"\b(?:what|which|whose|how many|how much|list|name)\s+((?:[\w'\u2019-]+\s*){1,6})")
_STOP_FOCUS = re.compile(
    r"\b(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|in|of|for|by|at|on|from|with|that|who|to|as)\b"
)
_RELATES = re.compile(
    r"\b(?:same|other|others|another|besides|except|than|difference|differ|not|never|only|both|either|neither|next|previous"
    r"|before|after|until|since|between|during|first|last|second|third|consecutive|times|and)\b"
)
"""Words that say how rows or cells of a table stand to each other, which a look at one record does not tell."""
_BETWEEN = re.compile(r"\bbetween\b|\bfrom\b")
EACH = re.compile(r"\b(?:for|of|by|per) (?:each|every)\b")
_PLURAL = re.compile(
    r"\b(?:what|which|list|name|whose)\s+(?:are\s+|were\s+)?(?:all\s+|the\s+)?(?:(?!was\b|is\b|does\b|has\b)\w+\s+){0,2}?"
    r"(?!was\b|is\b|does\b|has\b|this\b)\w{2,}(?<!s)s\b"
    r"(?! is| was)"
)


@lru_cache(maxsize=1)
def _heads() -> Mapping[str, Mapping[str, frozenset[str]]]:
    raw = tomllib.loads(resources.files(__package__).joinpath("heads.toml").read_text(encoding="utf-8"))
    return {part: {key: frozenset(map(stem, words)) for key, words in of.items()} for part, of in raw.items()}


def head_kinds() -> Mapping[str, frozenset[str]]:
    """Stems of head words by what their cells hold: persons, places, times, prices and so on."""
    return _heads()["kinds"]


def _extremes() -> Mapping[str, frozenset[str]]:
    """Stems of head words by the word that compares: "tall" compares heights."""
    return _heads()["extremes"]


@dataclass(frozen=True)
class Records:
    """A table as rows of texts, with the words of its heads and cells."""

    grid: Grid
    context: set[str] = field(default_factory=set)
    """Stems of what the table stands under, which tell its rows apart less than others do."""

    @cached_property
    def count(self) -> int:
        """How many rows are read."""
        return min(len(self.grid.rows), _MOST_ROWS)

    @cached_property
    def heads(self) -> tuple[frozenset[str], ...]:
        """Stems of each head."""
        return tuple(frozenset(terms(name)) for name in self.grid.names)

    @cached_property
    def cells(self) -> tuple[tuple[frozenset[str], ...], ...]:
        """Stems of each cell of each row."""
        rows = (self.grid.texts(at) for at in range(self.count))
        return tuple(tuple(_stems(text) for text in row) for row in rows)

    @cached_property
    def rows(self) -> tuple[frozenset[str], ...]:
        """Stems of each row and of the groups that it stands under."""
        return tuple(
            frozenset[str]().union(*cells, terms(" ".join(self.grid.rows[at].groups)))
            for at, cells in enumerate(self.cells)
        )

    @cached_property
    def frequency(self) -> Mapping[str, int]:
        """In how many rows each stem is."""
        return Counter(stem for row in self.rows for stem in row)

    def weight(self, stem: str) -> float:
        """How much a word tells the rows apart; one that no row has counts as one that few have."""
        rarity = math.log(1 + (self.count + 1) / (self.frequency.get(stem, 1) + 0.5))
        return _OF_TITLE * rarity if stem in self.context else rarity

    @cached_property
    def years(self) -> tuple[frozenset[str], ...]:
        """The years that each row names."""
        return tuple(years_of(" ".join(self.grid.texts(at))[:_LONGEST_CELL]) for at in range(self.count))

    @cached_property
    def numeric(self) -> tuple[bool, ...]:
        """Whether most cells of each column are figures."""
        return tuple(
            self._mostly(column, lambda text: read_cell(text) is not None) for column in range(len(self.heads))
        )

    @cached_property
    def named(self) -> int:
        """The column that names the rows: the first of different texts that are no figures."""
        return next((column for column in range(len(self.heads)) if self.labels(column)), 0)

    def labels(self, column: int) -> bool:
        """True if a column tells the rows apart by words."""
        texts = [text for at in range(self.count) if (text := self.grid.texts(at)[column]).lower() not in BLANK]
        lettered = sum(any(map(str.isalpha, text)) for text in texts)
        different = bool(texts) and lettered > _MOSTLY * len(texts) and 2 * len(set(texts)) > len(texts)
        return different and not self.is_of(column, "time")

    def is_of(self, column: int, kind: str) -> bool:
        """Whether a column holds persons, places or times, by its head, and times and full names also by its cells."""
        if not head_kinds()[kind].isdisjoint(map(stem, _WORD.findall(self.grid.names[column].lower()))):
            return True
        if kind == "person":
            return self._mostly(column, lambda text: _PERSON.fullmatch(text) is not None)
        return kind == "time" and self._mostly(column, lambda text: bool(years_of(text)) and len(text) < 30)

    def holds_mostly(self, column: int, stems: Collection[str]) -> bool:
        """True if most cells of a column of figures have these stems, as a unit: "50 mg"."""
        cells = [cells[column] for cells in self.cells if cells[column]]
        return self.numeric[column] and sum(cell.issuperset(stems) for cell in cells) > _MOSTLY * len(cells)

    def _mostly(self, column: int, test: Callable[[str], bool]) -> bool:
        texts = [text for at in range(self.count) if (text := self.grid.texts(at)[column]).lower() not in BLANK]
        return bool(texts) and sum(map(test, texts)) > _MOSTLY * len(texts)

    def value(self, row: int, column: int) -> Decimal | None:
        """The figure of a cell, or the year of a date."""
        text = self.grid.texts(row)[column]
        cell = read_cell(text)
        if cell is not None:
            return cell.value
        years = sorted(years_of(text))
        if years:
            return Decimal(years[0])
        found = re.search(r"\d[\d,]*(?:\.\d+)?", text[:_LONGEST_CELL])
        return Decimal(found.group().replace(",", "")) if found else None


@dataclass(frozen=True, slots=True)
class RecordMatch:
    """Rows and columns that answer, with what tells how surely they do."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    features: tuple[float, ...]
    described: int
    """How many rows are as the question describes; `rows` are the first of them."""


def match_records(question: Question, wanted: TableQuestion, table: NearTable) -> RecordMatch | None:
    """The record that a question means in one table, or None."""
    records = Records(table.grid)
    if records.count < 2 or len(records.heads) < 2:
        return None
    asked = [one for one in dict.fromkeys(terms(question.text)) if one not in ORDER_STEMS]
    context = context_of(table)
    heads = frozenset[str]().union(*records.heads)
    # What names the column that is asked for describes no row, though a row may have the word.
    aims = frozenset[str]().union(*(records.heads[at] for at in _aims(wanted.text, records)))
    aims |= _unit_of_figures(wanted.text, records)
    conditions = [one for one in asked if one in records.frequency and one not in aims]
    records.context.update(context)
    banded, of_bands, figure = banded_rows(table.grid, question.text)
    rows, order = _rows(wanted, question, records, conditions, banded, whole=table.whole)
    if not rows:
        return None
    described, rows = len(rows), rows[:MOST_ROWS_LISTED]
    columns, aimed = _columns(wanted.text, records, [] if order else conditions, rows[0], of_bands, order=order)
    matched = (frozenset(conditions) & records.rows[rows[0]]) | (frozenset(terms(figure)) & frozenset(asked))
    short = {
        stem(word) for word in _WORD.findall(wanted.text) if any(names_head(table.grid, word, at) for at in columns)
    }
    beginnings = {one[:_KIN] for one in heads if len(one) >= _KIN}
    meant = {one for one in asked if one not in records.frequency and not heads.isdisjoint(related(one))}
    known = matched | meant | {one for one in asked if one in heads | context | short or one[:_KIN] in beginnings}
    keyed = bool(banded) or _is_keyed(records, rows[0], wanted.text)
    relates = _RELATES.search(wanted.text) is not None
    one_cell = len(rows) == len(columns) == 1
    whole = one_cell and known.issuperset(asked) and aimed and keyed and not order and not relates
    total = sum(map(records.weight, asked)) or 1.0
    in_band = sum(records.weight(one) for one in frozenset(terms(figure)))
    scores = sorted(
        (_score(records, at, conditions, wanted.text) + in_band * (at in banded) for at in range(records.count)),
        reverse=True,
    )
    margin = (scores[0] - scores[1]) / (scores[0] or 1.0)
    features = (
        sum(map(records.weight, (one for one in asked if one in known))) / total,
        sum(map(records.weight, matched)) / total,
        margin,
        float(aimed),
        float(order),
        float(len(rows) > 1),
        float(len(columns) > 1),
        float(wanted.wanted == "text"),
        float(table.rank == 0),
        float(table.grid.printed),
        float(known.issuperset(asked)),
        float(keyed),
        float(whole),
        float(relates),
        _formed_as(wanted.text, table.grid.texts(rows[0])[columns[0]] if len(columns) == 1 else ""),
    )
    if not matched and not (order and known):
        return None
    return RecordMatch(rows, columns, features, described)


def _formed_as(text: str, cell: str) -> float:
    """How far a cell has the form of the value that a question asks for: 1 if it has, -1 if not, 0 if none is asked."""
    expected = expectation(text)
    if expected.form not in VALUED or not cell:
        return 0.0
    return 1.0 if expected.held(cell) == 1.0 else -1.0


def _unit_of_figures(text: str, records: Records) -> frozenset[str]:
    """The stems of what a question counts where a column of figures has them as its unit: "mg" in "how many mg"."""
    found = _HOW_MANY.search(text)
    counted = frozenset(terms(text[found.end() :].lstrip().partition(" ")[0])) if found else _NONE
    held = any(records.holds_mostly(at, counted) for at in range(len(records.heads))) if counted else False
    return counted if held else _NONE


def _is_keyed(records: Records, row: int, text: str) -> bool:
    """True if a cell of a row that no other row has stands whole in a question, as a name or a number of it does."""
    spoken = f" {' '.join(_WHOLE.findall(text.lower()))} "
    for column, cell in enumerate(records.grid.texts(row)):
        words = " ".join(_WHOLE.findall(cell.lower()[:80]))
        if words and f" {words} " in spoken:
            same = sum(records.grid.texts(at)[column] == cell for at in range(records.count))
            if same == 1:
                return True
    return False


def context_of(table: NearTable) -> frozenset[str]:
    """Stems of the headings and captions that the table stands under."""
    grid, passage = table.grid, table.passage
    above = [line.text for line in table.lines if line.number < grid.first and line.role == "heading"]
    section = passage.section if passage.line_start <= grid.last and grid.first <= passage.line_end else None
    return frozenset(terms(" ".join([grid.caption, section or "", *above[-4:]])))


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    """Stems of a cell; of a date as questions say it ("2025-07-20" is "20 July"), and of figures whole."""
    text = text[:_LONGEST_CELL]
    stems = frozenset(terms(text))
    if not any(map(str.isdigit, text)):
        return stems
    dates = [_ISO.fullmatch(one.iso) for one in quantities(text) if one.iso]
    said = [
        f"{MONTHS[int(date[2]) - 1]} {(date[3] or '').lstrip('0')}" for date in dates if date and 0 < int(date[2]) < 13
    ]
    return stems.union(_WHOLE.findall(text.lower()), terms(" ".join(said)))


def _score(records: Records, at: int, conditions: Collection[str], text: str) -> float:
    """How much of the question a row has: its words by rarity, whole cells that stand in the question more."""
    spoken = f" {' '.join(_WORD.findall(text.lower()))} "
    written = {one.strip(_MARKS) for one in text.split()}
    score = sum(records.weight(one) for one in conditions if one in records.rows[at])
    for column, stems in enumerate(records.cells[at]):
        cell = records.grid.texts(at)[column].lower()[:80]
        words = " ".join(_WORD.findall(cell))
        signed = len(cell) > len(words) and any(map(str.isdigit, words)) and cell in written
        if (signed or len(words) > 2) and stems and f" {words} " in spoken:
            score += _PHRASE * sum(map(records.weight, sorted(stems)))
    return score


def _rows(
    wanted: TableQuestion,
    question: Question,
    records: Records,
    conditions: Sequence[str],
    banded: Sequence[int],
    *,
    whole: bool,
) -> tuple[tuple[int, ...], bool]:
    """The rows that answer, and whether an order chose them; only those in whose bands a figure falls, if any."""
    text, every = wanted.text, banded or _of_years(wanted, records)
    for pattern, step in ((_AFTER, 1), (_BEFORE, -1)):
        found = pattern.search(text) if not banded else None
        if found is None:
            continue
        behind = [one for one in terms(text[found.end() :]) if one in records.frequency]
        scores = [_score(records, at, behind, text[found.end() :]) for at in range(records.count)]
        top = max(scores)
        at = scores.index(top) + step
        if behind and top > 0 and 0 <= at < records.count:
            return (at,), True
    extreme = _extreme(text, records, conditions, every) if whole else None
    if extreme is not None:
        return (extreme,), True
    held = {at: _score(records, at, conditions, wanted.text) for at in every}
    top = max(held.values())
    tied = [at for at in every if held[at] >= top - 1e-6]
    for pattern, place in ((_FIRST, 0), (_LAST, -1)):
        found = pattern.search(text)
        if found and len(tied) > 1 and not any(stem(found[0]) in head for head in records.heads):
            return (tied[place],), True
    if top <= 0 and not banded:
        parts = [at for at in every if not is_total(records, at)]
        return ((), False) if not EACH.search(text) else (tuple(parts), True)
    several = question.answer_shape == "listing" or _PLURAL.search(text) or EACH.search(text)
    return tuple(tied if several or len(tied) <= 3 else tied[:1]), False


def _of_years(wanted: TableQuestion, records: Records) -> Sequence[int]:
    """The rows of the years that a question names, those between the ends of a span too; all where no row names one."""
    named = set(wanted.years)
    if len(named) == 2 and (wanted.spans or _BETWEEN.search(wanted.text)):
        first, last = sorted(map(int, named))
        named = {str(year) for year in range(first, min(last, first + 200) + 1)}
    held = [at for at in range(records.count) if records.years[at] & named]
    return held or range(records.count)


def _extreme(text: str, records: Records, conditions: Sequence[str], every: Sequence[int]) -> int | None:
    """The row with the highest or the lowest figure of the column that a question compares."""
    most, least = _MOST.search(text), _LEAST.search(text)
    found = most or least
    if found is None:
        return None
    word = found.group()
    if names_head(records.grid, word):
        return None  # the column "Max" holds the maxima
    column = _compared(text, word, found.end(), records)
    if column is None:
        return None
    others = [one for one in conditions if one not in records.heads[column]]
    scores = [_score(records, at, others, text) for at in range(records.count)]
    pool = _alternatives(text, records)
    if len(pool) < 2:
        top = max(scores[at] for at in every)
        pool = [at for at in every if scores[at] >= top - 1e-6]
    if len(pool) < 2:
        pool = list(every)
    values = [
        (value, at) for at in pool if (value := records.value(at, column)) is not None and not is_total(records, at)
    ]
    if not values:
        return None
    lowest = (most is None) != (word in _SMALL_IS_MORE | _LARGE_IS_LESS)
    best = min(value for value, _ in values) if lowest else max(value for value, _ in values)
    return next(at for value, at in values if value == best)


def _alternatives(text: str, records: Records) -> list[int]:
    """The rows of the two things between which a question chooses ("which is longer, the one or the other")."""
    left, joint, right = text.partition(" or ")
    found = []
    for part in (" ".join(left.split()[-_ALTERNATIVE:]), " ".join(right.split()[:_ALTERNATIVE])) if joint else ():
        stems = [one for one in terms(part) if one in records.frequency]
        scores = [_score(records, at, stems, part) for at in range(records.count)]
        if stems and max(scores) > 0:
            found.append(scores.index(max(scores)))
    return found if len(set(found)) == 2 else []


def _compared(text: str, word: str, end: int, records: Records) -> int | None:
    """The column of figures that is compared: named behind the word, or that such a word speaks of, or the only one."""
    behind = frozenset(terms(text[end : end + 60]))
    stemmed = stem(re.sub(r"(?:est|er)$", "", word))
    extremes = _extremes()
    meant = extremes.get(stemmed) or extremes.get(f"{stemmed}e") or frozenset()
    figures = [at for at in range(len(records.heads)) if records.numeric[at] or (meant and records.is_of(at, "time"))]
    named = [at for at in figures if records.heads[at] & behind] or [
        at for at in figures if records.heads[at] & frozenset(terms(text))
    ]
    if named:
        return named[0]
    by_word = [at for at in figures if records.heads[at] & meant]
    if by_word:
        return by_word[0]
    counted = [at for at in figures if at and not records.is_of(at, "time")]
    return counted[0] if len(counted) == 1 else None


def is_total(records: Records, row: int) -> bool:
    """True if a row sums up others."""
    return any(map(_TOTAL.match, records.grid.texts(row)[:2]))


def _columns(
    text: str, records: Records, conditions: Sequence[str], row: int, of_bands: Sequence[int], *, order: bool
) -> tuple[tuple[int, ...], bool]:
    """The columns that are asked for, and whether the question names them; else those of the row that say something."""
    used = {at for at, cell in enumerate(records.cells[row]) if cell & frozenset(conditions)} | set(of_bands)
    aims = list(dict.fromkeys(at for at in _aims(text, records) if at not in used))
    each = EACH.search(text)
    if each or not (aims or order):
        aims += [at for at in _spoken(text, records, used) if at not in aims]
    if each:
        of_each = text[each.end() :][:60]
        cut = _STOP_FOCUS.search(of_each)
        things = frozenset(terms(of_each[: cut.start()] if cut else of_each))
        by = next((at for at in range(len(records.heads)) if records.heads[at] & things), records.named)
        aims = [by, *(at for at in aims if at != by)]
        if len(aims) > 1:
            return tuple(sorted(aims[:MOST_COLUMNS_SHOWN])), True
    aims = [at for at in aims if records.grid.texts(row)[at].strip().lower() not in BLANK]
    # A head that has all the words of the question that another has, and more, is the one that is meant.
    said = {at: records.heads[at] & frozenset(terms(text)) for at in aims}
    aims = [at for at in aims if not (said[at] and any(said[at] < other for other in said.values()))]
    if aims:
        return tuple(sorted(aims[:MOST_COLUMNS_SHOWN])), True
    if order:
        spoken = frozenset(terms(text))
        held = (at for at, cell in enumerate(records.cells[row]) if cell and cell <= spoken and not records.numeric[at])
        return (next(held, records.named),), False
    formed = _formed(text, records, row, used)
    return (formed, True) if len(formed) == 1 else (columns_shown(text, records.grid, row), False)


def _formed(text: str, records: Records, row: int, used: Collection[int]) -> tuple[int, ...]:
    """The columns whose cell has the form of the value that is asked for: "how long" is answered by "10 days"."""
    expected = expectation(text)
    if expected.form not in VALUED:
        return ()
    cells = [(at, cell) for at, cell in enumerate(records.grid.texts(row)) if at not in used and at != records.named]
    if (dimension := _DIMENSION.search(text)) is not None:  # "how deep" is answered by a depth, not by any figure
        named = _extremes().get(dimension[1], frozenset()).union([stem(dimension[1])], related(stem(dimension[1])))
        cells = [(at, cell) for at, cell in cells if records.heads[at] & named]
    held = [(at, cell) for at, cell in cells if expected.held(cell) == 1.0]
    figures = tuple(at for at, cell in held if read_cell(cell) is not None)  # "10 days" before "once a day"
    return figures or tuple(at for at, _ in held)


def columns_shown(text: str, grid: Grid, row: int) -> tuple[int, ...]:
    """The columns of a row that tell something: all where they are read at a glance.

    Of more, its label with those that the question names, else those with figures where a value is asked for, or texts.
    """
    shown = [at for at, cell in enumerate(grid.texts(row)) if cell.strip().lower() not in BLANK]
    if len(shown) <= MOST_COLUMNS_SHOWN:
        return tuple(shown)
    records, valued = Records(grid), expectation(text).form in VALUED
    named = {*_aims(text, records), *_spoken(text, records)}
    fitting = [at for at in shown if at and (read_cell(grid.texts(row)[at]) is not None) == valued]
    chosen = [at for at in shown if at and at in named] or fitting or shown[1:]
    return (0, *chosen[: MOST_COLUMNS_SHOWN - 1])


def _aims(text: str, records: Records) -> Iterator[int]:
    """The columns that the words of a question ask for, in its order."""
    for found in _FOCUS.finditer(text):
        phrase = found[1]
        cut = _STOP_FOCUS.search(phrase)
        focus = frozenset(terms(phrase[: cut.start()] if cut else phrase))
        hits = [(len(focus & head), -at) for at, head in enumerate(records.heads) if focus & head]
        if hits:
            yield -max(hits)[1]
        else:
            kind = next((kind for kind, words in head_kinds().items() if focus & words), None)
            yield from [at for at in range(len(records.heads)) if kind and records.is_of(at, kind)][:1]
    asked = frozenset(terms(text))
    meant = asked.union(*map(related, sorted(asked)))
    for pattern, kind in ((_WHO, "person"), (_WHEN, "time"), (_WHERE, "place"), (_PRICE, "price")):
        if pattern.search(text):
            held = [at for at in range(len(records.heads)) if records.is_of(at, kind)]
            held.sort(key=lambda at: not records.heads[at] & meant)  # "When does it start?": "Begins" before "Date"
            yield from [at for at in held if kind in ("time", "price") or not records.numeric[at]][:1]
    if _HOW_MANY.search(text):
        yield from (at for at, head in enumerate(records.heads) if records.numeric[at] and head & asked)
        if unit := _unit_of_figures(text, records):
            yield from (at for at in range(len(records.heads)) if records.holds_mostly(at, unit))


def _spoken(text: str, records: Records, used: Collection[int] = ()) -> list[int]:
    """The columns but those in `used` that the question names by what tells their heads apart, the best named ones.

    "Who leads the station?" names the column "Lead", "a small Funghi" the column "Small (26 cm)", "the typical value"
    the column "Typ" and "bus 2" the column "Bus 2".
    """
    spoken = frozenset(terms(text))
    beginnings = {one[:_KIN] for one in spoken if len(one) >= _KIN}
    # "inspected" names the column "Inspector".
    asked = spoken.union(*({one for one in head if one[:_KIN] in beginnings} for head in records.heads))
    asked = asked.union(*(related(one) for one in spoken if one not in records.frequency))
    plain = [frozenset(terms(_BRACKETS.sub(" ", name))) or frozenset(terms(name)) for name in records.grid.names]
    common = {one for one, count in Counter(one for head in plain for one in head).items() if count > 1}
    abbreviated = [any(names_head(records.grid, word, at) for word in _WORD.findall(text)) for at in range(len(plain))]
    shares = [
        1.0 if short else len(own & asked) / len(own) if (own := head - common or head) else 0.0
        for head, short in zip(plain, abbreviated, strict=True)
    ]
    best = max((share for at, share in enumerate(shares) if at not in used), default=0.0)
    return [at for at, share in enumerate(shares) if at not in used and share >= _NAMED and share > best - 0.01]
