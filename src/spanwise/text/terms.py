"""What a text is about: its content words, stemmed (Snowball), so that question and sentence compare.

A word of Latin letters is stemmed as the language that the caller names, English unless told otherwise; question and
text have to be stemmed alike, so it is the question's language that counts (`spanwise.text.languages`). Any other
script tells its language itself. Where nothing parts words (Chinese, Japanese, Thai; Korean for its endings), two
neighbouring characters make a term.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache, lru_cache

from spanwise.text.fold import folded
from spanwise.text.languages import ENGLISH, function_characters, function_words, is_latin, without_accents
from spanwise.text.languages.data import languages
from spanwise.text.patterns import beyond_ascii, lazy_pattern

_PEOPLES_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['\u2019][^\W_]+)*")
_RUN = re.compile(r"[^\W_]+")
_APART = bytes(code if chr(code).isalnum() else ord(" ") for code in range(128)).ljust(256)
_SHORTEST_PLURAL = 4
_SHORTEST_IES = 5
_NOT_PLURAL = ("ss", "us", "is")
_LONG_PLURALS = ("sses", "shes", "ches", "xes")

FUNCTION_WORDS = frozenset(["the", "is", "in", "at", "of", "for", "and", "a", "to", "what", "are", "on", "with", "by"])
"""Words of a question that name nothing. `who`, `does` and the like are not among them: they carry its intent."""


def runs(text: str) -> list[str]:
    """The runs of letters and digits of a text in order, as written."""
    if text.isascii():  # in a quarter of the time of the pattern
        return text.encode().translate(_APART).decode().split()
    return _RUN.findall(text)


def words(text: str) -> list[str]:
    """The words of a text in order, lower case; a number keeps its decimals, a possessive loses its ending."""
    return [_without_possessive(word) for word in _PEOPLES_WORD.findall(unicodedata.normalize("NFKC", text).lower())]


def singular(word: str) -> str:
    """One form for the singular and the plural of a regular English noun: `penalties` and `penalty` fold alike.

    The form serves comparison only; of a word that merely ends like a plural it need not be a word.
    """
    if len(word) < _SHORTEST_PLURAL or not word.endswith("s") or word.endswith(_NOT_PLURAL):
        return word
    if word.endswith("ies") and len(word) >= _SHORTEST_IES:
        return word[:-3] + "y"
    if word.endswith(_LONG_PLURALS):
        return word[:-2]
    return word[:-1]


def folded_words(text: str) -> list[str]:
    """The words of a text in order, plurals folded."""
    return [singular(word) for word in words(text)]


def contains_phrase(text: Sequence[str], phrase: Sequence[str]) -> bool:
    """True if the words of `phrase` stand next to each other, in order, in `text`; an empty phrase stands nowhere."""
    # No word holds a space, so one substring search compares whole words.
    return bool(phrase) and f" {' '.join(phrase)} " in f" {' '.join(text)} "


def _without_possessive(word: str) -> str:
    return word[:-2] if word.endswith(("'s", "\u2019s")) else word


_JOINED = (
    r"(?:(?:['\u2019.]|,(?<=\d,)(?=\d{3})"
    # A hyphen between letters joins them, a line break behind it included.
    r"|[-\u2010\u2011\ufffe](?<=[^\W\d_].)(?:[^\S\n]*\n\s*)?(?=[^\W\d_]))WORD)*"
)
_WORD = re.compile(r"[^\W_]+" + _JOINED.replace("WORD", r"[^\W_]+"))
_ASCII_WORD = re.compile(_WORD.pattern, re.ASCII)
"""The same for text without other letters, in which it is a quarter quicker."""
_JOINT = re.compile(r"['.,-](?:(?<=-)|(?=[A-Za-z0-9]))")
"""What may stand inside a word of such text; without one, all but letters and digits parts words."""
_LINE_HYPHEN = re.compile(r"[-\u2010\u2011\ufffe]\s*\n")

STOPWORDS = frozenset(
    """
    a about above according after again all also am an and answer any are as at be because been before being below
    between both but by can could describe described did do document documents does doing down during each either
    else far few for from further give given had has have having he her here hers him his how i if in into is it
    its itself just let like list long many me mention mentioned more most much must my name neither no nor not
    now of off often on once only or other our ours out over own passage passages per please question s said same
    say says shall she should so some state stated such t tell text than that the their theirs them then there
    these they this those through to too under until up upon very was we were what when where whether which while
    who whom whose why will with within would you your yours
    """.split()
)
"""Words that carry a question's form rather than its subject."""


