"""Languages: which one a text is written in, and the words of it that carry a sentence's form.

English is assumed unless a text plainly is of another language: by its script, or by the function words in it.

`question_kind` tells what a question in another language asks for by its question word.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain

from spanwise.errors import InputError
from spanwise.text.languages.data import Language, languages
from spanwise.text.patterns import lazy_pattern

ENGLISH = "en"
_SCRIPTS = (
    ("ja", re.compile("[\u3041-\u309f\u30a1-\u30ff]")),
    ("zh", lazy_pattern("[\u3400-\u9fff\uf900-\ufaff]")),
    ("ko", re.compile("[\u1100-\u11ff\uac00-\ud7af]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
)
"""The language that each script stands for; a text with kana is Japanese however many ideographs it has."""
_NOT_LATIN = lazy_pattern("[\u0370-\u1aff\u1f00-\u1fff\u3041-\ud7af\uf900-\ufaff]")
_LATIN_LETTER = lazy_pattern("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_LATIN_NAME = lazy_pattern("(?<![A-Za-z\u00c0-\u024f])[A-Z\u00c0-\u00de][A-Za-z\u00c0-\u024f\u1e00-\u1eff]{0,40}")
_OTHER_SCRIPTS = frozenset(language for language, _ in _SCRIPTS)
_DENSITY = {"ja": 3, "zh": 3, "ko": 2}
"""Letters of an alphabet that one character of the script is worth."""
_SAMPLE = 1500
"""Characters of a text that are looked at."""
_PIECE = 300
"""Characters of a document of which the language is told at once, at least."""
_MOST_PIECES = 100
_LEAST_OF_ALL = 0.1
"""Share of a document's letters that a language of it has."""
_WORD = lazy_pattern(r"[^\W\d_]+")
_KINDS = 3
"""Different small words that names share, which are too many for names; one less where they are a quarter of a text."""
_OFTEN = 0.25
_LEAST_SHARE = 0.15
"""Share of function words in a text, at least; a name or a title has fewer."""


def language_of(text: str) -> str:
    """The ISO 639-1 code of the language that a text is plainly written in, `en` where nothing speaks for another.

    A script stands for the most spoken of its languages: Cyrillic is `ru`, Devanagari `hi`.
    """
    return _guessed(text[:_SAMPLE])


def known_language(code: str) -> str:
    """The code, where something is known of its language.

    Raises:
        InputError: Nothing is; the message names the languages that are known.
    """
    if code in languages():
        return code
    raise InputError(f"there is no language {str(code)[:80]!r}: choose {', '.join(sorted(languages()))}")


def told_language(text: str, likely: Collection[str] = ()) -> str:
    """The same, but nothing where no word tells of any language.

    Args:
        text: A sentence, or more.
        likely: Languages that are taken rather than another for which the text hardly speaks more: a few words of
            Norwegian may be Danish, and a Japanese title has no kana.
    """
    found = language_of(text)
    if found == ENGLISH:
        words = _WORD.findall(text[:_SAMPLE])
        hidden = _among_names(words)
        if not hidden and not likely:  # pieces of a document: one English word is enough
            return ENGLISH if any(ENGLISH in _by_word().get(word.lower(), ()) for word in words) else ""
        counts = _counts(map(str.lower, words))
        return _nearly(counts, hidden, likely) if hidden else _likely_or_english(counts, likely)
    if found in likely:
        return found
    if not is_latin(found):
        return "ja" if found == "zh" and "ja" in likely else found
    return _nearly(_counts(_WORD.findall(text[:_SAMPLE].lower())), found, likely)


