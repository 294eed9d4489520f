"""Headings of text without markup: lines on their own in capitals, or with a number or a word such as "Article IV"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from spanwise.text.list_marks import OPENING

_LONGEST = 100
_MOST_WORDS = 14
_NAMED = re.compile(
    r"(?P<word>(?:article|section|chapter|clause|part|exhibit|schedule|appendix|annex|item|title|artikel|abschnitt|kapitel"
    r"|teil|anlage|anhang|chapitre|annexe|art\u00edculo|secci\u00f3n|cap\u00edtulo|anexo|articolo|sezione|capitolo|allegato"
    r"|artigo|se\u00e7\u00e3o|hoofdstuk|bijlage)(?=\s)|\u00a7)\s{0,3}"
    r"(?P<number>[ivxlc]{1,7}|[a-z]|[a-z]?-?\d{1,3}(?:\.\d{1,3}){0,4}[a-z]?)(?=$|[\s.:\-–—])",
    re.IGNORECASE,
)
_SECTIONS = frozenset("section item clause \u00a7 abschnitt secci\u00f3n sezione se\u00e7\u00e3o".split())
_ANNEXES = frozenset("exhibit schedule appendix annex annexe anlage anhang anexo allegato bijlage".split())
_NUMBERED = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,5}|[IVXLC]{1,6}(?=\.)|[A-Z](?=\.))\.?\)?\s{1,8}(?=\S)")
_RUN_IN = re.compile(
    r"\s{0,16}(?:(?i:section|article)\s{1,3})?(?P<number>\d{1,3}(?:\.\d{1,3}){0,4})\.?\s{1,8}(?P<title>[A-Z][^.:;\n]{3,70})[.:](?=\s|$)"
)
FULL = 0.7
"""Share of the longest line from which on a line may have been broken for want of room."""
_COUNTED = re.compile(r"(?P<number>\d{1,3})[.)]?\s{1,4}(?P<title>[A-Z][^.:;!?]{1,58})")
_UNDERLINE = re.compile(r"\s*(?:={3,}|-{3,}|~{3,}|\*{3,})\s*")
_SENTENCE = re.compile(r"\b(?:IS|ARE|WAS|WERE|SHALL|WILL|MUST|HAS|HAVE|CANNOT|NOT|DOES)\b.*\.$")
"""Capitals with a verb and a full stop at the end: a sentence, not a title."""
_SPACED = re.compile(r"\s{2}|\t|\|")
"""Separators between table cells."""
_DIGITS = re.compile(r"\d{1,9}")
_MOST_TIMES = 2
"""A line that occurs more often is a header or footer of pages."""
_FEWEST_LETTERS = 3
_MOST_PLAIN_WORDS = 9
_LEAST_PROSE = 6
"""Least number of words of a text that counts as prose."""
_SAMPLE = 2000
"""Number of lines examined."""
_ONE_BLANK = 2
"""Most lines from a term to its description; there may be one blank line between them."""
_DEEPER = 3
"""Least number of columns by which the description is indented further."""
_LONGEST_TERM = 60
_FEWEST_WORDS = 3
"""Least number of words in the first line of the description."""
_FEWEST_TERMS = 3
_NEARLY_ALL = 0.9
SMALL_WORDS = frozenset(
    "a an and any as at by de for from in into is it its no not of on or our other per than that the to und under upon "
    "with vs".split()
)


_ARTICLES = frozenset("the der die das ein eine le la les un une el los las il lo gli i o os as het de".split())
"""Words that begin a sentence rather than a title that ends with a full stop."""


class Heading(NamedTuple):
    """A heading: its level, its title, and whether it takes the whole line."""

    level: int
    title: str
    """Empty for the second line of a heading, whose words are part of the first one's title."""
    whole_line: bool


class _Candidate(NamedTuple):
    kind: str
    depth: int


def find_headings(lines: Sequence[str]) -> Mapping[int, Heading]:
    """The headings among the lines of a text, by line index."""
    paragraphs = _paragraphs(lines, _unspaced(lines))
    candidates = _without_lists([_judge([lines[index] for index in paragraph[:3]]) for paragraph in paragraphs])
    if _all_capitals(lines):
        candidates = [
            None if one and one.kind == "caps" and lines[paragraph[-1]].rstrip().endswith(".") else one
            for paragraph, one in zip(paragraphs, candidates, strict=True)
        ]
    articles = any(candidate and candidate.kind == "article" for candidate in candidates)
    found: dict[int, Heading] = {}
    plain = _plain_titles(lines, paragraphs, candidates)
    beneath = 1 + max((_level(one, articles=articles) for one in candidates if one), default=0)
    for paragraph, candidate in zip(paragraphs, candidates, strict=True):
        first = paragraph[0]
        if candidate is not None:
            title = " ".join(lines[index].strip() for index in paragraph if not _UNDERLINE.fullmatch(lines[index]))
            found[first] = Heading(_level(candidate, articles=articles), title, whole_line=True)
            for index in paragraph[1:]:
                if not _UNDERLINE.fullmatch(lines[index]):
                    found[index] = Heading(found[first].level, "", whole_line=True)
        elif (run_in := _run_in(lines[first])) is not None:
            depth, title = run_in
            found[first] = Heading(_level(_Candidate("numbered", depth), articles=articles), title, whole_line=False)
        elif first in plain:
            found[first] = Heading(beneath, lines[first].strip(), whole_line=True)
    for index in _hanging(lines):
        found.setdefault(index, Heading(beneath + 1, lines[index].strip(), whole_line=True))
    return found


