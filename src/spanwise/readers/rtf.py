r"""RTF: paragraphs, headings, list items and table rows; hidden (`\v`), deleted and invisible text is kept apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field

from spanwise.domain.document import Document, FurnitureKind, HiddenReason
from spanwise.errors import DamagedDocumentError
from spanwise.readers.bounds import Budget
from spanwise.readers.builder import DocumentBuilder
from spanwise.readers.flowing import Words, add_row, add_words
from spanwise.readers.invisible import TINIEST, look_alike
from spanwise.readers.palette import RGB, WHITE
from spanwise.readers.port import ReadOptions

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?[0-9]{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|."
)
_UNREAD = frozenset(
    "info pict objdata fldinst filetbl revtbl rsidtbl generator themedata colorschememapping datastore latentstyles "
    "listtable listoverridetable nonshppict bkmkstart bkmkend atnid atnauthor atnref atndate atnparent userprops "
    "xmlnstbl mmathPr wgrffmtfilter pgptbl listpicture blipuid header_ ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn "
    "formfield template passwordhash pnseclvl pn defchp defpap stylerestrictions background moMath moMathPara".split()
)
"""Destinations that show nothing on the page."""
_READ = frozenset(
    "fldrslt shptxt shp shpinst shprslt result ud pntext listtext footnote field object do dptxbxtext".split()
)
r"""Destinations that are shown, even if marked (`\*`) as ignorable by old programs."""
_FURNITURE: dict[str, FurnitureKind] = {
    f"{kind}{which}": kind for kind in ("header", "footer") for which in ("", "l", "r", "f")
}
_ASIDE: dict[str, HiddenReason] = {"annotation": "comment", "xe": "hidden_markup", "tc": "hidden_markup"}
_LEFT_OUT = "left out"
"""What programs leave out that do not know its destination: ours, and those that the text is meant for."""
_CODE = re.compile(r"[\s0-9a-fA-F]*|\S*")
"""Data, or one name, which says nothing to a reader."""
_CHARACTERS = {
    "tab": "\t", "line": "\n", "softline": "\n", "emdash": "\u2014", "endash": "\u2013", "lquote": "\u2018",
    "rquote": "\u2019", "ldblquote": "\u201c", "rdblquote": "\u201d", "bullet": "\u2022", "emspace": " ",
    "enspace": " ", "qmspace": " ", "shptxt": "\n", "dptxbxtext": "\n",
}  # fmt: skip
_ESCAPED = {b"\\": "\\", b"{": "{", b"}": "}", b"~": "\xa0", b"_": "-", b"\n": "\n", b"\r": "\n"}
_CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "cp1361", 134: "cp936", 136: "cp950", 161: "cp1253",
    162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",

    255: "cp437",
}  # fmt: skip
_FLAGS = {"v": "hidden", "deleted": "deleted", "htmlrtf": "wrapping"}
_RAISES = {"super": True, "up": True, "sub": False, "dn": False, "nosupersub": False}
_NUMBERS = {
    "cf": "colour", "cb": "ground", "highlight": "ground", "chcbpat": "ground", "cbpat": "paper", "f": "font",
    "li": "left", "fi": "first",
    "sl": "lines", "trrh": "row", "charscalex": "wide", "uc": "skipped", "expndtw": "apart",
}  # fmt: skip
_KINDS = {
    "fonttbl": "fonts", "colortbl": "colours", "stylesheet": "styles", "listtext": "marker", "pntext": "marker",
    "upr": "upr", "sp": "property",
}  # fmt: skip
_ENCODINGS = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)
_FLAT = 20
"""Exact height in twips (twentieths of a point) at which a line or a row shows nothing."""
_BEYOND, _BEFORE = 30_000, 15_000
"""Twips to the right and to the left of the text's left edge that are off any page."""
_NARROW = 5
"""Horizontal scaling in per cent at which letters are mere strokes."""


