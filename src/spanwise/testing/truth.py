"""Conformance tests for document databases and their locks: subclass in a test file, and pytest runs the checks.

    class TestMyTruth(TruthConformance):
        @contextmanager
        def opened(self):
            yield MyTruth(...)  # empty at first, the same database each time within one test

Each method `test_...` is one requirement.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress

from spanwise.domain.document import Document, Line, Page
from spanwise.errors import CorpusBusyError, DocumentNotFoundError, StorageError
from spanwise.store.codec import encode
from spanwise.store.port import NOTHING, Change, Lock, Source, Truth, TruthSnapshot

_WAIT = 10.0
_ODD = "zero \x00, substitute \x1a\x1a0, \U0001f40c, \u202e, '; DROP TABLE documents --, $1 ? %s"


class TruthConformance:
    """The tests of a database; a subclass defines `opened`."""

    def opened(self) -> AbstractContextManager[Truth]:
        """An empty database."""
        raise NotImplementedError

    def test_a_document_comes_back_as_it_was(self) -> None:
        """As a whole, by lines across several runs, and with characters that databases often mishandle."""
        document = _document(_ODD, *(str(number) for number in range(1000)), name=_ODD)
        with self._with(document) as truth, truth.snapshot() as now:
            _equal(now.document(_ODD), document)
            _equal(now.lines(_ODD, 399, 602), document.lines[398:602])
            _equal(now.lines(_ODD, 1000, 5000), document.lines[999:])
            _equal(now.lines(_ODD, 2000, 3000), ())
            _equal((now.pages(_ODD), now.sections(_ODD), now.hidden(_ODD)), (document.pages, (), ()))
            _equal(now.stored(_ODD).lines, len(document.lines))

    def test_passages_of_a_range_share_a_line_with_it(self) -> None:
        """No other passages of the document are returned."""
        with self._with(_document(*["word " * 100] * 9)) as truth, truth.snapshot() as now:
            found = now.passages("a.txt", 4, 5)
            _check(all(one.line_start <= 5 and one.line_end >= 4 for one in found), f"{found} go too far")
            covered = {number for one in found for number in range(one.line_start, one.line_end + 1)}
            _check({4, 5} <= covered, f"{found} lack a line")
            ((_, numbered),) = now.numbered(["a.txt"])
            _equal(tuple(numbered.values()), now.passages("a.txt"))
            _equal(dict(now.passages_numbered([*numbered, -1])), dict(numbered))
            _equal(now.count_passages(), len(numbered))

    def test_documents_are_listed_by_code_points(self) -> None:
        """Not in a language's order, and each once."""
        names = ["b", "B", "a b", "ab", "\u00e4", "\U0001f40c", "\uffee"]
        with self._with(*(_document("One.", name=name) for name in names)) as truth, truth.snapshot() as now:
            _equal([one.name for one in now.documents()], sorted(names))
            _equal([name for name, _ in now.numbered(["b", "no", "B"])], ["b", "no", "B"])
            _equal(now.count(), len(names))

    def test_a_name_that_is_put_again_is_replaced(self) -> None:
        """Its links are kept; numbers of passages are never reused."""
        with self._with(_document("One.")) as truth:
            truth.link("/docs", ["a.txt", "no such document"])
            with truth.snapshot() as now:
                ((_, before),) = now.numbered(["a.txt"])
            again = truth.put(encode(_document("Changed.")), Source("/docs/a.txt", 2**40, 2**60, 1))
            _check(not set(before) & set(again), f"{again} were used before")
            truth.set_source("a.txt", Source("/other/a.txt", 1, 0, 2))
            with truth.snapshot() as now:
                _equal(now.document("a.txt"), _document("Changed."))
                _equal((now.linked("/docs"), now.linked("/other")), (("a.txt",), ()))
                _equal(now.stored("a.txt").source, Source("/other/a.txt", 1, 0, 2))
                _equal((now.count(), now.count_passages()), (1, len(again)))

    def test_what_is_removed_is_gone(self) -> None:
        """With everything that belongs to it; its numbers are not reused."""
        with self._with(_document("One.")) as truth:
            truth.link("/docs", ["a.txt"])
            with truth.snapshot() as now:
                ((_, before),) = now.numbered(["a.txt"])
            truth.remove("a.txt")
            with truth.snapshot() as now:
                _equal((now.documents(), now.count(), now.count_passages(), now.linked("/docs")), ((), 0, 0, ()))
                _equal(dict(now.passages_numbered(list(before))), {})
            _check(not set(before) & set(truth.put(encode(_document("One.")), None)), "a number is used twice")

    def test_a_name_that_is_not_there_is_told(self) -> None:
        """Every method that takes a name raises `DocumentNotFoundError`."""
        with self._with(_document("One.")) as truth, truth.snapshot() as now:
            calls: list[Callable[[str], object]] = [
                *(now.document, now.stored, now.pages, now.sections, now.hidden, now.passages, truth.remove),
                lambda name: now.lines(name, 1, 1),
                lambda name: now.known(["a.txt", name]),
            ]
            for call in calls:
                for name in ("nope", ""):
                    _raises(DocumentNotFoundError, lambda call=call, name=name: call(name))  # type: ignore[misc]

    def test_history_names_each_document_once_with_its_last_change(self) -> None:
        """Its end is the state of the snapshot, and each change is recognised by its mark."""
        with self.opened() as truth:
            with truth.snapshot() as now:
                _equal(now.state, NOTHING)
            for name in ("a", "b", "a"):
                truth.put(encode(_document("One.", name=name)), None)
            truth.remove("b")
            with truth.snapshot() as now:
                changed = now.changed_since(0)
                _equal([(name, change.sequence) for name, change in changed], [("a", 3), ("b", 4)])
                _equal((now.state, now.changed_since(3)), (changed[-1][1], changed[-1:]))
                _check(now.has_change(now.state), "its own state is not part of its history")
                _check(
                    not now.has_change(Change(now.state.sequence, "another")), "another history is taken for its own"
                )

    def test_a_snapshot_shows_one_state(self) -> None:
        """Whatever is changed meanwhile, and whether or not it was read before the change."""
        with self._with(_document("One."), _document("Two.", name="b")) as truth, truth.snapshot() as now:
            before = _everything(now, "a.txt")
            truth.put(encode(_document("Changed.")), None)
            truth.set_source("a.txt", Source("/a.txt", 1, 1))
            truth.remove("b")
            _equal(_everything(now, "a.txt"), before)
            _equal(now.lines("b", 1, 1)[0].text, "Two.")
            with truth.snapshot() as later:
                _equal((later.lines("a.txt", 1, 1)[0].text, later.count()), ("Changed.", 1))

    def test_a_change_that_fails_leaves_nothing(self) -> None:
        """The next change is stored as if nothing had happened."""
        with self._with(_document("One.")) as truth:
            with truth.snapshot() as now:
                before = _everything(now, "a.txt")
            broken = encode(_document("Changed."))
            _raises(StorageError, lambda: truth.put(broken, None, [None]))  # type: ignore[list-item]
            with truth.snapshot() as now:
                _equal(_everything(now, "a.txt"), before)
            truth.put(broken, None)
            with truth.snapshot() as now:
                _equal((now.document("a.txt"), now.state.sequence), (_document("Changed."), 2))

    def test_threads_read_and_write_at_the_same_time(self) -> None:
        """Each reader sees one complete version, no change is lost, and the history has a number for each."""
        names, versions = [f"d{number}" for number in range(4)], 5

        def write(name: str) -> None:
            for version in range(versions):
                truth.put(encode(_document(*[f"{name} {version}."] * 3, name=name)), None)

        def look() -> set[str]:
            with truth.snapshot() as now:
                return {line.text for line in now.lines("a.txt", 1, 9)} | {
                    f"torn: {one.name}"
                    for one in now.documents()
                    if len(set(now.document(one.name).lines)) != one.lines
                }

        with self._with(_document("One.")) as truth, ThreadPoolExecutor(8) as pool:
            writing = [pool.submit(write, name) for name in names]
            looking = [pool.submit(look) for _ in range(20)]
            _equal({text for one in looking for text in one.result(_WAIT * 6)}, {"One."})
            for one in writing:
                one.result(_WAIT * 6)
            with truth.snapshot() as now:
                _equal((now.state.sequence, now.count()), (1 + len(names) * versions, 1 + len(names)))
                _equal({now.lines(name, 1, 1)[0].text for name in names}, {f"{name} {versions - 1}." for name in names})

    def test_closing_twice_does_no_harm(self) -> None:
        """A store closes what it opened, even if it was closed before."""
        with self.opened() as truth:
            truth.close()
            truth.close()

    @contextmanager
    def _with(self, *documents: Document) -> Iterator[Truth]:
        with self.opened() as truth:
            for document in documents:
                truth.put(encode(document), None)
            yield truth