def _hanging(lines: Sequence[str]) -> list[int]:
    """Short lines with what is said of them further indented below, as manuals write options; a text has several."""
    found: set[int] = set()
    written = [index for index, line in enumerate(lines) if line.strip()]
    around = list(zip([-1, *written], written, written[1:], strict=False))
    for before, index, behind in reversed(around):  # what is said of a term may be a term itself
        line, below = lines[index].rstrip(), lines[behind]
        text = line.strip()
        if behind - index > _ONE_BLANK or _indent(below) - _indent(line) < _DEEPER or len(text) > _LONGEST_TERM:
            continue
        beside = before == index - 1 and before >= 0 and _indent(lines[before]) == _indent(line)
        if beside or not _short(text) or text[-1] in '.,;:!?-\u2013)"' or _SPACED.search(text) or OPENING.match(line):
            continue
        if len(below.split()) >= _FEWEST_WORDS or behind in found:
            found.add(index)
    return sorted(found) if len(found) >= _FEWEST_TERMS else []


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _plain_titles(
    lines: Sequence[str], paragraphs: Sequence[Sequence[int]], candidates: Sequence[_Candidate | None]
) -> frozenset[int]:
    """Indexes of titles recognised by position only: short lines over prose or a list, if there are several."""
    width = max(map(len, lines), default=0)
    found: list[int] = []
    for paragraph, candidate, follows in zip(paragraphs, candidates, [*paragraphs[1:], []], strict=False):
        first, *below = paragraph
        beside = bool(below)  # the text follows on the next line, so that the first may be one that was broken off
        below = below or list(follows)
        if candidate is not None or not below or not _plain_title(lines[first]):
            continue
        texts = [lines[index].strip() for index in below]
        if beside and len(lines[first].strip()) + len(texts[0].split(maxsplit=1)[0]) >= FULL * width:
            continue
        if _is_prose(texts) or (len(texts) > 1 and all(map(OPENING.match, texts[:2]))):
            found.append(first)
    said = {index: _DIGITS.sub("0", lines[index].strip()) for index in found}  # "Page 6", "Page 7"
    times = Counter(said.values())
    found = [index for index in found if times[said[index]] <= _MOST_TIMES]
    return frozenset(found if len(found) > 1 else ())


def _plain_title(line: str) -> bool:
    text = line.strip()
    if (
        not _short(text)
        or len(text.split()) > _MOST_PLAIN_WORDS
        or not text[0].isupper()
        or text[-1] in '.,;:!-\u2013)"'
    ):
        return False
    if sum(map(str.isalpha, text)) < _FEWEST_LETTERS:
        return False
    return ": " not in text and ". " not in text and not _SPACED.search(text)


def _is_prose(texts: Sequence[str]) -> bool:
    """True if lines begin and end as a sentence does and have more words than a name or an address."""
    joined = " ".join(texts)
    begins = joined[0].isupper() or joined[0].isdigit() or joined[0] in "\"'\u201c\u201e\u00ab(\u00bf\u00a1"
    return (
        begins
        and joined.rstrip("\"')\u201d\u00bb").endswith((".", "!", "?", ":"))
        and len(joined.split()) >= _LEAST_PROSE
    )


def _paragraphs(lines: Sequence[str], unspaced: AbstractSet[int]) -> list[list[int]]:
    paragraphs: list[list[int]] = [[]]
    for index, line in enumerate(lines):
        if index in unspaced:
            paragraphs += [[index], []]
        elif line.strip():
            paragraphs[-1].append(index)
        elif paragraphs[-1]:
            paragraphs.append([])
    return [paragraph for paragraph in paragraphs if paragraph]


def _unspaced(lines: Sequence[str]) -> frozenset[int]:
    """Indexes of headings directly above a sentence: short lines numbered in sequence, or named ("Section 5. Fees")."""
    width = max(map(len, lines), default=0)
    found: list[int] = []
    named: list[int] = []
    for index, line in enumerate(lines[:-1]):
        match = _COUNTED.fullmatch(line)
        below = lines[index + 1]
        if _named_above(lines[index - 1] if index else "", line, below, width):
            named.append(index)
        if match is None or not below[:1].isupper() or _NUMBERED.match(below) or not _titled(match["title"]):
            continue
        if len(line) + len(below.split(maxsplit=1)[0]) < FULL * width and int(match["number"]) == len(found) + 1:
            found.append(index)
    return frozenset([*named, *(found if len(found) > 1 else ())])