def read_rtf(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read a rich text document."""
    budget = Budget(name, options.limits)
    if not data.lstrip().startswith(b"{\\rtf"):
        message = (
            f"{name} is not rich text (RTF), which begins with {{\\rtf: save it again in its program and give that."
        )
        raise DamagedDocumentError(message, document=name)
    builder = DocumentBuilder(data, format="rtf", budget=budget)
    if not _Reading(_Page(builder), budget).run(data):
        builder.notice(
            "repaired", f"{name} ends before its text does, as a file does that was cut: its rest is missing."
        )
    builder.guess_headings()
    return builder.build()


def text_of(data: bytes, budget: Budget) -> tuple[str, str]:
    """The body of a message that is kept as RTF: "html" and the page wrapped in it, else "plain" and its text."""
    wrapped = b"\\fromhtml" in data[:1024]
    lines: list[str] = []
    _Reading(_Lines(lines), budget, page=lines if wrapped else None).run(data)
    return ("html", "".join(lines)) if wrapped else ("plain", "\n".join(lines))


@dataclass(slots=True)
class _State:
    """The formatting state of a group."""

    kind: str = "text"
    """The destination of its text.

    "text", "unread", "fonts", "colours", "styles", "marker", "upr", "property", "page" (wrapped HTML), or the name of a
    note, header, footer or comment.
    """
    hidden: bool = False
    deleted: bool = False
    size: float = 12.0
    colour: int = 0
    ground: int = 0
    paper: int = 0
    """The background colour of the whole paragraph, behind that of the text."""
    font: int = -1
    wide: int = 100
    """Horizontal scaling of letters in per cent; the following fields are in twips."""
    apart: int = 0
    left: int = 0
    first: int = 0
    lines: int = 0
    row: int = 0
    skipped: int = 1
    """The number of fallback characters after a Unicode one, for old programs."""
    raised: bool = False
    wrapping: bool = False
    """True for text that only serves to show a wrapped HTML page as RTF."""


@dataclass(slots=True)
class _Paragraph(Words):
    """The paragraph that is being read."""

    marker: list[str] = field(default_factory=list)
    level: int | None = None
    in_table: bool = False


class _Lines:
    """A sink that turns paragraphs into lines of a text."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def paragraph(self, paragraph: _Paragraph) -> None:
        self._lines.append("".join(paragraph.marker + paragraph.shown))

    def row(self, cells: list[str]) -> None:
        self._lines.append("  ".join(cells))

    def aside(self, kind: str, text: str) -> None:
        """Ignore furniture and comments."""

    def unseen(self, text: str, reason: HiddenReason) -> None:
        """Ignore hidden text."""


class _Page:
    """A sink that adds paragraphs to a document."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self.unseen = builder.hide

    def paragraph(self, paragraph: _Paragraph) -> None:
        words = "".join(paragraph.shown)
        marker = " ".join("".join(paragraph.marker).split())
        marker = f"{marker} " if marker else ""
        add_words(self._builder, words, paragraph.level, marker)

    def row(self, cells: list[str]) -> None:
        add_row(self._builder, cells)

    def aside(self, kind: str, text: str) -> None:
        if kind in _ASIDE:
            self._builder.hide(text, _ASIDE[kind])
        else:
            self._builder.furnish(text, _FURNITURE[kind])


class _Reading:
    """One pass over a file, group by group."""

    def __init__(self, sink: _Lines | _Page, budget: Budget, page: list[str] | None = None) -> None:
        self._sink = sink
        self._budget = budget
        self._page = page
        self._state = _State()
        self._stack: list[_State] = []
        self._open = _Paragraph()
        self._cells: list[str] = []
        self._aside: list[str] = []
        self._notes: list[str] = []
        self._bytes = bytearray()
        self._skip = 0
        self._half: int | None = None
        self._star = False
        self._encoding = "cp1252"
        self._fonts: dict[int, str] = {}
        self._colours: list[RGB | None] = []
        self._mixed: dict[str, int] = {}
        self._styles: dict[int, int] = {}
        self._style = -1
        self._named = ""
        self._property = ""
        self._words: dict[str, Callable[[int | None], None]] = {
            "par": lambda _: self._end_paragraph(), "sect": lambda _: self._end_paragraph(),
            "page": lambda _: self._end_paragraph(), "cell": lambda _: self._end_cell(),
            "row": lambda _: self._end_row(),
            "trowd": lambda _: setattr(self._state, "row", 0), "nestcell": lambda _: self._add(" "),
            "nestrow": lambda _: self._add("\n"),
            "pard": lambda _: self._plain_paragraph(),
        }  # fmt: skip

    def run(self, data: bytes) -> bool:
        """Read everything; True if every group was closed."""
        at, rest = 0, True
        while rest and at < len(data) and (token := _TOKEN.match(data, at)) is not None:
            self._budget.step()
            at = token.end()
            word, number, byte, escaped, brace, text = token.groups()
            if word == b"bin":
                at += max(0, int(number or 0))
            elif word is not None:
                self._word(word.decode("ascii"), None if number is None else int(number))
            elif byte is not None:
                self._bytes += b"" if self._skip else bytes([int(byte, 16)])
                self._skip = max(0, self._skip - 1)
            elif brace is not None:
                rest = self._turn(opens=brace == b"{")
            elif escaped is not None:
                self._escaped(escaped)
            else:
                self._bytes += (text or b"")[self._skip :]
                self._skip = max(0, self._skip - len(text or b""))
        self._flush()
        self._end_paragraph()
        self._end_row()
        for note in self._notes:
            self._sink.paragraph(_Paragraph([note]))
        return not rest

    def _turn(self, *, opens: bool) -> bool:
        """Open or close a group; False at the end of the outermost one, after which nothing is read."""
        self._flush()
        if opens:
            self._budget.depth(len(self._stack), "groups")
            self._stack.append(self._state)
            self._state = copy(self._state)
        elif len(self._stack) < 2:
            return False
        else:
            self._end_group()
        return True

    def _escaped(self, sign: bytes) -> None:
        if sign == b"*":
            self._star = True
        elif sign in _ESCAPED and not (sign in b"\r\n" and self._page is None and self._state.kind == "text"):
            self._add(_ESCAPED[sign])
        elif sign in b"\r\n":
            self._end_paragraph()

    def _unit(self, unit: int) -> None:
        """Add a UTF-16 code unit; two surrogates make one character."""
        first, self._half = self._half, None
        self._skip = max(0, self._state.skipped)
        if 0xD800 <= unit < 0xDC00:
            self._half = unit
        elif 0xDC00 <= unit < 0xE000:
            self._add(chr(0x10000 + ((first - 0xD800) << 10) + unit - 0xDC00) if first is not None else "\ufffd")
        else:
            self._add(chr(unit))

    def _word(self, word: str, number: int | None) -> None:
        star, self._star = self._star, False
        if word == "u" and number is not None:
            self._unit(number % 65536)
            return
        self._flush()
        if self._is_destination(word, star=star):
            return
        if word in _CHARACTERS:
            self._add(_CHARACTERS[word])
        elif self._state.kind in ("fonts", "colours", "styles"):
            self._define(word, number)
        elif self._state.kind != "unread" and word in self._words and (self._state.kind == "text" or word == "par"):
            if self._state.kind != "text":
                self._add("\n")
            elif self._page is not None:
                self._add("\n" if word == "par" else "")
            else:
                self._words[word](number)
        else:
            self._set(word, number)

    def _is_destination(self, word: str, *, star: bool) -> bool:
        """Process a control word that sets the destination of its group; False if it is none."""
        state = self._state
        if state.kind == "unread":
            return True
        if state.kind == _LEFT_OUT:
            state.kind = "unread" if word in _UNREAD else _LEFT_OUT
            return state.kind == "unread"
        if word == "ud" and state.kind == "upr":
            state.kind = "text"
        elif word in _KINDS:
            state.kind = _KINDS[word]
        elif word in _FURNITURE or word in _ASIDE or word == "footnote":
            state.kind = word
        elif word == "htmltag" and self._page is not None:
            state.kind, state.wrapping = "page", False
        elif word in _UNREAD or (star and word not in _READ and state.kind not in ("styles", "text")):
            state.kind = "unread"
        elif star and word not in _READ and state.kind == "text":
            state.kind = _LEFT_OUT
        else:
            return False
        return True

    def _set(self, word: str, number: int | None) -> None:
        """Process a control word that changes the formatting of text or paragraph."""
        state = self._state
        if word in _FLAGS:
            setattr(state, _FLAGS[word], number != 0)
        elif word in _RAISES:
            state.raised = _RAISES[word] and number != 0
        elif word in _NUMBERS:
            setattr(state, _NUMBERS[word], number or 0)
        elif word == "fs" and number is not None:
            state.size = number / 2
        elif word == "plain":
            state.hidden = state.deleted = state.raised = False
            state.size, state.colour, state.ground, state.wide, state.apart = 12.0, 0, 0, 100, 0
        elif word == "intbl":
            self._open.in_table = True
        elif word == "outlinelevel" and number is not None:
            self._open.level = number + 1 if 0 <= number < 9 else None
        elif word == "s" and number is not None:
            self._open.level = self._styles.get(number, self._open.level)
        elif word in _ENCODINGS or (word == "ansicpg" and number):
            self._encoding = _ENCODINGS.get(word) or ("utf-8" if number == 65001 else f"cp{number}")

    def _define(self, word: str, number: int | None) -> None:
        """Process a control word in the tables of fonts, colours and styles."""
        if self._state.kind == "fonts":
            if word == "f":
                self._state.font = number or 0
            elif word == "fcharset" and number in _CHARSETS:
                self._fonts[self._state.font] = _CHARSETS[number]
            elif word == "cpg" and number:
                self._fonts[self._state.font] = f"cp{number}"
        elif self._state.kind == "colours" and word in ("red", "green", "blue"):
            self._mixed[word] = number or 0
        elif self._state.kind == "styles":
            if word == "s":
                self._style = number or 0
            elif word == "outlinelevel" and number is not None and 0 <= number < 9:
                self._styles[self._style] = number + 1

    def _flush(self) -> None:
        """Decode the bytes gathered so far, as some encodings use several per character."""
        if self._bytes:
            data, self._bytes = bytes(self._bytes), bytearray()
            encoding = self._fonts.get(self._state.font, self._encoding)
            try:
                self._add(data.decode(encoding, "replace"), flush=False)
            except LookupError:
                self._add(data.decode("cp1252", "replace"), flush=False)

    def _add(self, text: str, *, flush: bool = True) -> None:
        if flush:
            self._flush()
        state = self._state
        if self._page is not None:
            if state.kind == "page" or (state.kind == "text" and not state.wrapping):
                self._page.append(text)
        elif state.kind == "text":
            self._open.add(text, self._reason(state), raised=state.raised)
        elif state.kind == "property":
            self._property += text.strip()
        elif state.kind == "marker" and not state.hidden:
            (self._open.shown or self._open.marker).append(text)  # inside a cell it stands among the words
        elif state.kind in ("footnote", _LEFT_OUT) or state.kind in _FURNITURE or state.kind in _ASIDE:
            self._aside.append(text)
        elif ";" in text or state.kind == "styles":
            self._end_entry(text)

    def _end_entry(self, text: str) -> None:
        """Process text in the tables of colours and styles, whose entries end with a semicolon."""
        if self._state.kind == "colours":
            for _ in range(text.count(";")):
                mixed, self._mixed = self._mixed, {}
                red, green, blue = (float(mixed.get(one, 0)) for one in ("red", "green", "blue"))
                self._colours.append((red, green, blue) if mixed else None)
        elif self._state.kind == "styles":
            self._named += text
            if ";" in text:
                level = _HEADING.match(self._named.strip())
                if level is not None:
                    self._styles.setdefault(self._style, int(level[1]))
                self._named, self._style = "", 0

    def _reason(self, state: _State) -> HiddenReason | None:
        """Why text in that state is hidden; None if it is visible."""
        if state.deleted:
            return "deleted"
        if state.hidden:
            return "hidden_markup"
        if state.size <= TINIEST or 0 < state.wide <= _NARROW:
            return "tiny"
        begins = state.left + (0 if self._open.shown else state.first)
        if not -_BEFORE < begins < _BEYOND or state.apart <= -20 * state.size:
            return "off_page"
        # A negative height is exact; a positive one is a minimum.
        if -_FLAT <= state.lines < 0 or (self._open.in_table and -_FLAT <= state.row < 0):
            return "clipped"
        letters = self._colour(state.colour)
        painted = state.ground or state.paper
        ground = WHITE if painted == 0 else self._colour(painted)
        return "no_contrast" if letters and ground and look_alike(letters, ground) and not self._open.in_table else None

    def _colour(self, number: int) -> RGB | None:
        return self._colours[number] if 0 <= number < len(self._colours) else None

    def _end_group(self) -> None:
        self._flush()
        kind = self._state.kind
        self._state = self._stack.pop()
        if kind == self._state.kind:
            return
        if kind == "property":
            # A drawing's properties apply to the text in it.
            self._state.hidden = self._state.hidden or self._property == "fHidden1"
            self._property = ""
        elif kind == "footnote":
            self._notes.append("".join(self._aside))
            self._aside = []
        elif kind == _LEFT_OUT:
            said, self._aside = "".join(self._aside), []
            if not _CODE.fullmatch(said.strip()):
                self._sink.unseen(said, "hidden_markup")
        elif kind in _FURNITURE or kind in _ASIDE:
            self._sink.aside(kind, "".join(self._aside))
            self._aside = []

    def _plain_paragraph(self) -> None:
        self._open.level, self._open.in_table = None, False
        self._state.left = self._state.first = self._state.lines = self._state.paper = 0

    def _taken(self) -> _Paragraph:
        done = self._open
        self._open = _Paragraph(level=done.level, in_table=done.in_table)
        done.hide(self._sink.unseen)
        return done

    def _end_paragraph(self) -> None:
        if self._open.in_table:
            self._open.shown.append("\n")
            return
        done = self._taken()
        if self._cells:
            self._end_row()
        if self._page is None:
            self._sink.paragraph(done)

    def _end_cell(self) -> None:
        done = self._taken()
        self._cells.append("".join(done.marker + done.shown))

    def _end_row(self) -> None:
        if any(map(str.strip, self._open.shown)):
            self._end_cell()
        self._open.shown.clear()
        cells, self._cells = self._cells, []
        if cells:
            self._sink.row(cells)
