"""The parts of a packed document (DOCX, XLSX, PPTX, ODT, EPUB): unpacked within limits, parsed without entities."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterator
from typing import IO, NamedTuple
from urllib.parse import unquote

from lxml import etree

from spanwise.errors import DamagedDocumentError, LimitError, PasswordError
from spanwise.readers.bounds import RATIO, RATIO_FROM, UNPACKABLE, Budget

_MOST_FILES = 100_000
_STRICT = (
    (b"http://purl.oclc.org/ooxml/wordprocessingml/main", b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
    (b"http://purl.oclc.org/ooxml/officeDocument/", b"http://schemas.openxmlformats.org/officeDocument/2006/"),
)  # fmt: skip
"""Namespaces of "strict" Open XML and their usual ones; as far as text goes, the two differ in nothing else."""

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


class Relation(NamedTuple):
    """A part that another part refers to: its kind ("header", "styles"), and its path in the package."""

    kind: str
    path: str


class Package:
    """The files inside a packed document."""

    def __init__(self, data: bytes, budget: Budget, kind: str = "Office file") -> None:
        self._budget = budget
        self._kind = kind
        self._unpacked = 0
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            raise self._damaged("it is cut off or was changed on the way") from error
        entries = self._archive.infolist()
        if len(entries) > _MOST_FILES:
            raise LimitError(
                f"{budget.name} packs more than {_MOST_FILES:,} files: it is no normal {kind}.",
                document=budget.name,
            )
        declared = sum(entry.file_size for entry in entries)
        budget.unpacked(declared)
        if declared > RATIO_FROM and declared > RATIO * len(data):
            raise LimitError(
                f"{budget.name} would unpack to {declared // max(1, len(data)):,} times its size, as a zip bomb does: "
                "save it again in the program that made it if you trust it.",
                document=budget.name,
            )
        self._names = {entry.filename.replace("\\", "/").lstrip("/").lower(): entry for entry in entries}

    def main(self) -> str:
        """The path of the part with the main text; raises `DamagedDocumentError` if it is missing."""
        targets = [relation.path for relation in self.relations("").values() if relation.kind == "officeDocument"]
        for path in (*targets, "word/document.xml"):
            if path.lower() in self._names:
                return path
        raise self._damaged("the part with its text is missing")

    def refuse_locked(self) -> None:
        """Raise `PasswordError` for an OpenDocument file whose manifest lists encrypted parts."""
        manifest = self.xml("META-INF/manifest.xml", doctype=True)
        if manifest is not None and next(manifest.iter("{*}encryption-data"), None) is not None:
            message = f"{self._budget.name} is protected by a password: save it without one and give that."
            raise PasswordError(message, document=self._budget.name)

    def relations(self, path: str) -> dict[str, Relation]:
        """The parts inside the package that the part at `path` refers to, by id.

        An empty path means the package itself.
        """
        folder, base = posixpath.split(path)
        root = self.xml(posixpath.join(folder, "_rels", f"{base}.rels"))
        found: dict[str, Relation] = {}
        for element in () if root is None else elements(root):
            target = element.get("Target")
            if target and element.get("TargetMode") != "External":
                kind = (element.get("Type") or "").rpartition("/")[2]
                place = posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")
                found[element.get("Id") or ""] = Relation(kind, place)
        return found

    def read(self, path: str) -> bytes | None:
        """The bytes of a part; None if it is missing."""
        entry = self._names.get(path.lower())
        return None if entry is None else self._unpack(entry)

    def xml(self, path: str, *, doctype: bool = False) -> etree._Element | None:
        """The parsed part, or None if it is missing.

        A document type is an error unless `doctype`, and is never followed.
        """
        data = self.read(path)
        if data is None:
            return None
        if data.count(b"<") - data.count(b"</") > self._budget.limits.objects:
            raise self._budget.over(f"more than {self._budget.limits.objects:,} elements", "objects")
        for strict, usual in _STRICT:
            data = data.replace(strict, usual)
        # Entities are how small XML grows into gigabytes or reads other files, and Office writes none.
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
        )
        try:
            root = etree.fromstring(data, parser)
        except etree.XMLSyntaxError as error:
            if "depth" in str(error).lower():
                message = f"{self._budget.name} has elements nested deeper than any real document: save it again."
                raise LimitError(message, document=self._budget.name) from error
            raise self._damaged(f"{posixpath.basename(path)} in it is not well-formed") from error
        self._budget.clock()
        if not doctype and b"<!DOCTYPE" in data[:4096]:
            raise self._damaged("it declares a document type, which no Office file does")
        return root

    def start(self, path: str, size: int) -> bytes:
        """The first bytes of a part; empty if it is missing or cannot be unpacked."""
        try:
            with self.stream(path) or io.BytesIO() as stream:
                return stream.read(size)
        except UNPACKABLE:
            return b""

    def stream(self, path: str) -> IO[bytes] | None:
        """A part as a stream that unpacks piece by piece; None if it is missing."""
        entry = self._names.get(path.lower())
        return None if entry is None else self._archive.open(entry)

    def _unpack(self, entry: zipfile.ZipInfo) -> bytes:
        if entry.flag_bits & 0x1:
            message = f"{self._budget.name} is packed with a password: save it without one and give that."
            raise PasswordError(message, document=self._budget.name)
        pieces: list[bytes] = []
        try:
            with self._archive.open(entry) as stream:
                while piece := stream.read(1 << 20):
                    self._unpacked += len(piece)
                    self._budget.unpacked(self._unpacked)
                    self._budget.clock()
                    pieces.append(piece)
        except LimitError:
            raise  # It is a ValueError too.
        except UNPACKABLE as error:
            raise self._damaged(f"{posixpath.basename(entry.filename)} in it cannot be unpacked") from error
        return b"".join(pieces)

    def _damaged(self, why: str) -> DamagedDocumentError:
        name = self._budget.name
        message = f"{name} is a damaged {self._kind} ({why}): open it in its program, save it again and give that."
        return DamagedDocumentError(message, document=name)


def elements(parent: etree._Element) -> Iterator[etree._Element]:
    """The child elements; comments and what entities leave behind are skipped."""
    for child in parent:
        if isinstance(child.tag, str):
            yield child


def local(element: etree._Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


_KNOWN_CONTENT = (
    "http://schemas.microsoft.com/office",
    "http://schemas.openxmlformats.org",
    "urn:schemas-microsoft-com",
)


def alternatives(element: etree._Element) -> tuple[etree._Element | None, list[etree._Element]]:
    """Of the forms in which Office writes something for new and for old programs, the one it shows, and the others."""
    options = list(elements(element))
    chosen = next((option for option in options if _is_understood(option)), options[0] if options else None)
    return chosen, [option for option in options if option is not chosen]


def _is_understood(option: etree._Element) -> bool:
    """True if Office knows all the kinds of content that a choice requires."""
    needed = (option.get("Requires") or "").split()
    return all((option.nsmap.get(prefix) or "").startswith(_KNOWN_CONTENT) for prefix in needed)


def words_in(element: etree._Element, between: str = " ") -> str:
    """All text in an element and below it, joined with `between`."""
    return between.join(str(piece) for piece in element.itertext())


def child_of(parent: etree._Element | None, *names: str) -> etree._Element | None:
    """The element at the end of a path of child names in any namespace; None if it is missing."""
    return None if parent is None else parent.find("/".join(f"{{*}}{name}" for name in names))


def child(parent: etree._Element | None, *names: str) -> etree._Element | None:
    """The element at the end of a path of child names in Word's namespace; None if it is missing."""
    for name in names:
        if parent is None:
            return None
        parent = parent.find(f"{W}{name}")
    return parent


