"""The corpora of one server: those it was started with, and those made while it ran."""

from __future__ import annotations

import re
import secrets
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence, ValuesView
from contextlib import suppress
from pathlib import Path

from spanwise.errors import InputError, NameTakenError, StorageError
from spanwise.serving.corpus_library import Library
from spanwise.serving.server_registry import MOST_COLLECTIONS, Ledger, Registry, name_of, title_of
from spanwise.store.address import in_schema

_GRACE_SECONDS = 5.0
"""Seconds that running requests may still use a corpus after it was removed."""
_LONGEST_OF_FOLDER = 20
"""Letters of a corpus's name that are used in the name of its folder or schema."""


class Collections(Mapping[str, Library]):
    """Libraries by name; the first one is the default. Safe to use from several threads."""

    def __init__(
        self,
        given: Sequence[Library],
        registry: Registry,
        ledger: Ledger,
        met: Callable[[Library], None] = lambda _: None,
    ) -> None:
        """Take the given libraries and open those made earlier; `met` is called with each library."""
        self._given = {one.name: one for one in given}
        self._made: dict[str, Library] = {}
        self._registry = registry
        self._ledger = ledger
        self._changing = threading.RLock()
        self._leaving: list[Library] = []
        self._folder = registry.folder / "collections"
        self._met = met
        for one in given:
            one.ledger = ledger
            met(one)
        self.open()

    def __getitem__(self, name: str) -> Library:
        if name in self._given:
            return self._given[name]
        self._follow()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        self._follow()
        return iter([*self._given, *self._made])

    def __len__(self) -> int:
        return len(self._given) + len(self._made)

    def values(self) -> ValuesView[Library]:
        """The libraries of this moment: one that is removed meanwhile by another request is still among them."""
        self._follow()
        with self._changing:
            return {**self._given, **self._made}.values()

    def _follow(self) -> None:
        """Follow what other processes of the same server have created, renamed or removed."""
        listed = {one.name: one for one in self._registry.collections()}
        with self._changing:
            for name in self._made.keys() - listed.keys():
                self._leave(name)
            for one in listed.values():
                if one.folder is not None and one.name not in self._given and one.name not in self._made:
                    self._made[one.name] = self._opened(one.name, one.folder)
                library = self._given.get(one.name) or self._made.get(one.name)
                if library is not None:
                    library.title = one.title

    def is_made(self, name: str) -> bool:
        """True if the corpus was made while a server ran, and so can be removed here."""
        return name in self._made

    def open(self) -> None:
        """Open the corpora made earlier, and delete what is left of removed ones."""
        self._follow()
        lying = self._lying()  # listed first, so that a corpus made meanwhile is registered by the next line
        used = {one.folder for one in self._registry.collections()}
        for folder, place in lying if used else ():
            if folder not in used and _OURS.fullmatch(folder):
                _erase(place)

    def make(self, title: str) -> Library:
        """Create an empty corpus."""
        title = title_of(title)
        with self._changing:
            self._check_free(title, None)
            if len(self._made) >= MOST_COLLECTIONS:
                raise InputError(f"there are {MOST_COLLECTIONS} collections already: remove some")
            base, name, number = name_of(title), name_of(title), 2
            taken = {one.name for one in self._registry.collections()}  # also of corpora that are not served now
            while name in taken or name in self._given:
                name, number = f"{base}-{number}", number + 1
            folder = f"{name[:_LONGEST_OF_FOLDER]}-{secrets.token_hex(4)}"
            if not self._registry.add_collection(name, title, folder):
                raise NameTakenError(f"a collection called {title} is being made elsewhere: look again")
            try:
                library = self._opened(name, folder)
            except BaseException:
                self._registry.drop_collection(name)
                raise
            library.title = title
            self._made[name] = library
            return library

    def rename(self, name: str, title: str) -> Library:
        """Give a corpus another title; its name in URLs stays, so that links keep working."""
        title = title_of(title)
        with self._changing:
            self._check_free(title, name)
            folder = next((one.folder for one in self._registry.collections() if one.name == name), None)
            library = self[name]
            self._registry.keep_collection(name, title, folder)
            library.title = title
            return library

    def remove(self, name: str) -> None:
        """Delete a corpus that was made here, with its files and answers; running requests have `_GRACE_SECONDS`."""
        with self._changing:
            if name not in self._made:
                raise InputError(
                    f"the collection {name} is one that the server was started with: take it out of its configuration"
                )
            self._registry.drop_collection(name)
            self._leave(name)

    def close(self) -> None:
        """Close the corpora that were made here, and the registry."""
        with self._changing:
            for library in self._made.values():
                library.close()
            self._made = {}
        for library in [*self._leaving]:
            self._discard(library)
        self._registry.close()

    def _leave(self, name: str) -> None:
        library = self._made.pop(name)
        library.jobs.stop()
        self._leaving.append(library)
        timer = threading.Timer(_GRACE_SECONDS, self._discard, (library,))
        timer.daemon = True
        timer.start()

    def _opened(self, name: str, folder: str) -> Library:
        first = next(iter(self._given.values()))
        library = first.another(self._place(folder), name, folder)
        library.ledger = self._ledger
        self._met(library)
        return library

    def _place(self, folder: str) -> Path | str:
        """The place for a corpus made here: a file in the server's folder, or a schema in the first one's database."""
        if isinstance(self._registry.corpus, str):
            return in_schema(self._registry.corpus, folder)
        place = self._folder / folder
        for made in (self._registry.folder, self._folder, place):  # each for this user alone
            made.mkdir(parents=True, exist_ok=True, mode=0o700)
        return place / "corpus.db"

    def _lying(self) -> list[tuple[str, Path | str]]:
        """The corpora on disk or in the database, by the names of their folders or schemas."""
        if isinstance(self._registry.corpus, str):
            from spanwise.store.postgres import made_beside

            return [*made_beside(self._registry.corpus)]
        there = self._folder.iterdir() if self._folder.is_dir() else ()
        return [(one.name, one) for one in there if one.is_dir()]

    def _discard(self, library: Library) -> None:
        with self._changing:
            if library not in self._leaving:
                return  # `close` has already discarded it
            self._leaving.remove(library)
        library.close()
        library.remove_files()
        _erase(library.place if isinstance(library.place, str) else library.place.parent)

    def _check_free(self, title: str, name: str | None) -> None:
        for one in self.values():
            if one.name != name and one.title.casefold() == title.casefold():
                raise NameTakenError(f"there is a collection called {title} already: choose another name")


def _erase(place: Path | str) -> None:
    if isinstance(place, Path):
        shutil.rmtree(place, ignore_errors=True)
        return
    from spanwise.store.postgres import erase

    with suppress(StorageError):  # it is in use: the next server that starts deletes it
        erase(place)


_OURS = re.compile(r"[a-z0-9-]+-[0-9a-f]{8}")
