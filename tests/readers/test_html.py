"""HTML: one line a sentence, tables by rows, hidden markup apart."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise.domain.document import Document
from spanwise.errors import DocumentError, EmptyDocumentError, LimitError
from spanwise.readers.html import cascade, style_sheets
from spanwise.readers.port import Limits
from spanwise.readers.registry import read_here as read


def parsed(html: str, limits: Limits | None = None) -> Document:
    return read(html.encode(), name="a.html", limits=limits)


def texts(html: str) -> list[str]:
    return [line.text for line in parsed(html).lines]


def roles(html: str) -> list[tuple[str, str]]:
    return [(line.text, line.role) for line in parsed(html).lines]


def test_one_sentence_is_one_line() -> None:
    document = parsed("<p>The fee is 1.5% &amp; due\n now. It is <b>not</b> refund<i>able</i>.</p><p>Next.</p>")
    assert [(line.text, line.block) for line in document.lines] == [
        ("The fee is 1.5% & due now.", 1),
        ("It is not refundable.", 1),
        ("Next.", 2),
    ]
    assert not document.paged


def test_a_line_break_ends_a_line_within_the_block() -> None:
    document = parsed("<p>Acme Inc.<br>1 Main Street<br/>Springfield</p>")
    assert [(line.text, line.block) for line in document.lines] == [
        ("Acme Inc.", 1),
        ("1 Main Street", 1),
        ("Springfield", 1),
    ]


def test_headings_open_sections() -> None:
    document = parsed("<h1>Top</h1><p>a</p><h2>Sub<br>title</h2><p>b</p><h1>Next</h1>")
    assert [(section.level, section.title, section.first_line, section.last_line) for section in document.sections] == [
        (1, "Top", 1, 4),
        (2, "Sub title", 3, 4),
        (1, "Next", 5, 5),
    ]


def test_the_link_of_a_heading_to_itself_is_no_word_of_it() -> None:
    assert texts('<h2>Use C#<a href="#use">#</a></h2><p><a href="#x">One</a> <a href="/n">#</a></p>') == [
        "Use C#",
        "One #",
    ]


def test_a_page_without_headings_has_its_capitals_and_numbers_looked_at() -> None:
    document = parsed("<p><b>ITEM 1. BUSINESS</b></p><p>We sell things to many people.</p><p>2. Term. It runs on.</p>")
    assert [section.title for section in document.sections] == ["ITEM 1. BUSINESS", "2. Term"]
    assert document.lines[0].role == "heading"


def test_lists_show_their_markers() -> None:
    html = (
        '<ol start="3"><li>Three.<li value="7">Seven. More.<ul><li>nested</ul></ol>'
        "<ul><li><p>bullet</p><p>goes on</p></ul>"
    )
    assert roles(html) == [
        ("3. Three.", "list_item"),
        ("7. Seven.", "list_item"),
        ("More.", "list_item"),
        ("- nested", "list_item"),
        ("- bullet", "list_item"),
        ("goes on", "text"),
    ]


def test_lists_are_numbered_in_their_own_way() -> None:
    page = "<ol reversed><li>elm<li>oak</ol><ol type=a start=3><li>ash</ol><ol type=I><li>fir</ol>"
    assert texts(page) == ["2. elm", "1. oak", "c. ash", "I. fir"]


def test_a_reading_stands_in_brackets_behind_its_word() -> None:
    oak, elm = "<ruby>Oak<rp>[</rp><rt>ouk</rt><rp>]</rp></ruby>", "<ruby>elm<rt>elem</rt></ruby>"
    page = f"<p>{oak} and {elm}<ruby>s<rt></rt></ruby>.</p>"
    assert texts(page) == ["Oak(ouk) and elm(elem)s."]


def test_spans_over_thousands_of_columns_take_no_time() -> None:
    started = time.process_time()
    assert len(texts("<table>" + "<tr><td rowspan=9999 colspan=1000>x" * 250 + "</table>")) == 250
    said = texts("<table>" + "<tr><td rowspan=9999>oak<td>elm" * 200 + "</table>")
    assert (len(said), max(map(len, said))) == (200, len("oak  " * 13 + "elm"))
    assert time.process_time() - started < 1.5


def test_a_short_cell_over_several_rows_is_said_in_each() -> None:
    north = "<tr><th>Forest<th>Wood<th>Share<tr><td rowspan=2>North<td>Oak<td>4<tr><td>Elm<td>5"
    wood = f"{north}<tbody><tr><td>South<td>Fir<td>6"
    assert texts(f"<table>{wood}</table>") == ["Forest  Wood  Share", "North  Oak  4", "North  Elm  5", "South  Fir  6"]
    pairs = f"<tr><td rowspan=2>North<td>Oak<tr><td>Elm<tr><td rowspan=2>{'Long ' * 20}<td>Fir<tr><td>Yew"
    assert texts(f"<table>{pairs}</table>") == ["North  Oak", "North  Elm", f"{'Long ' * 20} Fir", "Yew"]


def test_a_table_row_is_one_line() -> None:
    head = "<caption>Fees</caption><thead><tr><th>Item<th>2020</thead>"
    html = f"<table>{head}<tr><td>Late<br>fee<td>1.5%<tr><td><td></table>"
    assert roles(html) == [("Fees", "text"), ("Item  2020", "table_row"), ("Late fee  1.5%", "table_row")]


def test_cells_of_signs_join_their_numbers() -> None:
    row = "".join(f"<td>{cell}</td>" for cell in ["Net loss", "", "$", "(1,577", ")", "12", "%"])
    assert texts(f"<table><tr>{row}</tr></table>") == ["Net loss  $(1,577)  12%"]


def test_a_list_laid_out_as_a_table_is_a_list() -> None:
    html = "<table><tr><td>(a)</td><td>The Company shall pay. It shall pay soon.</td></tr></table>"
    assert roles(html) == [("(a) The Company shall pay.", "list_item"), ("It shall pay soon.", "list_item")]


def test_a_page_laid_out_as_a_table_flows() -> None:
    html = "<table><tr><td><h1>Title</h1><p>One. Two.</p></td></tr></table>"
    assert roles(html) == [("Title", "heading"), ("One.", "text"), ("Two.", "text")]


def test_a_table_in_a_cell_keeps_the_order() -> None:
    html = "<table><tr><td>x<table><tr><td>a<td>b</table>after</td><td>y</td></tr></table>"
    assert texts(html) == ["x", "a  b", "after  y"]


def test_scripts_and_styles_are_no_text() -> None:
    html = (
        "<title>t</title><style>p{}</style><script>var x</script><nav>Menu</nav>"
        "<noscript>n</noscript><template>t</template>ok"
    )
    assert texts(html) == ["Menu", "ok"]


def test_preformatted_text_keeps_its_lines_and_spaces() -> None:
    assert texts("<pre>a  b. C\n\n  d</pre>") == ["a  b. C", "  d"]


@pytest.mark.parametrize(
    ("hidden", "reason"),
    [
        ("<p hidden>secret words</p>", "hidden_markup"),
        ('<p style="display:none">secret <b>words</b></p>', "hidden_markup"),
        ('<p style="Display: None !important">secret words</p>', "hidden_markup"),
        ('<span style="visibility:hidden">secret words</span>', "hidden_markup"),
        ('<span style="font-size: 1px">secret words</span>', "tiny"),
        ('<span style="opacity:0.0">secret words</span>', "no_contrast"),
        ('<font color="#FFFFFF">secret words</font>', "no_contrast"),
        ('<div style="background:#000000"><i style="color:black">secret words</i></div>', "no_contrast"),
        ('<div style="position:absolute;left:-9999px">secret words</div>', "off_page"),
        ('<div style="letter-spacing:-9999px">secret words</div>', "off_page"),
        ('<div style="height:0;overflow:hidden">secret words</div>', "clipped"),
        ("<details><summary></summary>secret words</details>", "closed"),
    ],
)
def test_what_nobody_sees_is_kept_apart(hidden: str, reason: str) -> None:
    document = parsed(f"<p>before</p>{hidden}<p>after</p>")
    assert [line.text for line in document.lines] == ["before", "after"]
    assert [(entry.text, entry.reason, entry.line) for entry in document.hidden] == [("secret words", reason, 1)]


@pytest.mark.parametrize(
    "shown",
    [
        '<p aria-hidden="true">shown words</p>',
        '<div style="background:#003366"><span style="color:white">shown words</span></div>',
        '<table bgcolor="#000080"><tr><td><font color="white">shown words</font></td></tr></table>',
        '<p style="font-size:8pt;opacity:0.8">shown words</p>',
        '<p style="height:0">shown words</p>',
    ],
)
def test_what_can_be_seen_stays(shown: str) -> None:
    assert texts(f"<p>before</p>{shown}") == ["before", "shown words"]


@pytest.mark.parametrize(
    ("css", "shown"),
    [
        (".x{display:none}", []),
        ("b, p.x , i {color:red} #y{font-size:0} .x { visibility : hidden }", []),
        ("/* { */ .x{display:none}", []),
        ("@media print{.x{display:none}}", ["words"]),
        (".menu .x{display:none}", ["words"]),
        ("body .x{display:none}", []),
        (".x{display:block}", ["words"]),
        (".other{display:none} .x", ["words"]),
    ],
)
def test_a_style_sheet_hides_classes(css: str, shown: list[str]) -> None:
    assert texts(f'<style>{css}</style><p>before</p><p class="w x">words</p>') == ["before", *shown]


def test_white_text_under_a_style_sheet_in_another_file_proves_nothing() -> None:
    white = '<p>before</p><p class="dark" style="color:white">shown</p>'
    assert texts(f"<link rel=stylesheet href=a.css>{white}") == ["before", "shown"]
    assert texts(f"<link rel=stylesheet media=print href=a.css>{white}") == ["before"]
    assert texts(f"<link rel=stylesheet href='data:text/css,.dark{{background:black}}'>{white}") == ["before", "shown"]
    assert texts(f"<link rel=stylesheet href='data:text/css,p{{color:red}}'>{white}") == ["before"]


def test_a_function_that_lacks_what_it_is_of_sets_nothing() -> None:
    names = ("round", "pow", "mod", "sin", "clamp", "min", "sign", "rgb", "hsl", "color-mix")
    values = [f"{name}({content})" for name in names for content in ("", ",", ",1px", "up,", "from red r", "1/0")]
    html = "".join(f"<p style='width:{value};color:{value}'>The fee is 5 euros.</p>" for value in values)
    assert texts(html) == ["The fee is 5 euros."] * len(values)


def test_a_style_sheet_may_hold_another() -> None:
    html = "<style>@import url('data:text/css;base64,LnggeyBkaXNwbGF5OiBub25lIH0=');</style><p class=x>a</p><p>b</p>"
    assert texts(html) == ["b"]


def test_hidden_text_of_one_reason_is_one_stretch() -> None:
    html = "<p>a</p><div hidden>one <b>two</b><p>three</p></div><p>b</p><i hidden>four</i><i style='opacity:0'>five</i>"
    assert [(entry.text, entry.reason, entry.line) for entry in parsed(html).hidden] == [
        ("one two three", "hidden_markup", 1),
        ("four", "hidden_markup", 2),
        ("five", "no_contrast", 2),
    ]


PAGE = '<!doctype html><style>{css}.x{{display:none}}</style><p>before</p><p class="x">secret words</p>{more}'


@pytest.mark.parametrize(
    ("css", "more"),
    [
        ("".join(f"p:not(.a{number}){{color:red}}" for number in range(100)), "<p>more</p>" * 100),
        ("".join(f"p:has(~ b{number}){{color:red}}" for number in range(20)), "<p>more</p>" * 100),
        ("div " * 12 + "q p{color:red}", "<div>" * 60 + "<p>more</p>" * 20),
        ("a{" * 3000 + "b:c" + "}" * 3000, ""),
        (".y{" + "& & &{" * 30 + "color:red" + "}" * 31, ""),
        (":not(" * 400 + ".z" + ")" * 400 + "{color:red}", ""),
        (":root{--a:var(--b);--b:var(--a)}.x{color:var(--a)}", ""),
        (":root{--a0:w" + "".join(f";--a{n}:var(--a{n - 1}) var(--a{n - 1})" for n in range(1, 40)) + "}", ""),
        ("@media " + "(" * 2000 + "color" + ")" * 2000 + "{.x{color:red}}", ""),
        ("/*" + "x" * 3_100_000 + "*/", ""),
        ("@layer a{" * 500 + ".x{color:red}" + "}" * 500, ""),
    ],
)
def test_hostile_style_sheets_end_soon_and_show_nothing(monkeypatch, css: str, more: str) -> None:
    monkeypatch.setattr(cascade, "_STEPS", 30_000)
    started = time.process_time()
    document = parsed(PAGE.format(css=css, more=more))
    assert "secret words" not in [line.text for line in document.lines]
    assert "before" in [line.text for line in document.lines]
    assert time.process_time() - started < 30  # a runaway takes hours


@pytest.mark.parametrize("css", ["p{color:red}" * 200, "p{" + "color:red;" * 2_000 + "}"])
def test_style_sheets_without_end_are_refused(monkeypatch, css: str) -> None:
    monkeypatch.setattr(style_sheets, "_MOST_RULES", 100)
    monkeypatch.setattr(style_sheets, "_LONGEST", 10_000)
    with pytest.raises(LimitError, match="print it to PDF"):
        parsed(PAGE.format(css=css, more=""))


def test_styles_that_are_left_out_are_told() -> None:
    document = parsed(PAGE.format(css="a{" * 3000 + "b:c" + "}" * 3000, more=""))
    assert "styles_left_out" in [notice.code for notice in document.notices]


def test_comments_with_words_are_hidden() -> None:
    document = parsed("<!-- say yes --><p>a</p><!-- --><!--***-->")
    assert [(entry.text, entry.reason) for entry in document.hidden] == [("say yes", "comment")]


@pytest.mark.parametrize(
    "data",
    [
        '<meta charset="windows-1251"><p>Срок оплаты</p>'.encode("cp1251"),
        '<?xml version="1.0" encoding="windows-1251"?><p>Срок оплаты</p>'.encode("cp1251"),
        "<p>Срок оплаты</p>".encode("utf-16"),
        '<meta charset="utf-16"><p>Срок оплаты</p>'.encode(),
        '<meta charset="no-such-thing"><p>Срок оплаты</p>'.encode(),
    ],
)
def test_the_declared_encoding_is_used(data: bytes) -> None:
    document = read(data, name="a.html")
    assert [line.text for line in document.lines] == ["Срок оплаты"]
    assert not document.notices


def test_xhtml_closes_elements_itself() -> None:
    html = '<?xml version="1.0"?><html><head><title/><script src="x"/></head><body><p>shown</p></body></html>'
    assert texts(html) == ["shown"]


def test_deep_nesting_is_read() -> None:
    assert texts("<div>" * 5000 + "deep") == ["deep"]


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000,
        "<div><object></div></object>" * 50_000,
        "<div></x>" * 100_000,
        "<b>" * 40_000 + "<p>x" * 40_000,
    ],
)
def test_hostile_nesting_is_refused_soon(html: str) -> None:
    started = time.process_time()
    with pytest.raises(LimitError, match="nested"):
        parsed(html + "x")
    assert time.process_time() - started < 30  # a runaway takes minutes


@pytest.mark.parametrize(
    ("html", "limits", "bound"),
    [
        ("<table><tr><td>" * 6 + "x", Limits(depth=5), "depth"),
        ("<ul><li>" * 6 + "x", Limits(depth=5), "depth"),
        ("<p>x</p>" * 20, Limits(objects=10), "objects"),
        ("<p>x</p>" * 20, Limits(lines=10), "lines"),
        ("<p>x</p>" * 2000, Limits(seconds=0.0), "seconds"),
    ],
)
def test_limits_are_kept(html: str, limits: Limits, bound: str) -> None:
    with pytest.raises(LimitError, match=f"Limits.{bound}"):
        parsed(html, limits)


TAGS = "p table tr td ol li h2 pre b q div caption br".split()
PIECES = (
    [f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS] + ["alpha ", "beta. ", "Gamma", "\n", "12 ", "&amp;"]
)


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_every_word_is_in_some_line(pieces: list[str]) -> None:
    html = "<!doctype html>" + "".join(pieces)
    try:
        document = parsed(html)
    except EmptyDocumentError:
        return
    shown = re.findall("alpha|beta|Gamma|12", " ".join(line.text for line in document.lines))
    # Numbers that a list counts up to may add to the twelves, nothing else may come or go.
    wanted = re.findall("alpha|beta|Gamma|12", html)
    assert sorted(word for word in shown if word != "12") == sorted(word for word in wanted if word != "12")
    assert document == parsed(html)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read(text.encode("utf-8", "ignore"), name="a.html")
    except DocumentError:
        return


def test_what_a_script_may_take_away_hides_no_page() -> None:
    curtain = '<div style="position:fixed;inset:0;background:#fff">Loading</div>'
    assert texts(f"<p>The fee is due.</p>{curtain}") == ["Loading"]
    assert texts(f"<p>The fee is due.</p>{curtain}<script>load()</script>") == ["The fee is due.", "Loading"]


def test_all_of_a_long_list_beside_the_page_is_seen() -> None:
    rows = "".join(f"<li>row {number}</li>" for number in range(90))
    bar = f'<ul style="position:fixed;top:0;left:0;bottom:0;width:200px;overflow-y:auto">{rows}</ul>'
    document = read(f"<!doctype html><body>{bar}<p>text</p></body>".encode(), name="a.html")
    assert document.lines[89].text == "- row 89"
    assert not document.hidden


def test_what_a_box_can_be_scrolled_to_is_seen() -> None:
    rows = "".join(f"<span>let value_{number} = {number};</span>\n" for number in range(60))
    page = f'<b style="position:absolute;right:0">x</b><pre style="overflow-x:auto">{rows}</pre>'
    document = read(f"<!doctype html><body>{page}".encode(), name="a.html")
    assert document.lines[-1].text == "let value_59 = 59;"
    assert not document.hidden


def test_a_term_of_a_definition_list_heads_what_is_said_of_it() -> None:
    page = "<h1>Groups</h1><dl><dt>audio<dd><p>For a sound card.<dt>shadow, <b>pass</b><dd>Reads passwords.</dl>"
    document = parsed(page)
    assert [(line.text, line.role) for line in document.lines][1:] == [
        ("audio", "heading"),
        ("For a sound card.", "text"),
        ("shadow, pass", "heading"),
        ("Reads passwords.", "text"),
    ]
    assert [(section.title, section.level) for section in document.sections][1:] == [("audio", 6), ("shadow, pass", 6)]
