"""Documents in object stores and in folders behind HTTP: listed, fetched if their ETag is new, and read like files."""

from __future__ import annotations

import hashlib
import posixpath
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit, urlunsplit

from spanwise.errors import (
    DocumentError,
    DocumentNotFoundError,
    InputError,
    LimitError,
    MissingExtraError,
    ServiceError,
    install_line,
)
from spanwise.ingest.paths import FoundFile, Skipped, longer_names
from spanwise.readers.files import printable
from spanwise.readers.port import Failure, Job, Limits, Ocr, Outcome
from spanwise.store.indexed import IndexedStore, Writing
from spanwise.store.port import Source, StoredDocument

SCHEMES = ("s3://", "https://", "http://")
MOST_OBJECTS = 100_000
_MOST_FOLDERS = 10_000
_ARCHIVES = (".zip", ".mbox")
_LISTING_BYTES = 10_000_000
_AT_ONCE = 8
"""Number of objects that are fetched concurrently and then stored temporarily on disk until they are read."""
_SECONDS = 120.0
"""Time limit for fetching one object, or one page of a listing."""
_ATTEMPTS = 3
_REDIRECTS = 300
"""Lowest HTTP status of redirects and errors."""


def is_object(path: object) -> bool:
    """True if a path is the address of an object or of a folder of objects."""
    return isinstance(path, str) and path.startswith(SCHEMES)


@dataclass(frozen=True, slots=True)
class Object:
    """An object in a listing."""

    address: str
    """The address without credentials, which identifies the object in the corpus and in messages."""
    name: str
    """The path of the object below the given folder."""
    size: int | None
    etag: str | None
    """The version tag of the content: its ETag, else its modification date; None if the server gives none."""

    def source(self, reading: int, size: int | None = None) -> Source:
        """The source entry of the object; a hash of the version tag takes the place of the modification time."""
        told = self.etag and hashlib.sha256(self.etag.encode("utf-8", "replace")).digest()[:7]
        return Source(self.address, size or self.size or 0, int.from_bytes(told) if told else 0, reading)