class LockConformance:
    """The tests of a lock; a subclass defines `locks`."""

    def locks(self) -> AbstractContextManager[tuple[Lock, Lock]]:
        """The same lock twice, as two processes have it."""
        raise NotImplementedError

    def test_one_holds_it_at_a_time(self) -> None:
        """Another thread is refused just as another process is, and both get the lock afterwards."""
        with self.locks() as (mine, other):
            for second in (mine, other):
                with mine.held(), ThreadPoolExecutor(1) as pool:
                    refused = pool.submit(_take, second, 0.05).exception(_WAIT)
                    _check(isinstance(refused, CorpusBusyError), f"{refused!r} is no CorpusBusyError")
                _take(second, 0)

    def test_it_is_waited_for(self) -> None:
        """A lock that is held only briefly delays others, but refuses nobody."""
        with self.locks() as (mine, other):
            for second in (mine, other):
                held, free = threading.Event(), threading.Event()
                with ThreadPoolExecutor(1) as pool:
                    holding = pool.submit(_hold, second, held, free)
                    _check(held.wait(_WAIT), "it was never held")
                    _take(mine, _WAIT)
                    free.set()
                    holding.result(_WAIT)

    def test_an_error_lets_go_of_it(self) -> None:
        """The lock is released however its holder's work ends."""
        with self.locks() as (mine, other):
            with suppress(KeyError), mine.held():
                raise KeyError
            _take(other, 0)


