"""PPTX: each slide is a page: its title as a heading, paragraphs and table rows as lines, then its notes."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from spanwise.domain.document import Document, FurnitureKind, LineRole
from spanwise.readers.bounds import Budget
from spanwise.readers.builder import DocumentBuilder
from spanwise.readers.flowing import Spanning, add_heading, add_paragraph, add_row, raised_after
from spanwise.readers.office import Package, R, Relation, child_of, integer, local, numeral
from spanwise.readers.palette import RGB
from spanwise.readers.port import ReadOptions
from spanwise.readers.slides.slide_look import Box, Shape, SlideLook

_TITLES = ("title", "ctrTitle")
_FURNITURE: dict[str | None, FurnitureKind] = {
    "dt": "footer",
    "ftr": "footer",
    "sldNum": "page_number",
    "hdr": "header",
}
_LONGEST_TITLE = 150
_NUMBERED = {
    "alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman", "romanUc": "upperRoman",
}  # fmt: skip
_LISTED = (None, "body", "obj")
"""Placeholders whose paragraphs are list items."""


def read_slides(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read a presentation; invisible text on its slides is kept as hidden text."""
    budget = Budget(name, options.limits)
    package = Package(data, budget)
    path = package.main()
    builder = DocumentBuilder(data, format="slides", budget=budget)
    related = package.relations(path)
    root = package.xml(path)
    slides = [] if root is None else [related.get(one.get(f"{R}id") or "") for one in root.iter("{*}sldId")]
    size = None if root is None else root.find("{*}sldSz")
    screen = Box(0, 0, *((0, 0) if size is None else (integer(size.get("cx")), integer(size.get("cy")))))
    for number, relation in enumerate(slides):
        if number:
            builder.new_page()
        slide = package.xml(relation.path) if relation is not None else None
        if slide is not None and relation is not None:
            _Slide(package, package.relations(relation.path), builder, budget, screen).add(slide)
    return builder.build(paged=True)


class _Slide:
    """One slide that is being read."""

    def __init__(
        self, package: Package, related: dict[str, Relation], builder: DocumentBuilder, budget: Budget, size: Box
    ) -> None:
        self._package = package
        self._related = related
        self._builder = builder
        self._budget = budget
        self._size = size

    def add(self, slide: etree._Element) -> None:
        """Add the text of the slide and of its notes."""
        if slide.get("show") in ("0", "false"):
            for paragraph in slide.iter("{*}p"):
                self._builder.hide(_text(paragraph), "hidden_markup")
            return
        look = SlideLook(self._package, slide, self._related, self._budget)
        seen = [shape for shape in look.shapes if not self._hidden(shape, look)]
        title = _title([shape.element for shape in seen])
        if title is not None:  # people read it first, wherever it stands in the file
            add_heading(self._builder, " ".join(map(_text, title.iter("{*}p"))), 1)
        for shape in seen:
            if shape.element is not title:
                self._shape(shape.element)
        for relation in self._related.values():
            notes = self._package.xml(relation.path) if relation.kind == "notesSlide" else None
            for element in () if notes is None else notes.iter("{*}sp"):
                if _placeholder(element) == "body":
                    self._paragraphs(element, listed=False)

    def _hidden(self, shape: Shape, look: SlideLook) -> bool:
        """Record the hidden text of a shape; True if all of it is hidden."""
        reason = look.reason(shape, self._size)
        if reason is None:
            self._hide_runs(shape, look)
            return False
        for paragraph in shape.element.iter("{*}p"):
            self._builder.hide(_text(paragraph), reason)
        return True

    def _hide_runs(self, shape: Shape, look: SlideLook) -> None:
        """Record the hidden runs of a shape, and remove them from it."""
        ground = look.ground(shape)
        grounds: dict[etree._Element, RGB | None] = {
            paragraph: look.cell(cell) for cell in shape.element.iter("{*}tc") for paragraph in cell.iter("{*}p")
        }
        for paragraph in shape.element.iter("{*}p"):
            for run in paragraph.iterfind("{*}r"):
                reason = look.run(run, shape, grounds.get(paragraph, ground))
                if reason is not None:
                    self._builder.hide(_text(run), reason)
                    paragraph.remove(run)

    def _shape(self, shape: etree._Element) -> None:
        kind = _placeholder(shape)
        if kind in _FURNITURE:
            self._builder.furnish(" ".join(map(_text, shape.iter("{*}p"))), _FURNITURE[kind])
        elif local(shape) == "graphicFrame":
            self._frame(shape)
        else:
            self._paragraphs(shape, listed=kind in _LISTED and next(shape.iter("{*}ph"), None) is not None)

    def _frame(self, frame: etree._Element) -> None:
        """Add a table or the text of a diagram; charts contribute only their tables."""
        spanning = Spanning()
        for row in frame.iter("{*}tr"):
            cells = row.findall("{*}tc")
            wide = [max(1, integer(cell.get("gridSpan"), 1)) for cell in cells]
            spans = [edge for at, columns in enumerate(wide) for edge in (at, at + columns)]
            texts = [" ".join(map(_text, cell.iter("{*}p"))) for cell in cells]
            add_row(self._builder, *spanning.row(texts, spans, [integer(cell.get("rowSpan"), 1) for cell in cells]))
        for ids in frame.iter("{*}relIds"):
            relation = self._related.get(ids.get(f"{R}dm") or "")
            root = self._package.xml(relation.path) if relation is not None else None
            for paragraph in () if root is None else root.iter("{*}p"):
                add_paragraph(self._builder, _text(paragraph), role="list_item")

    def _paragraphs(self, shape: etree._Element, *, listed: bool) -> None:
        counts: dict[int, int] = {}
        for paragraph in shape.iter("{*}p"):
            text = _text(paragraph)
            if not text.strip():
                continue  # no item, and not counted as one
            marker = _marker(child_of(paragraph, "pPr"), counts)
            plain = next(paragraph.iter("{*}buNone"), None) is not None
            role: LineRole = "list_item" if marker or (listed and not plain) else "text"
            add_paragraph(self._builder, text, role=role, marker=marker)