def languages_of(lines: Iterable[str], characters: int) -> tuple[str, ...]:
    """The languages that at least a tenth of some lines is in, the commonest first.

    Of a text of many `characters` samples are told.
    """
    letters: Counter[str] = Counter()
    step = max(1, characters // (_PIECE * _MOST_PIECES))
    for place, piece in enumerate(_pieces(lines)):
        if place % step == 0:
            letters[told_language(piece)] += sum(map(str.isalpha, piece))
    letters.pop("", None)
    found = sorted(letters, key=lambda code: (-letters[code], code))
    return tuple(code for code in found if letters[code] >= _LEAST_OF_ALL * letters.total())


def _pieces(lines: Iterable[str]) -> Iterator[str]:
    piece = ""
    for line in lines:
        piece = f"{piece} {line[:_SAMPLE]}" if piece else line[:_SAMPLE]
        if len(piece) >= _PIECE:
            yield piece
            piece = ""
    if piece:
        yield piece


def _nearly(counts: Counter[str], found: str, likely: Collection[str]) -> str:
    """A likely language of which a text has half as many words, else the one that was found."""
    near = _most(counts, [one for one in likely if one != ENGLISH])
    return near if 2 * counts[near] >= counts[found] > 0 else found


def _likely_or_english(counts: Counter[str], likely: Collection[str]) -> str:
    """One of the likely languages, where a text has few words of any; English where it has some of that."""
    near = _most(counts, likely)
    if counts[near] > 2 * counts[ENGLISH]:
        return near
    return ENGLISH if counts[ENGLISH] else ""


def _most(counts: Counter[str], likely: Collection[str]) -> str:
    return max(sorted(filter(is_latin, likely)), key=lambda code: counts[code], default="")


def _among_names(words: Sequence[str]) -> str:
    """The language of which a text has small words that names have as well, written small and too many for names."""
    small = [word if at else word.lower() for at, word in enumerate(words)]
    counts = _counts(small)
    english = counts.pop(ENGLISH, 0)
    most = max(counts.values(), default=0)
    if most <= 2 * english:  # most texts are English
        return ""
    best = max(counts, key=lambda code: (counts[code], -_order()[code]))
    kinds = _counts(dict.fromkeys(small))
    often = not english and counts[best] >= _OFTEN * len(words)
    enough = kinds[best] >= _KINDS or (kinds[best] == _KINDS - 1 and often)
    return best if enough else ""


def _counts(words: Iterable[str]) -> Counter[str]:
    """How many function words of each language in Latin letters a text has."""
    known = _by_word()
    composed = (word if word.isascii() else unicodedata.normalize("NFC", word) for word in words)
    return Counter([code for word in composed if word in known for code in known[word]])


@lru_cache(maxsize=1024)
def _guessed(text: str) -> str:
    if text.isascii():
        if text.count(" the ") > 1:  # most texts, told in a tenth of the time
            return ENGLISH
    else:
        text = unicodedata.normalize("NFC", text)
        if _NOT_LATIN.search(text) and (script := _script(text)):
            return script
    words = _WORD.findall(text.lower())
    return _language_of_words(words, asked="?" in text or "\uff1f" in text) if words else ENGLISH


def _script(text: str) -> str | None:
    """The language of the script that most of a text is written in, None where that is Latin.

    Words with a Latin capital count half: names keep their letters in sentences of every script.
    """
    counts = {language: len(pattern.findall(text)) * _DENSITY.get(language, 1) for language, pattern in _SCRIPTS}
    if 4 * counts["ja"] >= counts["zh"] > 0 or counts["ja"] > counts["zh"]:
        counts["ja"], counts["zh"] = counts["ja"] + counts["zh"], 0
    best = max(counts, key=lambda language: counts[language])
    latin = len(_LATIN_LETTER.findall(text)) - sum(map(len, _LATIN_NAME.findall(text))) / 2
    return best if counts[best] > latin else None


def _language_of_words(words: list[str], *, asked: bool) -> str:
    languages, letters, order = _by_word(), _by_letter(), _order()
    own = [language for word in words if not word.isascii() for letter in word for language in letters.get(letter, ())]
    found = Counter(chain(chain.from_iterable([languages.get(word, ()) for word in words]), own))
    english = found.pop(ENGLISH, 0)
    if max(found.values(), default=0) > english:  # most texts are English, and need no more
        telling = (languages.get(word, ()) for word in words if len(word) > 1 and word not in _in_names())
        clear = {one for those in telling if ENGLISH not in those for one in those}.union(own)
        for language in sorted(found, key=lambda language: (-found[language], order[language])):
            count = found[language]
            if count <= english:
                break
            if language in clear and count > 1 and count >= _LEAST_SHARE * len(words):
                return language
    if asked and (opened := _opening_phrases().get(tuple(words[:2]))):  # "Was kostet das?", though "was" is English
        return opened
    if asked and not english and words[0] not in _in_names():  # "Wo liegt Berlin?" has no other word that tells
        return next(
            (language for language in sorted(found, key=order.__getitem__) if words[0] in _openers(language)), ENGLISH
        )
    return ENGLISH


def is_latin(language: str) -> bool:
    """True if a language is written in Latin letters."""
    return language not in _OTHER_SCRIPTS


def function_words(language: str) -> frozenset[str]:
    """The function words of a language, lower case, with and without their accents; none of an unknown one.

    Those of Chinese, Japanese, Korean and Thai are stretches of text, since nothing parts words there.
    """
    return _function_words(language)


@cache
def _function_words(language: str) -> frozenset[str]:
    known = languages().get(language)
    listed = known.function_words if known is not None else frozenset[str]()
    return listed | {without_accents(word) for word in listed}


@cache
def function_characters() -> frozenset[str]:
    """The characters that make no word with their neighbours."""
    return frozenset(character for one in languages().values() for character in one.silent)


@lru_cache(maxsize=16384)
def without_accents(word: str) -> str:
    """A lower-case word of Latin, Greek or Cyrillic letters without its accents."""
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFD", word)
    return "".join(part for part in parts if not unicodedata.combining(part)).replace("\u0131", "i")


@cache
def _openers(language: str) -> frozenset[str]:
    """The single words that ask in a language."""
    return frozenset(phrase for phrases in languages()[language].questions.values() for phrase in phrases)


@cache
def _opening_phrases() -> Mapping[tuple[str, ...], str]:
    """The language of two words that ask, where no other asks with them and English has not both."""
    found: dict[tuple[str, ...], set[str]] = {}
    for one in languages().values():
        phrases = chain.from_iterable(one.questions.values()) if is_latin(one.code) else ()
        for phrase in phrases:
            if len(words := _WORD.findall(phrase)) == 2:
                found.setdefault(tuple(words), set()).add(one.code)
    english = languages()[ENGLISH].function_words
    return {words: min(codes) for words, codes in found.items() if len(codes) == 1 and not english.issuperset(words)}


@cache
def _by_word() -> Mapping[str, tuple[str, ...]]:
    """The languages written in Latin letters that have a word among their function words."""
    found: dict[str, list[str]] = {}
    for one in languages().values():
        for word in one.function_words if is_latin(one.code) else ():
            found.setdefault(word, []).append(one.code)
    return {word: tuple(codes) for word, codes in found.items()}


@cache
def _by_letter() -> Mapping[str, tuple[str, ...]]:
    """The languages that each letter with accents speaks for."""
    found: dict[str, list[str]] = {}
    for one in languages().values():
        for letter in one.letters:
            found.setdefault(letter, []).append(one.code)
    return {letter: tuple(codes) for letter, codes in found.items()}


@cache
def _order() -> Mapping[str, int]:
    return {language: place for place, language in enumerate(languages())}


@cache
def _in_names() -> frozenset[str]:
    return frozenset(word for one in languages().values() for word in one.also_in_names)


_FIRST = "yes_no_first"
_YES_NO = "yes_no"
_UNSPACED = frozenset(["ja", "ko", "th", "zh"])
"""Languages in which a question word is found inside a run of letters."""
_LONGEST = 2_000
"""Characters of a question that are looked at, from its end."""


def question_kind(text: str, language: str | None = None) -> str | None:
    """What a question asks for; None where its words do not tell, and for English, which has finer patterns elsewhere.

    One of `who`, `where`, `when`, `how_many`, `how_much`, `how_long`, `why`, `how`, `what`, `which`, `yes_no`. Its
    words tell the language too, where no code is given.
    """
    known = languages()[language or language_of(text)]
    asked = unicodedata.normalize("NFKC", text.rpartition("\u00bf")[2][-_LONGEST:]).lower()
    kind = _kind(asked, known, known.questions)
    if kind is None and known.code not in _UNSPACED:  # "cuando" for "cuándo", as many type it
        plain = {
            kind: tuple(without_accents(phrase) for phrase in phrases) for kind, phrases in known.questions.items()
        }
        kind = _kind(without_accents(asked), known, plain)
    return kind


def _kind(asked: str, language: Language, kinds: Mapping[str, tuple[str, ...]]) -> str | None:
    found = sorted(
        (place, -len(phrase), order, kind)
        for order, (kind, phrases) in enumerate(kinds.items())
        for phrase in phrases
        if (place := _place(phrase, asked, whole_words=language.code not in _UNSPACED)) >= 0
    )
    start = len(asked) - len(asked.lstrip(" \u00a1\"'\u00ab\u201c\u201e("))
    if found and found[0][0] == start and found[0][3] == _FIRST:
        return _YES_NO
    open_question = [one for one in found if one[3] not in (_FIRST, _YES_NO)]
    if not open_question:
        return _YES_NO if any(kind == _YES_NO for *_, kind in found) else None
    if language.fronted:
        return open_question[0][3]
    return min(open_question, key=lambda one: (one[1], one[2], one[0]))[3]


def _place(phrase: str, text: str, *, whole_words: bool) -> int:
    """Where a phrase first stands in a text, -1 where it does not."""
    place = text.find(phrase)
    while whole_words and place >= 0:
        before, behind = text[place - 1 : place], text[place + len(phrase) : place + len(phrase) + 1]
        if not (_joins(before) or _joins(behind)):
            break
        place = text.find(phrase, place + 1)
    return place


def _joins(character: str) -> bool:
    """True if a character beside a phrase makes it a part of a longer word."""
    return bool(character) and (character.isalnum() or unicodedata.category(character).startswith("M"))