# Marks that belong to the letter before them, the letters of India among them: Python counts no vowel sign to a word.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0711"
    "\u0730-\u074a\u0900-\u0963\u0971-\u0dff\u200c\u200d"
)
_CLUSTERED = "\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3"
"""Scripts of South East Asia, in which nothing parts words and marks stand around a letter."""
_DENSE = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f"
    "\u3131-\u318e\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Scripts of East Asia, of which two characters make a term."""
_OTHER_SCRIPT = lazy_pattern(f"[{_MARKS}{_CLUSTERED}{_DENSE}]")
"""What the simple pattern of a word does not know."""
_UNSPACED = lazy_pattern(f"[{_CLUSTERED}{_DENSE}\u0900-\u0963\u0971-\u0dff]+")
"""Runs of which only this module makes terms."""
_OTHER_LETTER = lazy_pattern(
    "[\u0370-\u1cff\u1f00-\u1fff\u2c00-\u2dff\u2e80-\ud7ff\uf900-\ufdff\ufe70-\ufefc\uff66-\uffdc\U00010000-\U0003ffff]"
)
"""Letters that are not Latin."""
_LETTERS = rf"(?:[^\W_{_CLUSTERED}{_DENSE}][{_MARKS}]*)+"
_ANY_WORD = lazy_pattern(
    rf"(?P<dense>[{_DENSE}]+)|(?P<clustered>[{_CLUSTERED}]+)|{_LETTERS}{_JOINED.replace('WORD', _LETTERS)}"
)
_CLUSTER = re.compile(
    # A vowel that is written before its letter, the letter, and the vowels and tones behind and around it.
    r"[\u0e40-\u0e44\u0ec0-\u0ec4]*[\u0e01-\u0e2f\u0e46\u0e81-\u0eaf\u0edc\u0edd\u1000-\u102a\u103f\u1780-\u17b3]?"
    r"[\u0e30-\u0e3a\u0e45\u0e47-\u0e4e\u0eb0-\u0ebc\u0ec6-\u0ece\u102b-\u103e\u17b4-\u17d3]*"
)
_SCRIPTS = (
    (re.compile("[\u0400-\u052f]"), "ru"),
    (re.compile("[\u0370-\u03ff\u1f00-\u1fff]"), "el"),
    (re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]"), "ar"),
    (re.compile("[\u0900-\u097f]"), "hi"),
)
"""Scripts whose words are stemmed as the most spoken of their languages."""
_APOSTROPHE = re.compile("['\u2019]")


def terms(text: str, language: str = ENGLISH) -> list[str]:
    """Stems of the content words, in order, repeats kept; `language` is that of words in Latin letters."""
    if _is_plain(text):
        if language == ENGLISH:
            return [term for term in map(_term, _words(text)) if term]
        return [term for word in _words(text) if (term := _term_in(word, language))]
    return [term for _, term in _placed(text, language)]


def placed_terms(text: str, language: str = ENGLISH) -> list[tuple[int, str]]:
    """The same stems, each with the offset at which its word begins."""
    if _is_plain(text):
        if language == ENGLISH:
            return [(word.start(), term) for word in _pattern(text).finditer(text) if (term := _term(word[0]))]
        return [(word.start(), term) for word in _pattern(text).finditer(text) if (term := _term_in(word[0], language))]
    return list(_placed(text, language))


