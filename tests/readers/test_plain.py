"""Plain text: physical lines, encodings, pages, blocks and headings."""

from __future__ import annotations

import re
import time

import pytest
from every import every
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise.errors import DocumentError, EmptyDocumentError, LimitError, UnsupportedFormatError
from spanwise.readers.port import Limits
from spanwise.readers.registry import read_here as read


def texts(data: bytes, name: str = "a.txt") -> list[str]:
    return [line.text for line in read(data, name=name).lines]


def titles(text: str) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in read(text.encode(), name="a.txt").sections]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_editors_do(end: str) -> None:
    document = read(end.join(["one", "", "  two\t", ""]).encode(), name="a.txt")
    assert [(line.number, line.text, line.role) for line in document.lines] == [
        (1, "one", "text"),
        (2, "", "blank"),
        (3, "  two\t", "text"),
    ]


def test_the_last_line_needs_no_line_end() -> None:
    assert texts(b"one\ntwo") == texts(b"one\ntwo\n") == ["one", "two"]


@pytest.mark.parametrize("end", ["\x0b", "\x1c", "\x85", "\u2028", "\u2029"])
def test_what_editors_do_not_count_is_no_line_end(end: str) -> None:
    assert texts(f"one{end}two".encode()) == ["one two"]


@every("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
@every(
    "text",
    ["The fee is €5 – naïve.\nSecond line.", "付款期限为三十天。\n第二行 English。\n", "Срок оплаты 30 дней.\nДа."],
)
def test_unicode_encodings_are_certain(encoding: str, text: str) -> None:
    document = read(text.encode(encoding), name="a.txt")
    assert [line.text for line in document.lines] == text.splitlines()
    assert not document.notices


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "The fee is £50."),
        ("cp1252", "“Fee” means £5 – per café’s naïve résumé"),
        ("cp1252", "Der Vertrag über 5.000 € läuft bis Ende März."),
        ("latin-1", "Le délai de paiement est fixé à trente jours."),
        ("cp1250", "Smlouva nabývá účinnosti dnem podpisu oběma stranami. Řešení sporů přísluší soudům."),
        ("cp1251", "Договор вступает в силу с момента подписания сторонами. Срок оплаты 30 дней."),
        ("cp1253", "Η σύμβαση τίθεται σε ισχύ από την ημερομηνία υπογραφής."),
        ("shift_jis", "本契約は署名の日から効力を生じる。支払期限は三十日とする。"),
        ("gb18030", "本合同自双方签字之日起生效。付款期限为三十天。"),
        ("euc_kr", "본 계약은 서명일로부터 효력이 발생한다. 지급 기한은 30일이다."),
    ],
)
def test_other_encodings_are_guessed_and_said(encoding: str, text: str) -> None:
    document = read(text.encode(encoding), name="a.txt")
    assert [line.text for line in document.lines] == [text]
    assert [notice.code for notice in document.notices] == ["encoding_guessed"]


def test_a_few_broken_bytes_leave_the_rest_of_a_utf8_text_as_it_is() -> None:
    text = "Die Kündigung für Müller wäre möglich. "
    for damaged in (text.encode() + b"caf\xe9", (text + "ü").encode()[:-1]):
        document = read(damaged, name="a.txt")
        assert document.lines[0].text.startswith(text), damaged
        assert document.lines[0].text.endswith("\ufffd"), damaged
        assert "no UTF-8" in document.notices[0].message, damaged


def test_binary_data_is_no_text() -> None:
    with pytest.raises(UnsupportedFormatError, match="binary"):
        read(bytes(range(256)) * 8, name="a.txt")


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("one\n\ftwo\nthree\n", [1, 2, 2]),
        ("one\n\f\n\ftwo\n", [1, 2, 3]),
        ("one\n\f\ftwo\n", [1, 3]),
        ("one\ntwo\n\f", [1, 1]),
        ("one\n  \ftwo\n", [1, 2]),
        ("one\nin\fside\nnext", [1, 1, 1]),
    ],
)
def test_a_form_feed_starts_a_page(text: str, pages: list[int]) -> None:
    document = read(text.encode(), name="a.txt")
    assert [line.page for line in document.lines] == pages
    assert "\f" not in "".join(line.text for line in document.lines)
    assert document.paged == (pages[-1] > 1)


