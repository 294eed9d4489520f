"""Small PDFs with one sentence that nobody can see, or that one can: written as raw content streams.

A case is a function that draws a sentence on a sheet. Drawn once with the sentence and once without it, the two
pictures of the page say whether it can be seen; for text that claims to be something else than its glyphs, the way it
was made says so.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Array, Dictionary, Name, String

SENTENCE = "The penalty is 4711 dollars a day."
OTHER = "The charge was 8220 euros a month."
VISIBLE = (
    "The supplier delivers the goods to the place that the order names,",
    "and it bears the cost of carriage until they are unloaded there.",
    "The buyer examines the goods within ten days after they arrived.",
)
X, Y = 72, 400
"""Where the sentence stands; it is about 190 points wide in 12 points."""
FULL = f"{X - 4} {Y - 5} 240 20 re"


@dataclass
class Sheet:
    """A page that is being written: its operators and what they name."""

    text: str
    pdf: pikepdf.Pdf = field(default_factory=pikepdf.new)
    ops: list[str] = field(default_factory=list)
    named: dict[str, dict[str, object]] = field(default_factory=dict)
    page: dict[str, object] = field(default_factory=dict)
    annots: list[object] = field(default_factory=list)
    box: tuple[float, ...] = (0, 0, 612, 792)

    def put(self, *ops: str) -> Sheet:
        self.ops += ops
        return self

    def say(self, before: str = "", at: str = f"{X} {Y} Td", font: str = "/F1 12 Tf", text: str | None = None) -> Sheet:
        """The sentence, after operators that set how it is drawn."""
        return self.put(f"BT {font} {before} {at} ({self.text if text is None else text}) Tj ET")

    def name(self, kind: str, value: object) -> str:
        """A new name for a resource."""
        known = self.named.setdefault(kind, {})
        name = f"/{kind[:2]}{len(known)}"
        known[name] = value
        return name

    def gs(self, **keys: object) -> str:
        return self.name("ExtGState", Dictionary(**keys))

    def stream(self, data: str | bytes, **keys: object) -> pikepdf.Stream:
        made = pikepdf.Stream(self.pdf, data if isinstance(data, bytes) else data.encode("latin-1"))
        for key, value in keys.items():
            made[f"/{key}"] = value
        return made

    def resources(self) -> Dictionary:
        fonts = {"/F1": font("Helvetica"), "/F2": font("Times-Roman"), "/F3": font("ZapfDingbats")}
        found = Dictionary(Font=Dictionary({**fonts, **self.named.get("Font", {})}))
        for kind, values in self.named.items():
            if kind != "Font":
                found[f"/{kind}"] = Dictionary(values)
        return found

    def form(self, ops: str, box: str = "0 0 612 792", **keys: object) -> str:
        """The name of a form that draws `ops`."""
        made = self.stream(
            ops,
            Type=Name.XObject,
            Subtype=Name.Form,
            BBox=Array([float(value) for value in box.split()]),
            Resources=self.resources(),
            **keys,
        )
        return self.name("XObject", self.pdf.make_indirect(made))

    def image(self, grey: int = 0, **keys: object) -> str:
        made = self.stream(
            bytes([grey]),
            Type=Name.XObject,
            Subtype=Name.Image,
            Width=1,
            Height=1,
            ColorSpace=Name.DeviceGray,
            BitsPerComponent=8,
        )
        for key, value in keys.items():
            made[f"/{key}"] = value
        return self.name("XObject", self.pdf.make_indirect(made))

    def layer(self, **usage: object) -> pikepdf.Object:
        """An optional content group."""
        group = Dictionary(Type=Name.OCG, Name=String("layer"))
        if usage:
            group.Usage = Dictionary(**usage)
        return self.pdf.make_indirect(group)

    def layers(self, groups: list[pikepdf.Object], **config: object) -> Sheet:
        self.pdf.Root.OCProperties = Dictionary(OCGs=Array(groups), D=Dictionary(**config))
        return self

    def annotate(self, subtype: str, look: str | None = "", box: str = FULL, **keys: object) -> Sheet:
        """An annotation over the sentence, which draws `look`."""
        x, y, width, height = (float(value) for value in box.split()[:4])
        note = Dictionary(
            Type=Name.Annot, Subtype=Name(f"/{subtype}"), Rect=Array([x, y, x + width, y + height]), F=4, **keys
        )
        if look is not None:
            shown = self.stream(look, Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, width, height]))
            note.AP = Dictionary(N=self.pdf.make_indirect(shown))
        self.annots.append(self.pdf.make_indirect(note))
        return self

    def bytes(self) -> bytes:
        """The whole file: lines that one can see, and what was put on the sheet."""
        left, top = self.box[0], self.box[3]
        lines = "".join(
            f"BT /F1 12 Tf {left + 72} {top - 92 - 16 * at} Td ({line}) Tj ET\n" for at, line in enumerate(VISIBLE)
        )
        page = Dictionary(
            Type=Name.Page,
            MediaBox=Array(list(self.box)),
            Contents=self.stream("q\n" + lines + "Q\n" + "\n".join(self.ops)),
            Resources=self.resources(),
            **self.page,
        )
        if self.annots:
            page.Annots = Array(self.annots)
            fields = [note for note in self.annots if note.Subtype == Name.Widget]
            if fields:
                self.pdf.Root.AcroForm = self.pdf.make_indirect(Dictionary(Fields=Array(fields)))
        self.pdf.pages.append(pikepdf.Page(page))
        buffer = io.BytesIO()
        self.pdf.save(buffer, deterministic_id=True)
        return buffer.getvalue()


def font(base: str, **keys: object) -> Dictionary:
    """One of the fonts that every program has."""
    encoding = {} if base == "ZapfDingbats" else {"Encoding": Name.WinAnsiEncoding}
    return Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name(f"/{base}"), **{**encoding, **keys})


Draw = Callable[[Sheet], object]


@dataclass(frozen=True)
class Case:
    """One way to draw the sentence."""

    family: str
    name: str
    draw: Draw
    lie: bool = False
    """No comparison of pictures can tell: the glyphs say something else than the text, or are a blot."""
    coded: bytes = b""
    """A name that is spelled by the codes of its letters, as a PDF may."""

    def file(self, text: str = SENTENCE) -> bytes:
        sheet = Sheet(text)
        self.draw(sheet)
        spelled = b"".join(b"#%02X" % letter for letter in self.coded)
        return sheet.bytes().replace(b"/" + self.coded, b"/" + spelled) if self.coded else sheet.bytes()
