"""DOCX: paragraphs, headings, lists and tables in document order, one line per sentence.

The XML is read directly: hidden runs, tracked deletions, text boxes and notes lie below the paragraphs and tables that
python-docx offers, and it refuses a file with a single dangling relationship.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lxml import etree

from spanwise.domain.document import Document
from spanwise.errors import DamagedDocumentError
from spanwise.readers.bounds import Budget
from spanwise.readers.builder import DocumentBuilder
from spanwise.readers.docx.floats import covered
from spanwise.readers.docx.hidden import FAR, Looks, Paragraph, Surroundings, cell_styles, is_empty, row_reason
from spanwise.readers.docx.styles import Numbering, Styles, Theme, numbered
from spanwise.readers.flowing import LONGEST_HEADING, SHORT, Words, add_paragraph, add_row, add_words
from spanwise.readers.invisible import is_opaque_picture
from spanwise.readers.office import Package, R, W, alternatives, child, elements, integer, is_on, local, value
from spanwise.readers.palette import RGB, WHITE, rgb
from spanwise.readers.port import ReadOptions

_WRAPPERS = frozenset("sdt sdtContent customXml smartTag hyperlink ins moveTo fldSimple dir bdo ruby rubyBase".split())
_DELETED = frozenset(("del", "moveFrom"))
_BREAKS = frozenset(("page", "column"))
_OVER = {"sup": "^", "den": "/"}
"""What is put before the parts of a formula that stand above or below others."""
_CHARACTERS = {"tab": " ", "ptab": " ", "cr": "\n", "noBreakHyphen": "-"}


def read_docx(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read a Word document; it has no fixed pages, so all lines are on page 1."""
    budget = Budget(name, options.limits)
    package = Package(data, budget)
    path = package.main()
    builder = DocumentBuilder(data, format="docx", budget=budget)
    _Reading(package, path, builder, budget).run()
    builder.guess_headings()
    return builder.build()


@dataclass(slots=True, kw_only=True)
class _Text(Words):
    """The text of a paragraph, shown and hidden, with its text boxes and the settings that apply to its runs."""

    looks: Paragraph
    codes: frozenset[etree._Element]
    around: Surroundings
    boxes: list[tuple[etree._Element, Surroundings]] = field(default_factory=list)


