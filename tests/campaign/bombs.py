"""Small files that would take the machine: each is made by a function in a few kilobytes, and named after its family.

The quick ones run in the test suite under low limits; `make campaign` reads all of them, larger, under the limits that
users have.
"""

from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Bomb(NamedTuple):
    """A file, and how it is made for a given size: 1 is enough to be told from a harmless one."""

    name: str
    make: Callable[[int], bytes]


BOMBS: list[Bomb] = []


def bomb(name: str) -> Callable[[Callable[[int], bytes]], Callable[[int], bytes]]:
    """Name a function that makes a file."""

    def named(make: Callable[[int], bytes]) -> Callable[[int], bytes]:
        BOMBS.append(Bomb(name, make))
        return make

    return named


# PDF -----------------------------------------------------------------------------------------------------------------

TEXT = b"BT /F1 12 Tf 72 700 Td (The fee is 5 dollars.) Tj ET\n"
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def pdf(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """A PDF of numbered objects, of which the first is the catalog."""
    out = b"%PDF-1.7\n"
    places = []
    for number, one in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    end = b"trailer<</Size %d/Root 1 0 R%b>>\nstartxref\n%d\n%%%%EOF" % (size, trailer, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + end


def stream(data: bytes, more: bytes = b"", *, packed: bool = True) -> bytes:
    """A stream object."""
    if packed:
        data = zlib.compress(data, 9)
        more += b"/Filter/FlateDecode"
    return b"<<%b/Length %d>>stream\n%b\nendstream" % (more, len(data), data)


def page(content: bytes, resources: bytes = b"", *more: bytes, pages: int = 1, catalog: bytes = b"") -> bytes:
    """A PDF of one content on so many pages; further objects begin at number 6."""
    kids = b" ".join([b"3 0 R"] * pages)
    return pdf(
        [
            b"<</Type/Catalog/Pages 2 0 R%b>>" % catalog,
            b"<</Type/Pages/Kids[%b]/Count %d>>" % (kids, pages),
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>%b>>>>"
            % resources,
            content,
            FONT,
            *more,
        ]
    )


def form(content: bytes, inner: bytes = b"", *, packed: bool = False) -> bytes:
    """A form."""
    more = b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>/XObject<<%b>>>>" % inner
    return stream(content, more, packed=packed)


@bomb("form-draws-itself-twice.pdf")
def _(size: int) -> bytes:
    return page(stream(b"/X Do"), b"/XObject<</X 6 0 R>>", form(TEXT + b"/X Do /X Do", b"/X 6 0 R"))


@bomb("forms-of-forms.pdf")
def _(size: int) -> bytes:
    depth = 8 + size
    forms = [form(TEXT + b"/X Do " * 10, b"/X %d 0 R" % (number + 1)) for number in range(6, 6 + depth)]
    return page(stream(b"/X Do"), b"/XObject<</X 6 0 R>>", *forms, form(TEXT))


@bomb("flate.pdf")
def _(size: int) -> bytes:
    return page(stream(TEXT + b" " * (size * 300_000_000)))


@bomb("flate-of-flate.pdf")
def _(size: int) -> bytes:
    once = zlib.compress(TEXT + b" " * (size * 400_000_000), 9)
    return page(stream(zlib.compress(once, 9), b"/Filter[/FlateDecode/FlateDecode]", packed=False))


@bomb("run-length-of-flate.pdf")
def _(size: int) -> bytes:
    runs = b"\x81 " * (size * 3_000_000) + b"\x80"
    return page(stream(zlib.compress(runs, 9), b"/Filter[/FlateDecode/RunLengthDecode]", packed=False))


@bomb("saved-states.pdf")
def _(size: int) -> bytes:
    return page(stream(b"q " * (size * 3_000_000) + TEXT))


@bomb("operands-without-operator.pdf")
def _(size: int) -> bytes:
    return page(stream(b"1 " * (size * 5_000_000) + TEXT))


@bomb("arrays-in-content.pdf")
def _(size: int) -> bytes:
    return page(stream(b"[" * (size * 1_000_000) + TEXT))


@bomb("dictionaries-in-content.pdf")
def _(size: int) -> bytes:
    return page(stream(b"/A <<" * (size * 500_000) + b" BDC " + TEXT))


@bomb("one-show-of-millions.pdf")
def _(size: int) -> bytes:
    return page(stream(b"BT /F1 1 Tf 1 1 Td (" + b"ab " * (size * 700_000) + b") Tj ET"))


@bomb("glyphs-on-one-spot.pdf")
def _(size: int) -> bytes:
    return page(stream(b"BT /F1 12 Tf 72 700 Td " + b"(a) Tj -7 0 Td " * (size * 60_000) + b"ET"))


@bomb("glyphs-anywhere.pdf")
def _(size: int) -> bytes:
    chance = random.Random(1)
    shown = b"".join(
        b"BT /F1 %d Tf %d %d Td (w%d) Tj ET\n"
        % (chance.randint(1, 40), chance.randint(0, 600), chance.randint(0, 780), number)
        for number in range(size * 30_000)
    )
    return page(stream(shown))


@bomb("lines-at-every-angle.pdf")
def _(size: int) -> bytes:
    chance = random.Random(2)
    shown = b"".join(
        b"BT /F1 9 Tf %.4f %.4f %.4f %.4f %d %d Tm (turned) Tj ET\n"
        % (*(chance.uniform(-1, 1) for _ in range(4)), chance.randint(0, 600), chance.randint(0, 780))
        for _ in range(size * 20_000)
    )
    return page(stream(shown))


@bomb("rectangles.pdf")
def _(size: int) -> bytes:
    return page(stream(b"1 1 1 rg\n" + b"0 0 600 700 re f\n" * (size * 200_000) + TEXT * 2_000))


@bomb("clips.pdf")
def _(size: int) -> bytes:
    return page(stream(b"0 0 600 700 re W n\n" * (size * 100_000) + TEXT * 1_000))


@bomb("one-path-of-millions.pdf")
def _(size: int) -> bytes:
    return page(stream(b"0 0 m " + b"1 2 3 4 5 6 c " * (size * 1_000_000) + b" f " + TEXT))


@bomb("marked-content.pdf")
def _(size: int) -> bytes:
    return page(stream(b"/Span <</ActualText (a)>> BDC " * (size * 200_000) + TEXT))


@bomb("one-page-many-times.pdf")
def _(size: int) -> bytes:
    return page(stream(TEXT * 50), pages=size * 4_000)


@bomb("much-text-many-times.pdf")
def _(size: int) -> bytes:
    lines = b"".join(b"BT /F1 6 Tf 20 %d Td (%b) Tj ET\n" % (7 * row, b"words " * 20) for row in range(110))
    return page(stream(lines), pages=size * 600)


@bomb("pages-that-hold-themselves.pdf")
def _(size: int) -> bytes:
    return pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2/Parent 2 0 R>>"])


@bomb("more-pages-than-there-are.pdf")
def _(size: int) -> bytes:
    return page(stream(TEXT)).replace(b"/Count 1", b"/Count 2147483647")


@bomb("deep-page-tree.pdf")
def _(size: int) -> bytes:
    depth = size * 3_000
    nodes = [b"<</Type/Pages/Kids[%d 0 R]/Count 1>>" % (number + 1) for number in range(2, 2 + depth)]
    last = b"<</Type/Page/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F1 %d 0 R>>>>>>"
    return pdf([b"<</Type/Catalog/Pages 2 0 R>>", *nodes, last % (3 + depth, 4 + depth), stream(TEXT), FONT])


@bomb("table-of-contents-in-a-ring.pdf")
def _(size: int) -> bytes:
    entry = b"<</Title(Fees)/Dest[3 0 R/Fit]/Next 7 0 R/First 7 0 R/Last 7 0 R/Parent 6 0 R>>"
    return page(stream(TEXT), b"", b"<</Type/Outlines/First 7 0 R/Last 7 0 R>>", entry, catalog=b"/Outlines 6 0 R")


@bomb("long-table-of-contents.pdf")
def _(size: int) -> bytes:
    count = size * 40_000
    entries = [b"<</Title(Fees)/Dest[3 0 R/Fit]/Next %d 0 R>>" % (number + 1) for number in range(7, 7 + count)]
    return page(stream(TEXT), b"", b"<</First 7 0 R>>", *entries, catalog=b"/Outlines 6 0 R")


@bomb("page-labels-in-a-ring.pdf")
def _(size: int) -> bytes:
    return page(stream(TEXT), b"", b"<</Kids[6 0 R 6 0 R]>>", catalog=b"/PageLabels 6 0 R", pages=300)


@bomb("page-labels-of-thousands-of-letters.pdf")
def _(size: int) -> bytes:
    ends = b"<</Nums[0<</S/R/St 2147483000>>1<</S/A/St 2147483000>>2<</S/r/St 99999999>>]>>"
    return page(stream(TEXT), b"", ends, catalog=b"/PageLabels 6 0 R", pages=4)


@bomb("tables-of-places-in-a-ring.pdf")
def _(size: int) -> bytes:
    made = page(stream(TEXT))
    at = made.rindex(b"xref\n0")
    return made.replace(b"trailer<<", b"trailer<</Prev %d/XRefStm %d" % (at, at))


@bomb("objects-packed-in-a-ring.pdf")
def _(size: int) -> bytes:
    packed = stream(b"7 0 8 20 " + b"<</A 7 0 R>>" * 40, b"/Type/ObjStm/N 2/First 9/Extends 6 0 R")
    return page(stream(TEXT), b"", packed)


@bomb("packed-objects-unpack-to-gigabytes.pdf")
def _(size: int) -> bytes:
    packed = stream(b"7 0 " + b" " * (size * 300_000_000) + b"(a)", b"/Type/ObjStm/N 1/First 4")
    return page(stream(TEXT), b"", packed)[:-20]  # damaged: it has to be repaired


@bomb("arrays-in-arrays.pdf")
def _(size: int) -> bytes:
    return page(stream(TEXT), b"", b"[" * (size * 300_000) + b"]" * (size * 300_000), catalog=b"/Lang 6 0 R")


@bomb("image-of-a-million-by-a-million.pdf")
def _(size: int) -> bytes:
    image = stream(
        b"\0" * 100_000,
        b"/Type/XObject/Subtype/Image/Width 1000000/Height 1000000/ColorSpace/DeviceRGB/BitsPerComponent 16",
    )
    return page(stream(b"/I Do " + TEXT), b"/XObject<</I 6 0 R>>", image)


@bomb("image-in-a-line.pdf")
def _(size: int) -> bytes:
    return page(stream(b"BI /W 60000 /H 60000 /CS /RGB /BPC 8 /F /Fl ID \x78\x9c\n" * (size * 3_000) + TEXT))


@bomb("jpeg-2000-of-nothing.pdf")
def _(size: int) -> bytes:
    size_box = struct.pack(">HIIIIIIIIH", 0, 2**31 - 1, 2**31 - 1, 0, 0, 2**20, 2**20, 0, 0, 3) + b"\x07\x01\x01" * 3
    data = b"\xff\x4f\xff\x51" + struct.pack(">H", len(size_box) + 2) + size_box + b"\xff\xd9"
    image = stream(data, b"/Type/XObject/Subtype/Image/Width 65000/Height 65000/Filter/JPXDecode", packed=False)
    return page(stream(b"/I Do " + TEXT), b"/XObject<</I 6 0 R>>", image)


@bomb("mask-of-itself.pdf")
def _(size: int) -> bytes:
    group = form(TEXT + b"/G gs /X Do", b"/X 6 0 R").replace(
        b"/Resources<<", b"/Group<</S/Transparency>>/Resources<</ExtGState<</G<</SMask<</S/Luminosity/G 6 0 R>>>>>>"
    )
    return page(stream(b"/X Do /X Do"), b"/XObject<</X 6 0 R>>", group)


@bomb("letter-drawn-with-itself.pdf")
def _(size: int) -> bytes:
    font = (
        b"<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/FirstChar 97/LastChar 97/Widths[9]"
        b"/Encoding<</Differences[97/a]>>/CharProcs<</a 7 0 R>>/Resources<</Font<</F1 6 0 R>>>>>>"
    )
    letter = stream(b"9 0 d0 BT /F1 1 Tf (aaaaaaaa) Tj ET", packed=False)
    return page(stream(b"BT /F2 9 Tf 72 700 Td (aaaa) Tj ET"), b"/Font<</F2 6 0 R>>", font, letter)


@bomb("letter-of-millions-of-strokes.pdf")
def _(size: int) -> bytes:
    font = (
        b"<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/FirstChar 97/LastChar 97/Widths[9]"
        b"/Encoding<</Differences[97/a]>>/CharProcs<</a 7 0 R>>>>"
    )
    letter = stream(b"9 0 d0 " + b"0 0 9 9 re f " * (size * 1_000_000))
    return page(stream(b"BT /F2 9 Tf 72 700 Td (" + b"a" * 5_000 + b") Tj ET"), b"/Font<</F2 6 0 R>>", font, letter)


@bomb("pattern-of-itself.pdf")
def _(size: int) -> bytes:
    pattern = stream(
        b"/Pattern cs /P scn 0 0 600 700 re f",
        b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep .001/YStep .001"
        b"/Resources<</Pattern<</P 6 0 R>>>>",
    )
    return page(stream(b"/Pattern cs /P scn 0 0 600 700 re f " + TEXT), b"/Pattern<</P 6 0 R>>", pattern)


@bomb("function-of-dimensions.pdf")
def _(size: int) -> bytes:
    function = stream(
        b"\0" * 99,
        b"/FunctionType 0/Domain[0 1 0 1 0 1 0 1]/Range[0 1 0 1 0 1]/Size[9999 9999 9999 9999]/BitsPerSample 32",
    )
    shading = b"<</ShadingType 1/ColorSpace/DeviceRGB/Domain[0 1 0 1]/Function 6 0 R>>"
    return page(stream(b"/S sh " + TEXT), b"/Shading<</S 7 0 R>>", function, shading)


@bomb("unicode-of-all-codes.pdf")
def _(size: int) -> bytes:
    ranges = b"<0000> <ffffffff> <00410042004300440045>\n" * 100
    cmap = stream(b"/CIDInit begincmap 100 beginbfrange\n" + ranges * (size * 200) + b"endbfrange endcmap")
    font = (
        b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/ToUnicode 7 0 R/DescendantFonts[<</Type/Font"
        b"/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(A)/Ordering(B)/Supplement 0>>/DW 500>>]>>"
    )
    return page(stream(b"BT /F2 9 Tf 72 700 Td (" + b"ab" * 500 + b") Tj ET"), b"/Font<</F2 6 0 R>>", font, cmap)


@bomb("widths-of-all-codes.pdf")
def _(size: int) -> bytes:
    widths = b"[" + b"0 2147483647 500 " * (size * 20_000) + b"]"
    font = (
        b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2"
        b"/BaseFont/A/CIDSystemInfo<</Registry(A)/Ordering(B)/Supplement 0>>/W %b>>]>>" % widths
    )
    return page(stream(b"BT /F2 9 Tf 72 700 Td (abab) Tj ET"), b"/Font<</F2 6 0 R>>", font)


@bomb("letters-that-mean-a-book.pdf")
def _(size: int) -> bytes:
    meaning = b"0041" * 250
    cmap = stream(b"/CIDInit begincmap 1 beginbfchar\n<61> <" + meaning + b">\nendbfchar endcmap")
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 7 0 R>>"
    return page(
        stream(b"BT /F2 1 Tf 1 1 Td (" + b"a" * (size * 60_000) + b") Tj ET"), b"/Font<</F2 6 0 R>>", font, cmap
    )


@bomb("font-file-of-nothing.pdf")
def _(size: int) -> bytes:
    file = stream(b"\0\1\0\0\xff\xff" + b"\0" * (size * 200_000_000), b"/Length1 2147483647")
    font = (
        b"<</Type/Font/Subtype/TrueType/BaseFont/A/FirstChar 0/LastChar 255/FontDescriptor"
        b"<</Type/FontDescriptor/FontName/A/FontFile2 7 0 R/Flags 4>>>>"
    )
    return page(stream(b"BT /F2 9 Tf 72 700 Td (abab) Tj ET"), b"/Font<</F2 6 0 R>>", font, file)


@bomb("notes-on-the-page.pdf")
def _(size: int) -> bytes:
    made = page(stream(TEXT), b"", b"<</Type/Annot/Subtype/FreeText/Rect[0 0 9 9]/AP<</N 7 0 R>>>>", form(TEXT * 100))
    return made.replace(b"/MediaBox", b"/Annots[" + b"6 0 R " * (size * 20_000) + b"]/MediaBox")


# DOCX ----------------------------------------------------------------------------------------------------------------

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
PARAGRAPH = "<w:p><w:r><w:t>The fee is 5 dollars.</w:t></w:r></w:p>"


def docx(body: str | bytes, *, head: str = "", more: dict[str, bytes] | None = None) -> bytes:
    """A Word document."""
    inner = body if isinstance(body, bytes) else body.encode()
    whole = b"<?xml version='1.0'?>%b<w:document %b><w:body>%b</w:body></w:document>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
        packed.writestr("word/document.xml", whole % (head.encode(), WORD.encode(), inner))
        for name, data in (more or {}).items():
            packed.writestr(name, data)
    return out.getvalue()


@bomb("spaces.docx")
def _(size: int) -> bytes:
    return docx(PARAGRAPH.encode() + b" " * (size * 300_000_000))


@bomb("paragraphs.docx")
def _(size: int) -> bytes:
    return docx("<w:p/>" * (size * 600_000) + PARAGRAPH)


@bomb("runs-of-one-paragraph.docx")
def _(size: int) -> bytes:
    return docx("<w:p>" + "<w:r><w:t>a</w:t></w:r>" * (size * 150_000) + "</w:p>")


@bomb("one-word.docx")
def _(size: int) -> bytes:
    return docx("<w:p><w:r><w:t>" + "a" * (size * 20_000_000) + "</w:t></w:r></w:p>")


@bomb("entities.docx")
def _(size: int) -> bytes:
    names = "abcdefghij"
    laughs = "".join(f'<!ENTITY {b} "{10 * f"&{a};"}">' for a, b in pairwise(names))
    return docx(
        "<w:p><w:r><w:t>&j;</w:t></w:r></w:p>", head=f'<!DOCTYPE w:document [<!ENTITY a "fee fee fee">{laughs}]>'
    )


@bomb("entity-of-a-file.docx")
def _(size: int) -> bytes:
    return docx("<w:p><w:r><w:t>&a;</w:t></w:r></w:p>", head='<!DOCTYPE d [<!ENTITY a SYSTEM "file:///dev/zero">]>')


@bomb("long-entity-often.docx")
def _(size: int) -> bytes:
    long = "a" * 50_000
    return docx(
        "<w:p><w:r><w:t>" + "&a;" * (size * 20_000) + "</w:t></w:r></w:p>", head=f'<!DOCTYPE d [<!ENTITY a "{long}">]>'
    )


@bomb("tables-in-tables.docx")
def _(size: int) -> bytes:
    depth = size * 2_000
    return docx("<w:tbl><w:tr><w:tc>" * depth + PARAGRAPH + "</w:tc></w:tr></w:tbl>" * depth)


@bomb("elements-in-elements.docx")
def _(size: int) -> bytes:
    return docx("<w:sdt><w:sdtContent>" * (size * 100_000) + PARAGRAPH)


@bomb("cell-over-all-columns.docx")
def _(size: int) -> bytes:
    cell = f'<w:tc><w:tcPr><w:gridSpan w:val="2147483647"/><w:vMerge/></w:tcPr>{PARAGRAPH}</w:tc>'
    return docx("<w:tbl>" + f"<w:tr>{cell * 20}</w:tr>" * (size * 50) + "</w:tbl>")


@bomb("styles-in-a-ring.docx")
def _(size: int) -> bytes:
    count = size * 20_000
    chain = "".join(
        f'<w:style w:type="paragraph" w:styleId="s{number}"><w:basedOn w:val="s{(number + 1) % count}"/></w:style>'
        for number in range(count)
    )
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="s{number}"/></w:pPr><w:r><w:t>Fee {number}.</w:t></w:r></w:p>'
        for number in range(0, count, 10)
    )
    return docx(body, more={"word/styles.xml": f"<w:styles {WORD}>{chain}</w:styles>".encode()})


@bomb("attributes.docx")
def _(size: int) -> bytes:
    many = " ".join(f'a{number}="b"' for number in range(size * 50_000))
    return docx(f"<w:p {many}><w:r><w:t>The fee.</w:t></w:r></w:p>")


@bomb("numbers-of-lists.docx")
def _(size: int) -> bytes:
    item = (
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="8"/><w:numId w:val="%d"/></w:numPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>'
    )
    return docx("".join(item % (2**31 - number) for number in range(size * 20_000)))


@bomb("entries-of-a-package.docx")
def _(size: int) -> bytes:
    return docx(PARAGRAPH, more={f"word/media/{number}.xml": b"" for number in range(size * 20_000)})


@bomb("one-entry-many-times.docx")
def _(size: int) -> bytes:
    """Entries of the package that all lie at the same place."""
    made = bytearray(docx(PARAGRAPH + " " * 3_000_000))
    at = made.rindex(b"PK\x01\x02")
    end = made.rindex(b"PK\x05\x06")
    entry = bytes(made[at:end])
    start = made.index(b"PK\x01\x02")
    count = size * 2_000
    listed = bytes(made[start:end]) + entry * count
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, count + 2, count + 2, len(listed), start, 0)
    return bytes(made[:start]) + listed + tail


@bomb("size-that-is-a-lie.docx")
def _(size: int) -> bytes:
    made = bytearray(docx(PARAGRAPH.encode() + b" " * (size * 200_000_000)))
    at = made.rindex(b"PK\x01\x02")
    made[at + 24 : at + 28] = struct.pack("<I", 1_000)
    return bytes(made)


# HTML ----------------------------------------------------------------------------------------------------------------


def html(body: str, head: str = "") -> bytes:
    """A page."""
    return f"<!doctype html><html><head>{head}</head><body>{body}<p>The fee is 5 dollars.</p></body></html>".encode()


@bomb("deep.html")
def _(size: int) -> bytes:
    return html("<div>" * (size * 100_000))


@bomb("open-formats.html")
def _(size: int) -> bytes:
    return html("<b><i><u><s><a href=x>" * (size * 4_000) + "<p>" * 500)


@bomb("formats-over-blocks.html")
def _(size: int) -> bytes:
    return html("".join(f"<font size={number}><p>" for number in range(size * 3_000)) + "</font>" * (size * 3_000))


@bomb("cells-without-end.html")
def _(size: int) -> bytes:
    return html("<table>" + "<tr>" + "<td colspan=1000000000 rowspan=1000000000>a" * (size * 500) + "</table>")


@bomb("tables-in-tables.html")
def _(size: int) -> bytes:
    return html("<table><tr><td>" * (size * 5_000))


@bomb("attributes.html")
def _(size: int) -> bytes:
    return html("<p " + " ".join(f"a{number}=1" for number in range(size * 60_000)) + ">a</p>")


@bomb("rules-times-elements.html")
def _(size: int) -> bytes:
    rules = "".join(f".a{number} .b * * p:not(.c{number}) {{display:none}}" for number in range(size * 2_000))
    return html("<div class='a1 b'><p class=c1>a</p></div>" * (size * 3_000), f"<style>{rules}</style>")


@bomb("selectors-in-selectors.html")
def _(size: int) -> bytes:
    depth = size * 20_000
    return html("<p class=a>a</p>" * 50, "<style>" + ":not(" * depth + ".a" + ")" * depth + "{display:none}</style>")


@bomb("descendants-of-descendants.html")
def _(size: int) -> bytes:
    return html("<div class=a>" * 90 + "<p>a</p>" * 2_000, "<style>" + ".a " * (size * 60) + ".b{display:none}</style>")


@bomb("variables-of-variables.html")
def _(size: int) -> bytes:
    rules = ";".join(f"--v{number}: var(--v{number + 1}) var(--v{number + 1})" for number in range(size * 40))
    return html("<p style='color:var(--v0)'>a</p>", f"<style>:root{{{rules};--v{size * 40}:red}}</style>")


@bomb("blocks-of-style.html")
def _(size: int) -> bytes:
    return html("", "<style>" + "@media all{" * (size * 50_000) + "p{display:none}</style>")


@bomb("comments.html")
def _(size: int) -> bytes:
    return html("<!--" * (size * 500_000))


@bomb("entities.html")
def _(size: int) -> bytes:
    return html("&CounterClockwiseContourIntegral" * (size * 50_000) + "&" * (size * 500_000))


@bomb("one-sentence.html")
def _(size: int) -> bytes:
    return html("the fee and " * (size * 300_000))


@bomb("selects-and-templates.html")
def _(size: int) -> bytes:
    return html("<template><select><option>" * (size * 20_000))


@bomb("drawings.html")
def _(size: int) -> bytes:
    return html("<svg><foreignObject><math><mtext>" * (size * 10_000))


# Markdown ------------------------------------------------------------------------------------------------------------


def _repeated(name: str, piece: str, count: int, end: str = "\n\nThe fee is 5 dollars.\n") -> None:
    bomb(name)(lambda size: (piece * (size * count) + end).encode())


_repeated("headings.md", "# A\n", 100_000)
_repeated("headings-under-headings.md", "# A\n## B\n### C\n\ntext\n", 10_000)
_repeated("brackets.md", "[", 50_000)
_repeated("images-in-images.md", "![", 50_000)
_repeated("links.md", "[a](", 50_000)
_repeated("stars.md", "*a **a ", 30_000)
_repeated("underscores.md", "_a__b_", 30_000)
_repeated("quotes.md", "> ", 50_000)
_repeated("lists.md", "- ", 50_000)
_repeated("items.md", "1. a\n", 60_000)
_repeated("angles.md", "<a ", 60_000)
_repeated("definitions.md", "[a]: b\n", 60_000)
_repeated("fences.md", "~~~\n", 60_000)
_repeated("escapes.md", "\\", 300_000)
_repeated("columns.md", "|a", 100_000, "|\n" + "|-" * 1_000 + "|\n")
_repeated("entities.md", "&#xfdfa;", 60_000)
_repeated("comments.md", "<!-- ", 60_000)


@bomb("ticks.md")
def _(size: int) -> bytes:
    return (" ".join("`" * (number % 400 + 1) for number in range(size * 3_000)) + "\nThe fee.\n").encode()


@bomb("nested-list.md")
def _(size: int) -> bytes:
    return "".join(f"{'  ' * depth}- a\n" for depth in range(size * 700)).encode()


@bomb("table.md")
def _(size: int) -> bytes:
    return ("|a|b|c|\n|-|-|-|\n" + "|1|2|3|\n" * (size * 60_000)).encode()


# Text ----------------------------------------------------------------------------------------------------------------

_repeated("one-line.txt", "fee ", 1_250_000, "")
_repeated("one-word.txt", "a", 5_000_000, "")
_repeated("headings.txt", "ARTICLE 1\n", 60_000)
_repeated("numbers-of-sections.txt", "1.1.1.1.1.1.1.1\n", 60_000)
_repeated("form-feeds.txt", "\f", 1_000_000, "The fee.")
_repeated("leaders.txt", ". " * 40 + "\n", 20_000)
_repeated("dots.txt", ".", 1_000_000, " The fee.")
_repeated("gaps.txt", "a   ", 300_000, "\n")
_repeated("letters-that-grow.txt", "\ufdfa", 300_000)
_repeated("marks-on-a-letter.txt", "\u0301", 1_000_000)
_repeated("invisible.txt", "\u200b\u202e", 500_000)
_repeated("carriage-returns.txt", "\r", 500_000)
_repeated("digits.txt", "1", 1_000_000)
_repeated("money.txt", "$1,", 300_000)
_repeated("an-open-quote.csv", 'a,"b\n', 60_000)
_repeated("columns.csv", "a,", 1_000_000)
_repeated("rows.csv", "1;2\t3,4\n", 60_000)
_repeated("sentences.txt", "No. 5 v. Mr. A. ", 60_000)
_repeated("abbreviations.txt", "U.S.", 300_000)


@bomb("wide-letters.txt")
def _(size: int) -> bytes:
    return b"\xff\xfe\0\0" + "\U0010fffd".encode("utf-32-le") * (size * 500_000)


@bomb("any-bytes.txt")
def _(size: int) -> bytes:
    return random.Random(3).randbytes(size * 2_000_000)


@bomb("half-letters.txt")
def _(size: int) -> bytes:
    return bytes(random.Random(4).choices(range(128, 256), k=size * 1_000_000)) + b" the fee\n"


# Sheets, slides and mail ---------------------------------------------------------------------------------------------

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
LINKED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "application/vnd.openxmlformats-officedocument"


def package(files: dict[str, str | bytes]) -> bytes:
    """A package of Office of some files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return out.getvalue()


def relations(*targets: tuple[str, str]) -> str:
    """The relations of a part: kinds and targets."""
    rows = "".join(
        f'<Relationship Id="r{at}" Type="{LINKED}/{kind}" Target="{target}"/>'
        for at, (kind, target) in enumerate(targets)
    )
    return f'<Relationships xmlns="{PACKAGE}">{rows}</Relationships>'


def xlsx(sheet: str, *, head: str = "", strings: str = "", more: dict[str, str | bytes] | None = None) -> bytes:
    """A workbook of one sheet."""
    kinds = (("workbook", "sheet.main"), ("worksheets/sheet1", "worksheet"), ("sharedStrings", "sharedStrings"))
    types = "".join(
        f'<Override PartName="/xl/{part}.xml" ContentType="{TYPES}.spreadsheetml.{kind}+xml"/>' for part, kind in kinds
    )
    return package(
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f"{types}</Types>",
            "_rels/.rels": relations(("officeDocument", "xl/workbook.xml")),
            "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{LINKED}"><sheets>'
            '<sheet name="Fees" sheetId="1" r:id="r0"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations(
                ("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml")
            ),
            "xl/worksheets/sheet1.xml": f'{head}<worksheet xmlns="{MAIN}"><sheetData>{sheet}</sheetData></worksheet>',
            "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{strings}</sst>',
            **(more or {}),
        }
    )


def pptx(shapes: str, *, head: str = "", slides: int = 1, more: dict[str, str | bytes] | None = None) -> bytes:
    """A presentation that shows one slide so many times."""
    shown = "".join(f'<p:sldId id="{256 + at}" r:id="r0"/>' for at in range(slides))
    spaces = f'xmlns:p="{SLIDES}" xmlns:a="{DRAWING}" xmlns:r="{LINKED}"'
    kinds = (("presentation", "presentation.main"), ("slides/slide1", "slide"))
    types = "".join(
        f'<Override PartName="/ppt/{part}.xml" ContentType="{TYPES}.presentationml.{kind}+xml"/>'
        for part, kind in kinds
    )
    return package(
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{types}'
            "</Types>",
            "_rels/.rels": relations(("officeDocument", "ppt/presentation.xml")),
            "ppt/presentation.xml": f"<p:presentation {spaces}><p:sldIdLst>{shown}</p:sldIdLst></p:presentation>",
            "ppt/_rels/presentation.xml.rels": relations(("slide", "slides/slide1.xml")),
            "ppt/slides/slide1.xml": f"{head}<p:sld {spaces}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>",
            **(more or {}),
        }
    )


SHAPE = (
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="a"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>'
    "<a:p><a:r><a:t>The fee is 5 dollars.</a:t></a:r></a:p></p:txBody></p:sp>"
)
LAUGHS = "".join(f'<!ENTITY l{at} "{f"&l{at - 1};" * 10}">' for at in range(1, 10))
LAUGHS = f'<!DOCTYPE a [<!ENTITY l0 "lol">{LAUGHS}]>'


@bomb("last-cell-of-all.xlsx")
def _(size: int) -> bytes:
    cell = '<row r="{0}"><c r="{1}{0}"><v>5</v></c></row>'
    return xlsx(cell.format(1, "A") + cell.format(1_048_576, "XFD"))


@bomb("cells.xlsx")
def _(size: int) -> bytes:
    return xlsx("<row>" + "<c><v>5</v></c>" * (size * 1_000_000) + "</row>")


@bomb("rows.xlsx")
def _(size: int) -> bytes:
    return xlsx("<row><c><v>5</v></c></row>" * (size * 500_000))


@bomb("laughs.xlsx")
def _(size: int) -> bytes:
    return xlsx('<row><c t="inlineStr"><is><t>&l9;</t></is></c></row>', head=LAUGHS)


@bomb("one-string-in-all-cells.xlsx")
def _(size: int) -> bytes:
    row = "<row>" + '<c t="s"><v>0</v></c>' * 100 + "</row>"
    return xlsx(row * (size * 300), strings=f"<si><t>{'the fee is 5 dollars ' * 5_000}</t></si>")


@bomb("merged-over-all.xlsx")
def _(size: int) -> bytes:
    made = '<row r="1"><c r="A1"><v>5</v></c></row></sheetData><mergeCells>'
    return xlsx(made + '<mergeCell ref="A1:XFD1048576"/>' * (size * 2_000) + "</mergeCells><sheetData>")


@bomb("deep.xlsx")
def _(size: int) -> bytes:
    return xlsx("<row>" * (size * 200_000))


@bomb("spaces.xlsx")
def _(size: int) -> bytes:
    return xlsx(" " * (size * 300_000_000))


@bomb("packages-in-packages.xlsx")
def _(size: int) -> bytes:
    inner = b"\0" * (size * 30_000_000)
    for at in range(6):
        inner = package({f"xl/{at}{copy}.xlsx": inner for copy in range(4)})
    return xlsx("<row><c><v>5</v></c></row>", more={"xl/embeddings/a.xlsx": inner})


@bomb("packages-in-packages.docx")
def _(size: int) -> bytes:
    inner = b"\0" * (size * 30_000_000)
    for at in range(6):
        inner = package({f"word/{at}{copy}.docx": inner for copy in range(4)})
    return docx(PARAGRAPH, more={"word/embeddings/a.docx": inner})


@bomb("slides.pptx")
def _(size: int) -> bytes:
    return pptx(SHAPE * 100, slides=size * 5_000)


@bomb("groups-in-groups.pptx")
def _(size: int) -> bytes:
    return pptx("<p:grpSp>" * (size * 100_000))


@bomb("laughs.pptx")
def _(size: int) -> bytes:
    return pptx(SHAPE.replace("The fee is 5 dollars.", "&l9;"), head=LAUGHS)


@bomb("shapes.pptx")
def _(size: int) -> bytes:
    return pptx(SHAPE * (size * 50_000))


@bomb("parts-in-parts.eml")
def _(size: int) -> bytes:
    depth = size * 2_000
    opened = "".join(f"Content-Type: multipart/mixed; boundary=b{at}\n\n--b{at}\n" for at in range(depth))
    return f"From: a@b.example\nSubject: Fees\n{opened}\nThe fee is 5 dollars.\n".encode()


@bomb("headers.eml")
def _(size: int) -> bytes:
    return b"From: a@b.example\n" + b"X-A: " + b"=?utf-8?q?a?= " * (size * 200_000) + b"\n\nThe fee is 5 dollars.\n"


@bomb("addresses.eml")
def _(size: int) -> bytes:
    return b"From: a@b.example\nTo: " + b"(((" * (size * 100_000) + b"\n\nThe fee is 5 dollars.\n"


# PDF and text, further ones ------------------------------------------------------------------------------------------


@bomb("predictor-of-wide-rows.pdf")
def _(size: int) -> bytes:
    parms = b"/DecodeParms<</Predictor 15/Colors 32/BitsPerComponent 16/Columns 2000000000>>"
    return page(stream(TEXT + b"\0" * (size * 50_000_000), parms))


@bomb("jbig2-of-nothing.pdf")
def _(size: int) -> bytes:
    segment = struct.pack(">IBBBI", 0, 48, 0, 1, 19) + struct.pack(">IIIIBH", 2**31 - 1, 2**31 - 1, 0, 0, 0, 0)
    region = (
        struct.pack(">IBBBI", 1, 38, 0, 1, 26) + struct.pack(">IIIIBB", 2**31 - 1, 2**31 - 1, 0, 0, 0, 0) + b"\0" * 8
    )
    more = b"/Type/XObject/Subtype/Image/Width 2000000000/Height 2000000000/BitsPerComponent 1/ColorSpace/DeviceGray"
    image = stream(segment + region, more + b"/Filter/JBIG2Decode", packed=False)
    return page(stream(b"/I Do " + TEXT), b"/XObject<</I 6 0 R>>", image)


@bomb("page-as-large-as-a-country.pdf")
def _(size: int) -> bytes:
    return page(stream(TEXT)).replace(b"[0 0 612 792]", b"[-999999999 -999999999 1e30 1e30]/UserUnit 99999999")


@bomb("fax-of-endless-rows.pdf")
def _(size: int) -> bytes:
    parms = b"/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 60000/Rows 2000000000>>"
    more = b"/Type/XObject/Subtype/Image/Width 60000/Height 2000000000/BitsPerComponent 1/ColorSpace/DeviceGray"
    image = stream(b"\xff" * (size * 100_000), more + parms, packed=False)
    return page(stream(b"/I Do " + TEXT), b"/XObject<</I 6 0 R>>", image)


@bomb("filters-upon-filters.pdf")
def _(size: int) -> bytes:
    data = TEXT
    for _ in range(20):
        data = zlib.compress(data, 9)
    return page(stream(data, b"/Filter[" + b"/FlateDecode" * (size * 5_000) + b"]", packed=False))


@bomb("fields-in-fields.pdf")
def _(size: int) -> bytes:
    field = b"<</FT/Tx/T(a)/V(5)/Kids[6 0 R 6 0 R]/Parent 6 0 R>>"
    return page(stream(TEXT), b"", field, catalog=b"/AcroForm<</Fields[6 0 R]/NeedAppearances true>>")


@bomb("structure-in-a-ring.pdf")
def _(size: int) -> bytes:
    node = b"<</S/P/K[6 0 R 6 0 R]/P 6 0 R>>"
    return page(stream(TEXT), b"", node, catalog=b"/StructTreeRoot<</K 6 0 R>>/MarkInfo<</Marked true>>")


@bomb("cells-of-one-table.html")
def _(size: int) -> bytes:
    return html("<table>" + ("<tr>" + "<td>a" * 1_000) * (size * 600) + "</table>")


@bomb("lists-in-quotes.md")
def _(size: int) -> bytes:
    return ("> - 1. " * (size * 4_000) + "a\n\nThe fee is 5 dollars.\n").encode()


@bomb("empty-rows.xlsx")
def _(size: int) -> bytes:
    rows = "".join(f'<row r="{at}"><c r="A{at}"/></row>' for at in range(1, size * 20_000))
    return xlsx(f'{rows}<row r="{size * 20_000}"><c r="A{size * 20_000}"><v>5</v></c></row>')


@bomb("empty-rows.csv")
def _(size: int) -> bytes:
    return b"Item,Cost\n" + b",\n" * (size * 50_000) + b"Fee,5\n"


@bomb("sheets.xlsx")
def _(size: int) -> bytes:
    count = size * 1_000
    shown = "".join(f'<sheet name="S{at}" sheetId="{at + 1}" r:id="r{at}"/>' for at in range(count))
    cell = f'<worksheet xmlns="{MAIN}"><sheetData><row r="1"><c r="A1"><v>5</v></c></row></sheetData></worksheet>'
    more: dict[str, str | bytes] = {
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{LINKED}"><sheets>{shown}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(*(("worksheet", f"worksheets/s{at}.xml") for at in range(count))),
        **{f"xl/worksheets/s{at}.xml": cell for at in range(count)},
    }
    return xlsx("", more=more)


@bomb("fonts-without-maps.pdf")
def _(size: int) -> bytes:
    inner = b"<</Type/Font/Subtype/CIDFontType2/BaseFont/No/CIDSystemInfo<</Registry(A)/Ordering(B)/Supplement 0>>>>"
    font = b"<</Type/Font/Subtype/Type0/BaseFont/No/Encoding/Identity-H/DescendantFonts[%b]>>" % inner
    lines = b"".join(
        b"BT /F 9 Tf 72 %d Td <%b> Tj ET\n" % (760 - at % 700, b"0102030a0b0c" * 9) for at in range(size * 60)
    )
    return page(stream(lines), b"/Font<</F %b>>" % font)


@bomb("picture-of-a-hundred-megapixels.png")
def _(size: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    drawn = zlib.compress(bytes(1_251) * (size * 10_000))
    head = struct.pack(">IIBBBBB", 10_000, size * 10_000, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", drawn) + chunk(b"IEND", b"")


_repeated("quoted-columns.csv", '"a ""b""",', 300_000)
_repeated("one-line-of-markup.html", "<p>fee</p> ", 450_000)
