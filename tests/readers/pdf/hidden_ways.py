"""Ways to draw a sentence so that one does not see it, or sees something else, and ways that only look like it."""

from __future__ import annotations

from collections.abc import Callable

from hidden_pdfs import FULL, OTHER, SENTENCE, Sheet, X, Y, font
from pikepdf import Array, Dictionary, Name, String

# What lies over the sentence.

BLACK, WHITE, GREY, RED = "0 g", "1 g", "0.5 g", "1 0 0 rg"
WHITE_PAGE = "1 g 0 0 612 792 re f"
TURNED = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([1]), C1=Array([0]), N=1)
"""A function that makes white black."""


def over_path(sheet: Sheet, paint: str) -> None:
    sheet.say().put(f"q {paint} Q")


def over_form(sheet: Sheet, paint: str, depth: int = 1, **keys: object) -> None:
    name = sheet.form(paint, **keys)
    for _ in range(depth - 1):
        name = sheet.form(f"{name} Do")
    sheet.say().put(f"q {name} Do Q")


def over_image(sheet: Sheet, grey: int = 0, matrix: str = f"240 0 0 20 {X - 4} {Y - 5}", **keys: object) -> None:
    sheet.say().put(f"q {matrix} cm {sheet.image(grey, **keys)} Do Q")


def over_inline_image(sheet: Sheet) -> None:
    sheet.say().put(f"q 240 0 0 20 {X - 4} {Y - 5} cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x40 EI Q")


def over_stencil(sheet: Sheet, colour: str) -> None:
    mask = sheet.stream(
        b"\x00", Type=Name.XObject, Subtype=Name.Image, Width=1, Height=1, ImageMask=True, BitsPerComponent=1
    )
    name = sheet.name("XObject", sheet.pdf.make_indirect(mask))
    sheet.say().put(f"q {colour} 240 0 0 20 {X - 4} {Y - 5} cm {name} Do Q")


def shading(sheet: Sheet, first: tuple[float, ...] = (0.2, 0.2, 0.9), last: tuple[float, ...] = (0.9, 0.2, 0.2)) -> str:
    function = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array(list(first)), C1=Array(list(last)), N=1)
    shade = Dictionary(
        ShadingType=2,
        ColorSpace=Name.DeviceRGB,
        Coords=Array([X, Y, X + 200, Y]),
        Function=function,
        Extend=Array([True, True]),
    )
    return sheet.name("Shading", shade)


def over_shading(sheet: Sheet) -> None:
    sheet.say().put(f"q {FULL} W n {shading(sheet)} sh Q")


def shading_pattern(sheet: Sheet, *colours: tuple[float, ...]) -> str:
    name = shading(sheet, *colours)
    return sheet.name("Pattern", Dictionary(Type=Name.Pattern, PatternType=2, Shading=sheet.named["Shading"][name]))


def tiling(sheet: Sheet, paint: str) -> str:
    made = sheet.stream(
        paint,
        Type=Name.Pattern,
        PatternType=1,
        PaintType=1,
        TilingType=1,
        BBox=Array([0, 0, 10, 10]),
        XStep=10,
        YStep=10,
        Resources=Dictionary(),
    )
    return sheet.name("Pattern", sheet.pdf.make_indirect(made))


def over_shading_pattern(sheet: Sheet) -> None:
    sheet.say().put(f"q /Pattern cs {shading_pattern(sheet)} scn {FULL} f Q")


def over_tiling(sheet: Sheet) -> None:
    sheet.say().put(f"q /Pattern cs {tiling(sheet, '0.3 g 0 0 10 10 re f')} scn {FULL} f Q")


def separation(sheet: Sheet, tint: tuple[float, ...] = (0, 0, 0, 1)) -> str:
    function = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([0, 0, 0, 0]), C1=Array(list(tint)), N=1)
    space = Array([Name.Separation, Name("/Ink"), Name.DeviceCMYK, function])
    return sheet.name("ColorSpace", space)


def over_separation(sheet: Sheet) -> None:
    sheet.say().put(f"q {separation(sheet)} cs 1 scn {FULL} f Q")


def over_itself(sheet: Sheet, colour: str) -> None:
    sheet.say().say(colour)


def over_stroked_letters(sheet: Sheet, colour: str) -> None:
    sheet.say().put("q").say(f"{colour} 9 w 1 Tr").put("Q")


def over_blocks(sheet: Sheet) -> None:
    squares = "n" * 32
    sheet.say().put(f"q BT /F3 20 Tf -7 Tc {X - 4} {Y - 4} Td ({squares}) Tj ET Q")