def value(element: etree._Element | None, name: str = "val") -> str | None:
    """An attribute of an element in Word's namespace; None if either is missing."""
    return None if element is None else element.get(f"{W}{name}")


def is_on(element: etree._Element | None) -> bool | None:
    """The value of a switch such as `<w:vanish/>`; None if the element is missing."""
    if element is None:
        return None
    return (value(element) or "true").lower() not in ("0", "false", "off", "none")


def integer(text: str | None, default: int = 0) -> int:
    """The integer that a text begins with (12 characters at most); the default if it is none."""
    try:
        return int(text[:12]) if text else default
    except ValueError:
        return default


def points(text: str, bare: float | None = None) -> float | None:
    """A length in points; None if invalid. `bare` is the number of points per unit for a number without unit."""
    unit = text[-2:] if text[-2:] in _POINTS else ""
    scale = _POINTS[unit] if unit else bare
    try:
        return None if scale is None else float(text.removesuffix(unit)[:12]) * scale
    except ValueError:
        return None


_POINTS = {"pt": 1.0, "in": 72.0, "cm": 72 / 2.54, "mm": 7.2 / 2.54, "pc": 12.0, "px": 0.75}
_ROMAN = tuple(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"),
        strict=True,
    )
)


def numeral(count: int, form: str) -> str:
    """A number as a list writes it: "lowerLetter", "upperRoman", "decimalZero" or, for other forms, in figures."""
    if form in ("lowerLetter", "upperLetter") and count > 0:
        # Word goes on after z with aa, bb, cc.
        letters = chr(ord("a") + (count - 1) % 26) * min(20, (count - 1) // 26 + 1)
        return letters if form == "lowerLetter" else letters.upper()
    if form in ("lowerRoman", "upperRoman") and 0 < count < 5000:
        roman = ""
        for worth, digit in _ROMAN:
            times, count = divmod(count, worth)
            roman += digit * times
        return roman if form == "lowerRoman" else roman.upper()
    return f"{count:02d}" if form == "decimalZero" else str(count)
