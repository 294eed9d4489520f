"""E-mail messages (EML, MSG): headers as fields, the body as a mail program shows it, quoted parts as sections.

Attachments are documents of their own (see `members`); the message only lists their names.
"""

from __future__ import annotations

import email
import email.errors
import email.header
import email.message
import itertools
import re
from collections.abc import Iterator, Sequence

from spanwise.domain.document import Document
from spanwise.errors import DamagedDocumentError, PasswordError
from spanwise.readers.bounds import Budget
from spanwise.readers.builder import DocumentBuilder
from spanwise.readers.decoding import decode
from spanwise.readers.html import add_page
from spanwise.readers.mail.outlook import FIELDS, OLE, Attachment, Message, read_outlook
from spanwise.readers.plain import add_prose
from spanwise.readers.port import ReadOptions

_LONGEST_FIELD = 10_000
_QUOTED = re.compile(r"[ ]?>")
_MARKERS = re.compile(r"\A(?:[ ]?>)+[ ]?")
_RULE = re.compile(r"(?!-----BEGIN )[-_]{3,40}[ ]?[^-_]{3,60}[ ]?[-_]{3,40}")
"""The line that mail programs put above a message that is answered or forwarded: "-----Original Message-----"."""
_PARTING = re.compile(r"|[-_]{3,}")
"""What stands above the headers of a quoted message: nothing, or a rule ("--" begins a signature)."""
_FIELD = re.compile(r"[*]?[^\W\d_][\w -]{0,24}[*]?[ ]?[:\uff1a][*]?\s.*\S")
_LEAST_FIELDS = 3
_NAMED = "Quoted message"