def over_type3(sheet: Sheet) -> None:
    name = type3(sheet, "500 0 0 -300 1000 1300 d1 0 -300 1000 1300 re f")
    sheet.say().put(f"BT {name} 12 Tf {X} {Y} Td ({'a' * 40}) Tj ET")


def over_piece_by_piece(sheet: Sheet, width: float) -> None:
    pieces = " ".join(f"{X - 4 + width * at} {Y - 5} {width} 20 re f" for at in range(int(240 / width)))
    sheet.say().put(f"q 0 g {pieces} Q")


def over_hatch(sheet: Sheet, step: float, width: float) -> None:
    lines = " ".join(
        f"{X - 4} {Y - 5 + step * at} m {X + 236} {Y - 5 + step * at} l S" for at in range(int(20 / step) + 1)
    )
    sheet.say().put(f"q 0 G {width} w {lines} Q")


# Colours.


def on_ground(sheet: Sheet, ground: str, text: str) -> None:
    sheet.put(f"q {ground} {FULL} f Q", "q").say(text).put("Q")


def on_ground_painted(sheet: Sheet, ground: str, text: str) -> None:
    sheet.put("q", ground, "Q").say(text)


def form_under(sheet: Sheet, text: str, paint: str) -> None:
    shown = f"{text} BT /F1 12 Tf {X} {Y} Td ({sheet.text}) Tj ET"
    sheet.put(f"{sheet.form(shown)} Do", paint)


def coloured(sheet: Sheet, text: str) -> None:
    sheet.put("q").say(text).put("Q")


def on_image(sheet: Sheet, grey: int, text: str) -> None:
    sheet.put(f"q 240 0 0 20 {X - 4} {Y - 5} cm {sheet.image(grey)} Do Q", "q").say(text).put("Q")


def on_form(sheet: Sheet, ground: str, text: str) -> None:
    sheet.put(f"q {sheet.form(f'{ground} {FULL} f')} Do Q", "q").say(text).put("Q")


def on_shading(sheet: Sheet, same: bool) -> None:
    blue = (0.2, 0.2, 0.9)
    sheet.put(f"q {FULL} W n {shading(sheet, blue, blue)} sh Q", "q")
    sheet.say("0.2 0.2 0.9 rg" if same else "1 g").put("Q")


def pattern_on_pattern(sheet: Sheet) -> None:
    pattern = shading_pattern(sheet)
    sheet.put(f"q /Pattern cs {pattern} scn {FULL} f Q", "q").say(f"/Pattern cs {pattern} scn").put("Q")


def in_pattern(sheet: Sheet, *colours: tuple[float, ...]) -> None:
    sheet.put("q").say(f"/Pattern cs {shading_pattern(sheet, *colours)} scn").put("Q")


def in_tiling(sheet: Sheet, paint: str) -> None:
    sheet.put("q").say(f"/Pattern cs {tiling(sheet, paint)} scn").put("Q")


def in_separation(sheet: Sheet, tint: float, ground: str | None = None) -> None:
    if ground:
        sheet.put(f"q {ground} {FULL} f Q")
    sheet.put("q").say(f"{separation(sheet)} cs {tint} scn").put("Q")


def in_indexed(sheet: Sheet, at: int) -> None:
    space = sheet.name("ColorSpace", Array([Name.Indexed, Name.DeviceRGB, 1, String(b"\xff\xff\xff\x10\x10\x10")]))
    sheet.put("q").say(f"{space} cs {at} scn").put("Q")


def in_calibrated(sheet: Sheet, value: float) -> None:
    space = sheet.name("ColorSpace", Array([Name.CalGray, Dictionary(WhitePoint=Array([0.95, 1, 1.09]))]))
    sheet.put("q").say(f"{space} cs {value} scn").put("Q")


def in_lab(sheet: Sheet, light: float) -> None:
    white = Dictionary(WhitePoint=Array([0.9642, 1, 0.8249]), Range=Array([-100, 100, -100, 100]))
    space = sheet.name("ColorSpace", Array([Name.Lab, white]))
    sheet.put("q").say(f"{space} cs {light} 0 0 scn").put("Q")


# Opacity.


def with_state(sheet: Sheet, colour: str = "0 g", ground: str = "", **keys: object) -> None:
    if ground:
        sheet.put(f"q {ground} {FULL} f Q")
    sheet.put(f"q {sheet.gs(**keys)} gs").say(colour).put("Q")


