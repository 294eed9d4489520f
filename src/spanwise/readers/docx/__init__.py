"""DOCX: paragraphs, headings, lists and tables in document order, one line a sentence.

Reads the XML itself: what cannot be seen (hidden runs), what was deleted under tracked changes, text boxes and notes
are all below the paragraphs and tables that python-docx shows, and it refuses files with one dangling relationship.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from spanwise.domain.document import Document
from spanwise.errors import DamagedDocumentError
from spanwise.readers.bounds import Budget
from spanwise.readers.builder import DocumentBuilder
from spanwise.readers.docx.hidden import is_hidden
from spanwise.readers.docx.package import Package, R, W, child, elements, integer, local, value
from spanwise.readers.docx.styles import Numbering, Styles, numbered
from spanwise.readers.flowing import add_heading, add_paragraph, add_row
from spanwise.readers.port import ReadOptions

_LONGEST_HEADING = 200
"""Longer ones are clauses that were given the style of a heading for its number."""
_WRAPPERS = frozenset("sdt sdtContent customXml smartTag hyperlink ins moveTo fldSimple dir bdo ruby rubyBase".split())
_DELETED = frozenset(("del", "moveFrom"))
_BREAKS = frozenset(("page", "column"))
_CHARACTERS = {"tab": " ", "ptab": " ", "cr": "\n", "noBreakHyphen": "-"}


def read_docx(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read a Word document; it has no pages of its own, so all lines are on page 1.

    Raises:
        DocumentError: The file is damaged, encrypted, or crosses a limit.
    """
    budget = Budget(name, options.limits)
    package = Package(data, budget)
    path = package.main()
    builder = DocumentBuilder(id=hashlib.sha256(data).hexdigest(), name=name, format="docx", budget=budget)
    _Reading(package, path, builder, budget).run()
    builder.guess_headings()
    return builder.build()


@dataclass(slots=True)
class _Text:
    """What one paragraph says, gathered run by run."""

    shown: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    boxes: list[etree._Element] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Context:
    """What surrounds a paragraph."""

    tables: int = 0
    coloured: bool = False
    """Whether something around it may set a background, so that white text can be seen."""