def read_mail(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read a message."""
    budget = Budget(name, options.limits)
    message = message_of(data, budget)
    builder = DocumentBuilder(data, format="mail", budget=budget)
    for called, told in message.fields:
        builder.new_block()
        builder.line(f"{called}: {' '.join(told.split())[:_LONGEST_FIELD]}")
    if message.attachments:
        builder.new_block()
        builder.line(f"Attachments: {', '.join(one.name for one in message.attachments)}")
    for kind, text in message.texts:
        if kind == "html":
            add_page(text, builder, budget, quoting=_Quotes(builder).turn)
        else:
            _add_text(text, builder, flowed=kind.startswith("flowed"), unspaced=kind == "flowed unspaced")
    subject = next((told for called, told in message.fields if called == "Subject"), "")
    builder.enclose(1, subject or name, 1)
    return builder.build()


def message_of(data: bytes, budget: Budget) -> Message:
    """The parsed message; raises `PasswordError` for an encrypted one and `DamagedDocumentError` for other data."""
    if data.startswith(OLE):
        return read_outlook(data, budget)
    parsed = email.message_from_bytes(data.removeprefix(b"\xef\xbb\xbf"))
    known = [key for key in parsed if key.title() in FIELDS or key.lower() in ("received", "mime-version")]
    if not known:
        raise DamagedDocumentError(
            f"{budget.name} is no message: it does not begin with headers (From, To, Subject); give the file as the "
            "program for mail saved it.",
            document=budget.name,
        )
    message = Message([(key, told) for key in FIELDS for told in map(_decoded, parsed.get_all(key, []))])
    _take(parsed, message, budget, whole=True)
    return message


def _take(part: email.message.Message, message: Message, budget: Budget, *, whole: bool = False) -> None:
    """Add the text that a part of a message shows, and its attachments; the `whole` of it is none of these."""
    budget.object()
    kind = part.get_content_type()
    if kind == "multipart/encrypted" or (
        kind.endswith("pkcs7-mime") and "signed" not in str(part.get_param("smime-type"))
    ):
        message_ = f"{budget.name} is encrypted: open it in the program for mail, save what it says and give that."
        raise PasswordError(message_, document=budget.name)
    payload = part.get_payload()
    inside = [one for one in payload if isinstance(one, email.message.Message)] if isinstance(payload, list) else None
    if kind == "message/rfc822" and inside:
        subject = _decoded(inside[0].get("Subject", "")) or "message"
        message.attachments.append(Attachment(f"{subject}.eml", inside[0].as_bytes()))
    elif kind == "multipart/alternative" and inside is not None:
        _take_best(inside, message, budget)
    elif kind == "message/delivery-status" and inside is not None:  # groups of fields, of which each counts as a part
        told = ("\n".join(f"{key}: {_decoded(value)}" for key, value in one.items()) for one in inside)
        message.texts.append(("plain", "\n\n".join(filter(None, told))))
    elif inside is not None:
        for one in inside:
            _take(one, message, budget)
    elif _is_shown(part, whole=whole):
        data = _payload(part)
        text = decode(data, budget.name, declared=part.get_content_charset()).text if data else ""
        flowed = kind == "text/plain" and str(part.get_param("format")).lower() == "flowed"
        wrapped = "flowed unspaced" if str(part.get_param("delsp")).lower() == "yes" else "flowed"
        message.texts.append(("html" if kind == "text/html" else wrapped if flowed else "plain", text))
    else:
        named = _decoded(str(part.get_filename() or part.get_param("name") or ""))
        message.attachments.append(Attachment(named or f"attachment{_ENDINGS.get(kind, '')}", _payload(part)))


_ENDINGS = {
    "application/pdf": ".pdf",
    "text/html": ".html",
    "text/plain": ".txt",
    "text/csv": ".csv",
    "text/calendar": ".ics",
    "image/png": ".png",
    "image/jpeg": ".jpg",
}


def _take_best(options: Sequence[email.message.Message], message: Message, budget: Budget) -> None:
    """Add the last of several alternative parts that shows any text, and the attachments of all."""
    shown: list[tuple[str, str]] = []
    for one in options:
        inner = Message()
        _take(one, inner, budget)
        message.attachments += inner.attachments
        shown = inner.texts if any(text.strip() for _, text in inner.texts) else shown
    message.texts += shown


def _is_shown(part: email.message.Message, *, whole: bool) -> bool:
    """True for a text that is shown in the message rather than attached to it."""
    kind = part.get_content_type()
    if kind.startswith("multipart/"):
        return True  # the mark between its parts is nowhere: it is one text
    if kind not in ("text/plain", "text/html") or part.get_content_disposition() == "attachment":
        return False
    return whole or not part.get_filename()


def _payload(part: email.message.Message) -> bytes:
    found = part.get_payload(decode=True)
    return found if isinstance(found, bytes) else b""


def _decoded(value: object) -> str:
    """A header as it is shown: encoded words decoded, undeclared bytes read as UTF-8 or windows-1252."""
    raw = str(value)
    try:
        pieces = email.header.decode_header(value if isinstance(value, email.header.Header) else raw)
    except (email.errors.HeaderParseError, ValueError):
        return raw
    shown: list[str] = []
    for piece, encoding in pieces:
        if isinstance(piece, str):
            shown.append(piece)
            continue
        for one in (encoding if encoding and encoding != "unknown-8bit" else "utf-8", "cp1252", "latin-1"):
            try:
                shown.append(piece.decode(one))
                break
            except (LookupError, UnicodeDecodeError):
                continue
    return "".join(shown).encode("utf-8", "replace").decode()


class _Quotes:
    """Opens a section where a quotation begins, and one where the message's own text goes on."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._open = False

    def turn(self, quoted: bool, title: str = "") -> None:
        """Switch to quoted text (True) or to the message's own text (False)."""
        if quoted != self._open:
            self._builder.heading(1, title or (_NAMED if quoted else "Reply"), self._builder.next_line)
        self._open = quoted


def _add_text(text: str, builder: DocumentBuilder, *, flowed: bool, unspaced: bool) -> None:
    """Add a plain text; quotation marks (">") are removed, as sections show what is quoted."""
    quotes = _Quotes(builder)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    rest = next((at for at in range(len(lines)) if _begins_quoted(lines, at)), len(lines))
    before = ""
    for quoted, run in itertools.groupby(lines[:rest], lambda line: _QUOTED.match(line) is not None):
        shown = [_MARKERS.sub("", line) if quoted else line for line in run]
        if any(line.strip() for line in shown):
            quotes.turn(quoted, before if quoted and before.endswith((":", "\uff1a")) else "")
            before = next(line.strip() for line in reversed(shown) if line.strip())
        add_prose(list(_joined(shown, unspaced=unspaced)) if flowed else shown, builder)
    if rest < len(lines):
        quotes.turn(True, lines[rest].strip("-_ ") if _RULE.fullmatch(lines[rest].strip()) else "")
        add_prose([_MARKERS.sub("", line) for line in lines[rest:]], builder)


def _begins_quoted(lines: Sequence[str], at: int) -> bool:
    """True where a quoted message begins: at a rule with words in it, or at headers, one of them with an address."""
    if _RULE.fullmatch(lines[at].strip()):
        return any(_FIELD.fullmatch(line.strip()) for line in lines[at + 1 : at + 4])
    headers = lines[at : at + _LEAST_FIELDS]
    return (
        len(headers) == _LEAST_FIELDS
        and all(_FIELD.fullmatch(line.strip()) for line in headers)
        and "@" in "".join(headers)
        and (at == 0 or _PARTING.fullmatch(lines[at - 1].strip()) is not None)
    )


def _joined(lines: Sequence[str], *, unspaced: bool) -> Iterator[str]:
    """The paragraphs of a text in which a space at the end of a line means that the paragraph goes on (RFC 3676).

    If they are `unspaced` (`DelSp=yes`), that space means nothing else: a figure may go on behind it.
    """
    open_line = ""
    for line in lines:
        open_line += line.removeprefix(" ") if open_line else line
        if not line.endswith(" ") or line == "-- ":
            yield open_line
            open_line = ""
        elif unspaced:
            open_line = open_line[:-1]
    if open_line:
        yield open_line
