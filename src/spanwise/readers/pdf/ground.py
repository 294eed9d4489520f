"""What is painted on a page besides text, and may lie under it."""

from __future__ import annotations

from typing import TypeAlias

import pypdfium2.raw as pdfium

from spanwise.readers.pdf import native
from spanwise.readers.pdf.placement import Placement, Rect

Matrix: TypeAlias = tuple[float, float, float, float, float, float]

_THIN = 4.0


class Ground:
    """What is painted on a page besides text: the pictures and coloured areas that light text may stand on."""

    _MOST_OBJECTS = 50_000
    _DEEPEST = 6

    def __init__(self, page: int, placement: Placement) -> None:
        self.images: list[Rect] = []
        self.areas: list[Rect] = []
        self._placement = placement
        self._left = self._MOST_OBJECTS
        for position in range(native.page_objects(page)):
            item = native.page_object(page, position)
            if item is not None:
                self._add(item, None, 0)

    def is_dark_under(self, rect: Rect) -> bool:
        """Whether something that is not white lies under the middle of a rectangle."""
        x, y = (rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2
        return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in (*self.areas, *self.images))

    def picture(self) -> Rect | None:
        """What pictures of at least half the page cover, together with the strips that scanners cut a page into."""
        area = self._placement.width * self._placement.height
        whole = [
            (max(x0, 0.0), max(y0, 0.0), min(x1, self._placement.width), min(y1, self._placement.height))
            for x0, y0, x1, y1 in self.images
        ]
        shown = [rect for rect in whole if rect[2] > rect[0] and rect[3] > rect[1]]
        if not shown or sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in shown) < 0.5 * area:
            return None
        return (
            min(rect[0] for rect in shown),
            min(rect[1] for rect in shown),
            max(rect[2] for rect in shown),
            max(rect[3] for rect in shown),
        )

    def _add(self, item: int, matrix: Matrix | None, depth: int) -> None:
        """Keep an object if it is a picture or a coloured area; `matrix` is that of the form that it stands in."""
        self._left -= 1
        if self._left < 0 or depth > self._DEEPEST:
            return
        kind = native.object_type(item)
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            fills, _ = native.path_paints(item)
            if fills and not native.fills_lightly(item):
                self._keep(self.areas, item, matrix)
        elif kind == pdfium.FPDF_PAGEOBJ_FORM:
            inner = native.object_matrix(item)
            if matrix is not None:
                inner = _multiplied(inner, matrix)
            for position in range(max(native.form_objects(item), 0)):
                part = native.form_object(item, position)
                if part is not None:
                    self._add(part, inner, depth + 1)
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            self._keep(self.images, item, matrix)
        elif kind == pdfium.FPDF_PAGEOBJ_SHADING:
            self._keep(self.areas, item, matrix)

    def _keep(self, kept: list[Rect], item: int, matrix: Matrix | None) -> None:
        box = native.bounds(item)
        if box is None:
            return
        if matrix is not None:
            a, b, c, d, e, f = matrix
            corners = [(a * x + c * y + e, b * x + d * y + f) for x in (box[0], box[2]) for y in (box[1], box[3])]
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            box = min(xs), min(ys), max(xs), max(ys)
        kept.append(self._placement.show(*box))


def paints(page: int) -> bool:
    """Whether a page shows pictures or drawings, other than rules."""
    for position in range(min(native.page_objects(page), 10_000)):
        item = native.page_object(page, position)
        if item is None:
            continue
        kind = native.object_type(item)
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            fills, strokes = native.path_paints(item)
            box = native.bounds(item)
            if box is None or min(box[2] - box[0], box[3] - box[1]) < _THIN:
                continue  # A rule above or below nothing.
            if (strokes and not native.strokes_lightly(item)) or (fills and not native.fills_lightly(item)):
                return True
        elif kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING) or (
            kind == pdfium.FPDF_PAGEOBJ_FORM and native.form_objects(item) > 0
        ):
            return True
    return False


def _multiplied(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m
