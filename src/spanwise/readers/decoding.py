"""From bytes to text: byte order marks, a declared encoding, UTF-8, UTF-16 and UTF-32 without a mark, and last a guess.

A guess is reported in a notice of the document.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from typing import NamedTuple

from spanwise.domain.document import Notice
from spanwise.errors import UnsupportedFormatError

DOCUMENTS = "a PDF, DOCX, XLSX, PPTX, EPUB, ODT, RTF, HTML, Markdown or text file, or a message"
"""Formats for the advice of an error."""
_MARKS = (
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 64 * 1024
_CONTROL = re.compile("[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f]")
_WESTERN = re.compile(r"[\t\n\r\f -~À-ÏÑ-ÖØ-Üß-ïñ-öø-üÿŒœŠšŽžŸƒ€£¥¢§©®™°±²³µ¶·º¹ª¼½¾×«»¿¡‘’‚“”„–—…•†‡‰‹›\xa0]*")
_MISPLACED = re.compile(r"[a-z][²³¹º¿¡ª¼½¾][a-z]|[¿£¥¢][a-z]")
"""Signs inside words, as windows-1252 shows texts written in other code pages (Polish, Romanian, Turkish)."""


class Decoded(NamedTuple):
    """The text of a file, its encoding, and whether that is a guess."""

    text: str
    encoding: str
    guessed: bool = False

    def notices(self, name: str) -> tuple[Notice, ...]:
        """A notice if the encoding is a guess, else nothing."""
        if not self.guessed:
            return ()
        if self.encoding == "utf-8":
            message = f"{name} has bytes that are no UTF-8: \ufffd stands in their place. Save it again to be sure."
            return (Notice("encoding_guessed", message),)
        message = f"{name} does not say how it is encoded; it was read as {self.encoding}. Save it as UTF-8 to be sure."
        return (Notice("encoding_guessed", message),)


def decode(data: bytes, name: str, *, declared: str | None = None) -> Decoded:
    """The text of a file; `declared` is the encoding that the file itself names (HTML), tried after byte order marks.

    Raises:
        UnsupportedFormatError: The bytes are not text in any encoding.
    """
    decoded = try_decode(data, declared=declared) or _guess(data)
    if decoded is None:
        raise UnsupportedFormatError(
            f"{name} is not text in any known encoding (binary data): give {DOCUMENTS}.",
            document=name,
        )
    return decoded


def try_decode(data: bytes, *, declared: str | None = None) -> Decoded | None:
    """The text if its encoding is certain (a mark, a declaration, valid UTF-8, UTF-16 or UTF-32), else None."""
    certain = _by_mark(data) or _declared(data, declared)
    if certain is not None:
        return certain
    narrow = _as(data, "utf-8")
    # ASCII in UTF-16 is valid UTF-8 too, but every second byte is zero.
    return narrow if narrow and 3 * data[:_SAMPLE].count(0) < len(data[:_SAMPLE]) else _wide(data) or narrow


def _by_mark(data: bytes) -> Decoded | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            # A mark leaves no doubt, so a few broken sequences are shown as such and do not stop the reading.
            text = data[len(mark) :].decode(encoding, "replace")
            return Decoded(text, encoding) if _is_text(text) else None
    return None


def _declared(data: bytes, declared: str | None) -> Decoded | None:
    if not declared:
        return None
    try:
        # What the web calls latin-1 is windows-1252 (WHATWG Encoding).
        encoding = "cp1252" if codecs.lookup(declared).name in ("iso8859-1", "ascii") else codecs.lookup(declared).name
        return Decoded(data.decode(encoding), encoding)
    except (LookupError, UnicodeDecodeError, ValueError):
        return None


def _as(data: bytes, encoding: str) -> Decoded | None:
    """The text in an encoding; None if the bytes are invalid in it or look binary."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return Decoded(text, encoding) if _is_text(text) else None


def _wide(data: bytes) -> Decoded | None:
    """UTF-16 or UTF-32 without a mark, recognised by where the zero bytes are; None if it is neither."""
    sample = data[:_SAMPLE]
    zeros = [sample[place::4].count(0) for place in range(4)]
    if not any(zeros):
        return None
    quarter = max(1, len(sample) // 4)
    candidates: list[str] = []
    if len(data) % 4 == 0 and min(zeros[2:]) > 0.9 * quarter:
        candidates.append("utf-32-le")
    if len(data) % 4 == 0 and min(zeros[:2]) > 0.9 * quarter:
        candidates.append("utf-32-be")
    if len(data) % 2 == 0:
        even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
        if odd > 4 * even and odd > 1:
            candidates.append("utf-16-le")
        elif even > 4 * odd and even > 1:
            candidates.append("utf-16-be")
    read = (_as(data, encoding) for encoding in candidates)
    return next((one for one in read if one is not None and _is_assigned(one.text)), None)


def _guess(data: bytes) -> Decoded | None:
    if data[:_SAMPLE].count(0):
        return None  # No 8-bit encoding writes zero bytes.
    if (damaged := _damaged_utf8(data)) is not None:
        return damaged
    # Few accents among many plain letters say "western" better than statistics on a short text do.
    encoding = "cp1252" if _looks_western(data) else _statistical_guess(data)
    if encoding is None:
        return None
    text = data.decode(encoding, "replace")
    return Decoded(text, encoding, guessed=True) if _is_text(text) else None


def _damaged_utf8(data: bytes) -> Decoded | None:
    """UTF-8 with a few broken bytes (cut at its end, or joined with another text); None if it is something else.

    Letters of other encodings hardly ever form a valid sequence, and those of UTF-8 always do.
    """
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    wide = len(text) - len(text.encode("ascii", "ignore")) - broken
    return Decoded(text, "utf-8", guessed=True) if wide > 2 * broken and _is_text(text) else None


def _looks_western(data: bytes) -> bool:
    sample = data[:_SAMPLE]
    try:
        text = sample.decode("cp1252")
    except UnicodeDecodeError:
        return False
    letters = sum(char.isalpha() for char in text)
    accents = sum(char.isalpha() and not char.isascii() for char in text)
    few = accents <= min(0.09 * letters + 3, letters / 3)
    return few and _WESTERN.fullmatch(text) is not None and not _MISPLACED.search(text)


def _statistical_guess(data: bytes) -> str | None:
    # Imported here because it costs 20 ms and nearly every file is UTF-8.
    from charset_normalizer import from_bytes

    best = from_bytes(data[: 4 * _SAMPLE]).best()
    # Wide letters without a single zero byte or a mark are chance: two control characters make one sign of Georgian.
    return best.encoding if best and not best.encoding.startswith(("utf_16", "utf_32")) else None


def _is_text(text: str) -> bool:
    sample = text[:_SAMPLE]
    return len(_CONTROL.findall(sample)) <= max(3, len(sample) // 50)


def _is_assigned(text: str) -> bool:
    sample = text[:_SAMPLE]
    odd = sum(unicodedata.category(char) in ("Cn", "Co", "Cs", "Cc") and char not in "\t\n\r\f" for char in sample)
    return odd <= max(1, len(sample) // 30)