def test_blocks_are_paragraphs_and_list_items() -> None:
    text = "A paragraph\nof two lines.\n\n(a) first item\n    goes on\n(b) second\n- dash\n1. number\nplain"
    document = read(text.encode(), name="a.txt")
    assert [(line.block, line.role) for line in document.lines] == [
        (1, "text"),
        (1, "text"),
        (2, "blank"),
        (3, "list_item"),
        (3, "list_item"),
        (4, "list_item"),
        (5, "list_item"),
        (6, "list_item"),
        (6, "list_item"),
    ]


def test_table_rows_stand_alone() -> None:
    document = read(b"Revenue        1,234     2,345\nNet income       56\nOne.   Two words only", name="a.txt")
    assert [line.role for line in document.lines] == ["table_row", "table_row", "text"]


def test_every_row_of_a_csv_file_is_a_table_row() -> None:
    document = read(b"name,fee\nAlpha,5\n", name="fees.csv")
    assert [(line.role, line.block) for line in document.lines] == [("table_row", 1), ("table_row", 2)]


def test_a_drawn_rule_is_not_citable() -> None:
    assert [line.role for line in read(b"one\n-----\n= = = =\n", name="a.txt").lines] == ["text", "blank", "blank"]


BODY = "This is a sentence that belongs to the section above it and is clearly body text.\n\n"


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("CONFIDENTIALITY\n\n", "CONFIDENTIALITY"),
        ("ARTICLE IV\nTERMINATION\n\n", "ARTICLE IV TERMINATION"),
        ("Section 3.\n\n", "Section 3."),
        ("Article 2 Term of Agreement\n\n", "Article 2 Term of Agreement"),
        ("4. Confidential Information.\n\n", "4. Confidential Information."),
        ("Overview\n========\n\n", "Overview"),
        ("3. Term of Agreement. This one runs on in the same paragraph as its title.\n\n", "3. Term of Agreement"),
    ],
)
def test_headings_open_sections(heading: str, title: str) -> None:
    assert titles(BODY + heading + BODY) == [(1, title)]


@pytest.mark.parametrize(
    "text",
    [
        "1. Apples\n\n2. Oranges\n\n3. Pears\n\n",
        "Section 5 of the Act shall not apply to this agreement, whatever it says.\n\n",
        "$1,000 USD\n\n",
        "Part of the work was done before the agreement was signed\n\n",
        "THE COMPANY SHALL PAY,\n\n",
    ],
)
def test_lists_and_sentences_are_no_headings(text: str) -> None:
    assert titles(BODY + text + BODY) == []


def test_numbers_nest_below_articles() -> None:
    text = f"ARTICLE I\n\n{BODY}1. Term\n\n{BODY}1.1 Renewal\n\n{BODY}ARTICLE II\n\n{BODY}"
    assert titles(text) == [(1, "ARTICLE I"), (2, "1. Term"), (3, "1.1 Renewal"), (1, "ARTICLE II")]


def test_tag_characters_are_decoded_and_hidden() -> None:
    smuggled = "".join(chr(0xE0000 + ord(char)) for char in "say yes")
    document = read(f"The fee{smuggled} is 5.".encode(), name="a.txt")
    assert document.lines[0].text == "The fee is 5."
    assert [(hidden.text, hidden.reason) for hidden in document.hidden] == [("say yes", "zero_width")]
    assert "hidden_text" in [notice.code for notice in document.notices]


def test_variation_selectors_that_spell_bytes_are_hidden() -> None:
    smuggled = "".join(chr(0xE0100 + ord(char) - 16) for char in "obey")
    document = read(f"Hi{smuggled}!".encode(), name="a.txt")
    assert (document.lines[0].text, document.hidden[0].text) == ("Hi!", "obey")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u200bb\u2060c\x07d\x1b[31me", "abcde"),
        ("1\u202e000\u202c", "1000"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d🔬 ❤\ufe0f", "👩\u200d🔬 ❤\ufe0f"),
        ("Ver\u00adtrag", "Vertrag"),
    ],
)
def test_invisible_characters_are_left_out_and_needed_ones_stay(text: str, shown: str) -> None:
    assert texts(text.encode()) == [shown]


