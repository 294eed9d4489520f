"""Files inside of files: archives, mailboxes and messages, as people pack them and as attackers do."""

from __future__ import annotations

import io
import struct
import time
import zipfile
from pathlib import Path

import pytest
from ole_files import attachment, ole_file, outlook

import spanwise
from spanwise.errors import DocumentError, DocumentNotFoundError, LimitError
from spanwise.readers.members import _named
from spanwise.readers.port import Limits
from spanwise.readers.reading import contents_of, file_bytes
from spanwise.readers.registry import read_here

MAIL = (
    b"From: Jane <jane@example.org>\r\nSubject: Costs\r\nMIME-Version: 1.0\r\n"
    b"Content-Type: multipart/mixed; boundary=m\r\n"
    b"\r\n--m\r\nContent-Type: text/plain\r\n\r\nThe fair costs 4,500 euros.\r\n"
    b"> How much?\r\n--m\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a/notes.txt\r\n\r\n"
    b"The stand is number 12.\r\n--m\r\nContent-Type: message/rfc822\r\n\r\n"
    b"From: Bob <b@example.org>\r\nSubject: Inner\r\n"
    b"\r\nThe inner fee is 9 euros.\r\n--m--\r\n"
)

ODT = b"application/vnd.oasis.opendocument.text"


def archive(files: dict[str, bytes], **options: int) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content, **options)
    return made.getvalue()


def held(path: Path, limits: Limits | None = None) -> list[str]:
    return [one.name for one in contents_of(path, path.name, limits or Limits()).members]


def test_members_are_read_by_the_paths_below_their_file(tmp_path: Path) -> None:
    inner = archive({"deep/b.md": b"# Depth\n\nIt is 33 metres deep.\n"})
    path = tmp_path / "case.zip"
    path.write_bytes(archive({"x/a.txt": b"Flat 7.\n", "inner.zip": inner, "m.eml": MAIL, "run.exe": b"MZ"}))
    names = ["x/a.txt", "inner.zip/deep/b.md", "m.eml", "m.eml/a/notes.txt", "m.eml/Inner.eml"]
    assert held(path) == names
    read = [spanwise.read(path / name) for name in names]
    assert [one.format for one in read] == ["text", "markdown", "mail", "text", "mail"]
    assert [one.lines[-1].text for one in read if one.format != "mail"] == [
        "Flat 7.",
        "It is 33 metres deep.",
        "The stand is number 12.",
    ]
    with pytest.raises(DocumentNotFoundError, match=r"There is no b\.md in"):
        spanwise.read(path / "b.md")