class Place:
    """A folder of objects, or a single object."""

    def __init__(self, url: str) -> None:
        try:
            parts = urlsplit(url)
            user, password = unquote(parts.username or ""), unquote(parts.password or "")
            host = parts.hostname or ""
            place = f"[{host}]" if ":" in host else host
            if parts.port is not None:
                place += f":{parts.port}"
        except ValueError:
            raise InputError(
                "the address of the objects cannot be read: write s3://BUCKET/PREFIX or https://HOST/"
            ) from None
        self._http = parts.scheme != "s3"
        if not host or (not self._http and (user or parts.query)):
            raise InputError(
                "the address of the objects has no host or bucket, or credentials that do not belong there: give keys "
                "in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            )
        self.address = printable(urlunsplit((parts.scheme, place, parts.path, "", "")))
        self._query = parts.query
        self._system = _file_system(parts.scheme, user, password)

    def objects(self, suffixes: Iterable[str]) -> list[Object]:
        """All readable objects in the folder, sorted by name, or the single object; an error if there is none."""
        wanted = tuple(suffixes)
        with self._told("listed"):
            found = list(self._listed(wanted))
        if not found:
            raise DocumentNotFoundError(
                f"{self.address} has no document that can be read: name another folder, or an object itself.",
                document=self.address,
            )
        return sorted(found, key=lambda one: one.name)

    def fetch(self, one: Object, path: Path, most: int) -> None:
        """Write an object to a file; a `LimitError` if it has more than `most` bytes."""
        if one.size is not None and one.size > most:
            raise _too_large(one.address, most)
        with self._told("fetched", one.address):
            self._bounded(one.address, path, most)

    def _listed(self, suffixes: tuple[str, ...]) -> Iterator[Object]:
        root = self.address
        folder = root if root.endswith("/") else root + "/"
        if not root.endswith("/") and root.lower().endswith(suffixes):
            yield self._described(root, posixpath.basename(root))
            return
        left, seen, count = [folder], {folder}, 0
        while left:
            place = left.pop()
            folders, objects = self._links(place) if self._http else self._keys(place)
            for one in objects:
                if not one.lower().endswith(suffixes) or one in seen:
                    continue
                seen.add(one)
                count += 1
                if count > MOST_OBJECTS:
                    raise LimitError(
                        f"{root} has more than {MOST_OBJECTS:,} objects: name a folder in it.", document=root
                    )
                yield self._described_in(one, unquote(one[len(folder) :]) if self._http else one[len(folder) :])
            left += sorted(set(folders) - seen, reverse=True)
            seen.update(folders)
            if len(seen) > MOST_OBJECTS + _MOST_FOLDERS:
                raise LimitError(f"{root} has too many folders: name one of them.", document=root)

    def _keys(self, folder: str) -> tuple[list[str], list[str]]:
        entries = self._system.ls(folder, detail=True, refresh=True)
        self._known = {f"s3://{one['name']}": one for one in entries if one["type"] == "file"}
        return [f"s3://{one['name'].rstrip('/')}/" for one in entries if one["type"] == "directory"], list(self._known)

    def _links(self, folder: str) -> tuple[list[str], list[str]]:
        """The folders and objects that an HTML listing links to; addresses outside of the listing are ignored."""
        from selectolax.lexbor import LexborHTMLParser

        with tempfile.TemporaryDirectory(prefix="spanwise-") as beside:
            page = Path(beside, "listing")
            self._bounded(folder, page, _LISTING_BYTES)
            tree = LexborHTMLParser(page.read_bytes().decode("utf-8", "replace"))
        found: set[str] = set()
        for link in tree.css("a[href]"):
            try:
                target = urlsplit(urldefrag(urljoin(folder, link.attributes.get("href") or "")).url)
            except ValueError:
                continue
            below = urlunsplit((target.scheme, target.netloc, target.path, "", ""))
            if below.startswith(folder) and below != folder and not target.query and "/../" not in below:
                found.add(below)
        return [one for one in found if one.endswith("/")], [one for one in found if not one.endswith("/")]

    def _described_in(self, address: str, name: str) -> Object:
        """The object with its metadata; without any if the server has none, so that fetching it shows the reason."""
        try:
            return self._described(address, name)
        except FileNotFoundError:
            return Object(address, printable(name), None, None)

    def _described(self, address: str, name: str) -> Object:
        info: dict[str, Any] = getattr(self, "_known", {}).get(address) or self._system.info(self._asked(address))
        tag = info.get("ETag") or info.get("etag") or info.get("Last-Modified") or info.get("LastModified")
        size = info.get("size")
        return Object(address, printable(name), None if size is None else int(size), None if tag is None else str(tag))

    def _asked(self, address: str) -> str:
        return f"{address}?{self._query}" if self._query else address

    def _bounded(self, address: str, path: Path, most: int) -> None:
        from fsspec.callbacks import Callback

        until = time.monotonic() + _SECONDS

        class Bound(Callback):  # type: ignore[misc]  # the library has no types
            def relative_update(self, inc: int = 1) -> None:
                super().relative_update(inc)
                if self.value > most:
                    raise _too_large(address, most)
                if time.monotonic() > until:
                    raise LimitError(f"{address} took longer than {_SECONDS:.0f} s to fetch.", document=address)

        self._system.get_file(self._asked(address), str(path), callback=Bound())

    @contextmanager
    def _told(self, what: str, address: str | None = None) -> Iterator[None]:
        """Convert errors of the libraries into our own; their messages may contain addresses with keys."""
        shown = address or self.address
        try:
            yield
        except DocumentError:
            raise
        except Exception as error:  # noqa: BLE001  # every library has its own; none may show an address with keys
            status = getattr(error, "status", None) or getattr(error.__cause__, "status", None)
            if type(error).__name__ in {"NoCredentialsError", "PartialCredentialsError"}:
                raise InputError(f"{shown} needs keys: give AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY") from None
            if status in {401, 403} or isinstance(error, PermissionError):
                raise InputError(f"{shown} cannot be {what}: the server refuses these credentials") from None
            if status in {404, 410} or (isinstance(error, FileNotFoundError) and status is None):
                raise DocumentNotFoundError(
                    f"There is nothing at {shown}, or nobody answers there: check the address.", document=shown
                ) from None
            reason = f"status {status}" if status else type(error).__name__
            raise ServiceError(f"{shown} cannot be {what} ({reason}): try again later") from None


def _too_large(address: str, most: int) -> LimitError:
    return LimitError(f"{address} is larger than {most:,} bytes: raise the limit, or leave it out.", document=address)


def _file_system(scheme: str, user: str, password: str) -> Any:  # noqa: ANN401  # the library has no types
    try:
        import fsspec

        if scheme == "s3":
            timeouts = {"connect_timeout": 10, "read_timeout": 60, "retries": {"max_attempts": _ATTEMPTS}}
            return fsspec.filesystem("s3", config_kwargs=timeouts, skip_instance_cache=True, use_listings_cache=False)
        import aiohttp
    except ImportError as error:
        raise MissingExtraError(f"documents in object stores need fsspec: {install_line('objects')}") from error

    async def check(response: aiohttp.ClientResponse) -> None:
        response.raise_for_status()
        if response.status >= _REDIRECTS:  # redirects are not followed, and an error page is not the document
            raise aiohttp.ClientResponseError(response.request_info, (), status=response.status)

    client: dict[str, Any] = {
        "timeout": aiohttp.ClientTimeout(total=_SECONDS, connect=10),
        "trust_env": True,
        "raise_for_status": check,
    }
    if user:
        client["auth"] = aiohttp.BasicAuth(user, password)
    # A redirect would let the server choose which host is asked, and which host sees the credentials.
    return fsspec.filesystem(
        "https", client_kwargs=client, allow_redirects=False, skip_instance_cache=True, use_listings_cache=False
    )


@dataclass(slots=True)
class Objects:
    """One ingest of objects: new ones are fetched, a few at a time, and read."""

    store: IndexedStore
    writing: Writing
    reading: int
    """Version number of the readers."""
    limits: Limits
    ocr: Ocr
    password: str | None
    read: Callable[[list[Job]], Iterator[tuple[Job, Outcome]]]
    note: Callable[[Any, str], None]
    """Called with the status and name of each document after it is stored."""
    fail: Callable[[Failure], None]
    skip: Callable[[Skipped], None]

    def run(self, place: Place, objects: Sequence[Object]) -> None:
        """Bring all objects of a place into the store, and remove documents that are gone from it."""
        documents = self.store.documents()
        by_name = {one.name: one for one in documents}
        by_path = {one.source.path: one for one in documents if one.source}
        linked = set(self.store.linked(place.address))
        listed = {one.address for one in objects}
        for name in sorted(linked):
            source = by_name[name].source
            if source is not None and source.path not in listed:
                self.writing.remove(name)
                del by_path[source.path], by_name[name]
                self.note("removed", name)
        wanted: list[tuple[Object, StoredDocument | None]] = []
        for one in objects:
            stored = by_path.get(one.address)
            source = one.source(self.reading)
            if stored is not None and stored.source == source and source.mtime_ns:
                self._unchanged(place, stored.name, linked)
            elif one.address.lower().endswith(_ARCHIVES):
                self.skip(Skipped(one.address, "an archive: fetch it, and index it as a file"))
            else:
                wanted.append((one, stored))
        for start in range(0, len(wanted), _AT_ONCE):
            self._some(place, wanted[start : start + _AT_ONCE], by_name, linked)

    def _some(
        self,
        place: Place,
        wanted: Sequence[tuple[Object, StoredDocument | None]],
        by_name: dict[str, StoredDocument],
        linked: set[str],
    ) -> None:
        with tempfile.TemporaryDirectory(prefix="spanwise-") as folder:
            paths = [
                Path(folder, str(at)).with_suffix(posixpath.splitext(one.name)[1]) for at, (one, _) in enumerate(wanted)
            ]
            with ThreadPoolExecutor(_AT_ONCE) as threads:
                fetched = list(threads.map(partial(self._fetched, place), (one for one, _ in wanted), paths))
            jobs: dict[Job, tuple[Object, Source, str]] = {}
            for (one, stored), path, digest in zip(wanted, paths, fetched, strict=True):
                if digest is None:
                    continue
                source = one.source(self.reading, path.stat().st_size)
                same = stored if stored is not None and stored.id == digest else None
                if same is not None and same.source is not None and same.source.reading == self.reading:
                    self.writing.set_source(same.name, source)
                    self._unchanged(place, same.name, linked)
                    continue
                twin = next((other for other in by_name.values() if other.id == digest and other is not stored), None)
                if twin is not None:
                    self.skip(Skipped(one.address, f"the same bytes as {twin.name}"))
                    continue
                name = stored.name if stored else _free_name(one, by_name)
                by_name[name] = StoredDocument(name, digest, "", False, 0, 0, 0, source)
                jobs[Job(str(path), name, self.password, self.limits, ocr=self.ocr)] = (
                    one,
                    source,
                    ("replaced" if stored else "added"),
                )
            for job, outcome in self.read(list(jobs)):
                one, source, status = jobs[job]
                if isinstance(outcome, Failure):
                    by_name.pop(job.name, None)
                    message = outcome.message.replace(job.path, one.address)
                    self.fail(replace(outcome, path=one.address, message=message))
                else:
                    self.writing.put(outcome, source, (place.address,))
                    self.note(status, job.name)

    def _fetched(self, place: Place, one: Object, path: Path) -> str | None:
        """The SHA-256 of a fetched object, in hexadecimal; None if fetching failed, which is reported."""
        try:
            place.fetch(one, path, self.limits.file_bytes)
        except (DocumentError, InputError, ServiceError) as error:
            self.fail(Failure(one.address, str(error), type(error).__name__))
            return None
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def _unchanged(self, place: Place, name: str, linked: set[str]) -> None:
        if name not in linked:
            self.writing.link(place.address, [name])
        self.note("unchanged", name)


def _free_name(one: Object, taken: dict[str, StoredDocument]) -> str:
    """An unused name: the path below the folder, or with more of the address before it."""
    where = Path("/", *[part for part in one.address.split("/") if part])
    return next(name for name in longer_names(FoundFile(where, one.name)) if name not in taken)
