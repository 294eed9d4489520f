"""What a PDF keeps for moments in which nobody reads it: looks of notes and fields that are not shown, and the like.

pdfium reads what a page paints. Notes that are flagged as unseen, the other states of buttons, choices that nobody
made, and patterns and masks that no page uses are text all the same, which other programs may find. Each look is
drawn on a page of its own to read it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import pypdfium2

from spanwise.domain.document import HiddenReason
from spanwise.readers.pdf.tiles import PdfValue, is_stream, resources_of

if TYPE_CHECKING:
    import pikepdf

_RESOURCES = re.compile(rb"/PatternType\s{0,9}1\b|/(?:Luminosity|Alpha)\b")
"""What says that a file may have patterns of tiles, or masks, unless that is packed."""
_MOST = 2_000
"""Notes of a page, and looks of a file, that are looked at."""
_DEEPEST = 16
_ROOM = -20_000, -20_000, 20_000, 20_000
_UNSEEN = 2 | 32
"""The flags of a note that is hidden, or not shown on a screen."""
_QUIET = frozenset(("/Link", "/Widget", "/Popup"))
"""Notes whose contents are no remark of a reader's."""
_WORD = re.compile(r"\w+")


class Unshown(NamedTuple):
    """A text that is not shown: the page (from 0), what it says, why it is not seen, and where in page space."""

    page: int
    text: str
    reason: HiddenReason
    place: tuple[float, float, float, float] | None


def has_spare_resources(data: bytes) -> bool:
    """True if a page may have patterns or masks that it does not use."""
    return _RESOURCES.search(data) is not None


def unshown(data: bytes, password: str | None, known: Mapping[int, str]) -> list[Unshown]:
    """What is not shown on some pages, by their index; `known` is the text of each that one sees, or is told of."""
    import pikepdf  # few files need it, and it takes longer to load than most take to read

    broken = (pikepdf.PdfError, pypdfium2.PdfiumError, ValueError, RuntimeError, TypeError, KeyError, AttributeError)
    said = {index: " ".join(_WORD.findall(text)).casefold() for index, text in known.items()}
    try:
        with pikepdf.open(io.BytesIO(data), password=password or "") as document:
            looks = _Looks(document)
            for index in sorted(said):
                looks.add(index)
            found = looks.texts()
    except broken:  # The text of the pages was read without it.
        return []
    return [
        one for one in found if (words := " ".join(_WORD.findall(one.text)).casefold()) and words not in said[one.page]
    ]