class _Reading:
    """Walks one document from its body to its notes."""

    def __init__(self, package: Package, path: str, builder: DocumentBuilder, budget: Budget) -> None:
        self._package = package
        self._builder = builder
        self._budget = budget
        self._main = package.xml(path)
        self._relations = package.relations(path)
        self._styles = Styles(self._part("styles"))
        self._numbering = Numbering(self._part("numbering"))
        self._deletions = 0
        self._insertions = 0

    def run(self) -> None:
        """Read the body, then headers and footers, footnotes and endnotes."""
        body = child(self._main, "body")
        if body is not None:
            self._blocks(body, _Context())
            self._furniture(body)
        self._notes("footnotes", "footnote")
        self._notes("endnotes", "endnote")
        if self._deletions or self._insertions:
            self._builder.notice(
                "tracked_changes",
                f"Tracked changes: {self._insertions} insertions were read as text, "
                f"and {self._deletions} deletions were left out.",
            )

    def _part(self, kind: str) -> etree._Element | None:
        path = next((relation.path for relation in self._relations.values() if relation.kind == kind), None)
        return None if path is None else self._side_part(path)

    def _side_part(self, path: str) -> etree._Element | None:
        """A part beside the text; when it is broken the text can still be read."""
        try:
            return self._package.xml(path)
        except DamagedDocumentError as error:
            self._builder.notice("repaired", f"A part was left out: {error}")
            return None

    def _blocks(self, parent: etree._Element, context: _Context) -> None:
        for block in self._unwrapped(parent):
            if block.tag == f"{W}p":
                self._paragraph(block, context)
            elif block.tag == f"{W}tbl":
                self._table(block, context)

    def _unwrapped(self, parent: etree._Element) -> Iterator[etree._Element]:
        """The children, with content controls and tracked insertions opened and deletions left out."""
        for element in elements(parent):
            self._budget.object()
            name = local(element)
            if name in _DELETED:
                self._deletions += 1
            elif name in _WRAPPERS:
                self._insertions += name == "ins"
                yield from self._unwrapped(element)
            elif name == "AlternateContent":
                yield from self._unwrapped(_alternative(element))
            else:
                yield element

    def _paragraph(self, paragraph: etree._Element, context: _Context) -> None:
        text = self._text_of(paragraph, context)
        style, properties = self._style_of(paragraph), child(paragraph, "pPr")
        words = "".join(text.shown)
        if words.strip():
            outline = child(properties, "outlineLvl")
            level = self._styles.heading_level(style, None if outline is None else integer(value(outline)))
            place = numbered(properties) or self._styles.numbered(style)
            marker = self._numbering.marker(place, style) if place else ""
            self._emit(words, level, marker)
        for box in text.boxes:
            self._blocks(box, _Context(context.tables, coloured=True))

    def _emit(self, words: str, level: int | None, marker: str) -> None:
        if level is None:
            add_paragraph(self._builder, words, role="list_item" if marker else "text", marker=marker)
        elif len(words) <= _LONGEST_HEADING:
            add_heading(self._builder, words, level, marker)
        else:
            first = add_paragraph(self._builder, words, marker=marker)
            if first is not None:
                title = " ".join(words[:_LONGEST_HEADING].split()[:8])
                self._builder.heading(level, f"{marker}{title} …", first)

    def _table(self, table: etree._Element, context: _Context) -> None:
        self._budget.depth(context.tables + 1, "tables")
        styled = child(table, "tblPr", "tblStyle") is not None or child(table, "tblPr", "shd") is not None
        inside = _Context(context.tables + 1, coloured=context.coloured or styled)
        for row in self._unwrapped(table):
            if row.tag != f"{W}tr":
                continue
            if child(row, "trPr", "del") is not None:
                self._deletions += 1
                continue
            cells = [cell for cell in self._unwrapped(row) if cell.tag == f"{W}tc"]
            if len(cells) == 1:
                # A box around text, not a table.
                self._blocks(cells[0], _in_cell(cells[0], inside))
                continue
            nested: list[tuple[etree._Element, _Context]] = []
            add_row(self._builder, [self._cell(cell, inside, nested) for cell in cells])
            for block, around in nested:
                if block.tag == f"{W}tbl":
                    self._table(block, around)
                else:
                    self._blocks(block, around)

    def _cell(self, cell: etree._Element, context: _Context, nested: list[tuple[etree._Element, _Context]]) -> str:
        """The text of a cell; tables and text boxes in it are put aside and follow its row."""
        merged = child(cell, "tcPr", "vMerge")
        if merged is not None and value(merged) != "restart":
            return ""
        around = _in_cell(cell, context)
        pieces: list[str] = []
        for block in self._unwrapped(cell):
            if block.tag == f"{W}tbl":
                nested.append((block, around))
            elif block.tag == f"{W}p":
                text = self._text_of(block, around)
                nested.extend((box, _Context(around.tables, coloured=True)) for box in text.boxes)
                words = " ".join("".join(text.shown).split())
                style = self._style_of(block)
                place = numbered(child(block, "pPr")) or self._styles.numbered(style)
                pieces.append((self._numbering.marker(place, style) if place and words else "") + words)
        return " ".join(piece for piece in pieces if piece)

    def _style_of(self, paragraph: etree._Element) -> str | None:
        return value(child(paragraph, "pPr", "pStyle")) or self._styles.default

    def _text_of(self, paragraph: etree._Element, context: _Context) -> _Text:
        text = _Text()
        style, properties = self._style_of(paragraph), child(paragraph, "pPr")
        shaded = context.coloured or child(properties, "shd") is not None or self._styles.shaded(style)
        self._runs(paragraph, text, hidden=self._styles.hidden(style) or False, shaded=shaded)
        if text.hidden:
            self._builder.hide("".join(text.hidden), "hidden_markup")
        return text

    def _runs(self, parent: etree._Element, text: _Text, *, hidden: bool, shaded: bool) -> None:
        for element in self._unwrapped(parent):
            name = local(element)
            if name == "r":
                self._run(element, text, hidden=is_hidden(element, self._styles, hidden=hidden, shaded=shaded))
            elif name in ("oMath", "oMathPara"):
                text.shown.append("".join(part.text or "" for part in element.iter() if _is_text(part)))

    def _run(self, run: etree._Element, text: _Text, *, hidden: bool) -> None:
        target = text.hidden if hidden else text.shown
        for element in self._unwrapped(run):
            name = local(element)
            if name == "t":
                target.append(element.text or "")
            elif name == "br":
                target.append(" " if value(element, "type") in _BREAKS else "\n")
            elif name in _CHARACTERS:
                target.append(_CHARACTERS[name])
            elif name == "sym":
                target.append(_symbol(value(element, "char")))
            elif name in ("drawing", "pict", "object"):
                text.boxes.extend(_text_boxes(element))

    def _furniture(self, body: etree._Element) -> None:
        seen: set[tuple[str, str]] = set()
        for reference in body.iter(f"{W}headerReference", f"{W}footerReference"):
            kind = "header" if local(reference) == "headerReference" else "footer"
            relation = self._relations.get(reference.get(f"{R}id") or "")
            if relation is None or (kind, relation.path) in seen:
                continue
            seen.add((kind, relation.path))
            root = self._side_part(relation.path)
            for paragraph in () if root is None else root.iter(f"{W}p"):
                words = "".join(self._text_of(paragraph, _Context(coloured=True)).shown)
                if (kind, words) not in seen:
                    seen.add((kind, words))
                    self._builder.furnish(words, "header" if kind == "header" else "footer")

    def _notes(self, kind: str, tag: str) -> None:
        """Footnotes or endnotes as paragraphs after the text, with their numbers."""
        root = self._part(kind)
        number = 0
        for note in () if root is None else root.iterfind(f"{W}{tag}"):
            if value(note, "type") not in (None, "normal"):
                continue
            number += 1
            marker = f"{number} "
            for paragraph in note.iter(f"{W}p"):
                words = "".join(self._text_of(paragraph, _Context()).shown)
                if add_paragraph(self._builder, words, marker=marker) is not None:
                    marker = ""