def _hold(lock: Lock, held: threading.Event, free: threading.Event) -> None:
    with lock.held():
        held.set()
        free.wait(0.1)


def _take(lock: Lock, wait: float) -> None:
    with lock.held(wait):
        pass


def _document(*texts: str, name: str = "a.txt") -> Document:
    """A document of one page, in which each text is a line and a block."""
    lines = tuple(Line(number, 1, number, text, None, "text", number) for number, text in enumerate(texts, start=1))
    return Document(
        id=hashlib.sha256(repr(texts).encode()).hexdigest(),
        name=name,
        format="text",
        lines=lines,
        pages=(Page(1, "1", 0.0, 0.0, 1, len(lines)),),
        sections=(),
    )


def _everything(now: TruthSnapshot, name: str) -> tuple[object, ...]:
    return (
        *(now.state, now.documents(), now.count(), now.count_passages()),
        *(now.stored(name), now.document(name), now.passages(name), now.changed_since(0)),
    )


def _raises(kind: type[Exception], call: Callable[[], object]) -> None:
    try:
        call()
    except kind:
        return
    raise AssertionError(f"no {kind.__name__} was raised")


def _equal(found: object, wanted: object) -> None:
    _check(found == wanted, f"{found!r} is not {wanted!r}")


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise AssertionError(what)
