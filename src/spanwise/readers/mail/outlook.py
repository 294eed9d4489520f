"""Messages as Outlook saves them (MSG): MAPI properties in the streams of an OLE file (MS-OXMSG)."""

from __future__ import annotations

import codecs
import datetime as dt
import hashlib
import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.header import Header
from email.mime.application import MIMEApplication
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

import olefile

from spanwise.errors import DamagedDocumentError, LimitError
from spanwise.readers.bounds import Budget
from spanwise.readers.decoding import decode
from spanwise.readers.html import declared_encoding
from spanwise.readers.rtf import text_of

FIELDS = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Date", "Subject")
"""The headers that are shown, in this order."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """An attached file."""

    name: str
    data: bytes


@dataclass(slots=True)
class Message:
    """A message: its headers, its body and its attachments."""

    fields: list[tuple[str, str]] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)
    """The parts of the body: the kind ("plain", "flowed", "flowed unspaced" or "html") and the text."""
    attachments: list[Attachment] = field(default_factory=list)


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SUBJECT, _SENDER, _SENDER_ADDRESS, _SENDER_SMTP = 0x0037, 0x0C1A, 0x0C1F, 0x5D01
_TO, _CC, _BCC, _BODY, _RTF, _HTML = 0x0E04, 0x0E03, 0x0E02, 0x1000, 0x1009, 0x1013
_SENT, _DELIVERED, _CODE_PAGE, _PAGE_CODE_PAGE = 0x0039, 0x0E06, 0x3FFD, 0x3FDE
_FILE, _LONG_NAME, _SHORT_NAME, _SHOWN_NAME = 0x3701, 0x3707, 0x3704, 0x3001
_UNICODE, _NARROW, _BINARY, _STORAGE, _TIME, _LONG = 0x001F, 0x001E, 0x0102, 0x000D, 0x0040, 0x0003
_PROPERTIES = "__properties_version1.0"
_HEADS = {True: 32, False: 24}
"""Size of the property stream's header in the message itself (True) and in a message inside it (False)."""
_USUAL = "cp1252"
_ENCODINGS = {
    20127: "ascii", 20866: "koi8-r", 20932: "euc_jp", 21866: "koi8-u", 50220: "iso2022_jp", 50221: "iso2022_jp",
    50222: "iso2022_jp", 50225: "iso2022_kr", 51932: "euc_jp", 51949: "euc_kr", 52936: "hz", 54936: "gb18030",
    65000: "utf-7", 65001: "utf-8", **{28590 + part: f"iso8859-{part}" for part in (*range(1, 10), 13, 15)},
}  # fmt: skip
"""Windows' numbers for encodings that Python does not call by them."""
_MOST_ATTACHMENTS = 2_000
_MOST_DEPTH = 8
_EPOCH = dt.datetime(1601, 1, 1, tzinfo=dt.UTC)
_PREFIX = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
"""The initial dictionary of a compressed body (MS-OXRTFCP)."""


def read_outlook(data: bytes, budget: Budget) -> Message:
    """The message in an OLE file."""
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            return _Storage(file, (), budget).message()
    except (OSError, ValueError, IndexError, KeyError, struct.error, OverflowError, AttributeError) as error:
        if isinstance(error, LimitError | DamagedDocumentError):
            raise
        message = f"{budget.name} is a damaged Outlook message ({error}): save it again in Outlook and give that."
        raise DamagedDocumentError(message, document=budget.name) from error