class _Reading:
    """One pass over a document: the body first, then headers and footers, notes and comments."""

    def __init__(self, package: Package, path: str, builder: DocumentBuilder, budget: Budget) -> None:
        self._package = package
        self._builder = builder
        self._budget = budget
        self._main = package.xml(path)
        self._relations = package.relations(path)
        self._styles = Styles(self._part("styles"))
        self._numbering = Numbering(self._part("numbering"))
        self._settings = settings = self._part("settings")
        self._looks = Looks(self._styles, Theme(self._part("theme"), settings), _page_width(self._main))
        self._page = Surroundings(ground=_page_colour(self._main, settings))
        self._covered = covered(self._main, self._is_opaque_picture) if self._main is not None else frozenset()
        self._deletions = 0
        self._insertions = 0

    def run(self) -> None:
        """Read the body, then headers and footers, footnotes, endnotes and comments (as hidden text)."""
        body = child(self._main, "body")
        if body is not None:
            self._blocks(body, self._page)
            self._furniture(body)
        self._notes("footnotes", "footnote", body)
        self._notes("endnotes", "endnote", body)
        comments = self._part("comments")
        for comment in () if comments is None else elements(comments):
            self._builder.hide(_words(comment), "comment")
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
        """A part other than the main text; None, with a notice, if it is damaged, as the text can still be read."""
        try:
            return self._package.xml(path)
        except DamagedDocumentError as error:
            self._builder.notice("repaired", f"A part was left out: {error}")
            return None

    def _is_opaque_picture(self, relation: str) -> bool:
        known = self._relations.get(relation)
        return known is not None and is_opaque_picture(self._package.start(known.path, 600))

    def _blocks(self, parent: etree._Element, around: Surroundings) -> None:
        for block in self._unwrapped(parent):
            if block.tag == f"{W}p":
                self._paragraph(block, around)
            elif block.tag == f"{W}tbl":
                self._table(block, around)

    def _unwrapped(self, parent: etree._Element) -> Iterator[etree._Element]:
        """The children, with content controls and tracked insertions opened and deletions left out."""
        for element in elements(parent):
            self._budget.object()
            name = local(element)
            if name in _DELETED:
                self._delete(element)
            elif name in _WRAPPERS:
                self._insertions += name == "ins"
                yield from self._unwrapped(element)
            elif name == "AlternateContent":
                yield from self._unwrapped(self._alternative(element))
            else:
                yield element

    def _delete(self, element: etree._Element) -> None:
        self._deletions += 1
        self._builder.hide(_words(element), "deleted")

    def _alternative(self, element: etree._Element) -> etree._Element:
        """The form of a drawing that Word shows, the first that it understands; text of other forms is hidden."""
        chosen, others = alternatives(element)
        if chosen is None:
            return element
        shown = _words(chosen)
        for option in others:
            if (words := _words(option)) != shown:
                self._builder.hide(words, "hidden_markup")
        return chosen

    def _paragraph(self, paragraph: etree._Element, around: Surroundings) -> None:
        text = self._text_of(paragraph, around)
        words, marker = "".join(text.shown), self._marker(paragraph, text)
        if words.strip():
            outline = child(paragraph, "pPr", "outlineLvl")
            direct = None if outline is None else integer(value(outline))
            self._emit(words, self._styles.heading_level(self._style_of(paragraph), direct), marker)
        for box, inside in text.boxes:
            self._blocks(box, inside)

    def _marker(self, paragraph: etree._Element, text: _Text) -> str:
        """What the list of a paragraph shows before it; an empty one counts, too, unless it is hidden or deleted."""
        style, properties = self._style_of(paragraph), child(paragraph, "pPr")
        place = numbered(properties) or self._styles.numbered(style)
        end = child(properties, "rPr")
        unseen = text.hidden or is_on(child(end, "vanish")) or child(end, "del") is not None
        if place is None or (unseen and not "".join(text.shown).strip()):
            return ""
        return self._numbering.marker(place, style)

    def _emit(self, words: str, level: int | None, marker: str) -> None:
        if level is None or len(words) <= LONGEST_HEADING:
            add_words(self._builder, words, level, marker)
        else:
            first = add_paragraph(self._builder, words, marker=marker)
            if first is not None:
                title = " ".join(words[:LONGEST_HEADING].split()[:8])
                self._builder.heading(level, f"{marker}{title} …", first)

    def _table(self, table: etree._Element, around: Surroundings) -> None:
        self._budget.depth(around.tables + 1, "tables")
        properties = child(table, "tblPr")
        style = self._styles.chain_of(value(child(properties, "tblStyle")) or self._styles.default_table)
        ground = self._looks.shading(properties, around.ground)
        reason, floating = around.reason, child(properties, "tblpPr")
        if min(integer(value(child(properties, "tblInd"), "w")), integer(value(floating, "tblpX"))) <= FAR:
            reason = reason or "off_page"
        rows = [row for row in self._unwrapped(table) if row.tag == f"{W}tr"]
        merged: dict[int, str] = {}
        for at, row in enumerate(rows):
            if child(row, "trPr", "del") is not None:
                self._delete(row)
                continue
            cells = []
            for cell in self._unwrapped(row):
                if child(cell, "tcPr", "cellDel") is not None:
                    self._delete(cell)
                elif cell.tag == f"{W}tc":
                    cells.append(cell)
            if not cells:
                continue
            inside = [
                Surroundings(
                    around.tables + 1,
                    ground,
                    reason or row_reason(row),
                    cell_styles(style, table, at, len(rows), column, len(cells)),
                )
                for column in range(len(cells))
            ]
            self._row(cells, inside, integer(value(child(row, "trPr", "gridBefore"))), merged)

    def _row(
        self, cells: list[etree._Element], around: list[Surroundings], before: int, merged: dict[int, str]
    ) -> None:
        """Add a row; `before` columns of the table lie before its first cell.

        `merged` has the short texts of cells that reach over several rows, by their first columns; these are said again
        in each row.
        """
        if len(cells) == 1:
            # A box around text, not a table.
            self._blocks(cells[0], self._looks.cell(cells[0], around[0]))
            return
        nested: list[tuple[etree._Element, Surroundings]] = []
        texts = [self._cell(cell, inside, nested) for cell, inside in zip(cells, around, strict=True)]
        spans: list[int] = []
        for cell in cells:
            first = spans[-1] if spans else max(0, before)
            wide = integer(value(child(cell, "tcPr", "gridSpan")), 1)
            spans += [first, first + max(1, wide)]
        alone = not any(texts)
        for at, (cell, first) in enumerate(zip(cells, spans[::2], strict=True)):
            if _goes_on(cell):
                texts[at] = "" if alone else merged.get(first, "")
            else:
                merged[first] = texts[at] if len(texts[at]) <= SHORT else ""
        add_row(self._builder, texts, spans)
        for block, inside in nested:
            if block.tag == f"{W}tbl":
                self._table(block, inside)
            else:
                self._blocks(block, inside)

    def _cell(
        self, cell: etree._Element, around: Surroundings, nested: list[tuple[etree._Element, Surroundings]]
    ) -> str:
        """The text of a cell; tables and text boxes in it are appended to `nested`, to be read after the row."""
        if _goes_on(cell):
            self._builder.hide(_words(cell), "hidden_markup")
            return ""
        around = self._looks.cell(cell, around)
        pieces: list[str] = []
        for block in self._unwrapped(cell):
            if block.tag == f"{W}tbl":
                nested.append((block, around))
            elif block.tag == f"{W}p":
                text = self._text_of(block, around)
                nested.extend(text.boxes)
                words, marker = " ".join("".join(text.shown).split()), self._marker(block, text)
                pieces.append(f"{marker}{words}" if words else "")
        return " ".join(piece for piece in pieces if piece)

    def _style_of(self, paragraph: etree._Element) -> str | None:
        return value(child(paragraph, "pPr", "pStyle")) or self._styles.default

    def _text_of(self, paragraph: etree._Element, around: Surroundings) -> _Text:
        looks = self._looks.paragraph(child(paragraph, "pPr"), self._style_of(paragraph), around)
        text = _Text(looks=looks, codes=_field_codes(paragraph), around=around)
        self._runs(paragraph, text)
        text.hide(self._builder.hide)
        return text

    def _runs(self, parent: etree._Element, text: _Text) -> None:
        for element in self._unwrapped(parent):
            name = local(element)
            if name == "r":
                self._run(element, text)
            elif name in ("oMath", "oMathPara"):
                phantoms = {
                    part for phantom in element.iter("{*}phant") if is_empty(phantom) for part in phantom.iter()
                }
                for part in element.iter("{*}t", "{*}sup", "{*}den"):
                    said = _OVER.get(local(part)) or part.text
                    text.add(said, text.looks.reason or ("hidden_markup" if part in phantoms else None))

    def _run(self, run: etree._Element, text: _Text) -> None:
        reason = self._looks.run(run, text.looks)
        raised = value(child(run, "rPr", "vertAlign")) == "superscript"
        for element in self._unwrapped(run):
            if local(element) == "r":  # the words that a reading is given for
                self._run(element, text)
                continue
            if local(element) == "rt":
                reading = replace(text, shown=[], hidden=[], boxes=[])
                self._runs(element, reading)
                text.hidden += reading.hidden
                if reading.shown:
                    text.shown += ["(", *reading.shown, ")"]
                continue
            if local(element) in ("drawing", "pict", "object"):
                inside = self._looks.box(element, text.around)
                if reason is not None or next(elements(element), None) in self._covered:
                    inside = replace(inside, reason=reason or "covered")
                text.boxes.extend((box, inside) for box in self._text_boxes(element))
                continue
            text.add(_shown_by(element), "hidden_markup" if element in text.codes else reason, raised=raised)

    def _text_boxes(self, drawing: etree._Element) -> list[etree._Element]:
        """The outermost text boxes of a drawing; boxes inside them are found when those are read."""
        found: list[etree._Element] = []
        waiting = [drawing]
        while waiting:
            element = waiting.pop()
            if local(element) == "txbxContent":
                found.append(element)
            elif local(element) == "AlternateContent":
                waiting.extend(list(elements(self._alternative(element))))
            else:
                waiting.extend(reversed(list(elements(element))))
        return found

    def _furniture(self, body: etree._Element) -> None:
        """Headers and footers; those that no page shows are hidden."""
        seen: set[tuple[str, str]] = set()
        shown = self._shown_furniture(body)
        for relation in self._relations.values():
            kind = relation.kind
            if kind not in ("header", "footer") or (kind, relation.path) in seen:
                continue
            seen.add((kind, relation.path))
            root = self._side_part(relation.path)
            for paragraph in () if root is None else root.iter(f"{W}p"):
                words = "".join(self._text_of(paragraph, Surroundings(ground=None)).shown)
                if relation.path not in shown:
                    self._builder.hide(words, "hidden_markup")
                elif (kind, words) not in seen:
                    seen.add((kind, words))
                    self._builder.furnish(words, "header" if kind == "header" else "footer")

    def _shown_furniture(self, body: etree._Element) -> set[str]:
        """The parts of headers and footers that pages show: a first page only where its section has one of its own.

        A section without headers of its own has those of the one before it.
        """
        two_sided = is_on(child(self._settings, "evenAndOddHeaders"))
        current: dict[tuple[str, str], str] = {}
        shown: set[str] = set()
        for section in body.iter(f"{W}sectPr"):
            if next(section.iterancestors(f"{W}sectPrChange"), None) is not None:  # how it was before a tracked change
                continue
            for reference in section.iterchildren(f"{W}headerReference", f"{W}footerReference"):
                relation = self._relations.get(reference.get(f"{R}id") or "")
                if relation is not None:
                    current[local(reference), value(reference, "type") or "default"] = relation.path
            on = {"default": True, "first": is_on(child(section, "titlePg")), "even": two_sided}
            shown.update(path for (_, page), path in current.items() if on.get(page))
        return shown

    def _notes(self, kind: str, tag: str, body: etree._Element | None) -> None:
        """Read footnotes or endnotes as numbered paragraphs after the text; notes that nothing refers to are hidden."""
        root = self._part(kind)
        marks = () if body is None else body.iter(f"{W}{tag}Reference")
        seen = (value(mark, "id") for mark in marks if not is_on(child(mark.getparent(), "rPr", "vanish")))
        referred = {note: place for place, note in enumerate(dict.fromkeys(seen))}
        notes = [] if root is None else list(root.iterfind(f"{W}{tag}"))
        number = 0
        for note in sorted(notes, key=lambda note: referred.get(value(note, "id"), -1)):
            if value(note, "type") not in (None, "normal"):
                continue
            if value(note, "id") not in referred:
                self._builder.hide(_words(note), "hidden_markup")
                continue
            number += 1
            marker = f"{number} "
            for paragraph in note.iter(f"{W}p"):
                words = "".join(self._text_of(paragraph, self._page).shown)
                if add_paragraph(self._builder, words, marker=marker) is not None:
                    marker = ""


