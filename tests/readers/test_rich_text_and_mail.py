"""RTF and messages: numbers in cells, styles that are no headings, reports of mail servers, signatures."""

from __future__ import annotations

import time

import pytest

from spanwise.domain.document import Document
from spanwise.errors import EmptyDocumentError
from spanwise.readers.registry import read_here as read

HEAD = "From: ann@example.org\nTo: bo@example.org\nSubject: Boats\n"


def rich(text: str) -> Document:
    return read(b"{\\rtf1\\ansi " + text.encode("ascii") + b"}", name="a.rtf")


def mail(rest: str) -> list[str]:
    return [line.text for line in read((HEAD + rest).encode(), name="a.eml").lines][3:]


def test_the_numbers_of_a_list_in_a_cell_are_read() -> None:
    first = r"{\listtext 1.\tab}Oak\par {\listtext 2.\tab}Elm\cell "
    document = rich(rf"\trowd\cellx1\cellx2\pard\intbl {first}Wood\cell\row\pard After.\par")
    assert [line.text for line in document.lines] == ["1. Oak 2. Elm  Wood", "After."]


def test_a_style_named_heading_0_is_none() -> None:
    document = rich(r"{\stylesheet{\s1 heading 0;}}{\pard\s1 Oak.\par}\pard Elm.\par")
    assert [line.text for line in document.lines] == ["Oak.", "Elm."]
    assert not document.sections


def test_the_text_of_a_box_is_no_part_of_the_word_before_it() -> None:
    document = rich(r"Oak{\shp{\*\shpinst{\shptxt Boxed elm.\par}}} and ash.\par")
    assert [line.text for line in document.lines] == ["Oak", "Boxed elm.", "and ash."]


def test_empty_rows_take_time_in_proportion() -> None:
    started = time.process_time()
    with pytest.raises(EmptyDocumentError):
        rich(r"\intbl " + r"\par\row " * 40_000)
    assert time.process_time() - started < 2


def test_what_a_mail_server_reports_is_read() -> None:
    report = (
        "MIME-Version: 1.0\nContent-Type: multipart/report; boundary=b\n\n--b\nContent-Type: text/plain\n\nNot sent.\n"
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n"
        "Final-Recipient: rfc822; bo@example.org\nStatus: 5.1.1\n--b--\n"
    )
    assert [line for line in mail(report) if line] == [
        "Not sent.",
        "Reporting-MTA: dns; mx.example.org",
        "Final-Recipient: rfc822; bo@example.org",
        "Status: 5.1.1",
    ]


def test_a_signed_message_is_not_quoted() -> None:
    body = "\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nThe boat is sold.\n-----BEGIN PGP SIGNATURE-----\n"
    document = read((HEAD + body).encode(), name="a.eml")
    assert [section.title for section in document.sections] == ["Boats"]


def test_headers_under_a_rule_begin_what_is_quoted() -> None:
    quoted = f"{'_' * 32}\nFrom: Cy <cy@example.org>\nSent: Monday\nTo: Ann\n\nThe boat is sold.\n"
    document = read(f"{HEAD}\nIt is not.\n\n{quoted}".encode(), name="a.eml")
    assert [(one.title, one.first_line) for one in document.sections] == [("Boats", 1), ("Quoted message", 7)]
    signed = f"{HEAD}\nIt is not.\n-- \nTel: 1 23\nMail: ann@example.org\nWeb: example.org\n"
    assert len(read(signed.encode(), name="a.eml").sections) == 1


def test_the_text_of_a_message_is_shown_although_it_has_a_name_or_lacks_its_marks() -> None:
    assert mail('Content-Type: text/plain; name="body.txt"\n\nThe boat is sold.') == ["The boat is sold."]
    assert mail("Content-Type: multipart/mixed; boundary=b\n\nThe boat is sold.") == ["The boat is sold."]