def _named_above(above: str, line: str, below: str, width: int) -> bool:
    """True for a named heading ("Section 5") that opens a paragraph, with its text on the next line."""
    match = _NAMED.match(line.strip())
    if match is None or above.strip() or not below[:1].isupper() or _NAMED.match(below) or _judge_line(below):
        return False
    return _judge_line(line.strip()) is not None and len(line) + len(below.split(maxsplit=1)[0]) < FULL * width


def _judge(lines: Sequence[str]) -> _Candidate | None:
    """The kind of heading that a paragraph of one line, or of two ("ARTICLE IV" over its title), is.

    None if it is none.
    """
    texts = [line.strip() for line in lines]
    if len(texts) == 2 and _UNDERLINE.fullmatch(texts[1]):
        return _Candidate("caps", 1) if _short(texts[0]) else None
    if len(texts) == 2 and (first := _judge_line(texts[0])) and _judge_line(texts[1]) and first.kind != "numbered":
        return first
    return _judge_line(texts[0]) if len(texts) == 1 else None


def _judge_line(text: str) -> _Candidate | None:
    if not _short(text):
        return None
    if match := _NAMED.match(text):
        rest = text[match.end() :].strip(" .:-–—\t")
        if rest and (not _titled(rest) or _is_sentence(rest, text)):
            return None
        word = match["word"].lower()
        if word in _SECTIONS:
            return _Candidate("section", 1 + match["number"].count("."))
        return _Candidate("annex" if word in _ANNEXES else "article", 1)
    if match := _NUMBERED.match(text):
        rest = text[match.end() :]
        titled = _titled(rest) and not _is_sentence(rest, text)
        return _Candidate("numbered", 1 + match["number"].count(".")) if titled else None
    letters = [char for char in text if char.isalpha()]
    solid = len(letters) >= 3 and 2 * len(letters) > len(text.replace(" ", ""))
    shown = solid and text.isupper() and text[-1] not in ",;"
    return _Candidate("caps", 1) if shown and not _SENTENCE.search(text) else None


def _all_capitals(lines: Sequence[str]) -> bool:
    """True if nearly the whole text is in capitals, so that they mark nothing."""
    letters = [char for line in lines[:_SAMPLE] for char in line if char.isalpha()]
    return sum(map(str.isupper, letters)) > _NEARLY_ALL * len(letters)


def _short(text: str) -> bool:
    return len(text) <= _LONGEST and len(text.split()) <= _MOST_WORDS and any(char.isalpha() for char in text)


def _is_sentence(rest: str, text: str) -> bool:
    """True for a sentence in a language that capitalises nouns: "§ 4 Die Kaution beträgt 7.350 Euro."."""
    first, *others = rest.split()
    lower = any(word[0].islower() and word not in SMALL_WORDS for word in others)
    return text.endswith(".") and first.lower() in _ARTICLES and lower


def _titled(text: str) -> bool:
    """True for words in title case: the first is capitalised, and most others that carry meaning."""
    text = text.rstrip()
    if not text or text[-1] in ",;?!" or ". " in text:
        return False
    words = [word.strip("\"'“”()[].:") for word in re.split(r"[\s/\-–—]+", text)]
    weighty = [word for word in words if word and word[0].isalpha() and word.lower() not in SMALL_WORDS]
    if not weighty or not words[0] or not (words[0][0].isupper() or words[0][0].isdigit()):
        return False
    if text[-1] == "." and len(weighty) > 8:
        return False
    capitals = sum(word[0].isupper() for word in weighty)
    # "4. Late payment" is a heading although only its first word has a capital; a sentence has more small words.
    return 2 * capitals > len(weighty) or (len(weighty) <= 4 and text[-1] != ".")


def _run_in(line: str) -> tuple[int, str] | None:
    """Depth and title of a heading that opens a paragraph ("3. Term of Agreement. This Agreement ..."), or None."""
    match = _RUN_IN.match(line)
    if match is None or not _titled(match["title"]):
        return None
    capitals = [word for word in match["title"].split() if word.lower() not in SMALL_WORDS]
    if not all(word[0].isupper() or not word[0].isalpha() for word in capitals):
        return None
    return 1 + match["number"].count("."), line[: match.end("title")].strip()


def _without_lists(candidates: Sequence[_Candidate | None]) -> list[_Candidate | None]:
    """The candidates without consecutive numbered lines of the same depth, which are a list."""
    padded = [None, *candidates, None]
    return [
        None if candidate and candidate.kind == "numbered" and candidate in (before, after) else candidate
        for before, candidate, after in zip(padded, candidates, padded[2:], strict=False)
    ]


def _level(candidate: _Candidate, *, articles: bool) -> int:
    if candidate.kind in ("article", "annex", "caps"):
        return 1
    return candidate.depth + (1 if articles else 0)
