"""Names in a question: of companies, parties, products and documents, and whether one owns what is asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from spanwise.text.languages import language_of
from spanwise.text.languages.data import languages
from spanwise.text.patterns import AUXILIARIES
from spanwise.text.quantities.dates import MONTHS
from spanwise.text.terms import terms

MOST = 8
"""Names of one question that are read."""
_LONGEST = 20_000
_SHORT = 3
"""Letters of a word in capitals that may be an abbreviation of anything."""
_TOKEN = re.compile(r"[^\W_][\w&.\u2019'+-]{0,60}")
_POSSESSIVE = re.compile(r"(?:['\u2019]s?|(?<=s)['\u2019])$")
_WORD = re.compile(r"[^\W\d_][^\W_]*\Z")
_PERIOD = re.compile(
    r"(?:fy|cy|q|h|year)?[1-4]?(?:fy)?['\u2019]?\d{1,4}(?:[qh][1-4])?|[qh][1-4](?:fy)?\d{0,4}", re.IGNORECASE
)
"""What says a time or a bare number, and no model: FY2022, Q3, 2019, 1H23."""
_JOINS = frozenset("of and the & de la le du des van von der den und y".split())
DOMAIN = re.compile(r"(?<=[^\W\d_]{2})\.(?=[^\W\d_]{2})")
"""The dot of a name like Example.com."""
_ARTICLES = frozenset("the la le der den".split())
NAME_RUN = re.compile(r"\b[A-Z][\w&.\u2019'-]{0,40}(?:[ ]+(?:of |and |& )?[A-Z][\w&.\u2019'-]{0,40}){1,7}")
"""A name of several words."""
MOST_RUNS = 40
_LONGEST_SHORT = 6
LEGAL_FORMS = frozenset(
    """
    inc incorporated corp corporation co company ltd limited llc llp lp plc gmbh ag sa nv bv se kg spa srl pty ab asa oy
    holdings
    """.split()
)
"""Words behind the name of a company that say what it is by law; documents leave them out."""
_VERBS = frozenset(AUXILIARIES.split("|"))
_BEFORE = _VERBS | frozenset(
    """
    for by of at with from that which what where when how why whether if because von de del della di du d para pour por
    """.split()
)
_STRUCTURE = frozenset(
    """
    section article chapter page table figure appendix annex exhibit schedule part item clause note form question step
    line paragraph volume version
    """.split()
)
"""Words for the parts of a document, which name no subject."""
_AHEAD = frozenset(
    """
    what which who whom whose when where why how is are was were do does did has have had can could may must shall
    should will would in on at by for from of to with the a an and or but if as please according based given list
    name tell show give describe explain compare compute calculate identify find
    """.split()
)
"""Words that begin a question with a capital and are no names."""
_TIMES = frozenset("today yesterday tomorrow tonight year month week day it that there here let what who".split())
_DATES = frozenset(MONTHS) | frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_GAP = r"\W{1,3}"
_TITLED = 0.8
"""Share of capitalised words from which all of a question is written like a title, and a capital tells nothing."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it was written."""

    text: str
    stems: tuple[str, ...]
    owner: bool
    """True if it owns or does what is asked for: "Adobe's revenue", "revenue of Adobe", "did Adobe"."""
    sure: bool
    """True if the wording alone tells that it is a name; else only a document can that has it as one."""

    @property
    def joined(self) -> str:
        """Its letters and digits in one piece, as file names have them."""
        return "".join(character for character in self.text.casefold() if character.isalnum())

    def said_in(self, text: str) -> bool:
        """True if a text has its words in a row, in capitals or not."""
        words = re.findall(r"[^\W_]+", self.text)
        return re.search(rf"(?<!\w){_GAP.join(map(re.escape, words))}", text, re.IGNORECASE) is not None

    @property
    def parts(self) -> tuple[Name, ...]:
        """The names on both sides of an "and" in it; none where there is no such word."""
        pieces = re.split(r"\s+(?:and|&|und|y|et)\s+", self.text)
        return tuple(_name(piece, self.owner, self.sure) for piece in pieces) if len(pieces) > 1 else ()


def names(text: str) -> tuple[Name, ...]:
    """The names in a question, in order, each once; at most MOST."""
    if text == text.lower():
        return _uncapitalised(text)
    tokens = list(_TOKEN.finditer(text[:_LONGEST]))
    words = [token for token in tokens if len(token[0]) > 1 and terms(token[0])]
    titled = sum(_spelled(token[0]) for token in words) > max(2.0, _TITLED * len(words))
    nouns = languages()[language_of(text)].capital_nouns
    found: dict[tuple[str, ...], Name] = {}
    at = 0
    while at < len(tokens) and len(found) < MOST:
        if not _names(tokens[at][0]) or (_begins(text, tokens, at) and tokens[at][0].lower() in _AHEAD):
            at += 1
            continue
        last = _end(text, tokens, at)
        if tokens[at][0].casefold() in _STRUCTURE:
            at = last + 1
            continue
        name = _read(text, tokens, at, last, titled=titled, nouns=nouns)
        if name is not None:
            known = found.get(name.stems)
            found[name.stems] = name if known is None or name.owner or not known.owner else known
        at = last + 1
    return tuple(found.values())


def _uncapitalised(text: str) -> tuple[Name, ...]:
    """What may be a name in a question without a capital: each content word, and each with the next one."""
    words = _TOKEN.findall(text[:_LONGEST])
    plain = [_POSSESSIVE.sub("", word) for word in words]
    telling = [at for at, word in enumerate(plain) if terms(word) and not _PERIOD.fullmatch(word)][:MOST]
    pairs = [f"{plain[at]} {plain[at + 1]}" for at in telling if at + 1 in telling]
    found = [_name(one, owner=False, sure=False) for one in [*pairs, *(plain[at] for at in telling)]]
    return tuple({one.stems: one for one in found}.values())