class _Looks:
    """Collects what is not shown: texts, and streams that draw some."""

    def __init__(self, document: pikepdf.Pdf) -> None:
        self.told: list[Unshown] = []
        self._document = document
        self._streams: list[tuple[Unshown, Any]] = []
        self._met: set[tuple[int, int]] = set()

    def add(self, index: int) -> None:
        """Add what one page does not show."""
        page = self._document.pages[index]
        for note in list(page.obj.get("/Annots", ()))[:_MOST]:
            self._add_note(index, note)
        resources = resources_of(page.obj)
        spare = list(_spare(resources))
        contents = b" ".join(_contents(page.obj.get("/Contents"), resources)) if spare else b""
        for name, stream in spare:
            if re.search(rb"/%s\b" % re.escape(name.lstrip("/").encode()), contents) is None:
                self._add_stream(Unshown(index, "", "hidden_markup", None), stream)

    def _add_note(self, index: int, note: PdfValue) -> None:
        kind = str(note.get("/Subtype", ""))
        left, bottom, right, top = (float(edge) for edge in note.Rect)
        unseen = bool(int(note.get("/F", 0)) & _UNSEEN)
        told = Unshown(index, "", "hidden_markup" if unseen else "closed", (left, bottom, right, top))
        contents = str(note.get("/Contents", ""))
        if contents and kind not in _QUIET:
            drawn = kind == "/FreeText" and not unseen and note.get("/AP") is not None
            self.told += [] if drawn else [told._replace(text=contents, reason=told.reason if unseen else "comment")]
        if kind == "/Widget" and unseen:
            self.told.append(told._replace(text=_written(_of_field(note, "/V"))))
        chosen = _written(_of_field(note, "/V"))
        for option in list(_of_field(note, "/Opt") or ())[:_MOST] if kind == "/Widget" else ():
            shown = _written(option[-1] if _is_list(option) else option)
            if shown != chosen:
                self.told.append(told._replace(text=shown))
        looks = note.get("/AP") or {}
        for mode in ("/N", "/R", "/D"):
            look = looks.get(mode)
            states = {} if look is None else {"": look} if is_stream(look) else dict(look)
            for state, stream in states.items():
                current = mode == "/N" and (not state or state == str(note.get("/AS", "")))
                # Of the look that is shown all is known but what its own edges cut off.
                self._add_stream(told._replace(reason="clipped") if current and not unseen else told, stream)

    def _add_stream(self, told: Unshown, stream: PdfValue) -> None:
        if not is_stream(stream) or stream.objgen in self._met or len(self._streams) >= _MOST:
            return
        if stream.is_indirect:
            self._met.add(stream.objgen)
        self._streams.append((told, stream))

    def texts(self) -> list[Unshown]:
        """All of it, with the words that the streams draw."""
        import pikepdf

        sheets = pikepdf.new()
        for _, stream in self._streams:
            form = sheets.make_stream(stream.read_bytes())
            form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
            form.BBox = pikepdf.Array(_ROOM)
            if (resources := stream.get("/Resources")) is not None:
                indirect = resources if resources.is_indirect else self._document.make_indirect(resources)
                form.Resources = sheets.copy_foreign(indirect)
            page = sheets.add_blank_page(page_size=(99, 99))
            page.obj.MediaBox = pikepdf.Array(_ROOM)
            page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(X=form))
            page.obj.Contents = sheets.make_stream(b"/X Do")
        packed = io.BytesIO()
        sheets.save(packed)
        return self.told + [
            told._replace(text=text)
            for (told, _), text in zip(self._streams, _read(packed.getvalue()), strict=False)
            if any(map(str.isalnum, text))
        ]


def _read(data: bytes) -> Iterator[str]:
    """The text of each page of a file."""
    document = pypdfium2.PdfDocument(data)
    try:
        for at in range(len(document)):
            page = document[at]
            text = page.get_textpage()
            yield " ".join(text.get_text_range().split())
            text.close()
            page.close()
    finally:
        document.close()


def _streams(contents: PdfValue) -> list[Any]:
    """The streams of a page's content, which is one or a list of them."""
    parts = list(contents) if _is_list(contents) else [contents]
    return [one for one in parts if is_stream(one)]


def _contents(contents: PdfValue, resources: PdfValue) -> Iterator[bytes]:
    """What a page paints, and the forms that it may."""
    met: set[tuple[int, int]] = set()
    waiting = [*_streams(contents)]
    held = [resources]
    while waiting and len(met) < _MOST:
        stream = waiting.pop()
        yield stream.read_bytes()
        held.append(stream.get("/Resources"))
        while held:
            named = held.pop()
            parts = dict(named.get("/XObject") or {}).values() if named is not None else ()
            inner = [one for one in parts if is_stream(one) and one.get("/Resources") is not None]
            waiting += [one for one in inner if one.objgen not in met]
            met.update(one.objgen for one in inner)


def _is_list(value: PdfValue) -> bool:
    import pikepdf

    return isinstance(value, pikepdf.Array)


def _of_field(note: PdfValue, key: str) -> PdfValue:
    """What a field says, or one that it is part of."""
    for _ in range(_DEEPEST):
        if note is None or note.get(key) is not None:
            break
        note = note.get("/Parent")
    return None if note is None else note.get(key)


def _written(value: PdfValue) -> str:
    """The text of a value of a field."""
    import pikepdf

    return str(value) if isinstance(value, pikepdf.String | pikepdf.Name) or type(value) is str else ""


def _spare(resources: PdfValue) -> Iterator[tuple[str, Any]]:
    """The patterns, masks and forms with fonts that a page has at hand, with their names."""
    import pikepdf

    for kind in ("/Pattern", "/ExtGState", "/XObject") if resources is not None else ():
        for name, value in dict(resources.get(kind) or {}).items():
            stream = value
            if kind == "/ExtGState":
                mask = value.get("/SMask")
                stream = mask.get("/G") if isinstance(mask, pikepdf.Dictionary) else None
            if is_stream(stream) and (stream.get("/Resources") or {}).get("/Font") is not None:
                yield name, stream
