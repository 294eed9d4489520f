"""Readable words of a cited stretch: the document's own, without what its format writes for machines or printers.

Words broken over two lines are joined, Markdown is reduced to what a reader of it sees, HTML entities are resolved,
marks at the start of headings and list items go, a row of a piped table is told as "head: cell; head: cell". Nothing
is added but colons and semicolons between cells, so that whoever checks what is shown does the same to the cited lines
and finds the words there (`contract.validation.cited`). Stored lines stay as they are.
"""

from __future__ import annotations

import html
import re
from collections.abc import Container, Iterator, Sequence

from spanwise.text.list_marks import BULLETS, DASHES, OF_SYMBOLS
from spanwise.text.patterns import lazy_pattern
from spanwise.text.quantities import quantities
from spanwise.text.related import RARE, rarity
from spanwise.text.terms import STOPWORDS, stem

_CHARACTERS = str.maketrans(
    dict.fromkeys("\u00ad\u200b\u200c\u2060\ufeff\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    | dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000", " ")
    | {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st"}
)
_SOFT_BREAK = lazy_pattern(r"(?<=[^\W\d_])\u00ad[^\S\n]*\n\s*(?=[^\W\d_])")
_HARD_BREAK = lazy_pattern(r"([^\W\d_]+)[-\u2010\u2011\ufffe][^\S\n]*\n\s*([^\W\d_]+)")
_HYPHENED = lazy_pattern(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)*")
_HYPHENATED = frozenset("cross full half long low non real self short third well".split())
"""First parts that keep their hyphen before a whole word."""

_LINK = lazy_pattern(
    r"(?<!\w)!?\[([^\[\]\n]{0,500})\]\(\s{0,9}(?:\{%[^{}\n]{0,500}%\})?<?[^()\s<>]{0,2000}(?:\([^()\s]{0,300}\)[^()\s<>]{0,300})?>?"
    r"(?:\s{1,9}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\s{0,9}\)"
)
_REFERENCE = lazy_pattern(r"(?<!\w)\[([^\[\]\n]{0,300}[^\W\d_][^\[\]\n]{0,300})\]\[[^\[\]\n]{0,200}\]")
_CUT_LINK = lazy_pattern(r"(?<!\w)\[([^\[\]\n]{1,500})\]\([^()\s]{0,2000}$")
_FOOTNOTE = lazy_pattern(r"\[\^[^\[\]\s]{1,60}\]")
_AUTOLINK = lazy_pattern(r"<((?:https?://|mailto:)[^<>\s]{1,2000})>")
_ATTRIBUTES = lazy_pattern(r"\s\{[:#.][^{}\n]{0,200}\}$", re.MULTILINE)
_TAG = lazy_pattern(
    r"</?(?:a|abbr|b|big|br|center|cite|code|div|em|font|i|ins|kbd|li|mark|ol|p|q|samp|small|span|strong|sub|sup"
    r"|td|th|tr|tt|u|ul|var|wbr)(?:\s[^<>]{0,500})?/?>",
    re.IGNORECASE,
)
_CODE = lazy_pattern(r"(?<!`)(`{1,3})(?!`)([^`\n]{1,1000})(?<!`)\1(?!`)")
_STARS = lazy_pattern(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*\n]{1,1000})(?<=[^\s*])\1(?![\w*])")
_UNDERSCORES = lazy_pattern(r"(?<![\w_])(_{1,3})(?=[^\s_])([^\n]{1,300}?)(?<=[^\s_])\1(?![\w_])")
_CUT_STARS = lazy_pattern(r"(?<![\w*])\*\*+(?=[^\s*])|(?<=[^\s*])\*\*+(?![\w*])")
_CUT_TICK = lazy_pattern(r"(?<![\w`])`(?=\w)(?![^`]*`)|(?<=[\w)])`(?![\w`])")
_ESCAPED = lazy_pattern(r"(?<![:\\])\\([\\`*_\[\]#|~$])")
_ENTITY = lazy_pattern(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")

_FENCE = lazy_pattern(r"\s{0,9}(?:`{3,}|~{3,})\s?[\w+-]{0,30}\s*|\s{0,9}(?:[-=*_]\s?){3,200}")
_HEADING = lazy_pattern(r"\s{0,9}#{1,6}\s+(?=\S)")
_HEADING_END = lazy_pattern(r"(?<=\S)\s+#{1,6}\s*$")
_QUOTED = lazy_pattern(r"\s{0,9}(?:>\s?){1,9}(?=\s*[^\s\d])")
_BULLET = lazy_pattern(
    rf"\s*(?:[{BULLETS}{OF_SYMBOLS}]\s*"
    rf"|[+{DASHES}]\s+(?![\d$\u20ac\u00a3\u00a5])|o\s+(?=[A-Z]))(?=\S)"
)
_NUMBER = lazy_pattern(
    r"\s*(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxlc]{1,6}|[IVXLC]{1,6})\)\s+|(?:[a-z]|[ivxlc]{1,6}|[IVX]{2,6})\.\s+(?![a-z]\.)"
    r"|\d{1,2}\.\s+(?=\D)|\d{1,3}(?:\.\d{1,3}){1,4}\.?\s+(?=[^\W\d_a-z]|[\"\u201c(]))(?=\S)"
)
_DATED = lazy_pattern(r"\d{1,2}\.\s+[^\W\d_]{3,12}\.?\s+\d{4}\b")
_WORD = lazy_pattern(r"[^\W\d_]+")
_ENDED = (".", ";", ":", ",", "!", "?", "\u2014", "\u2013")

_PIPES = lazy_pattern(r"(?<!\\)\|")
_SEPARATOR = lazy_pattern(r"\|?(?:\s*:?-{2,}:?\s*(?:\||$)){1,100}")
_YEAR = lazy_pattern(r"(?:19|20)\d\d")
_DIGIT = lazy_pattern(r"\d")


def readable(text: str, source: str = "") -> str:
    """The words of a stretch as a person reads them, on one line.

    Args:
        text: Lines as a document has them, or a stretch of them whose line breaks are already spaces.
        source: The lines that such a stretch was cut from: where words were broken, and the head of a piped row.
    """
    rejoined = _rejoined(text, source)
    if rows := _told_rows(rejoined, source):
        return rows
    lines = [line for line in rejoined.translate(_CHARACTERS).split("\n") if not _FENCE.fullmatch(line)]
    whole = ""
    for line in lines:
        said, marked = _line(line, first=not whole)
        if whole and said:
            whole += "; " if marked and not whole.endswith(_ENDED) else " "
        whole += said
    shown = " ".join(_inline(whole).split())
    return shown or " ".join(text.split())


def _line(line: str, *, first: bool) -> tuple[str, bool]:
    """A line without the marks that begin a heading, quotation or list item, and whether it began an item.

    A number goes from the first line only: in any other it may be what the line before refers to.
    """
    said = _QUOTED.sub("", line, count=1) if _QUOTED.match(line) else line
    if heading := _HEADING.match(said):
        said = _HEADING_END.sub("", said[heading.end() :])
    marked = False
    for _ in range(2):  # "- (a) ..."
        mark = _BULLET.match(said) or (_numbering(said) if first else None)
        if mark is None:
            break
        said, marked = said[mark.end() :], True
    return said.strip(), marked


def _numbering(text: str) -> re.Match[str] | None:
    """The number of an item or section at the start; none of a date, of a figure ("2.4 GHz") or of nothing else."""
    mark = _NUMBER.match(text)
    if mark is None or not any(character.isalpha() for character in text[mark.end() :]):
        return None
    start = text.lstrip()[:40]
    if not start[0].isdigit():
        return mark
    number = start.split()[0]
    if "." in number.rstrip("."):
        following = _WORD.match(text, mark.end())
        figure = any(not one.start and one.end > len(number) for one in quantities(start))
        return mark if following and _known(following.group()) and not figure else None
    dated = any(one.kind == "date" and not one.start for one in quantities(start.replace(".", "", 1)))
    return None if dated or _DATED.match(start) else mark


def _inline(text: str) -> str:
    """Markdown and HTML inside of a line as a reader of it sees them."""
    text = _AUTOLINK.sub(r"\1", _TAG.sub(_gap, text)) if "<" in text else text
    if "[" in text:
        text = _FOOTNOTE.sub("", _CUT_LINK.sub(r"\1", _REFERENCE.sub(r"\1", _LINK.sub(r"\1", text))))
    text = _ATTRIBUTES.sub("", text) if "{" in text else text
    if "`" in text:
        pieces = _CODE.split(text)  # plain text, the marks, what is code, plain text, ...
        pieces[::3] = map(_emphasis, pieces[::3])
        text = "".join(piece for position, piece in enumerate(pieces) if position % 3 != 1)
        return _entities(_CUT_TICK.sub("", text))
    return _entities(_emphasis(text))


def _emphasis(text: str) -> str:
    for pattern in (_STARS, _UNDERSCORES) if "*" in text or "_" in text else ():
        text = pattern.sub(_unmarked, pattern.sub(_unmarked, text))  # twice: "**one _two_**"
    text = _CUT_STARS.sub("", text) if "**" in text else text
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def _unmarked(match: re.Match[str]) -> str:
    name = match[1].startswith("__") and match[2].isidentifier() and match[2].islower()
    return match.group() if name else match[2]  # `__init__` is a name


def _gap(tag: re.Match[str]) -> str:
    """What stands for a tag: a space where it parts words, nothing where it only changes how they look."""
    name = tag.group().strip("</ >").split()[0].lower()
    if name == "sup" and not tag.group().startswith("</"):
        return "^"  # 10<sup>2</sup> is not 102
    return " " if name in ("br", "div", "li", "ol", "p", "td", "th", "tr", "ul") else ""


def _entities(text: str) -> str:
    return _ENTITY.sub(lambda found: html.unescape(found.group()), text) if "&" in text else text


def _rejoined(text: str, source: str) -> str:
    """The text with words whole again that a hyphen breaks over two lines, in it or in what it was cut from."""
    if "\n" not in text and "\n" not in source:
        return text
    seen = frozenset(_HYPHENED.findall((source or text).lower()))
    whole = _HARD_BREAK.sub(lambda broken: _joined(broken[1], broken[2], seen), _SOFT_BREAK.sub("", text))
    halves = {f"{broken[1]}-{broken[2]}": broken for broken in _HARD_BREAK.finditer(source)}
    if not halves:
        return whole

    def again(word: re.Match[str]) -> str:
        broken = halves.get(word.group())
        return word.group() if broken is None else _joined(broken[1], broken[2], seen)

    return _HYPHENED.sub(again, whole)


def _joined(before: str, behind: str, seen: Container[str]) -> str:
    """Two halves of a word, joined as the text writes it elsewhere, else as English does, else in one.

    "infor-" and "mation" are one word; "user-" and "specific" are two, since nobody writes "userspecific".
    """
    one, two = f"{before}{behind}", f"{before}-{behind}"
    if behind[0].isupper() or two.lower() in seen:
        return two
    if one.lower() in seen:
        return one
    parted = not _known(one) or before.lower() in _HYPHENATED
    return two if parted and _known(before) and _known(behind) else one


def _known(word: str) -> bool:
    """True if a word, of two letters or more, is one of general English."""
    lower = word.lower()
    return len(word) > 1 and (lower in STOPWORDS or rarity(stem(lower)) < RARE)


def _told_rows(text: str, source: str) -> str:
    """The rows of a piped table in words; empty where the text is not made of such rows."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines or not all(_is_row(line) for line in lines):
        return ""
    head, around = _head_and_rows(source.split("\n")) if source else ((), ())
    own_head, rows = _head_and_rows(lines)
    wanted = {tuple(row) for row in rows}
    head = own_head or (head if all(tuple(row) in {tuple(one) for one in around} for row in rows) else ())
    return " ".join(_told_row(head, row) for row in rows if tuple(row) in wanted)


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|") and len(_PIPES.findall(line)) >= 2


def _head_and_rows(lines: Sequence[str]) -> tuple[Sequence[str], list[list[str]]]:
    """The head of the columns, if a line is one, and the rows below it."""
    piped = [line for line in lines if _is_row(line)]
    parted = next((at for at, line in enumerate(piped) if _SEPARATOR.fullmatch(line.strip())), None)
    rows = [_cells(line) for line in piped if not _SEPARATOR.fullmatch(line.strip())]
    if parted and len(rows) > 1:
        return rows[parted - 1], rows[parted:]
    if parted is None and len(rows) > 1 and _heads(rows[0]):
        return rows[0], rows[1:]
    return (), rows


def _heads(row: Sequence[str]) -> bool:
    """True if no cell of a row holds a figure but years."""
    return not any(_DIGIT.search(_YEAR.sub("", cell)) for cell in row)


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [" ".join(_inline(cell.translate(_CHARACTERS)).split()) for cell in _PIPES.split(inner)]


def _told_row(head: Sequence[str], row: Sequence[str]) -> str:
    if not head:
        said = [cell for cell in row if cell]
        named = len(said) > 1 and not _DIGIT.search(said[0]) and all(_DIGIT.search(cell) for cell in said[1:])
        return f"{said[0]}: {'; '.join(said[1:])}" if named else "; ".join(said)
    return "; ".join(_told_cells(head, row))


def _told_cells(head: Sequence[str], row: Sequence[str]) -> Iterator[str]:
    for at, cell in enumerate(row):
        name = head[at] if at < len(head) else ""
        if cell:
            yield f"{name}: {cell}" if name else cell
