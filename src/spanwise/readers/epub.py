"""EPUB: the chapters of a book in the order of its spine, each read as an HTML page."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from lxml import etree

from spanwise.domain.document import Document
from spanwise.errors import DamagedDocumentError, PasswordError
from spanwise.readers.bounds import Budget
from spanwise.readers.builder import DocumentBuilder
from spanwise.readers.decoding import decode
from spanwise.readers.html import add_page, declared_encoding
from spanwise.readers.office import Package, elements, local, words_in
from spanwise.readers.port import ReadOptions

_PAGES = ("application/xhtml+xml", "text/html", "text/x-oeb1-document")
_NCX = "application/x-dtbncx+xml"
_MOST_TITLES = 20_000


class _Title(NamedTuple):
    """An entry of the table of contents: its level, from 1, and its title."""

    level: int
    title: str


def read_epub(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read a book; each chapter is a section, titled as in the table of contents."""
    budget = Budget(name, options.limits)
    package = Package(data, budget, "EPUB book")
    builder = DocumentBuilder(data, format="epub", budget=budget)
    book = _Book(package, name)
    protected = book.protected()
    missing: list[str] = []
    for path in book.spine():
        if path in protected:
            message = f"{name} is protected against copying: give a copy without protection, or its PDF."
            raise PasswordError(message, document=name)
        budget.clock()
        page = package.read(path)
        if page is None:
            missing.append(path)
            continue
        first, titles = builder.next_line, book.titles.get(path, [])
        text = decode(page, name, declared=declared_encoding(page)).text if page else ""
        folder = posixpath.dirname(path)
        add_page(
            text,
            builder,
            budget,
            sheet=lambda address, folder=folder: book.sheet(folder, address),  # type: ignore[misc]
            xml=True,
        )
        if titles and builder.next_line > first:
            builder.enclose(titles[0].level, titles[0].title, first)
    if missing:
        told = ", ".join(missing[:3])
        builder.notice("repaired", f"{len(missing)} chapters are not in the file that its spine names: {told}.")
    builder.guess_headings()
    return builder.build()


class _Book:
    """The files of a book as its package document lists them."""

    def __init__(self, package: Package, name: str) -> None:
        self._package = package
        container = package.xml("META-INF/container.xml", doctype=True)
        root = None if container is None else next(container.iter("{*}rootfile"), None)
        self._path = "" if root is None else root.get("full-path") or ""
        book = package.xml(self._path, doctype=True) if self._path else None
        if book is None:
            raise DamagedDocumentError(
                f"{name} is a damaged EPUB book (its list of chapters is missing): save it again and give that.",
                document=name,
            )
        self._root = book
        self._items = {one.get("id") or "": one for one in book.iter("{*}item")}
        self.titles: dict[str, list[_Title]] = {}
        for level, title, path in self._contents():
            self.titles.setdefault(path, []).append(_Title(level, title))

    def spine(self) -> Iterator[str]:
        """The paths of the chapters in reading order."""
        for reference in self._root.iter("{*}itemref"):
            item = self._items.get(reference.get("idref") or "")
            if item is not None and item.get("media-type") in _PAGES:
                yield self._at(posixpath.dirname(self._path), item.get("href") or "")

    def sheet(self, folder: str, address: str) -> str | None:
        """The text of a style sheet in the book; None if it is missing or at an external address."""
        if ":" in address.partition("/")[0]:
            return None
        found = self._package.read(self._at(folder, address))
        return None if found is None else decode(found, address).text

    def protected(self) -> frozenset[str]:
        """The paths of encrypted files (fonts often are, which does not matter here)."""
        found = self._package.xml("META-INF/encryption.xml", doctype=True)
        references = () if found is None else found.iter("{*}CipherReference")
        return frozenset(unquote(one.get("URI") or "").lstrip("/") for one in references)

    def _contents(self) -> Iterator[tuple[int, str, str]]:
        """The entries of the table of contents: level, title, and path of the file."""
        folder = posixpath.dirname(self._path)
        nav = next((one for one in self._items.values() if "nav" in (one.get("properties") or "").split()), None)
        ncx = next((one for one in self._items.values() if one.get("media-type") == _NCX), None)
        for item in (nav, ncx):
            path = "" if item is None else self._at(folder, item.get("href") or "")
            try:
                root = self._package.xml(path, doctype=True) if path else None
            except DamagedDocumentError:  # the book can be read without
                root = None
            if root is not None:
                entries = _navigation(root) if item is nav else _points(root)
                yield from [(level, title, self._at(posixpath.dirname(path), to)) for level, title, to in entries]
                return

    @staticmethod
    def _at(folder: str, address: str) -> str:
        return posixpath.normpath(posixpath.join("/", folder, unquote(address.partition("#")[0]))).lstrip("/")


def _navigation(root: etree._Element) -> list[tuple[int, str, str]]:
    """The entries of an EPUB 3 navigation page: level, title, address."""
    lists = [
        one for one in root.iter("{*}nav") if "toc" in (one.get("{http://www.idpf.org/2007/ops}type") or "").split()
    ]
    found: list[tuple[int, str, str]] = []
    for link in lists[0].iter("{*}a") if lists else ():
        level = sum(1 for _ in link.iterancestors("{*}ol"))
        found.append((max(1, level), " ".join(words_in(link, "").split()), link.get("href") or ""))
    return found[:_MOST_TITLES]


def _points(root: etree._Element) -> list[tuple[int, str, str]]:
    """The entries of an EPUB 2 table of contents (NCX): level, title, address."""
    found: list[tuple[int, str, str]] = []
    for point in root.iter("{*}navPoint"):
        level = 1 + sum(1 for _ in point.iterancestors("{*}navPoint"))
        parts = {local(one): one for one in elements(point)}
        label, target = parts.get("navLabel"), parts.get("content")
        if label is not None and target is not None:
            found.append((level, " ".join(words_in(label, "").split()), target.get("src") or ""))
    return found[:_MOST_TITLES]