class _Storage:
    """A storage (folder) of an OLE file that contains a message or an attachment."""

    def __init__(self, file: olefile.OleFileIO, path: tuple[str, ...], budget: Budget, depth: int = 0) -> None:
        self._file = file
        self._path = path
        self._budget = budget
        self._depth = depth
        budget.depth(depth * budget.limits.depth // _MOST_DEPTH, "messages")
        self._fixed = dict(self._numbers())

    def message(self) -> Message:
        """The message in this storage."""
        sender, address = self._text(_SENDER), self._text(_SENDER_SMTP) or self._text(_SENDER_ADDRESS)
        sent = self._time(_SENT) or self._time(_DELIVERED)
        fields = {
            "From": f"{sender} <{address}>" if sender and "@" in address and address != sender else sender or address,
            "To": self._text(_TO),
            "Cc": self._text(_CC),
            "Bcc": self._text(_BCC),
            "Date": f"{sent:%Y-%m-%d %H:%M} UTC" if sent else "",
            "Subject": self._text(_SUBJECT),
        }
        message = Message([(key, told.rstrip("\0")) for key, told in fields.items() if told.strip("\0 ")])
        message.texts += self._body()
        message.attachments += self._attachments()
        if not message.fields and not message.texts:
            raise DamagedDocumentError(
                f"{self._budget.name} is no Outlook message: give the .msg file that Outlook saved, or a PDF.",
                document=self._budget.name,
            )
        return message

    def _body(self) -> Iterator[tuple[str, str]]:
        """The HTML body if there is one, as Outlook shows it, else the plain text, else the compressed RTF."""
        page = self._bytes(_HTML)
        if page:
            declared = self._encoding(_PAGE_CODE_PAGE) or declared_encoding(page) or self._encoding(_CODE_PAGE)
            yield "html", decode(page, self._budget.name, declared=declared or _USUAL).text
        elif shown := self._text(_HTML) or self._text(_BODY):
            yield "html" if self._has(_HTML, _UNICODE) or self._has(_HTML, _NARROW) else "plain", shown
        elif packed := self._bytes(_RTF):
            yield text_of(_unpacked(packed, self._budget), self._budget)

    def _attachments(self) -> Iterator[Attachment]:
        names = sorted(
            {entry[len(self._path)] for entry in self._file.listdir(streams=True) if self._is_attached(entry)}
        )
        for name in names[:_MOST_ATTACHMENTS]:
            self._budget.object()
            inside = _Storage(self._file, (*self._path, name), self._budget, self._depth)
            called = inside._text(_LONG_NAME) or inside._text(_SHORT_NAME) or inside._text(_SHOWN_NAME)
            message = (*inside._path, f"__substg1.0_{_FILE:04X}{_STORAGE:04X}")
            if self._file.exists(list(message)):
                within = _Storage(self._file, message, self._budget, self._depth + 1).message()
                yield Attachment(f"{called or 'message'}.eml", _as_eml(within))
            elif (data := inside._bytes(_FILE)) is not None:
                yield Attachment(called or "attachment", data)

    def _is_attached(self, entry: list[str]) -> bool:
        depth = len(self._path)
        return (
            tuple(entry[:depth]) == self._path
            and len(entry) > depth + 1
            and entry[depth].startswith("__attach_version1.0_")
        )

    def _has(self, tag: int, kind: int) -> bool:
        return bool(self._file.exists([*self._path, f"__substg1.0_{tag:04X}{kind:04X}"]))

    def _stream(self, name: str) -> bytes | None:
        place = [*self._path, name]
        if not self._file.exists(place) or self._file.get_type(place) != olefile.STGTY_STREAM:
            return None
        self._budget.unpacked(self._file.get_size(place))
        data: bytes = self._file.openstream(place).read()
        return data

    def _bytes(self, tag: int) -> bytes | None:
        return self._stream(f"__substg1.0_{tag:04X}{_BINARY:04X}")

    def _text(self, tag: int) -> str:
        wide = self._stream(f"__substg1.0_{tag:04X}{_UNICODE:04X}")
        if wide is not None:
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        narrow = self._stream(f"__substg1.0_{tag:04X}{_NARROW:04X}")
        declared = self._encoding(_CODE_PAGE) or _USUAL
        return decode(narrow, self._budget.name, declared=declared).text.rstrip("\0") if narrow else ""

    def _numbers(self) -> Iterator[tuple[tuple[int, int], bytes]]:
        """The properties of fixed size: tag and type, then the eight bytes of the value."""
        data = self._stream(_PROPERTIES) or b""
        head = 8 if self._path and self._path[-1].startswith("__attach") else _HEADS[not self._path]
        for at in range(head, len(data) - 15, 16):
            kind, tag = struct.unpack_from("<HH", data, at)
            yield (tag, kind), data[at + 8 : at + 16]

    def _time(self, tag: int) -> dt.datetime | None:
        value = self._fixed.get((tag, _TIME))
        if value is None:
            return None
        try:
            return _EPOCH + dt.timedelta(microseconds=struct.unpack("<Q", value)[0] // 10)
        except OverflowError:
            return None

    def _encoding(self, tag: int) -> str | None:
        """The encoding that a property names by the number of a code page; None if it names none that is known."""
        value = self._fixed.get((tag, _LONG))
        page = struct.unpack_from("<I", value)[0] if value else 0
        named = _ENCODINGS.get(page, f"cp{page}")
        try:
            codecs.lookup(named)
        except LookupError:
            return None
        return named


def _as_eml(message: Message) -> bytes:
    """A message inside another as an EML file; the same message always gives the same bytes."""
    made = MIMEMultipart(boundary=f"part-{hashlib.sha256(repr(message).encode()).hexdigest()}")
    for key, told in message.fields:
        made[key] = Header(" ".join(told.split()), "utf-8").encode()
    for kind, text in message.texts:
        made.attach(MIMEText(text, "html" if kind == "html" else "plain", "utf-8"))
    for one in message.attachments:
        file = MIMEApplication(one.data)
        file.add_header("Content-Disposition", "attachment", filename=("utf-8", "", one.name))
        made.attach(file)
    return made.as_bytes()


def _unpacked(data: bytes, budget: Budget) -> bytes:
    """The decompressed RTF body (MS-OXRTFCP)."""
    if len(data) < 16 or data[8:12] == b"MELA":
        return data[16:]
    size = struct.unpack_from("<I", data, 4)[0]
    budget.unpacked(size)
    found = bytearray(_PREFIX)
    at = 16
    while at < len(data) and len(found) < size + len(_PREFIX):
        flags = data[at]
        at += 1
        for bit in range(8):
            if at >= len(data):
                break
            if not flags >> bit & 1:
                found.append(data[at])
                at += 1
                continue
            pair = int.from_bytes(data[at : at + 2], "big")
            at += 2
            place = pair >> 4
            start = len(found) - (len(found) - place) % 4096
            if start >= len(found):
                return bytes(found[len(_PREFIX) :])
            for offset in range((pair & 15) + 2):
                found.append(found[start + offset])
    return bytes(found[len(_PREFIX) :])
