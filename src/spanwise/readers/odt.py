"""ODT (OpenDocument text): paragraphs, headings, lists and tables in document order, with one line per sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from lxml import etree

from spanwise.domain.document import Document, HiddenReason
from spanwise.errors import DamagedDocumentError
from spanwise.readers.bounds import Budget
from spanwise.readers.builder import DocumentBuilder
from spanwise.readers.flowing import Spanning, Words, add_row, add_words
from spanwise.readers.invisible import TINIEST, look_alike
from spanwise.readers.office import Package, child_of, elements, integer, local, numeral, points, words_in
from spanwise.readers.palette import RGB, WHITE, rgb
from spanwise.readers.port import ReadOptions

_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_FO = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_LOEXT = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_ID = "{http://www.w3.org/XML/1998/namespace}id"
_FORMAT = f"{_STYLE}num-format"
_FORMS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_NONE = etree.Element("none")
"""Stands for the style of a list or a level that has none."""
_UNSEEN_BLOCKS = frozenset(
    "tracked-changes variable-decls sequence-decls user-field-decls dde-connection-decls forms".split()
)
_ASIDE: dict[str, HiddenReason] = {"annotation": "comment", "hidden-text": "hidden_markup"}
_UNREAD = frozenset(("annotation-end", "bookmark", "script", "note-citation", "desc"))
_BRACKETS = {"ruby-text": ("(", ")")}
"""What is put around an element: how the words before it are read is printed above them."""
_DEEPEST = 10
"""Levels of headings that office programs have."""
_MOST_SPACES = 100
_MOST_REPEATED = 50
_MOST_PARENTS = 20
_UNPAINTED = 0.05
"""Opacity, or horizontal scale of letters, at which nothing can be seen."""
_FLAT = 1.0
"""Height in points at which a row, a line or a frame shows nothing."""
_BEYOND, _BEFORE = 1500.0, 750.0
"""Points to the right and to the left of the text's left edge that are off any page."""
_USUAL_SIZE = 12.0
_FAR = 250.0
"""Points to the left of a frame's anchor that are off any page."""


@dataclass(frozen=True, slots=True)
class _Look:
    """The appearance that a style gives to text; None where it does not say."""

    hidden: bool | None = None
    size: float | None = None
    colour: RGB | Literal["auto"] | None = None
    """The colour of the letters; "auto" contrasts with any background."""
    ground: RGB | None = None
    opaque: float | None = None
    wide: float | None = None
    """Horizontal scale of the letters; 1 is normal."""
    away: bool | None = None
    """True if it is indented off the page, or its lines or letters overlap."""
    raised: bool | None = None

    def over(self, below: _Look) -> _Look:
        """This appearance, completed by another where it does not say."""
        return _Look(
            below.hidden if self.hidden is None else self.hidden,
            below.size if self.size is None else self.size,
            self.colour or below.colour,
            self.ground or below.ground,
            below.opaque if self.opaque is None else self.opaque,
            below.wide if self.wide is None else self.wide,
            below.away if self.away is None else self.away,
            below.raised if self.raised is None else self.raised,
        )

    @property
    def reason(self) -> HiddenReason | None:
        """Why such text is hidden; None if it is visible."""
        if self.hidden:
            return "hidden_markup"
        if self.opaque is not None and self.opaque <= _UNPAINTED:
            return "transparent"
        if (self.size is not None and self.size <= TINIEST) or (self.wide is not None and self.wide <= _UNPAINTED):
            return "tiny"
        if self.away:
            return "off_page"
        plain = self.colour is None or self.colour == "auto" or not look_alike(self.colour, self.ground or WHITE)
        return None if plain else "no_contrast"


