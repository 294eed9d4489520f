"""The cases: a family, a name and how the sentence is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from hidden_pdfs import FULL, OTHER, Case, X, Y
from hidden_ways import (
    BLACK,
    DIGITS,
    GREY,
    LETTERS,
    PAIR,
    RED,
    SQUARE,
    TURNED,
    WHITE,
    WHITE_PAGE,
    actual,
    clipped,
    clipped_by_text,
    clipped_form,
    coloured,
    cropped,
    expression,
    filled_through_letters,
    form_under,
    in_calibrated,
    in_embedded,
    in_indexed,
    in_knockout,
    in_lab,
    in_pattern,
    in_separation,
    in_tiling,
    in_type3,
    masked,
    masked_form,
    membership,
    off_layer,
    on_form,
    on_ground,
    on_ground_painted,
    on_image,
    on_shading,
    over_blocks,
    over_form,
    over_hatch,
    over_image,
    over_inline_image,
    over_itself,
    over_path,
    over_piece_by_piece,
    over_separation,
    over_shading,
    over_shading_pattern,
    over_stencil,
    over_stroked_letters,
    over_tiling,
    over_type3,
    pattern_on_pattern,
    rotated,
    shifted,
    swapped,
    through_forms,
    under_state,
    viewed,
    with_state,
    with_state_on_form,
    zero_width,
)
from pikepdf import Array, Dictionary, Name, String


def _hidden_covered() -> Iterator[Case]:
    for name, colour in {"black": BLACK, "white": WHITE, "grey": GREY, "red": RED, "cmyk": "0 0 0 1 k"}.items():
        yield Case("covered", f"rectangle, {name}", partial(over_path, paint=f"{colour} {FULL} f"))
    circle = f"{X + 100} {Y + 200} m {X + 500} {Y + 200} {X + 500} {Y - 200} {X + 100} {Y - 200} c "
    circle += f"{X - 300} {Y - 200} {X - 300} {Y + 200} {X + 100} {Y + 200} c"
    paints = {
        "rectangle stroked and filled": f"0.4 g 0 G 2 w {FULL} B",
        "polygon": f"0 g {X - 9} {Y - 9} m {X + 300} {Y - 9} l {X + 300} {Y + 30} l {X - 9} {Y + 30} l h f*",
        "curve": f"1 g {circle} f",
        "thick line": f"0 G 24 w {X - 5} {Y + 4} m {X + 240} {Y + 4} l S",
        "thick white line": f"1 G 24 w {X - 5} {Y + 4} m {X + 240} {Y + 4} l S",
        "thick line by matrix": "0 G 0.1 0 0 0.1 0 0 cm 240 w "
        f"{10 * X - 50} {10 * Y + 40} m {10 * X + 2400} {10 * Y + 40} l S",
        "dashes": f"0 G 24 w [30 0.01] 0 d {X - 5} {Y + 4} m {X + 240} {Y + 4} l S",
        "slanted line": f"0 G 60 w {X - 30} {Y - 4} m {X + 280} {Y + 12} l S",
        "rectangle by matrix": f"0 g 240 0 0 20 {X - 4} {Y - 5} cm 0 0 1 1 re f",
        "whole page": "1 g 0 0 612 640 re f",
        "clipped rectangle": f"{FULL} W n 0 g 0 0 612 640 re f",
        "two halves": f"0 g {X - 4} {Y - 5} 100 20 re f {X + 96} {Y - 5} 140 20 re f",
        "two bands": f"0 g {X - 4} {Y - 5} 240 10 re f {X - 4} {Y + 4} 240 10 re f",
        "dot of a round pen": f"1 J 300 w {X + 100} {Y} m {X + 100} {Y} l S",
        "dots of a square pen": "2 J 24 w "
        + " ".join(f"{X + 20 * at} {Y + 4} m {X + 20 * at} {Y + 4} l S" for at in range(12)),
        "slices": "1 g " + " ".join(f"{X - 4} {Y - 5 + at} 240 0.8 re f" for at in range(20)),
        "checks": "1 g "
        + " ".join(f"{X - 4 + 2 * at} {Y - 5 + 2 * row} 1.9 1.9 re f" for at in range(110) for row in range(10)),
        "turned square": f"0.7 0.7 -0.7 0.7 {X + 100} {Y} cm 0 g -90 -90 180 180 re f",
        "one path of many": "0 g " + " ".join(f"{X - 4 + 4 * at} {Y - 5} 4 20 re" for at in range(60)) + " f",
    }
    for name, paint in paints.items():
        yield Case("covered", name, partial(over_path, paint=paint))
    for width in (0.5, 3, 8, 40):
        yield Case("covered", f"pieces of {width}", partial(over_piece_by_piece, width=width))
    yield Case("covered", "hatch", partial(over_hatch, step=1, width=1.2))
    yield Case("covered", "lines side by side", partial(over_hatch, step=4, width=4.4))
    for depth in (1, 2, 3, 12):
        yield Case("covered", f"form {depth} deep", partial(over_form, paint=f"0 g {FULL} f", depth=depth))
    yield Case(
        "covered",
        "form with matrix",
        partial(over_form, paint="0 g 0 0 1 1 re f", box="0 0 1 1", Matrix=Array([240, 0, 0, 20, X - 4, Y - 5])),
    )
    yield Case(
        "covered",
        "transparency group",
        partial(over_form, paint=f"1 g {FULL} f", Group=Dictionary(S=Name.Transparency)),
    )
    for grey in (0, 128, 255):
        yield Case("covered", f"image, {grey}", partial(over_image, grey=grey))
    yield Case("covered", "turned image", partial(over_image, grey=90, matrix=f"0 20 -240 0 {X + 236} {Y - 5}"))
    yield Case("covered", "whole page image", partial(over_image, grey=230, matrix="612 0 0 640 0 0"))
    yield Case("covered", "inline image", over_inline_image)
    yield Case("covered", "stencil", partial(over_stencil, colour="0 g"))
    yield Case("covered", "white stencil", partial(over_stencil, colour="1 g"))
    yield Case("covered", "shading", over_shading)
    yield Case("covered", "shading pattern", over_shading_pattern)
    yield Case("covered", "tiling", over_tiling)
    yield Case("covered", "separation", over_separation)
    yield Case("covered", "white and bold", partial(over_itself, colour="2 Tr 1 w 1 g 1 G"))


def _hidden_covered_2() -> Iterator[Case]:
    yield Case("covered", "white strokes", partial(over_stroked_letters, colour="1 G"))
    yield Case("covered", "squares of a font", over_blocks)
    yield Case("covered", "type 3 boxes", over_type3)


def _hidden_annotation() -> Iterator[Case]:
    box = "0 0 240 20 re f"
    for subtype in ("Square", "Stamp", "FreeText", "Redact", "Highlight", "Ink", "Link", "Text"):
        yield Case("annotation", subtype, lambda sheet, subtype=subtype: sheet.say().annotate(subtype, f"0 g {box}"))
    yield Case("annotation", "line", lambda sheet: sheet.say().annotate("Line", "0 G 20 w 0 10 m 240 10 l S"))
    yield Case(
        "annotation",
        "thick border",
        lambda sheet: sheet.say().annotate("Square", None, C=Array([0, 0, 0]), BS=Dictionary(W=60)),
    )
    yield Case("annotation", "white square", lambda sheet: sheet.say().annotate("Square", f"1 g {box}"))
    yield Case(
        "annotation",
        "square without appearance",
        lambda sheet: sheet.say().annotate("Square", None, IC=Array([0, 0, 0]), C=Array([0, 0, 0])),
    )
    yield Case(
        "annotation",
        "widget",
        lambda sheet: sheet.say().annotate("Widget", f"0.8 g {box}", FT=Name.Btn, T=String("b"), Ff=65536),
    )
    yield Case(
        "annotation",
        "two halves",
        lambda sheet: (
            sheet.say()
            .annotate("Square", "0 g 0 0 120 20 re f", f"{X - 4} {Y - 5} 120 20")
            .annotate("Square", "0 g 0 0 120 20 re f", f"{X + 116} {Y - 5} 120 20")
        ),
    )


def _hidden_colour() -> Iterator[Case]:
    grounds = {
        "white on nothing": (None, "1 g"),
        "rgb white": (None, "1 1 1 rg"),
        "cmyk white": (None, "0 0 0 0 k"),
        "nearly white": (None, "0.985 g"),
        "ivory": (None, "1 1 0.98 rg"),
        "black on black": ("0 g", "0 g"),
        "rgb on rgb": ("0.1 0.3 0.7 rg", "0.1 0.3 0.7 rg"),
        "nearly the same": ("0.1 0.3 0.7 rg", "0.11 0.3 0.7 rg"),
        "grey on grey": ("0.6 g", "0.6 g"),
        "cmyk on cmyk": ("0.3 0.2 0.9 0.1 k", "0.3 0.2 0.9 0.1 k"),
        "grey on rgb": ("0.5 0.5 0.5 rg", "0.5 g"),
        "yellow on yellow": ("1 1 0 rg", "1 1 0 rg"),
        "cream on cream": ("1 0.95 0.8 rg", "1 0.95 0.8 rg"),
        "white outlines": (None, "1 Tr 1 G"),
        "white both": (None, "2 Tr 1 g 1 G"),
        "black outlines on black": ("0 g", "1 Tr 0 G"),
        "outlines of no width in white": (None, "1 Tr 0 w 1 G"),
        "white on a white rectangle": ("1 g", "1 g"),
    }
    for name, (ground, text) in grounds.items():
        draw = partial(on_ground, ground=ground, text=text) if ground else partial(coloured, text=text)
        yield Case("colour", name, draw)
    line = f"24 w {X - 5} {Y + 4} m {X + 240} {Y + 4} l S"
    nowhere = f"{X} 0 m {X} 792 l {X} 0 l 600 0 l h"  # Corners of a rectangle, but no area.
    white_on = {
        "a rectangle that is clipped away": f"q 0 0 9 9 re W n 0 g {FULL} f Q",
        "a rectangle that is clipped to nothing": f"q {nowhere} W n 0 g {FULL} f Q",
        "corners of a rectangle": f"0 g {nowhere} f",
        "a rectangle that is cut out": f"0 g {FULL} {FULL} f*",
        "black strips and a white rectangle": f"0 g {FULL} f 1 g 0 0 612 640 re f",
    }
    for name, ground in white_on.items():
        yield Case("colour", f"white on {name}", partial(on_ground_painted, ground=ground, text="1 g"))
    yield Case("colour", "black on a black line", partial(on_ground_painted, ground=f"0 G {line}", text="0 g"))
    yield Case("colour", "black between lines", partial(on_ground_painted, ground=f"0 g 0 G {FULL} B", text="0 g"))
    yield Case("clip", "corners of a rectangle", partial(clipped, clip=f"{nowhere} W n"))
    yield Case("covered", "form under a rectangle", partial(form_under, text="0 g", paint=f"1 g {FULL} f"))
    yield Case("covered", "white form under a rectangle", partial(form_under, text="1 g", paint=f"0 g {FULL} f"))
    yield Case("colour", "dashes of nothing", lambda sheet: sheet.put("q [0.01 1000] 0 d 0.3 w").say("1 Tr").put("Q"))
    yield Case("colour", "white again over black", lambda sheet: sheet.put(f"0 g {FULL} f 1 g {FULL} f").say("1 g"))
    yield Case("colour", "on an image", partial(on_image, grey=102, text="0.4 g"))
    yield Case("colour", "white on a white image", partial(on_image, grey=255, text="1 g"))
    yield Case("colour", "black on a black image", partial(on_image, grey=0, text="0 g"))
    yield Case("colour", "on a form", partial(on_form, ground="0 0.5 0 rg", text="0 0.5 0 rg"))
    yield Case("colour", "on a shading", partial(on_shading, same=True))
    yield Case("colour", "pattern on pattern", pattern_on_pattern)
    yield Case("colour", "white shading pattern", lambda sheet: in_pattern(sheet, (1, 1, 1), (1, 1, 1)))
    yield Case("colour", "white tiling", partial(in_tiling, paint="1 g 0 0 10 10 re f"))
    yield Case("colour", "empty tiling", partial(in_tiling, paint=""))
    yield Case("colour", "separation of no tint", partial(in_separation, tint=0))
    yield Case("colour", "separation on black", partial(in_separation, tint=1, ground="0 0 0 1 k"))
    yield Case("colour", "indexed white", partial(in_indexed, at=0))
    yield Case("colour", "calibrated white", partial(in_calibrated, value=1))
    yield Case("colour", "lab white", partial(in_lab, light=100))


def _hidden_opacity() -> Iterator[Case]:
    yield Case("opacity", "none", partial(with_state, ca=0))
    yield Case("opacity", "one in a hundred", partial(with_state, ca=0.01))
    yield Case("opacity", "three in a hundred", partial(with_state, ca=0.03))
    yield Case("opacity", "outlines", partial(with_state, CA=0, colour="1 Tr"))
    yield Case("opacity", "both", partial(with_state, CA=0, ca=0, colour="2 Tr"))
    for mode in ("Screen", "Lighten", "Difference", "Exclusion", "ColorDodge", "Color", "Hue", "Overlay", "SoftLight"):
        yield Case("opacity", f"{mode} of black on white", partial(with_state, ground="1 g", BM=Name(f"/{mode}")))
    for mode in ("Multiply", "Darken"):
        yield Case(
            "opacity",
            f"{mode} of white on grey",
            partial(with_state, ground="0.5 g", colour="1 g", BM=Name(f"/{mode}")),
        )
    yield Case(
        "opacity", "Multiply of red on red", partial(with_state, ground="1 0 0 rg", colour="1 0 0 rg", BM=Name.Multiply)
    )
    for depth in (1, 2, 3):
        yield Case("opacity", f"form {depth} deep", partial(with_state_on_form, depth=depth, ca=0, CA=0))
    for mode, ground in (("Lighten", "1 g"), ("Screen", "1 g"), ("Darken", "0 g"), ("Multiply", "0 g")):
        yield Case("opacity", f"under {mode}", partial(under_state, ground=ground, BM=Name(f"/{mode}")))
    yield Case("opacity", "under nearly opaque", partial(under_state, ground="1 g", ca=0.97))
    yield Case("opacity", "under many clear ones", partial(under_state, ground="1 g", times=8, ca=0.5))
    yield Case("opacity", "mask turned round", partial(masked, kind="Luminosity", paint=WHITE_PAGE, TR=TURNED))
    yield Case("opacity", "covered in a knockout group", partial(in_knockout, after=f"1 g {FULL} f"))
    yield Case("opacity", "form, nearly none", partial(with_state_on_form, ca=0.01))
    yield Case("opacity", "black mask", partial(masked, kind="Luminosity", paint="0 g 0 0 612 792 re f"))
    yield Case("opacity", "mask of nothing", partial(masked, kind="Luminosity", paint=""))
    yield Case("opacity", "mask beside", partial(masked, kind="Luminosity", paint="1 g 0 0 612 300 re f"))
    yield Case("opacity", "alpha mask of nothing", partial(masked, kind="Alpha", paint=""))
    yield Case("opacity", "alpha mask beside", partial(masked, kind="Alpha", paint="0 g 0 0 612 300 re f"))
    yield Case("opacity", "masked form", partial(masked_form, kind="Luminosity", paint="0 g 0 0 612 792 re f"))
    yield Case("opacity", "form masked by nothing", partial(masked_form, kind="Alpha", paint=""))


def _hidden_layer() -> Iterator[Case]:
    for config in ("off", "base", "base_other"):
        for how in ("mark", "form", "in_form"):
            yield Case("layer", f"{config}, {how}", partial(off_layer, config=config, how=how))
    for how in ("nested", "outer", "span", "deep_form", "form_marked", "ground"):
        yield Case("layer", how, partial(off_layer, config="off", how=how))
    yield Case("layer", "all on", partial(membership, policy="AllOn"))
    yield Case("layer", "any on", partial(membership, policy="AnyOn", second_off=True))
    yield Case("layer", "any off", partial(membership, policy="AnyOff", first_off=False))
    yield Case("layer", "all off", partial(membership, policy="AllOff"))
    yield Case("layer", "not", partial(expression, operator="Not", off=False))
    yield Case("layer", "and", partial(expression, operator="And", off=True))
    yield Case("layer", "view state", partial(viewed, state="OFF"))
    for how in ("mark", "form", "deep_form"):
        yield Case(
            "layer", f"spelled by codes, {how}", partial(off_layer, config="off", how=how), coded=b"OCProperties"
        )


def _hidden_clip() -> Iterator[Case]:
    clips = {
        "elsewhere": "300 100 50 50 re W n",
        "tiny": f"{X} {Y} 0.2 0.2 re W n",
        "no area": f"{X} {Y} 0 0 re W n",
        "thin band": f"{X} {Y + 1} 240 0.3 re W n",
        "sliver": f"{X} {Y + 3} 240 1 re W n",
        "thin column": f"{X} {Y - 5} 0.4 20 re W n",
        "even-odd": f"{FULL} {FULL} W* n",
        "nested apart": "0 0 300 792 re W n 310 0 300 792 re W n",
        "polygon": "0 0 m 50 0 l 0 50 l h W n",
        "even-odd in a page": f"0 0 612 792 re {FULL} W* n",
        "a line": f"{X} {Y} m {X + 200} {Y} l W n",
        "opposite rectangles": f"{FULL} "
        f"{X + 236} {Y - 5} m {X - 4} {Y - 5} l {X - 4} {Y + 15} l {X + 236} {Y + 15} l h W* n",
        "three deep": "0 0 612 792 re W n 0 0 612 500 re W n 0 0 612 200 re W n",
        "below": f"0 0 612 {Y - 6} re W n",
    }
    for name, clip in clips.items():
        yield Case("clip", name, partial(clipped, clip=clip))
    yield Case("clip", "text elsewhere", partial(clipped_by_text, x=72))
    yield Case("clip", "form box elsewhere", partial(clipped_form, box="0 0 50 50"))
    yield Case("clip", "form box of no area", partial(clipped_form, box=f"{X} {Y} {X} {Y}"))
    yield Case("clip", "tiny form box", partial(clipped_form, box=f"{X} {Y} {X + 0.3} {Y + 0.3}"))
    yield Case("clip", "form box, deep", partial(clipped_form, box="0 0 50 50", depth=3))
    yield Case("clip", "form box by matrix", partial(clipped_form, box="0 0 700 300", matrix="1 0 0 1 0 20"))


def _hidden_mode() -> Iterator[Case]:
    for mode in (3, 7):
        yield Case("mode", f"{mode}", partial(coloured, text=f"{mode} Tr"))
        yield Case(
            "mode", f"{mode} in a form", partial(through_forms, depth=2, matrix="1 0 0 1 0 0", inner=f"{mode} Tr")
        )
    yield Case("mode", "set before", lambda sheet: sheet.put("q 3 Tr").say().put("Q"))
    yield Case(
        "mode",
        "3 over an image",
        lambda sheet: sheet.put(f"q 240 0 0 20 {X - 4} {Y - 5} cm {sheet.image(200)} Do Q q").say("3 Tr").put("Q"),
    )


def _hidden_font() -> Iterator[Case]:
    glyphs = {
        "nothing": "500 0 d0",
        "nothing, d1": "500 0 0 0 500 700 d1",
        "white": "500 0 d0 1 g 0 0 400 700 re f",
        "no paint": "500 0 d0 0 0 400 700 re n",
        "clipped": "500 0 d0 0 0 0 0 re W n 0 0 400 700 re f",
        "far away": "500 0 d0 90000 90000 400 700 re f",
        "a speck": "500 0 d0 0 0 2 2 re f",
    }
    for name, glyph in glyphs.items():
        yield Case("font", f"type 3, {name}", partial(in_type3, glyph=glyph))
    yield Case("font", "empty outlines", partial(in_embedded, outline=b""))


def _hidden_tiny() -> Iterator[Case]:
    sizes = {
        "half a point": ("/F1 0.5 Tf", "0 Tc"),
        "two points": ("/F1 2 Tf", "0 Tc"),
        "a hundredth": ("/F1 0.01 Tf", "0 Tc"),
        "by Tm": ("/F1 1 Tf", f"0.4 0 0 0.4 {X} {Y} Tm"),
        "flat": ("/F1 12 Tf", f"1 0 0 0.07 {X} {Y} Tm"),
        "narrow": ("/F1 12 Tf", f"0.005 0 0 1 {X} {Y} Tm"),
        "Tz": ("/F1 12 Tf", "0.5 Tz"),
        "by two matrices": ("/F1 120 Tf", f"0.003 0 0 0.003 {X} {Y} Tm"),
    }
    for name, (face, before) in sizes.items():
        at = "" if before.endswith("Tm") else f"{X} {Y} Td"
        yield Case(
            "tiny",
            name,
            lambda sheet, face=face, before=before, at=at: sheet.put("q").say(before, at, face).put("Q"),
            lie=name in {"narrow", "Tz"},
        )
    yield Case("tiny", "by cm", lambda sheet: sheet.put(f"q 0.03 0 0 0.03 {X} {Y} cm").say(at="0 0 Td").put("Q"))
    yield Case("tiny", "by form", partial(through_forms, depth=2, matrix=f"0.03 0 0 0.03 {X} {Y}"))


def _hidden_off_page() -> Iterator[Case]:
    for name, at in {
        "left": "-400 400 Td",
        "right": "700 400 Td",
        "below": "72 -50 Td",
        "above": "72 900 Td",
        "far": "1 0 0 1 90000 400 Tm",
    }.items():
        yield Case("off page", name, lambda sheet, at=at: sheet.say(at=at))
    yield Case("off page", "by cm", lambda sheet: sheet.put("q 1 0 0 1 -700 0 cm").say().put("Q"))
    yield Case("off page", "by rise", lambda sheet: sheet.put("q").say("900 Ts").put("Q"))
    yield Case("off page", "by form", partial(through_forms, depth=2, matrix="1 0 0 1 0 -800"))
    yield Case("off page", "crop", partial(cropped, crop=(0, 500, 612, 792)))
    yield Case("off page", "crop of a turned page", partial(cropped, crop=(0, 500, 612, 792), rotate=90))
    yield Case("off page", "crop at the right", partial(cropped, crop=(0, 0, 480, 792), at="490 400 Td"))
    yield Case("off page", "shifted page", lambda sheet: shifted(sheet, (1000, 1000, 1612, 1792), f"{X} {Y} Td"))
    yield Case("off page", "turned page", lambda sheet: rotated(sheet, 180, "72 -50 Td"))
    yield Case("off page", "crop from right to left", partial(cropped, crop=(612, 792, 0, 500)))
    yield Case("off page", "mirrored away", lambda sheet: sheet.say(at=f"-1 0 0 1 -20 {Y} Tm"))
    yield Case("off page", "only the foot", lambda sheet: sheet.say(at="72 -8.9 Td"))


def _hidden_nested() -> Iterator[Case]:
    yield Case("nested", "white in many forms", partial(through_forms, depth=14, matrix="1 0 0 1 0 0", inner="1 g"))
    yield Case("nested", "white in forms", partial(through_forms, depth=4, matrix="1 0 0 1 0 0", inner="1 g"))
    yield Case(
        "nested",
        "cover in a form under a form",
        lambda sheet: sheet.put(
            f"{sheet.form(f'BT /F1 12 Tf {X} {Y} Td ({sheet.text}) Tj ET')} Do {sheet.form(f'0 g {FULL} f')} Do"
        ),
    )
    yield Case(
        "nested",
        "cover inside the form",
        lambda sheet: sheet.put(f"{sheet.form(f'BT /F1 12 Tf {X} {Y} Td ({sheet.text}) Tj ET 0 g {FULL} f')} Do"),
    )


def _hidden_zero_width() -> Iterator[Case]:
    yield Case("zero width", "tag characters", zero_width)


def _hidden_actual_text() -> Iterator[Case]:
    for kind in ("inline", "utf16", "property", "form", "nested", "word", "letters"):
        yield Case("actual text", kind, partial(actual, shown="8220 euros", kind=kind), lie=True)
    yield Case("actual text", "on one letter", partial(actual, shown="."), lie=True)
    yield Case("actual text", "same length", partial(actual, shown=OTHER), lie=True)


def _hidden_unicode() -> Iterator[Case]:
    for base in ("Helvetica", "Times-Roman", "Courier"):
        yield Case("unicode", f"digits, {base}", partial(swapped, table=DIGITS, base=base), lie=True)
    yield Case("unicode", "letters", partial(swapped, table=LETTERS), lie=True)
    yield Case("unicode", "two digits", partial(swapped, table=PAIR), lie=True)
    yield Case("unicode", "digits by names", partial(swapped, table=DIGITS, by="names"), lie=True)
    yield Case("unicode", "letters by names", partial(swapped, table=LETTERS, by="names"), lie=True)
    yield Case("unicode", "digits twice", partial(swapped, table=DIGITS, by="duplicate"), lie=True)


def _shown_plain() -> Iterator[Case]:
    yield Case("plain", "plain", lambda sheet: sheet.say())
    yield Case("plain", "in many forms", partial(through_forms, depth=14, matrix="1 0 0 1 0 0"))
    yield Case("plain", "in a form", partial(through_forms, depth=3, matrix="1 0 0 1 0 0"))


def _shown_colour() -> Iterator[Case]:
    for name, (ground, text) in {
        "white on blue": ("0 0 0.5 rg", "1 g"),
        "black on yellow": ("1 1 0 rg", "0 g"),
        "grey on white": ("1 g", "0.7 g"),
        "white on red": ("0.8 0 0 rg", "1 g"),
        "dark on darker": ("0 g", "0.35 g"),
        "red on green of one lightness": ("0 0.5 0 rg", "0.9 0 0 rg"),
        "outlines": ("1 g", "1 Tr 0 G"),
        "yellow on black": ("0 g", "1 1 0 rg"),
        "white outlines on black": ("0 g", "1 Tr 1 G"),
        "light on cmyk": ("1 0.5 0 0.4 k", "0 0 0 0 k"),
    }.items():
        yield Case("colour", name, partial(on_ground, ground=ground, text=text))
    yield Case("colour", "very pale grey", partial(coloured, text="0.9 g"))
    yield Case("colour", "thin outlines", lambda sheet: sheet.put("q 0 w").say("1 Tr").put("Q"))
    yield Case("colour", "dashed outlines", lambda sheet: sheet.put("q [3 1] 0 d 0.5 w").say("1 Tr 0 G").put("Q"))
    yield Case("colour", "pale grey", partial(coloured, text="0.8 g"))
    yield Case("colour", "white on an image", partial(on_image, grey=60, text="1 g"))
    yield Case("colour", "black on an image", partial(on_image, grey=200, text="0 g"))
    yield Case("colour", "white on a form", partial(on_form, ground="0 0.3 0 rg", text="1 g"))
    yield Case("colour", "white on a shading", partial(on_shading, same=False))
    yield Case("colour", "shading pattern", in_pattern)
    yield Case("colour", "tiling", partial(in_tiling, paint="0 0 1 rg 0 0 10 10 re f"))
    yield Case("colour", "separation", partial(in_separation, tint=0.8))
    yield Case("colour", "indexed", partial(in_indexed, at=1))


def _shown_beside() -> Iterator[Case]:
    for name, paint in {
        "underline": f"0 G 0.7 w {X} {Y - 2} m {X + 190} {Y - 2} l S",
        "strike": f"0 G 0.7 w {X} {Y + 4} m {X + 190} {Y + 4} l S",
        "frame": f"0 G 1 w {FULL} S",
        "rectangle below": f"0 g {X} {Y - 40} 200 30 re f",
        "rectangle beside": f"0 g {X + 260} {Y - 5} 100 20 re f",
        "no paint": f"0 g {FULL} n",
        "clip only": f"{FULL} W n",
        "nothing drawn by a clip": f"0 0 9 9 re W n 0 g {FULL} f",
        "frame of the page": "0 G 6 w 10 10 592 772 re S",
        "diagonal": "0 G 1 w 0 0 m 612 792 l S",
    }.items():
        yield Case("beside", name, partial(over_path, paint=paint))


def _shown_under() -> Iterator[Case]:
    yield Case("under", "ground before", lambda sheet: sheet.put(f"q 0.9 g {FULL} f Q").say())
    yield Case("under", "image before", lambda sheet: sheet.put(f"q 612 0 0 640 0 0 cm {sheet.image(220)} Do Q").say())


def _shown_over() -> Iterator[Case]:
    yield Case("over", "clear rectangle", lambda sheet: sheet.say().put(f"q {sheet.gs(ca=0.3)} gs 1 1 0 rg {FULL} f Q"))
    yield Case(
        "over",
        "multiplied rectangle",
        lambda sheet: sheet.say().put(f"q {sheet.gs(BM=Name.Multiply)} gs 1 1 0 rg {FULL} f Q"),
    )
    yield Case(
        "over",
        "clear image",
        lambda sheet: over_image(
            sheet,
            128,
            SMask=sheet.pdf.make_indirect(
                sheet.stream(
                    b"\x40",
                    Type=Name.XObject,
                    Subtype=Name.Image,
                    Width=1,
                    Height=1,
                    ColorSpace=Name.DeviceGray,
                    BitsPerComponent=8,
                )
            ),
        ),
    )
    yield Case("over", "layer that is off", partial(off_layer, config="off", how="cover"))
    yield Case("over", "empty form", lambda sheet: over_form(sheet, ""))
    yield Case("over", "twice, a little apart", lambda sheet: sheet.say().say(at=f"{X + 0.3} {Y} Td"))
    yield Case("over", "shadow", lambda sheet: sheet.put("q").say("0.6 g", f"{X + 1} {Y - 1} Td").put("Q").say())


def _shown_annotation() -> Iterator[Case]:
    yield Case("annotation", "link", lambda sheet: sheet.say().annotate("Link", None, Border=Array([0, 0, 1])))
    yield Case(
        "annotation",
        "highlight",
        lambda sheet: sheet.say().annotate(
            "Highlight",
            None,
            C=Array([1, 1, 0]),
            QuadPoints=Array([X, Y + 14, X + 200, Y + 14, X, Y - 3, X + 200, Y - 3]),
        ),
    )
    yield Case(
        "annotation",
        "hidden square",
        lambda sheet: sheet.say().annotate("Square", "0 g 0 0 240 20 re f") and sheet.annots[0].__setattr__("F", 2),
    )
    yield Case(
        "annotation",
        "square beside",
        lambda sheet: sheet.say().annotate("Square", "0 g 0 0 240 20 re f", f"{X} {Y - 60} 240 20"),
    )


def _shown_opacity() -> Iterator[Case]:
    yield Case("opacity", "half", partial(with_state, ca=0.5))
    yield Case("opacity", "multiply", partial(with_state, ground="1 1 0 rg", BM=Name.Multiply))
    yield Case("opacity", "mask on white", partial(masked, kind="Luminosity", paint="", BC=Array([1])))
    yield Case("opacity", "knockout group", partial(in_knockout, before=f"0.9 g {FULL} f 0 g"))
    for mode in ("Luminosity", "ColorBurn", "HardLight"):
        yield Case("opacity", f"{mode} of black on white", partial(with_state, ground="1 g", BM=Name(f"/{mode}")))
    yield Case("opacity", "white mask", partial(masked, kind="Luminosity", paint="1 g 0 0 612 792 re f"))
    yield Case("opacity", "form", partial(with_state_on_form, depth=2, ca=0.6))


def _shown_layer() -> Iterator[Case]:
    for config, how in (("on", "mark"), ("base_on", "form"), ("other_off", "mark"), ("on", "in_form")):
        yield Case("layer", f"{config}, {how}", partial(off_layer, config=config, how=how))
    yield Case("layer", "any on", partial(membership, policy="AnyOn"))
    yield Case("layer", "any off", partial(membership, policy="AnyOff"))
    yield Case("layer", "not", partial(expression, operator="Not", off=True))
    yield Case("layer", "or", partial(expression, operator="Or", off=True))
    yield Case("layer", "view state", partial(viewed, state="ON"))


def _shown_clip() -> Iterator[Case]:
    yield Case("clip", "around", partial(clipped, clip=f"{FULL} W n"))
    yield Case("clip", "page", partial(clipped, clip="0 0 612 792 re W n 10 10 590 770 re W* n"))
    yield Case("clip", "even-odd with a hole elsewhere", partial(clipped, clip="0 0 612 792 re 100 100 50 50 re W* n"))
    yield Case(
        "clip",
        "circle",
        partial(
            clipped,
            clip=f"{X + 100} {Y + 200} m {X + 500} {Y + 200} {X + 500} {Y - 200} {X + 100} {Y - 200} c "
            f"{X - 300} {Y - 200} {X - 300} {Y + 200} {X + 100} {Y + 200} c W n",
        ),
    )
    yield Case("clip", "form box", partial(clipped_form, box=f"{X - 2} {Y - 5} {X + 240} {Y + 15}", depth=2))
    yield Case("clip", "through letters", filled_through_letters)


def _shown_font() -> Iterator[Case]:
    yield Case("font", "type 3", partial(in_type3, glyph="500 0 d0 0 0 400 700 re f"))
    yield Case("font", "own outlines", partial(in_embedded, outline=SQUARE))
    yield Case("font", "times", lambda sheet: sheet.say(font="/F2 12 Tf"))


def _shown_size() -> Iterator[Case]:
    yield Case("size", "four points", lambda sheet: sheet.say(font="/F1 4 Tf"))
    yield Case("size", "large by matrix", lambda sheet: sheet.say(at=f"14 0 0 14 {X} {Y} Tm", font="/F1 1 Tf"))
    yield Case("size", "condensed", lambda sheet: sheet.put("q").say("60 Tz").put("Q"))


def _shown_place() -> Iterator[Case]:
    yield Case("place", "upside down", lambda sheet: sheet.say(at=f"-1 0 0 -1 {X + 200} {Y} Tm"))
    yield Case("place", "crop", partial(cropped, crop=(20, 20, 600, 780)))
    yield Case("place", "turned", lambda sheet: rotated(sheet, 90, f"{X} {Y} Td"))
    yield Case("place", "upwards", lambda sheet: sheet.say(at=f"0 1 -1 0 {X} {Y} Tm"))
    yield Case("place", "slightly slanted", lambda sheet: sheet.say(at=f"1 0.01 -0.01 1 {X} {Y} Tm"))
    yield Case("place", "shifted page", lambda sheet: shifted(sheet, (-200, 100, 412, 892), f"{X} {Y} Td"))


def _shown_actual_text() -> Iterator[Case]:
    yield Case("actual text", "the same", lambda sheet: actual(sheet, sheet.text))


def _shown_unicode() -> Iterator[Case]:
    yield Case("unicode", "honest", partial(swapped, table={}))
    yield Case("unicode", "honest, Times", partial(swapped, table={}, base="Times-Italic"))
    yield Case("unicode", "honest, Courier bold", partial(swapped, table={}, base="Courier-Bold"))


HIDDEN = tuple(
    case
    for made in (
        _hidden_covered,
        _hidden_covered_2,
        _hidden_annotation,
        _hidden_colour,
        _hidden_opacity,
        _hidden_layer,
        _hidden_clip,
        _hidden_mode,
        _hidden_font,
        _hidden_tiny,
        _hidden_off_page,
        _hidden_nested,
        _hidden_zero_width,
        _hidden_actual_text,
        _hidden_unicode,
    )
    for case in made()
)
SHOWN = tuple(
    case
    for made in (
        _shown_plain,
        _shown_colour,
        _shown_beside,
        _shown_under,
        _shown_over,
        _shown_annotation,
        _shown_opacity,
        _shown_layer,
        _shown_clip,
        _shown_font,
        _shown_size,
        _shown_place,
        _shown_actual_text,
        _shown_unicode,
    )
    for case in made()
)
