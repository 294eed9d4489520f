"""Text in the tiles of patterns is read as it shows; what notes, fields and fonts keep from sight is told as hidden."""

from __future__ import annotations

from every import every
from hidden_pdfs import FULL, SENTENCE, Case, Sheet, X, Y
from hidden_ways import to_unicode
from pdf_making import read
from pikepdf import Array, Dictionary, Name, String
from test_pdf_hidden_families import shows

AREA = "60 380 500 50 re"


def say(sheet: Sheet, x: float = X, y: float = Y, colour: str = "0 g") -> str:
    return f"{colour} BT /F1 12 Tf {x} {y} Td ({sheet.text}) Tj ET"


def tile(sheet: Sheet, ops: str, box: str = "0 0 612 792", paint: int = 1, **keys: object) -> str:
    left, bottom, right, top = (float(edge) for edge in box.split())
    made = sheet.stream(
        ops, PatternType=1, PaintType=paint, TilingType=1, BBox=Array([left, bottom, right, top]),
        XStep=right - left, YStep=top - bottom, Resources=sheet.resources(), **keys,
    )  # fmt: skip
    return sheet.name("Pattern", sheet.pdf.make_indirect(made))


def fill(sheet: Sheet, name: str, paint: str = f"{AREA} f", colour: str = "/Pattern cs") -> None:
    sheet.put("q", f"{colour} {name} scn", paint, "Q")


def inked(sheet: Sheet) -> None:
    """A pattern without a colour of its own."""
    sheet.named["ColorSpace"] = {"/CSp": Array([Name.Pattern, Name.DeviceRGB])}
    fill(sheet, tile(sheet, say(sheet, colour=""), paint=2), colour="/CSp cs 0 0.2 0")


def in_a_form(sheet: Sheet) -> None:
    name = tile(sheet, say(sheet))
    sheet.put(f"q 1 0 0 1 5 9 cm {sheet.form(f'/Pattern cs {name} scn {AREA} f')} Do Q")


def small(sheet: Sheet) -> None:
    name = tile(sheet, say(sheet, 5, 5), "0 0 250 20", Matrix=Array([1, 0, 0, 1, 70, 395]))
    fill(sheet, name, "60 380 400 60 re f")


def note(sheet: Sheet, kind: str, ops: str, flags: int = 4, **keys: object) -> None:
    x, y, wide, high = (float(one) for one in FULL.split()[:4])
    look = sheet.stream(
        ops, Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, wide, high]), Resources=sheet.resources()
    )
    rect = Array([x, y, x + wide, y + high])
    made = Dictionary(Type=Name.Annot, Subtype=Name(f"/{kind}"), Rect=rect, F=flags, **keys)
    made.AP = Dictionary(N=sheet.pdf.make_indirect(look))
    sheet.annots.append(sheet.pdf.make_indirect(made))


def choice(sheet: Sheet) -> None:
    options = Array([String("a"), String(sheet.text)])
    sheet.annotate("Widget", "", FT=Name.Ch, Ff=131_072, V=String("a"), Opt=options, T=String("t"))


def spaces(sheet: Sheet) -> None:
    """A font that draws spaces and calls them letters."""
    codes = range(1, len(sheet.text) + 1)
    names = Array([1, *(Name("/space") for _ in codes)])
    table = to_unicode(dict(zip(codes, sheet.text, strict=True)))
    made = Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Dictionary(Differences=names),
        ToUnicode=sheet.stream(table),
    )  # fmt: skip
    spelled = "".join(f"{code:02X}" for code in codes)
    sheet.put(f"BT {sheet.name('Font', made)} 12 Tf {X} {Y} Td <{spelled}> Tj ET")


def given(sheet: Sheet) -> None:
    sheet.put(f"/Figure <</ActualText ({sheet.text})>> BDC 0.5 g 100 400 50 20 re f EMC")


SHOWN = [
    lambda sheet: fill(sheet, tile(sheet, say(sheet))),
    lambda sheet: fill(sheet, tile(sheet, say(sheet)), "2 0 0 2 0 0 cm 30 190 250 25 re f"),
    lambda sheet: fill(sheet, tile(sheet, "0.1 g 0 0 612 792 re f " + say(sheet, colour="1 g"))),
    small,
    inked,
    in_a_form,
    lambda sheet: note(sheet, "Stamp", say(sheet, 4, 6)),
    lambda sheet: note(sheet, "Square", say(sheet, 4, 6)),
    lambda sheet: note(sheet, "Stamp", say(sheet, 4, 6), flags=5),
]
HIDDEN = [
    lambda sheet: fill(sheet, tile(sheet, say(sheet, colour="1 g"))),
    lambda sheet: fill(sheet, tile(sheet, say(sheet) + f" 1 g {FULL} f")),
    lambda sheet: (fill(sheet, tile(sheet, say(sheet))), sheet.put(f"1 g {FULL} f")),
    lambda sheet: tile(sheet, say(sheet)),
    lambda sheet: note(sheet, "Stamp", say(sheet, 4, 6), flags=2),
    lambda sheet: note(sheet, "FreeText", say(sheet, 4, 6), flags=36),
    lambda sheet: note(sheet, "Stamp", "0 0 9 9 re S " + say(sheet, 4, 200)),
    choice,
    spaces,
    given,
]


@every("draw", SHOWN)
def test_what_one_sees_is_a_line(draw) -> None:
    case = Case("", "", draw)
    assert shows(case)
    document = read(case.file())
    assert [line.text for line in document.lines].count(SENTENCE) == 1
    assert not document.hidden


@every("draw", HIDDEN)
def test_what_nobody_sees_is_told(draw) -> None:
    case = Case("", "", draw)
    assert not shows(case)
    document = read(case.file())
    assert SENTENCE not in [line.text for line in document.lines]
    assert SENTENCE in [one.text for one in document.hidden]