def with_state_on_form(sheet: Sheet, depth: int = 1, **keys: object) -> None:
    inner = sheet.form(f"BT /F1 12 Tf {X} {Y} Td ({sheet.text}) Tj ET", Group=Dictionary(S=Name.Transparency))
    for _ in range(depth - 1):
        inner = sheet.form(f"{inner} Do")
    sheet.put(f"q {sheet.gs(**keys)} gs {inner} Do Q")


def under_state(sheet: Sheet, ground: str, times: int = 1, **keys: object) -> None:
    sheet.say().put(f"q {sheet.gs(**keys)} gs {ground}", *[f"{FULL} f"] * times, "Q")


def in_knockout(sheet: Sheet, before: str = "", after: str = "") -> None:
    ops = f"{before} BT /F1 12 Tf {X} {Y} Td ({sheet.text}) Tj ET {after}"
    sheet.put(f"{sheet.form(ops, Group=Dictionary(S=Name.Transparency, K=True, I=True))} Do")


def mask(sheet: Sheet, kind: str, paint: str, **keys: object) -> Dictionary:
    group = sheet.stream(
        paint,
        Type=Name.XObject,
        Subtype=Name.Form,
        BBox=Array([0, 0, 612, 792]),
        Group=Dictionary(S=Name.Transparency, CS=Name.DeviceGray),
        Resources=Dictionary(),
    )
    return Dictionary(Type=Name.Mask, S=Name(f"/{kind}"), G=sheet.pdf.make_indirect(group), **keys)


def masked(sheet: Sheet, kind: str, paint: str, **keys: object) -> None:
    with_state(sheet, SMask=mask(sheet, kind, paint, **keys))


def masked_form(sheet: Sheet, kind: str, paint: str) -> None:
    with_state_on_form(sheet, SMask=mask(sheet, kind, paint))


# Optional content.


def marked(sheet: Sheet, value: object) -> None:
    name = sheet.name("Properties", value)
    sheet.put(f"/OC {name} BDC").say().put("EMC")


def off_layer(sheet: Sheet, config: str, how: str = "mark") -> None:
    group, other = sheet.layer(), sheet.layer()
    keys: dict[str, object] = {
        "off": {"OFF": Array([group])},
        "base": {"BaseState": Name.OFF},
        "base_other": {"BaseState": Name.OFF, "ON": Array([other])},
        "base_on": {"BaseState": Name.OFF, "ON": Array([group])},
        "on": {},
        "other_off": {"OFF": Array([other])},
    }[config]  # type: ignore[assignment]
    sheet.layers([group, other], **keys)
    _LAYERED[how](sheet, group, other)


def _marks(sheet: Sheet, *groups: object) -> str:
    return " ".join(f"/OC {sheet.name('Properties', group)} BDC" for group in groups)


def _form(sheet: Sheet, **keys: object) -> str:
    return sheet.form(f"BT /F1 12 Tf {X} {Y} Td ({sheet.text}) Tj ET", **keys)


def _in_form(sheet: Sheet, group: object, _: object) -> None:
    mark = _marks(sheet, group)
    sheet.put(f"{sheet.form(f'{mark} BT /F1 12 Tf {X} {Y} Td ({sheet.text}) Tj ET EMC')} Do")


def _deep_form(sheet: Sheet, group: object, _: object) -> None:
    form = sheet.form(f"{_form(sheet)} Do", OC=group)
    sheet.put(f"{sheet.form(f'{form} Do')} Do")


def _on_hidden_ground(sheet: Sheet, group: object, _: object) -> None:
    sheet.put(f"q 240 0 0 20 {X - 4} {Y - 5} cm {sheet.image(0, OC=group)} Do Q", "q").say("1 g").put("Q")


_LAYERED: dict[str, Callable[[Sheet, object, object], object]] = {
    "mark": lambda sheet, group, _: marked(sheet, group),
    "nested": lambda sheet, group, other: sheet.put(_marks(sheet, other, group)).say().put("EMC EMC"),
    "outer": lambda sheet, group, other: sheet.put(_marks(sheet, group, other)).say().put("EMC EMC"),
    "span": lambda sheet, group, _: sheet.put(f"{_marks(sheet, group)} /Span <</MCID 0>> BDC").say().put("EMC EMC"),
    "in_form": _in_form,
    "form": lambda sheet, group, _: sheet.put(f"{_form(sheet, OC=group)} Do"),
    "deep_form": _deep_form,
    "form_marked": lambda sheet, group, _: sheet.put(f"{_marks(sheet, group)} {_form(sheet)} Do EMC"),
    "ground": _on_hidden_ground,
    "cover": lambda sheet, group, _: sheet.say().put(f"{_marks(sheet, group)} 0 g {FULL} f EMC"),
}