def _read(text: str, tokens: list[re.Match[str]], first: int, last: int, *, titled: bool, nouns: bool) -> Name | None:
    """The name of some tokens, not for sure where every word has a capital (`titled`), or every noun."""
    whole = text[tokens[first].start() : tokens[last].end()]
    plain = _POSSESSIVE.sub("", whole).strip(" .'\u2019&-")
    owner = plain != whole.rstrip(".") and _POSSESSIVE.search(whole) is not None
    begins = _begins(text, tokens, first)
    owner = owner or _acts(text, tokens, first, last)
    words = [word for word in re.findall(r"[^\W_]+", plain) if word.lower() not in _JOINS | LEGAL_FORMS]
    spelled = all(map(_spelled, words)) or (len(words) > 1 and any(len(word) > _SHORT for word in words))
    spelled = spelled or any(len(word) > 2 * _SHORT for word in words)
    # "the Parliament may", "the Customer": a common word with a capital, unlike the name in "the Norvale lease".
    called = first > 0 and tokens[first - 1][0].lower() == "the" and " " not in plain
    called = called and not _describes(text, tokens, last)
    common = called or (begins and (plain.lower() in _TIMES or not owner))
    # "die Frist der Kündigung": where every noun has a capital, only two of them in a row are a name.
    phrase = first == last or any(token[0].lower() in _JOINS for token in tokens[first : last + 1])
    common = common or (nouns and phrase and not owner)
    name = _name(plain, owner, sure=spelled and not titled and not common)
    return name if name.stems else None


def _acts(text: str, tokens: list[re.Match[str]], first: int, last: int) -> bool:
    """True if a name does what is asked ("did Adobe", "what Adobe has") or has it ("the revenue of Adobe in 2015")."""
    follows = tokens[last + 1] if last + 1 < len(tokens) else None
    near = follows is not None and not text[tokens[last].end() : follows.start()].strip()
    if follows is not None and near and follows[0].lower() in _VERBS and not _begins(text, tokens, first):
        return True
    article = first > 0 and tokens[first - 1][0].lower() == "the"
    before = first - 1 - article
    if before < 0:
        return False
    # "the French law": a name before what it describes owns nothing.
    describes = _describes(text, tokens, last)
    word = tokens[before][0].lower()
    return word in _BEFORE and not (article and describes)


def _describes(text: str, tokens: list[re.Match[str]], last: int) -> bool:
    """True if a name stands right before another content word."""
    if last + 1 >= len(tokens):
        return False
    follows = tokens[last + 1]
    return not text[tokens[last].end() : follows.start()].strip() and bool(terms(follows[0]))


def _name(text: str, owner: bool, sure: bool) -> Name:
    words = text.replace(",", " ").split()
    while len(words) > 1 and "".join(filter(str.isalpha, words[-1])).casefold() in LEGAL_FORMS:
        words.pop()
    short = " ".join(words)
    return Name(short, tuple(terms(DOMAIN.sub(" ", short))), owner, sure)


def _end(text: str, tokens: list[re.Match[str]], first: int) -> int:
    """The last token of the name that begins with a token."""
    last, at = first, first + 1
    while at < len(tokens) and not _POSSESSIVE.search(tokens[last][0]):
        gap = text[tokens[at - 1].end() : tokens[at].start()]
        formed = gap == ", " and tokens[at][0].rstrip("'s\u2019.").casefold() in LEGAL_FORMS
        if (
            (gap.strip(" &.") and not formed)
            or "\n" in gap
            or (gap.startswith(".") and len(tokens[at - 1][0]) > _SHORT)
        ):
            break
        if _names(tokens[at][0]):
            last = at
        elif tokens[at][0].lower() not in (_ARTICLES if at - last > 1 else _JOINS) or at - last > 2:
            break
        at += 1
    return last


def _names(word: str) -> bool:
    """True if a word is written like one of a name: a capital, or letters with digits; no time."""
    plain = _POSSESSIVE.sub("", word)
    if _PERIOD.fullmatch(plain) or len(plain) < 2 or plain.casefold() in _DATES:
        return False
    return plain[0].isupper() or (any(map(str.isdigit, plain)) and any(map(str.isalpha, plain)))


def _spelled(word: str) -> bool:
    """True if a word is spelled like a name, unlike an abbreviation: a capital with a small letter behind it."""
    return _WORD.match(word) is not None and any(map(str.islower, word)) and word[0].isupper()


def _begins(text: str, tokens: list[re.Match[str]], at: int) -> bool:
    """True if a word begins a sentence, or what is quoted."""
    before = text[: tokens[at].start()].rstrip(" \"'\u201c\u2018([\u00bf\u00a1")
    return not before or before[-1] in ".?!:\n"


def abbreviations_of(text: str) -> list[str]:
    """What the names of several words in a text may be called for short, in small letters: AMD, FedEx."""
    found: dict[str, None] = {}
    for match in islice(NAME_RUN.finditer(text), MOST_RUNS):
        words = [word.casefold() for word in match[0].split() if word[0].isupper()]
        letters = "".join(word[0] for word in words)
        found |= dict.fromkeys(letters[:size] for size in range(2, min(_LONGEST_SHORT, len(letters)) + 1))
        if len(words) > 1:
            found |= dict.fromkeys(words[0][:one] + words[1][:other] for one in (2, 3) for other in (2, 3))
    return list(found)