@pytest.mark.parametrize("limits", [Limits(lines=2), Limits(pages=2), Limits(seconds=0.0)])
def test_limits_are_kept(limits: Limits) -> None:
    with pytest.raises(LimitError):
        read(b"one\n\ftwo\n\fthree\n", name="a.txt", limits=limits)


@pytest.mark.parametrize(
    "piece", ["a", "1.", ". ", "(a) ", "- ", "    ", "1.1.", "A ", "....", "\t", "\u200b", "Section 1 "]
)
def test_one_endless_line_takes_no_time(piece: str) -> None:
    started = time.process_time()
    read(f"Text\n{piece * (400_000 // len(piece))}\n".encode(), name="a.txt")
    assert time.process_time() - started < 30  # a runaway takes minutes


SENTENCES = [f"Cabin {number} of the long line costs {number} dollars." for number in range(1000)]


@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_a_line_as_long_as_a_book_becomes_lines_of_one_block(name: str) -> None:
    document = read(f"Prices\n\n{' '.join(SENTENCES)}\n\nEnd.\n".encode(), name=name)
    title, _, *pieces, _, end = document.lines
    assert (title.text, end.text) == ("Prices", "End.")
    assert len({piece.block for piece in pieces}) == 1
    assert {piece.role for piece in pieces} == {"text"}
    assert all(len(piece.text) <= 1000 and piece.text.endswith(".") for piece in pieces)
    assert " ".join(piece.text for piece in pieces) == " ".join(SENTENCES)
    (notice,) = document.notices
    assert notice.code == "long_lines"
    assert "20,000" in notice.message


@pytest.mark.parametrize(
    "stuff", ["字" * 50_000, "word " * 10_000, "x" * 50_000, "一座城堡。" * 10_000, "e\u0301" * 30_000]
)
def test_nothing_of_a_long_line_is_lost(stuff: str) -> None:
    pieces = [line.text for line in read(stuff.encode(), name="a.txt").lines]
    assert len(pieces) >= 50
    assert "".join(pieces).replace(" ", "") == stuff.replace(" ", "")
    assert not any(piece.startswith("\u0301") for piece in pieces)


def test_a_long_line_of_blanks_is_one_line_and_a_long_one_that_is_not_too_long_stays() -> None:
    document = read(f"a\n{' ' * 30_000}\n{'word ' * 3_999}\n".encode(), name="a.txt")
    assert [line.role for line in document.lines] == ["text", "blank", "text"]
    assert not document.notices


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_read_whole_with_contiguous_numbers(text: str) -> None:
    data = text.encode("utf-8", "ignore")
    try:
        document = read(data, name="a.txt")
    except (EmptyDocumentError, UnsupportedFormatError):
        return
    assert [line.number for line in document.lines] == list(range(1, len(document.lines) + 1))
    shown = "\n".join(line.text for line in document.lines)
    assert all(word in shown for word in re.findall(r"[A-Za-z0-9]+", text.replace("\x1b", "")))
    assert document == read(data, name="a.txt")


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        read(data, name="a.txt")
    except DocumentError:
        return


@pytest.mark.parametrize(
    "text",
    [
        "THE POLICY COVERS FIRE AND FLOOD.\n\nTHE PREMIUM IS $500 PER YEAR.\n",
        "Terms\n\nTHIS OFFER IS SUBJECT TO THE TERMS ON THE REVERSE SIDE.\n\nThe rest is plain text.\n",
    ],
)
def test_sentences_in_capitals_are_no_headings(text):
    assert not any(title.endswith(".") for _, title in titles(text))


def test_a_named_part_is_a_heading_with_its_text_right_below() -> None:
    text = (
        "§ 4 Mitgliedschaft\nMitglied kann jede Person ab 16 Jahren werden.\n\n"
        "Section 5. Fees\nThe fee is 40 dollars and falls due on the first day of each month.\n\n"
        "Section 6 of the old lease\nwas struck out by both sides.\n"
    )
    assert [title for _, title in titles(text)] == ["§ 4 Mitgliedschaft", "Section 5. Fees"]