def _title(shapes: Sequence[etree._Element]) -> etree._Element | None:
    """The title of a slide: its placeholder, or else the only short text in the largest size; None if neither."""
    seen = [shape for shape in shapes if local(shape) == "sp"]
    placed = [
        shape for shape in seen if _placeholder(shape) in _TITLES and "".join(map(_text, shape.iter("{*}p"))).strip()
    ]
    if placed:
        return placed[0]
    sizes = {shape: max((integer(one.get("sz")) or 0 for one in shape.iter("{*}rPr")), default=0) for shape in seen}
    largest = [shape for shape in seen if sizes[shape] and sizes[shape] == max(sizes.values())]
    short = len(largest) == 1 and len(" ".join(map(_text, largest[0].iter("{*}p")))) <= _LONGEST_TITLE
    return largest[0] if short and len(seen) > 1 else None


def _marker(properties: etree._Element | None, counts: dict[int, int]) -> str:
    """The number that a slide shows before a paragraph, empty if none; `counts` has the one reached at each level."""
    level, numbered = 0 if properties is None else integer(properties.get("lvl")), child_of(properties, "buAutoNum")
    for other in [one for one in counts if one > level or (one == level and numbered is None)]:
        del counts[other]
    if numbered is None:
        return ""
    counts[level] = counts[level] + 1 if level in counts else integer(numbered.get("startAt"), 1)
    kind = numbered.get("type") or ""
    form = next((form for begins, form in _NUMBERED.items() if kind.startswith(begins)), "decimal")
    before = "(" if kind.endswith("Both") else ""
    behind = "" if kind.endswith("Plain") else ")" if "Paren" in kind else "."
    return f"{before}{numeral(counts[level], form)}{behind} "


def _text(paragraph: etree._Element) -> str:
    """The text of a paragraph, with its line breaks."""
    text = ""
    for one in paragraph.iter("{*}t", "{*}br"):
        said, look = "\n" if local(one) == "br" else one.text or "", child_of(one.getparent(), "rPr")
        raised = look is not None and integer(look.get("baseline")) > 0
        text += raised_after(text, said) if raised else said
    return text


def _placeholder(shape: etree._Element) -> str | None:
    """The type of a placeholder; None for other shapes and for a placeholder without a type."""
    found = next(shape.iter("{*}ph"), None)
    return None if found is None else found.get("type")