def words_in_any_script(text: str) -> list[str]:
    """The words of a text as written, runs of letters where nothing parts words; none where every word is plain."""
    return [] if _is_plain(text) else [word[0] for word in _ANY_WORD.finditer(text)]


def terms_in_other_scripts(text: str) -> list[str]:
    """The terms of a text in letters that are not Latin, in order, repeats kept."""
    if not _OTHER_LETTER.search(beyond_ascii(text)):
        return []
    pieces = [piece for piece in text.split() if not piece.isascii() and _OTHER_LETTER.search(piece)]
    return [term for _, term in _placed(" ".join(pieces), ENGLISH) if _OTHER_LETTER.search(term)]


def without_unspaced(text: str) -> str:
    """A text with a space for each run of letters of which others than this module make no terms."""
    return text if text.isascii() else _UNSPACED.sub(" ", text)


def unspaced_runs(text: str) -> list[tuple[int, int, tuple[tuple[int, str], ...]]]:
    """The runs of letters in which nothing parts words: start, end, and the signs of each with their places."""
    found = []
    for word in _ANY_WORD.finditer(text) if not _is_plain(text) else ():
        if word.lastgroup == "dense":
            signs = tuple(enumerate(word[0], start=word.start()))
        elif word.lastgroup == "clustered":
            signs = tuple((word.start() + one.start(), one[0]) for one in _CLUSTER.finditer(word[0]) if one[0])
        else:
            continue
        found.append((word.start(), word.end(), signs))
    return found


def terms_of_ranges(text: str, ranges: Sequence[tuple[int, int]], language: str = ENGLISH) -> list[tuple[str, ...]]:
    """For each range `(start, end)` of a text, end exclusive, the stems of the words that begin in it, in order."""
    broken = "\n" in text and _LINE_HYPHEN.search(text)
    if not broken and all(_parts(text, start) and _parts(text, end) for start, end in ranges):
        return [tuple(terms(text[start:end], language)) for start, end in ranges]
    words = placed_terms(text, language)
    return [
        tuple([term for _, term in words[bisect_left(words, (start, "")) : bisect_left(words, (end, ""))]])
        for start, end in ranges
    ]


def _parts(text: str, place: int) -> bool:
    """True if white space stands on one side of a place: no word has it inside but one broken over two lines."""
    return not 0 < place < len(text) or text[place - 1].isspace() or text[place].isspace()


def _words(text: str) -> list[str]:
    if text.isascii() and not _JOINT.search(text):  # half of all sentences, in a third of the time
        return runs(text)
    return _pattern(text).findall(text)


def _pattern(text: str) -> re.Pattern[str]:
    return _ASCII_WORD if text.isascii() else _WORD


def _is_plain(text: str) -> bool:
    """True if the simple pattern finds the words of a text."""
    return text.isascii() or not _OTHER_SCRIPT.search(beyond_ascii(text))


def _placed(text: str, language: str) -> Iterator[tuple[int, str]]:
    """The terms of a text in any script, with their places."""
    for word in _ANY_WORD.finditer(text):
        if word.lastgroup == "dense":
            yield from _pairs(word[0], word.start())
        elif word.lastgroup == "clustered":
            yield from _clusters(word[0], word.start())
        elif term := _term_in(word[0], language):
            yield word.start(), term


def _pairs(run: str, start: int) -> Iterator[tuple[int, str]]:
    """Two neighbouring characters each, and a lone one by itself, without those of function words."""
    silent = _silent_pairs()
    for place in range(max(1, len(run) - 1)):
        pair = run[place : place + 2]
        if not "\u4e00" <= pair[0] <= "\u9fff":
            pair = unicodedata.normalize("NFKC", pair)
        if pair not in silent and silent.isdisjoint(pair):
            yield start + place, pair


def _clusters(run: str, start: int) -> Iterator[tuple[int, str]]:
    """Two neighbouring syllable signs each."""
    clusters = [(one.start(), one[0]) for one in _CLUSTER.finditer(run) if one[0]]
    silent = function_words("th")
    for (place, first), (_, second) in zip(clusters, [*clusters[1:], (0, "")], strict=True):
        if (second or len(clusters) == 1) and first + second not in silent:
            yield start + place, first + second