def membership(sheet: Sheet, policy: str, first_off: bool = True, second_off: bool = False) -> None:
    first, second = sheet.layer(), sheet.layer()
    off = [group for group, is_off in ((first, first_off), (second, second_off)) if is_off]
    sheet.layers([first, second], OFF=Array(off))
    value = Dictionary(Type=Name.OCMD, OCGs=Array([first, second]), P=Name(f"/{policy}"))
    marked(sheet, sheet.pdf.make_indirect(value))


def expression(sheet: Sheet, operator: str, off: bool) -> None:
    first, second = sheet.layer(), sheet.layer()
    sheet.layers([first, second], OFF=Array([first] if off else []))
    members = [first] if operator == "Not" else [first, second]
    value = Dictionary(Type=Name.OCMD, VE=Array([Name(f"/{operator}"), *members]))
    marked(sheet, sheet.pdf.make_indirect(value))


def viewed(sheet: Sheet, state: str) -> None:
    group = sheet.layer(View=Dictionary(ViewState=Name(f"/{state}")))
    rule = Dictionary(Event=Name.View, OCGs=Array([group]), Category=Array([Name.View]))
    sheet.layers([group], AS=Array([rule]), ON=Array([group] if state == "OFF" else []))
    marked(sheet, group)


# Clips.


def clipped(sheet: Sheet, clip: str) -> None:
    sheet.put(f"q {clip}").say().put("Q")


def clipped_form(sheet: Sheet, box: str, matrix: str = "1 0 0 1 0 0", depth: int = 1) -> None:
    name = sheet.form(
        f"BT /F1 12 Tf {X} {Y} Td ({sheet.text}) Tj ET",
        box,
        Matrix=Array([float(value) for value in matrix.split()]),
    )
    for _ in range(depth - 1):
        name = sheet.form(f"{name} Do")
    sheet.put(f"q {name} Do Q")


def clipped_by_text(sheet: Sheet, x: float) -> None:
    sheet.put(f"q BT /F1 14 Tf {x} 200 Td 7 Tr (some words) Tj ET").say("0 Tr").put("Q")


def filled_through_letters(sheet: Sheet) -> None:
    sheet.put("q").say("7 Tr", font="/F1 14 Tf").put(f"0 0 0.6 rg {FULL} f Q")


# Fonts.


def type3(sheet: Sheet, glyph: str, size: float = 0.001, letters: str = SENTENCE + OTHER + "a") -> str:
    codes = sorted({ord(letter) for letter in letters} | {0x20})
    procedure = sheet.pdf.make_indirect(sheet.stream(glyph))
    blank = sheet.pdf.make_indirect(sheet.stream("500 0 d0"))
    names = {code: f"/g{code}" for code in codes}
    differences: list[object] = []
    for code in codes:
        differences += [code, Name(names[code])]
    made = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type3,
        FontBBox=Array([0, -200, 1000, 1000]),
        FontMatrix=Array([size, 0, 0, size, 0, 0]),
        CharProcs=Dictionary({names[code]: blank if code == 0x20 else procedure for code in codes}),
        Encoding=Dictionary(Type=Name.Encoding, Differences=Array(differences)),
        FirstChar=codes[0],
        LastChar=codes[-1],
        Widths=Array([500 if code in names else 0 for code in range(codes[0], codes[-1] + 1)]),
        Resources=Dictionary(),
        ToUnicode=sheet.stream(to_unicode({code: chr(code) for code in codes})),
    )
    return sheet.name("Font", sheet.pdf.make_indirect(made))


def in_type3(sheet: Sheet, glyph: str, size: float = 0.001) -> None:
    sheet.say(font=f"{type3(sheet, glyph, size)} 12 Tf")


def to_unicode(codes: dict[int, str]) -> str:
    lines = [f"<{code:02X}> <{text.encode('utf-16-be').hex().upper()}>" for code, text in sorted(codes.items())]
    blocks = "".join(
        f"{len(lines[at : at + 90])} beginbfchar\n" + "\n".join(lines[at : at + 90]) + "\nendbfchar\n"
        for at in range(0, len(lines), 90)
    )
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def /CMapType 2 def\n"
        f"1 begincodespacerange <00> <FF> endcodespacerange\n{blocks}endcmap end end"
    )