def test_names_that_lead_out_of_an_archive_lead_nowhere(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    link = zipfile.ZipInfo("link.txt")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(path, "w") as packed:
        for name in ("../../up.txt", "/etc/top.txt", "c:\\x\\win.txt", ".hidden.txt", "__MACOSX/m.txt", "twice.txt"):
            packed.writestr(name, b"words")
        with pytest.warns(UserWarning, match="Duplicate name"):
            packed.writestr("twice.txt", b"others")
        packed.writestr(link, b"/etc/passwd")
    assert held(path) == ["up.txt", "etc/top.txt", "c:/x/win.txt", "twice.txt", "twice (2).txt"]
    assert file_bytes(path / "twice (2).txt") == b"others"


def test_messages_of_a_mailbox_are_numbered(tmp_path: Path) -> None:
    path = tmp_path / "box.mbox"
    first = b"From a@b.org Fri Mar  1 10:00:00 2024\nFrom: a@b.org\nSubject: x\n\n"
    first += b"Hello\n\nFrom here on it is >From.\n>From there\n\n"
    path.write_bytes(first + b"From b@b.org Sat Mar  2 10:00:00 2024\n" + MAIL)
    assert held(path) == ["1.eml", "2.eml", "2.eml/a/notes.txt", "2.eml/Inner.eml"]
    assert [line.text for line in spanwise.read(path / "1.eml").lines[-4:-1]] == [
        "From here on it is >From.",
        "From there",
        "",
    ]


def test_a_message_in_a_message_of_outlook_is_one(tmp_path: Path) -> None:
    inside = outlook({0x0037: "Inner", 0x0C1A: "Bob", 0x1000: "The inner fee is 9 euros."}, within=True)
    page = b"<p>The fair costs 4,500 euros.</p><p style='display:none'>secret</p>"
    path = tmp_path / "a.msg"
    path.write_bytes(ole_file(outlook({0x0037: "Costs", 0x1013: page}, [attachment("Inner", inside)])))
    assert held(path) == ["Inner.eml"]
    document = spanwise.read(path)
    assert [line.text for line in document.lines][-1] == "The fair costs 4,500 euros."
    assert [one.text for one in document.hidden] == ["secret"]
    assert "The inner fee is 9 euros." in [line.text for line in spanwise.read(path / "Inner.eml").lines]


def nested(depth: int) -> bytes:
    data = archive({"a.txt": b"words"})
    for _ in range(depth):
        data = archive({"a.zip": data})
    return data


def locked() -> bytes:
    data = bytearray(archive({"a.txt": b"words"}))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    return bytes(data)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.zip", archive({"a.txt": bytes(40_000_000)}), "as a zip bomb does"),
        ("a.zip", archive({f"{number}.txt": b"x" for number in range(60)}), "holds more than 50 documents"),
        ("a.zip", nested(5), "deeper than 3"),
        ("a.zip", locked(), "packed with a password"),
        ("a.zip", archive({"a.txt": b"words"})[:60], "damaged"),
        ("a.zip", b"words", "no ZIP archive"),
        ("a.zip", archive({"a.exe": b"words"}), "has no document that can be read"),
        ("a.mbox", b"words", "no mailbox"),
        ("a.eml", b"words and no headers", "is no message"),
        ("a.msg", ole_file({"__substg1.0_9999001F": b"x"}), "no Outlook message"),
        ("a.eml", b"From: a@b.c\nContent-Type: multipart/encrypted; boundary=x\n\n--x\n\nhQ\n--x--\n", "is encrypted"),
        ("a.rtf", b"{\\rtf1" + b"{" * 5_000, "nested deeper"),
        (
            "a.odt",
            archive({"mimetype": ODT, "content.xml": b'<!DOCTYPE x [<!ENTITY a "b">]><x/>'}),
            "declares a document type",
        ),
        (
            "a.epub",
            archive(
                {
                    "META-INF/container.xml": b'<c><rootfile full-path="c.opf"/></c>',
                    "c.opf": b'<p><item id="1" href="1.html" media-type="text/html"/><itemref idref="1"/></p>',
                    "META-INF/encryption.xml": b'<e><CipherReference URI="1.html"/></e>',
                    "1.html": b"\x8f\x01",
                }
            ),
            "protected against copying",
        ),
    ],
    ids=[
        "bomb", "many", "deep", "locked", "cut", "words", "nothing", "no mailbox", "no mail", "no message", "encrypted",
        "groups", "entities", "protected",
    ],
)  # fmt: skip
def test_what_attacks_or_is_broken_is_one_sentence(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with spanwise.Corpus.memory() as corpus:
        try:
            failed = [one.message for one in corpus.add(path, limits=Limits(members=50)).failed]
        except DocumentError as error:
            failed = [str(error)]
    assert len(failed) == 1
    assert message in failed[0]
    assert "\n" not in failed[0]


def test_what_an_archive_unpacks_to_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(archive({f"{number}.txt": b"x" * 1_000 for number in range(20)}))
    with pytest.raises(LimitError, match="unpacks to more than 10,000 bytes"):
        held(path, Limits(unpacked_bytes=10_000))


def test_an_archive_is_no_document_and_says_what_to_do() -> None:
    with pytest.raises(DocumentError, match=r"a\.zip holds documents .* \(a\.zip/NAME\)"):
        read_here(archive({"a.txt": b"x"}), name="a.zip")


def test_a_document_that_is_called_an_archive_is_one(tmp_path: Path, make_docx) -> None:
    path = tmp_path / "letter.zip"
    path.write_bytes(make_docx(lambda document: document.add_paragraph("The rent is 1200 euros.")))
    with spanwise.Corpus.memory() as corpus:
        assert corpus.add(path).added == ("letter.zip",)


@pytest.mark.parametrize(
    "told",
    [
        "Am Montag schrieb Bob <b@example.org>:\n> Wann?\n",
        "-----Original Message-----\nFrom: Bob\nWhen?\n",
        "From: Bob <b@example.org>\nSent: Monday\nTo: Jane\n\nWhen?\n",
    ],
)
def test_quoted_text_of_a_plain_message_is_a_section(told: str) -> None:
    document = read_here(f"From: a@b.org\nSubject: x\n\nMy answer is yes.\n\n{told}".encode(), name="a.eml")
    quoted = document.sections[-1]
    assert (quoted.level, len(document.sections)) == (2, 2)
    text = document.text(quoted.first_line, quoted.last_line)
    assert "My answer" not in text
    assert ">" not in text.replace("example.org>", "")


def test_only_signs_before_a_quoted_line_are_signs_of_quotation() -> None:
    told = "> a margin > 5 million, see <b@x.org>\n>> if a > b\n\n---- Original message ----\nFrom: Bob <b@x.org>\n"
    lines = [line.text for line in read_here(f"From: a@b.org\n\nYes.\n\n{told}".encode(), name="a.eml").lines]
    assert "a margin > 5 million, see <b@x.org>" in lines
    assert "if a > b" in lines
    assert "From: Bob <b@x.org>" in lines


@pytest.mark.parametrize("stream", ["WordDocument", "Workbook", "EncryptedPackage"])
def test_what_is_attached_to_a_message_of_outlook_makes_it_nothing_else(stream: str) -> None:
    inside = attachment("old", ole_file({stream: b"x" * 100}))
    message = ole_file(outlook({0x0037: "Costs", 0x1000: "The fair costs 4,500 euros."}, [inside]))
    assert "The fair costs 4,500 euros." in [line.text for line in read_here(message, name="a.msg").lines]


def test_the_page_of_a_message_of_outlook_is_in_the_code_page_of_the_internet() -> None:
    page = "<p>Größe: 5 €</p>".encode()
    tree = outlook({0x0037: "Costs", 0x1013: page})
    numbers = [struct.pack("<HHIII", 0x0003, tag, 6, number, 0) for tag, number in ((0x3FFD, 1252), (0x3FDE, 65001))]
    tree["__properties_version1.0"] = bytes(32) + b"".join(numbers)
    assert read_here(ole_file(tree), name="a.msg").lines[-1].text == "Größe: 5 €"
    tree["__properties_version1.0"] = bytes(32) + numbers[0]  # nothing but the page itself says how it is encoded
    tree["__substg1.0_10130102"] = b"<meta charset=utf-8>" + page
    assert read_here(ole_file(tree), name="a.msg").lines[-1].text == "Größe: 5 €"


def test_files_of_one_name_are_numbered_in_linear_time() -> None:
    started = time.process_time()
    names = list(_named(("a/b.txt", None) for _ in range(5_000)))
    assert names[:3] == ["a/b.txt", "a/b (2).txt", "a/b (3).txt"]
    assert (len(names), names[-1]) == (5_000, "a/b (5000).txt")
    assert time.process_time() - started < 10  # it took minutes


@pytest.mark.parametrize(("told", "shown"), [("yes", "It costs 1234 euros."), ("no", "It costs 12 34 euros.")])
def test_the_space_that_wraps_a_line_is_deleted_where_the_message_says_so(told: str, shown: str) -> None:
    head = f"From: a@b.org\nContent-Type: text/plain; format=flowed; delsp={told}\n\n"
    assert shown in [line.text for line in read_here(f"{head}It costs 12 \n34 euros.\n".encode(), name="a.eml").lines]