@cache
def _silent_pairs() -> frozenset[str]:
    """The pairs of characters that function words are made of, and the characters that make no word."""
    listed = [word for language in ("zh", "ja", "ko") for word in function_words(language)]
    pairs = (word[place : place + 2] for word in listed for place in range(len(word) - 1))
    return frozenset(pairs) | function_characters()


@lru_cache(maxsize=16384)
def _term_in(word: str, language: str) -> str:
    """The stem of a word as written in a language, or nothing for a function word of it."""
    if word.isascii() and language == ENGLISH:
        return _term(word)
    if word.isdecimal():
        return "".join(str(unicodedata.decimal(digit)) for digit in word)
    plain = unicodedata.normalize("NFKC", word.replace("\u200c", "").replace("\u200d", "")).lower()
    for letters, script in _SCRIPTS if not plain.isascii() else ():
        if letters.search(plain):
            stemmed = _stemmed(plain, languages()[script].stemmer)
            return "" if plain in function_words(script) else _without_marks(stemmed)
    known = languages().get(language)
    if known is None or not is_latin(language):
        return _term(word)
    plain = _without_elision(plain.replace(",", ""), language)
    if known.clitics and "-" in plain:
        plain = _without_clitics(plain, known.clitics)
    if plain in function_words(language):
        return ""
    return without_accents(_stemmed(plain, known.stemmer) if known.stemmer else plain)


def _without_elision(word: str, language: str) -> str:
    """A word without an article or the like in front of an apostrophe, in Turkish without the ending behind one."""
    head, apostrophe, tail = _APOSTROPHE.sub("'", word).partition("'")
    if not apostrophe:
        return word
    if language == "tr":
        return head
    return tail if head in function_words(language) else word


def _without_clitics(word: str, clitics: Collection[str]) -> str:
    """A word without the pronouns bound to it ("trouve-t-on", "chama-se", "într-o"); one of nothing else as it is."""
    parts = word.split("-")
    while len(parts) > 1 and parts[-1] in clitics:
        parts.pop()
    while len(parts) > 1 and f"{parts[0]}-" in clitics:
        parts.pop(0)
    return "-".join(parts)


def _without_marks(word: str) -> str:
    """Without accents and vowel points, which are often not written; the vowel signs of India are letters."""
    return word if "\u0900" <= word[:1] <= "\u0dff" else without_accents(word)


@lru_cache(maxsize=16384)
def _term(word: str) -> str:
    """The stem of a word as written in English, or nothing for a stopword."""
    if not word.isascii() and _is_foreign(word):
        return _term_in(word, ENGLISH)
    if word.isdecimal() and word.isascii():
        return word
    plain = folded(word).replace(",", "").removesuffix("'s")
    return "" if plain in STOPWORDS else stem(without_accents(plain))


def _is_foreign(word: str) -> bool:
    """True if a word is of a script that is not Latin."""
    return word.isdecimal() or any(letters.search(word) for letters, _ in _SCRIPTS)


@cache
def _stemmer(name: str) -> Callable[[str], str]:
    """The Snowball stemmer of a language: that of the index, which is compiled, where it knows the language."""
    import tantivy

    try:
        compiled = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw()).filter(tantivy.Filter.stemmer(name)).build()
    except ValueError:
        from snowballstemmer import stemmer

        interpreted, turn = stemmer(name), threading.Lock()

        def stemmed(word: str) -> str:
            # It keeps the word that it works on in itself: two threads at once would give both wrong stems.
            with turn:
                return str(interpreted.stemWord(word))

        return stemmed
    return lambda word: compiled.analyze(word)[0]


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """The Snowball stem of one lower-case English word; numbers stay as they are."""
    return _stemmed(word, "english") if word.isalpha() else word


def _stemmed(word: str, name: str) -> str:
    if any(character.isdigit() for character in word):
        return word
    return _stemmer(name)(word)