def _eexec(data: bytes, key: int, lead: int = 4) -> bytes:
    out = bytearray()
    for byte in bytes(lead) + data:
        coded = byte ^ (key >> 8)
        out.append(coded)
        key = ((coded + key) * 52845 + 22719) & 0xFFFF
    return bytes(out)


def _number(value: int) -> bytes:
    if -107 <= value <= 107:
        return bytes([value + 139])
    return b"\xff" + value.to_bytes(4, "big", signed=True)


def type1_program(glyphs: dict[str, bytes]) -> tuple[bytes, int, int]:
    """A Type 1 font: each glyph is the code of its outline."""
    head = (
        b"%!PS-AdobeFont-1.0: Made\n11 dict begin /FontInfo 1 dict dup begin end readonly def /FontName /Made def\n"
        b"/PaintType 0 def /FontType 1 def /FontMatrix [0.001 0 0 0.001 0 0] readonly def\n"
        b"/Encoding StandardEncoding def /FontBBox {0 -200 1000 900} readonly def currentdict end\ncurrentfile eexec\n"
    )
    private = (
        b"dup /Private 8 dict dup begin /RD {string currentfile exch readstring pop} executeonly def "
        b"/ND {noaccess def} executeonly def /NP {noaccess put} executeonly def /BlueValues [] def "
        b"/password 5839 def /lenIV 4 def\n2 index /CharStrings " + str(len(glyphs)).encode() + b" dict dup begin\n"
    )
    for name, code in glyphs.items():
        coded = _eexec(code, 4330)
        private += b"/" + name.encode() + b" " + str(len(coded)).encode() + b" RD " + coded + b" ND\n"
    private += b"end end readonly put noaccess put dup /FontName get exch definefont pop mark currentfile closefile\n"
    body = _eexec(private, 55665)
    return head + body + b"0" * 512 + b"\ncleartomark\n", len(head), len(body)


def embedded(sheet: Sheet, outline: bytes) -> str:
    """A font of its own in which all letters have the same outline."""
    names = {code: GLYPH_NAMES.get(chr(code), chr(code)) for code in {ord(letter) for letter in SENTENCE + OTHER}}
    plain = _number(0) + _number(500) + b"\x0d"  # hsbw
    glyphs = {".notdef": plain + b"\x0e"}
    glyphs |= {name: plain + (b"" if name == "space" else outline) + b"\x0e" for name in names.values()}
    program, first, second = type1_program(glyphs)
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=Name("/AAAAAA+Made"),
        Flags=32,
        FontBBox=Array([0, -200, 1000, 900]),
        ItalicAngle=0,
        Ascent=800,
        Descent=-200,
        CapHeight=700,
        StemV=80,
        FontFile=sheet.stream(program, Length1=first, Length2=second, Length3=525),
    )
    made = font(
        "AAAAAA+Made",
        FirstChar=32,
        LastChar=126,
        Widths=Array([500] * 95),
        FontDescriptor=sheet.pdf.make_indirect(descriptor),
    )
    return sheet.name("Font", sheet.pdf.make_indirect(made))


GLYPH_NAMES = {
    " ": "space",
    ".": "period",
    **dict(zip("0123456789", "zero one two three four five six seven eight nine".split(), strict=True)),
}
SQUARE = (
    _number(50)
    + _number(0)
    + b"\x15"  # rmoveto
    + _number(350)
    + b"\x06"
    + _number(600)
    + b"\x07"
    + _number(-350)
    + b"\x06"
    + b"\x09"
)


def in_embedded(sheet: Sheet, outline: bytes) -> None:
    sheet.say(font=f"{embedded(sheet, outline)} 12 Tf")


# Size and place.


def cropped(sheet: Sheet, crop: tuple[float, ...], rotate: int = 0, at: str = f"{X} {Y} Td") -> None:
    sheet.page["CropBox"] = Array(list(crop))
    if rotate:
        sheet.page["Rotate"] = rotate
    sheet.say(at=at)


def shifted(sheet: Sheet, box: tuple[float, ...], at: str) -> None:
    sheet.box = box
    sheet.say(at=at)


def rotated(sheet: Sheet, turn: int, at: str) -> None:
    sheet.page["Rotate"] = turn
    sheet.say(at=at)


def through_forms(sheet: Sheet, depth: int, matrix: str, inner: str = "") -> None:
    name = sheet.form(f"BT /F1 12 Tf {inner} {X} {Y} Td ({sheet.text}) Tj ET")
    for _ in range(depth - 1):
        name = sheet.form(f"{name} Do")
    sheet.put(f"q {matrix} cm {name} Do Q")