def read_odt(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read a text document; it has no fixed pages, so all lines are on page 1."""
    budget = Budget(name, options.limits)
    package = Package(data, budget, "OpenDocument file")
    package.refuse_locked()
    content = package.xml("content.xml")
    body = child_of(content, "body", "text")
    if body is None:
        raise DamagedDocumentError(
            f"{name} is a damaged OpenDocument file (its text is missing): save it again in its program and give that.",
            document=name,
        )
    builder = DocumentBuilder(data, format="odt", budget=budget)
    styles = package.xml("styles.xml")
    reading = _Reading(builder, budget, [one for one in (styles, content) if one is not None])
    reading.blocks(body, _Around())
    for change in body.iter(f"{_TEXT}deletion"):
        builder.hide(words_in(change), "deleted")
    for page in () if styles is None else styles.iter(f"{_STYLE}master-page"):
        for one in elements(page):
            kind = local(one)
            if kind.startswith(("header", "footer")):
                builder.furnish(words_in(one), "header" if kind.startswith("header") else "footer")
    builder.guess_headings()
    return builder.build()


@dataclass(frozen=True, slots=True)
class _Around:
    """The context of a paragraph: its depth, list marker, and inherited appearance."""

    depth: int = 0
    marker: str = ""
    look: _Look = field(default_factory=_Look)
    list_style: str = ""
    """The style of the list around, which lists in its items have, too."""
    numbers: tuple[int, ...] = ()
    """The numbers of the list items around, the outermost first."""
    goes_on: bool = False
    """True in an item that only leads to the next level of a list that continues another one."""


@dataclass(slots=True)
class _Words(Words):
    """The text of a paragraph, and the notes and text boxes in it."""

    blocks: list[etree._Element] = field(default_factory=list)


class _Reading:
    """One pass over the text of a document."""

    def __init__(self, builder: DocumentBuilder, budget: Budget, parts: list[etree._Element]) -> None:
        self._builder = builder
        self._budget = budget
        self._styles = {
            (one.get(f"{_STYLE}family") or "", one.get(f"{_STYLE}name") or ""): one
            for part in parts
            for one in part.iter(f"{_STYLE}style")
        }
        self._usual = {
            one.get(f"{_STYLE}family") or "": one for part in parts for one in part.iter(f"{_STYLE}default-style")
        }
        self._lists = {one.get(f"{_STYLE}name") or "": one for part in parts for one in part.iter(f"{_TEXT}list-style")}
        outline = next((one for part in parts for one in part.iter(f"{_TEXT}outline-style")), _NONE)
        self._outline = {integer(one.get(f"{_TEXT}level")): one for one in elements(outline)}
        self._chapters: dict[int, int] = {}
        """The number reached at each level of headings."""
        self._looks: dict[tuple[str, str], _Look] = {}
        self._reached: dict[tuple[str, int], int] = {}
        """The next number of a list at a level, by its name and that of its style."""

    def blocks(self, parent: etree._Element, around: _Around) -> None:
        """Add the blocks in a part of the text."""
        self._budget.depth(around.depth, "sections, lists or tables")
        inside = replace(around, depth=around.depth + 1)
        for block in elements(parent):
            self._budget.object()
            kind = local(block)
            if kind in ("p", "h"):
                self._paragraph(block, around)
            elif kind == "list":
                self._list(block, inside)
            elif kind == "table":
                self._table(block, inside)
            elif kind == "section" and (block.get(f"{_TEXT}display") or "true") != "true":
                self._builder.hide(words_in(block), "hidden_markup")
            elif kind not in _UNSEEN_BLOCKS:
                self.blocks(block, inside)

    def _paragraph(self, block: etree._Element, around: _Around) -> None:
        words = _Words()
        style = block.get(f"{_TEXT}style-name") or ""
        self._take(block, self._look("paragraph", style).over(around.look), words)
        for reason, text in words.hidden:
            self._builder.hide(text, reason)
        text = "".join(words.shown)
        said = integer(block.get(f"{_TEXT}outline-level"), 1)
        level = min(_DEEPEST, max(1, said)) if local(block) == "h" else None
        marker = around.marker if level is None or around.numbers else self._chapter(block, level)
        add_words(self._builder, text, level, marker)
        for inside in words.blocks:
            self.blocks(inside, _Around(depth=around.depth + 1, look=around.look))

    def _chapter(self, heading: etree._Element, level: int) -> str:
        """The number that a heading shows; empty if it has none."""
        if heading.get(f"{_TEXT}is-list-header") == "true" or self._outline.get(level, _NONE).get(_FORMAT, "") == "":
            return ""
        for deeper in [one for one in self._chapters if one > level]:
            del self._chapters[deeper]
        for above in range(1, level + 1):
            begins = integer(self._outline.get(above, _NONE).get(f"{_TEXT}start-value"), 1)
            self._chapters.setdefault(above, begins - (above == level))
        self._chapters[level] += 1
        return _marker(self._outline, [self._chapters[above] for above in range(1, level + 1)])

    def _take(self, parent: etree._Element, look: _Look, words: _Words) -> None:
        """Add the text of a run; notes and boxes in it are read after the paragraph."""
        words.add(_spaced(parent.text), look.reason, raised=look.raised or False)
        for one in elements(parent):
            self._budget.object()
            kind = local(one)
            if kind == "span":
                self._take(one, self._look("text", one.get(f"{_TEXT}style-name") or "").over(look), words)
            elif kind in ("s", "tab", "line-break"):
                count = min(_MOST_SPACES, integer(one.get(f"{_TEXT}c"), 1))
                words.add({"s": " " * count, "tab": "\t", "line-break": "\n"}[kind], look.reason)
            elif kind in _ASIDE:
                said = words_in(one) or one.get(f"{_TEXT}string-value")
                shown = kind == "hidden-text" and one.get(f"{_TEXT}is-hidden") == "false"
                words.add(said, look.reason if shown else _ASIDE[kind])
            elif one.get(f"{_TEXT}display") == "none":
                words.add(words_in(one), "hidden_markup")
            elif kind == "frame" and (unseen := _unseen_frame(one)) is not None:
                words.add(words_in(one), unseen)
            elif kind == "hidden-paragraph":
                look = replace(look, hidden=one.get(f"{_TEXT}is-hidden") == "true" or look.hidden)
            elif kind in ("note-body", "text-box"):
                words.blocks.append(one)
            elif kind not in _UNREAD and one.tag != f"{_SVG}title":
                opening, closing = _BRACKETS.get(kind, ("", ""))
                words.add(opening, look.reason)
                self._take(one, look, words)
                words.add(closing, look.reason)
            words.add(_spaced(one.tail), look.reason)

    def _list(self, block: etree._Element, around: _Around) -> None:
        """Add the items of a list; one that continues another goes on with its numbers."""
        name = block.get(f"{_TEXT}style-name") or around.list_style
        level = len(around.numbers) + 1
        kinds = {integer(one.get(f"{_TEXT}level")): one for one in elements(self._lists.get(name, _NONE))}
        kind = kinds.get(level, _NONE)
        continued = block.get(f"{_TEXT}continue-list") or ""
        goes_on = around.goes_on or bool(continued) or block.get(f"{_TEXT}continue-numbering") == "true"
        first = integer(kind.get(f"{_TEXT}start-value"), 1)
        number = self._reached.get((continued or name, level), first) if goes_on else first
        for item in elements(block):
            parts = [local(one) for one in elements(item)]
            bare = parts[:1] == ["list"]  # it has no number of its own, and only leads to the next level
            counts = local(item) == "list-item" and not bare
            if counts:
                number = integer(item.get(f"{_TEXT}start-value"), number)
            numbers = (*around.numbers, number - bare)
            self._item(
                item,
                replace(
                    around,
                    marker="" if local(item) == "list-header" else _marker(kinds, numbers),
                    list_style=name,
                    numbers=numbers,
                    goes_on=goes_on and bare,
                ),
            )
            number += counts
            for known in filter(None, (name, block.get(_ID))):
                self._reached[known, level] = number

    def _item(self, item: etree._Element, around: _Around) -> None:
        self._budget.depth(around.depth, "lists")
        for one in elements(item):
            if local(one) == "list":
                self._list(one, replace(around, depth=around.depth + 1))
            elif local(one) in ("p", "h"):
                self._paragraph(one, around)
                around = replace(around, marker="")

    def _table(self, table: etree._Element, around: _Around) -> None:
        said = child_of(self._styles.get(("table", table.get(f"{_TABLE}style-name") or "")), "table-properties")
        if said is not None and said.get(f"{_TABLE}display") == "false":
            self._builder.hide(words_in(table), "hidden_markup")
            return
        hidden = [column for column, seen in enumerate(_columns(table)) if not seen]
        spanning = Spanning()
        for row in _rows(table):
            self._budget.object()
            if row.get(f"{_TABLE}visibility") in ("collapse", "filter") or self._is_flat(row):
                self._builder.hide(" | ".join(words_in(cell) for cell in elements(row)), "hidden_markup")
                continue
            cells: list[str] = []
            spans: list[int] = []
            rows: list[int] = []
            for cell in elements(row):
                under = local(cell) == "covered-table-cell"
                text = "" if under else self._cell(cell, around)
                if under:
                    self._builder.hide(words_in(cell), "covered")
                if len(cells) in hidden:
                    self._builder.hide(text, "hidden_markup")
                    text = ""
                repeated = min(_MOST_REPEATED, max(1, integer(cell.get(f"{_TABLE}number-columns-repeated"), 1)))
                wide = max(1, integer(cell.get(f"{_TABLE}number-columns-spanned"), 1))
                for at in range(len(cells), len(cells) + (repeated if text or len(cells) < _MOST_REPEATED else 1)):
                    cells.append(text)
                    spans += [at, at + wide]
                    rows.append(integer(cell.get(f"{_TABLE}number-rows-spanned"), 1))
            add_row(self._builder, *spanning.row(cells, spans, rows))

    def _is_flat(self, row: etree._Element) -> bool:
        """True for a row whose style gives it next to no height."""
        style = self._styles.get(("table-row", row.get(f"{_TABLE}style-name") or ""))
        said = child_of(style, "table-row-properties")
        high = None if said is None else points(said.get(f"{_STYLE}row-height") or "")
        return high is not None and high <= _FLAT

    def _cell(self, cell: etree._Element, around: _Around) -> str:
        """The text of a cell, that of nested tables included."""
        words = _Words()
        ground = self._look("table-cell", cell.get(f"{_TABLE}style-name") or "").ground
        around = replace(around, look=replace(around.look, ground=ground or around.look.ground))
        parts = [cell]
        for part in parts:
            for one in _paragraphs(part):
                self._take(one, self._look("paragraph", one.get(f"{_TEXT}style-name") or "").over(around.look), words)
                words.add(" ", None)
            parts += words.blocks
            words.blocks.clear()
        for reason, text in words.hidden:
            self._builder.hide(text, reason)
        return "".join(words.shown)

    def _look(self, family: str, name: str) -> _Look:
        """The appearance of a style, with that of the styles that it is based on."""
        known = self._looks.get((family, name))
        if known is not None:
            return known
        look, at = _Look(), name
        for _ in range(_MOST_PARENTS):
            style = self._styles.get((family, at))
            if style is None:
                break
            look = look.over(_look_of(style))
            at = style.get(f"{_STYLE}parent-style-name") or ""
        if (usual := self._usual.get(family)) is not None:
            look = look.over(_look_of(usual))
        self._looks[family, name] = look
        return look


def _marker(kinds: Mapping[int, etree._Element], numbers: Sequence[int]) -> str:
    """What a list shows before an item with these numbers, its own the last: a dash if it is not numbered."""
    kind = kinds.get(len(numbers), _NONE)
    if not local(kind).endswith(("level-style-number", "outline-level-style")):
        return "- "
    shown = min(len(numbers), max(1, integer(kind.get(f"{_TEXT}display-levels"), 1)))
    levels = range(len(numbers) - shown + 1, len(numbers) + 1)
    forms = [kinds.get(level, _NONE).get(_FORMAT, "1") for level in levels]
    told = ".".join(
        numeral(number, _FORMS.get(form, "decimal"))
        for number, form in zip(numbers[-shown:], forms, strict=True)
        if form
    )
    prefix, suffix = (kind.get(f"{_STYLE}num-{end}") or "" for end in ("prefix", "suffix"))
    return f"{prefix}{told}{suffix} ".lstrip()


def _paragraphs(parent: etree._Element) -> Iterator[etree._Element]:
    """The paragraphs in a cell or a note, those of lists and tables in it included, but not those inside others."""
    for one in elements(parent):
        if local(one) in ("p", "h"):
            yield one
        elif local(one) not in _UNSEEN_BLOCKS:
            yield from _paragraphs(one)


def _look_of(style: etree._Element) -> _Look:
    said = child_of(style, "text-properties")
    around = (child_of(style, f"{kind}-properties") for kind in ("paragraph", "table-cell"))
    grounds = [one.get(f"{_FO}background-color") or "" for one in (said, *around) if one is not None]
    ground = next((found for one in grounds if (found := rgb(one.lstrip("#"))) is not None), None)
    away = _is_away(child_of(style, "paragraph-properties"))
    if said is None:
        return _Look(ground=ground, away=away)
    display, size = said.get(f"{_TEXT}display"), said.get(f"{_FO}font-size") or ""
    share = _share(size) if size.endswith("%") else None
    if (apart := points(said.get(f"{_FO}letter-spacing") or "")) is not None and away is None:
        away = apart <= -_USUAL_SIZE
    auto, place = said.get(f"{_STYLE}use-window-font-color") == "true", said.get(f"{_STYLE}text-position")
    return _Look(
        None if display is None else display == "none",
        points(size) if share is None else share * _USUAL_SIZE,
        "auto" if auto else rgb((said.get(f"{_FO}color") or "").lstrip("#")),
        ground,
        _share(said.get(f"{_LOEXT}opacity")),
        _share(said.get(f"{_STYLE}text-scale")),
        away,
        None if place is None else place.startswith("super") or (_share(place.split("%")[0]) or 0.0) > 0,
    )


def _is_away(said: etree._Element | None) -> bool | None:
    """True if a paragraph is positioned off the page or has no line height; None if it declares nothing of the kind."""
    names = ("margin-left", "text-indent", "line-height")
    left, first, high = (None if said is None else points(said.get(f"{_FO}{name}") or "") for name in names)
    if left is None and first is None and high is None:
        return None
    return not -_BEFORE < (left or 0.0) + (first or 0.0) < _BEYOND or (high is not None and high <= _FLAT)


def _share(text: str | None) -> float | None:
    try:
        return float(text[:12].removesuffix("%")) / 100 if text else None
    except ValueError:
        return None


def _unseen_frame(frame: etree._Element) -> HiddenReason | None:
    """Why nothing in a frame can be seen; None if it can."""
    left, top, wide, high = (points(frame.get(f"{_SVG}{side}") or "") for side in ("x", "y", "width", "height"))
    if frame.get(f"{_DRAW}display") == "none":
        return "hidden_markup"
    if (wide is not None and wide <= _FLAT) or (high is not None and high <= _FLAT):
        return "clipped"
    beside = left is not None and wide is not None and left + wide < -_FAR
    above = top is not None and high is not None and top + high < -_FAR
    return "off_page" if beside or above else None


def _columns(table: etree._Element) -> Iterator[bool]:
    """For each column, True if it is visible."""
    for column in table.iter(f"{_TABLE}table-column"):
        seen = column.get(f"{_TABLE}visibility") not in ("collapse", "filter")
        for _ in range(min(_MOST_REPEATED, max(1, integer(column.get(f"{_TABLE}number-columns-repeated"), 1)))):
            yield seen


def _rows(table: etree._Element) -> Iterator[etree._Element]:
    for one in elements(table):
        if local(one) == "table-row":
            yield one
        elif local(one) in ("table-header-rows", "table-rows", "table-row-group"):
            yield from _rows(one)


def _spaced(text: str | None) -> str:
    """Text as it is shown: every run of white space becomes a single space."""
    if not text:
        return ""
    words = " ".join(text.split())
    return f"{' ' * text[0].isspace()}{words}{' ' * (text[-1].isspace() and bool(words))}"