def _alternative(element: etree._Element) -> etree._Element:
    """Word writes a new and an old form of the same drawing; one of them is enough."""
    options = list(elements(element))
    return next((option for option in options if local(option) == "Choice"), options[0] if options else element)


def _text_boxes(drawing: etree._Element) -> list[etree._Element]:
    """The outermost text boxes of a drawing; those inside them are met when they are read."""
    found: list[etree._Element] = []
    waiting = [drawing]
    while waiting:
        element = waiting.pop()
        if local(element) == "txbxContent":
            found.append(element)
        elif local(element) == "AlternateContent":
            waiting.extend(list(elements(_alternative(element))))
        else:
            waiting.extend(reversed(list(elements(element))))
    return found


def _in_cell(cell: etree._Element, context: _Context) -> _Context:
    shaded = child(cell, "tcPr", "shd") is not None
    return _Context(context.tables, coloured=context.coloured or shaded)


def _is_text(element: etree._Element) -> bool:
    return isinstance(element.tag, str) and local(element) == "t"


def _symbol(code: str | None) -> str:
    """A symbol by its code; the private codes of symbol fonts say nothing outside the font."""
    try:
        number = int((code or "")[:6], 16)
    except ValueError:
        return ""
    private = 0xE000 <= number <= 0xF8FF
    return "" if private or not chr(number).isprintable() else chr(number)