def _goes_on(cell: etree._Element) -> bool:
    """True if a cell goes on with the one above it."""
    merged = child(cell, "tcPr", "vMerge")
    return merged is not None and value(merged) != "restart"


def _page_width(main: etree._Element | None) -> int:
    """The width of the widest page in twentieths of a point; 24,000, that of large paper, if none is declared."""
    sizes = () if main is None else main.iter(f"{W}pgSz")
    return max((integer(value(size, "w")) for size in sizes), default=0) or 24_000


def _page_colour(main: etree._Element | None, settings: etree._Element | None) -> RGB:
    """The background colour of the page, which Word shows only if the settings say so; else white."""
    shown = settings is not None and is_on(child(settings, "displayBackgroundShape"))
    colour = rgb(value(child(main, "background"), "color")) if shown else None
    return WHITE if colour is None else colour


def _words(element: etree._Element) -> str:
    """All text in an element, shown or not, with a space between paragraphs."""
    found = element.iter("{*}t", "{*}delText", f"{W}p")
    return " ".join("".join(" " if one.tag == f"{W}p" else one.text or "" for one in found).split())


def _field_codes(paragraph: etree._Element) -> frozenset[etree._Element]:
    """The text elements that belong to a field's code, between its begin and its result, and are not shown."""
    if paragraph.find(f".//{W}fldChar") is None:
        return frozenset()
    found: set[etree._Element] = set()
    open_codes: list[list[etree._Element]] = []
    for element in paragraph.iter(f"{W}fldChar", f"{W}t"):
        kind = value(element, "fldCharType")
        if kind == "begin":
            open_codes.append([])
        elif kind in ("separate", "end") and open_codes:
            found.update(open_codes.pop())
        elif element.tag == f"{W}t" and open_codes:
            open_codes[-1].append(element)
    return frozenset(found)


def _shown_by(element: etree._Element) -> str:
    """The text that one element of a run shows."""
    name = local(element)
    if name == "t":
        return element.text or ""
    if name == "br":
        return " " if value(element, "type") in _BREAKS else "\n"
    return _symbol(value(element, "char")) if name == "sym" else _CHARACTERS.get(name, "")


def _symbol(code: str | None) -> str:
    """The character of a symbol; empty for private-use codes, which mean nothing outside their font."""
    try:
        number = int((code or "")[:6], 16)
    except ValueError:
        return ""
    private = 0xE000 <= number <= 0xF8FF
    return "" if private or not chr(number).isprintable() else chr(number)
