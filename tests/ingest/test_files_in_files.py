"""Archives and messages in a corpus: each document inside is one of its own, known and changed like any other."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

import spanwise
from spanwise import Corpus

LEASE = Path(__file__).parents[2] / "examples/documents/lease.pdf"


def pack(path: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as packed:
        for name, content in files.items():
            packed.writestr(name.replace("_", "."), content)
    return path


@pytest.mark.parametrize("folder", [False, True])
def test_members_are_added_known_replaced_and_removed(tmp_path: Path, folder: bool) -> None:
    place = tmp_path / "case.zip"
    pack(place, a_txt=b"The janitor lives in flat 7.\n", b_txt=b"The roof is red.\n", c_pdf=b"broken")
    with Corpus.open(tmp_path / "corpus.db") as corpus:
        given = tmp_path if folder else place
        first = corpus.add(given)
        assert first.added == ("case.zip/a.txt", "case.zip/b.txt")
        assert [one.path for one in first.failed] == [f"{place}/c.pdf"]
        pack(place, a_txt=b"The janitor lives in flat 7.\n", c_txt=b"The roof is blue.\n")
        second = corpus.add(given)
        assert (second.unchanged, second.added, second.removed) == (
            ("case.zip/a.txt",),
            ("case.zip/c.txt",),
            ("case.zip/b.txt",),
        )
        pack(place, a_txt=b"The janitor lives in flat 8.\n", c_txt=b"The roof is blue.\n")
        third = corpus.add(given)
        assert (third.replaced, third.unchanged) == (("case.zip/a.txt",), ("case.zip/c.txt",))
        result = spanwise.Engine(corpus).ask("Where does the janitor live?")
        assert (result.citations[0].document, "flat 8" in result.text) == ("case.zip/a.txt", True)
        place.write_bytes(b"PK\x03\x04 broken")
        assert [one.path for one in corpus.add(given).failed] == [str(place)]
        assert corpus.count() == 2  # what was read stays until the archive can be opened again


def test_a_cited_pdf_in_an_archive_is_highlighted(tmp_path: Path) -> None:
    place = pack(tmp_path / "case.zip", lease_pdf=LEASE.read_bytes(), c_pdf=b"broken")
    with pytest.warns(UserWarning, match=r"case\.zip/c\.pdf is not a PDF"):
        result = spanwise.ask("How much is the deposit?", place)
    assert {one.document for one in result.citations} == {"case.zip/lease.pdf"}
    [copy] = result.highlight(tmp_path / "marked.pdf")
    assert copy.stat().st_size > 1_000
    shutil.move(place, tmp_path / "gone.zip")
    with pytest.raises(spanwise.errors.HighlightError, match="is it still there"):
        result.highlight(tmp_path / "again.pdf")


def test_an_archive_of_nothing_that_is_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(spanwise.errors.DocumentError, match="is not a PDF"):
        spanwise.ask("What?", pack(tmp_path / "a.zip", c_pdf=b"broken"))


def test_the_path_of_a_member_and_of_a_folder_in_an_archive_asks_these_alone(tmp_path: Path) -> None:
    archive = tmp_path / "case.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("fees.csv", "Berth,Fee\nNorth,310\nSouth,95\n")
        packed.writestr("let/north.txt", "The deposit for the north berth is 700 euros.\n")
        packed.writestr("letters/south.txt", "The deposit for the south berth is 300 euros.\n")
    assert spanwise.ask("What is the fee of the north berth?", f"{archive}/fees.csv").text == "310"
    result = spanwise.ask("How much is the deposit?", f"{archive}/let")
    assert [citation.document for citation in result.citations] == ["case.zip/let/north.txt"]
    assert Corpus.memory().add(f"{archive}/fees.csv").added == ("case.zip/fees.csv",)
    with pytest.raises(spanwise.errors.DocumentNotFoundError, match=r"no file or folder .*case\.zip/fines\.csv"):
        spanwise.ask("What is the fine?", f"{archive}/fines.csv")