# Text that is not what its glyphs show.


def actual(sheet: Sheet, shown: str, kind: str = "inline") -> None:
    claimed = sheet.text
    text = f"({claimed})" if kind != "utf16" else "<FEFF" + claimed.encode("utf-16-be").hex() + ">"
    if kind == "property":
        name = sheet.name("Properties", Dictionary(ActualText=String(claimed)))
        sheet.put(f"/Span {name} BDC").say(text=shown).put("EMC")
    elif kind == "form":
        form = sheet.form(f"/Span <</ActualText {text}>> BDC BT /F1 12 Tf {X} {Y} Td ({shown}) Tj ET EMC")
        sheet.put(f"{form} Do")
    elif kind == "nested":
        sheet.put(f"/P <</MCID 0>> BDC /Span <</ActualText {text}>> BDC").say(text=shown).put("EMC EMC")
    elif kind == "word":
        sheet.put(
            f"BT /F1 12 Tf {X} {Y} Td (The fee of ) Tj /Span <</ActualText {text}>> BDC ({shown}) Tj EMC "
            "( stands.) Tj ET"
        )
    elif kind == "letters":
        pieces = " ".join(f"({letter}) Tj" for letter in shown)
        sheet.put(f"/Span <</ActualText {text}>> BDC BT /F1 12 Tf {X} {Y} Td {pieces} ET EMC")
    else:
        sheet.put(f"/Span <</ActualText {text}>> BDC").say(text=shown).put("EMC")


def swapped(sheet: Sheet, table: dict[str, str], base: str = "Helvetica", by: str = "unicode") -> None:
    """Glyphs that claim to be others: `table` says what each claims to be."""
    shown = {claimed: glyph for glyph, claimed in table.items()}
    if by == "unicode":
        codes = {code: table.get(chr(code), chr(code)) for code in range(32, 127)}
        made = font(base, ToUnicode=sheet.stream(to_unicode(codes)))
        drawn = "".join(shown.get(letter, letter) for letter in sheet.text)
    elif by == "duplicate":
        # The honest codes stay, and codes above them draw other glyphs under the same names.
        high = {claimed: 0xC0 + at for at, claimed in enumerate(sorted(shown))}
        codes = {code: chr(code) for code in range(32, 127)} | {code: text for text, code in high.items()}
        names: list[object] = []
        for claimed, code in high.items():
            names += [code, Name("/" + GLYPH_NAMES.get(shown[claimed], shown[claimed]))]
        made = font(
            base,
            ToUnicode=sheet.stream(to_unicode(codes)),
            Encoding=Dictionary(BaseEncoding=Name.WinAnsiEncoding, Differences=Array(names)),
        )
        drawn = "".join(f"\\{high[letter]:03o}" if letter in high else letter for letter in sheet.text)
    else:
        names = []
        for claimed, glyph in shown.items():
            names += [ord(claimed), Name("/" + GLYPH_NAMES.get(glyph, glyph))]
        codes = {code: chr(code) for code in range(32, 127)}
        made = font(
            base,
            ToUnicode=sheet.stream(to_unicode(codes)),
            Encoding=Dictionary(BaseEncoding=Name.WinAnsiEncoding, Differences=Array(names)),
        )
        drawn = sheet.text
    name = sheet.name("Font", sheet.pdf.make_indirect(made))
    sheet.say(font=f"{name} 12 Tf", text=drawn)


DIGITS = dict(zip("0123456789", "7894561230", strict=True))
PAIR = {"4": "1", "1": "4"}
LETTERS = dict(zip("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm", strict=True))
TO_SENTENCE = dict(zip(OTHER.replace(" ", ""), SENTENCE.replace(" ", ""), strict=False))


def zero_width(sheet: Sheet) -> None:
    """Letters of no width and no ink that spell the sentence in tag characters."""
    codes = {0x80 + at: chr(0xE0000 + ord(letter)) for at, letter in enumerate(sorted(set(SENTENCE + OTHER)))}
    back = {chr(ord(text) - 0xE0000): code for code, text in codes.items()}
    made = font("Helvetica", ToUnicode=sheet.stream(to_unicode(codes | {ord("A"): "A"})))
    name = sheet.name("Font", sheet.pdf.make_indirect(made))
    drawn = "".join(f"\\{back[letter]:03o}" for letter in sheet.text)
    sheet.say("3 Tr", font=f"{name} 12 Tf", text=drawn)
