"""Numbers that name instead of count: sections, notes, standards, list markers, telephone numbers, addresses."""

from __future__ import annotations

from spanwise.text.quantities.currencies import SIGNS, WORDS_BEFORE, code_of
from spanwise.text.quantities.dates import year_at
from spanwise.text.quantities.number_tokens import Tokens
from spanwise.text.quantities.numerals import decimal, ordinal_suffix, read_numeral
from spanwise.text.quantities.units import read_per, read_unit

_NOUNS = frozenset(
    """
    section sections article articles item items note notes exhibit exhibits schedule schedules annex annexes appendix
    appendices rule rules form forms part parts chapter chapters table tables figure figures fig page pages clause
    clauses paragraph paragraphs subsection subsections subparagraph subclause footnote footnotes step steps version
    versions level levels tier phase phases type volume vol line lines title regulation regulations attachment
    addendum amendment recital question questions box suite room apt apartment floor route highway interstate unit
    building lot number numbers control controls requirement principle standard subpart topic release edition
    class pp p topic example case cases file docket proposal category group zone stage grade factor age world
    publication proposition local division passage passages source sources chunk
    """.split()
)
_ABBREVIATIONS = frozenset(
    "no nos vol fig figs art arts sec secs pp p para paras cl ch ex exs pt ver v app rev ref n fn".split()
)
_STANDARDS = frozenset(
    """
    ISO IEC SP FIPS RFC IEEE SFAS FAS ASC ASU IFRS IAS EITF SAB NIST ASTM ANSI EN DIN CFR USC NISTIR IR OMB APB FIN
    SOP SSAE SOC GB CVE DSM ICD AS BS UL PCAOB AU PCI DSS HIPAA CAN ITU ETSI SSAP FSP IFRIC SIC GASB CPE XCCDF COVID
    PUB CWE OVAL SCAP CCE MIL STD CIP BASEL PL HB IT AC CM SC RA CA AU CP MP PE PS SA SI ICE CONTRACT AGREEMENT
    """.split()
) - {"IT", "CAN"}
_CODE_BOOKS = frozenset(["cfr", "usc", "u.s.c", "f"])
_REFERRING = frozenset(["above", "hereof", "hereto"])
_IDENTIFIERS = frozenset(
    """
    tel telephone phone fax facsimile mobile cell isbn issn doi ein tin cik ssn cusip isin lei iban swift vat zip
    telecopier telecopy ext extension pin serial
    """.split()
)
_STREETS = frozenset(
    """
    street st avenue ave road rd boulevard blvd drive lane ln way parkway pkwy plaza court place square floor highway
    hwy terrace center centre circle crescent turnpike
    """.split()
)
_INSIDE = frozenset("-\u2010\u2011\u2013/.:_+&#")
_DASHES = frozenset("-\u2010\u2011\u2013\u2014")
_BEFORE_YEARS = frozenset("mid pre post early late non".split())
_NOT_AFTER_MARKER = frozenset("of in for and at as by or on from compared versus vs per times x to than is was".split())
_LONGEST_CHAIN = 64
_FOOTNOTE = 20
_SENTENCE_ENDS = frozenset('.;:"\u201d\u2022')


def label_end(tokens: Tokens, index: int, *, after_label: bool = False) -> int:
    """Behind the label that the number at `index` is part of, or 0 where the number counts something.

    Args:
        tokens: The text.
        index: A token that is a number in digits.
        after_label: Whether a label ended right before, up to a comma or "and" ("Sections 3.2 and 4.1").
    """
    if after_label and _plain(tokens, index) and read_unit(tokens, index + 1) is None:
        return _chain_end(tokens, index)
    named = (
        _unreadable(tokens, index)
        or _glued_left(tokens, index)
        or _glued_right(tokens, index)
        or _named(tokens, index)
        or _marker(tokens, index)
        or _footnote(tokens, index)
        or _time_of_day(tokens, index)
        or _place(tokens, index)
    )
    return _chain_end(tokens, index) if named else 0


def names_in_digits(before: str, behind: str) -> bool:
    """True if one of the words beside a number makes a label of it, in small letters: "section 5", "5 above"."""
    return before in _NOUNS or before in _IDENTIFIERS or behind in _CODE_BOOKS or behind in _REFERRING


def names_in_words(tokens: Tokens, index: int) -> bool:
    """True if a number in words names something: "Chapter Three", "ARTICLE TWO"."""
    return tokens.low(index - 1) in _NOUNS and tokens.capitalised(index - 1) and tokens.capitalised(index)


def _chain_end(tokens: Tokens, index: int) -> int:
    """Behind everything that touches a label: the rest of 800-53A, of 3.2(a)(1), of 213-687-5600."""
    step = index + 1
    while step < index + _LONGEST_CHAIN and tokens.glued(step):
        token = tokens.at(step)
        if token.kind == "mark":
            bracketed = token.low == "(" and tokens.glued(step + 1) and tokens.low(step + 2) == ")"
            if bracketed:
                step += 3
                continue
            if token.low not in _INSIDE or not tokens.glued(step + 1) or tokens.at(step + 1).kind == "mark":
                break
        step += 1
    return step


def _plain(tokens: Tokens, index: int) -> bool:
    text = tokens.at(index).text
    return "," not in text and len(text) < 8 and tokens.low(index - 1) not in SIGNS


def _unreadable(tokens: Tokens, index: int) -> bool:
    """4.2.1, 007, and more digits than a figure has."""
    text = tokens.at(index).text
    if decimal(text) is None:
        return tokens.low(index - 1) not in SIGNS or decimal(text, money=True) is None
    return len(text) > 1 and text.startswith("0") and text.isdigit() and text.strip("0") != ""


def _glued_left(tokens: Tokens, index: int) -> bool:
    if not tokens.glued(index):
        return False
    before = tokens.at(index - 1)
    if before.kind == "word":
        return (
            code_of(before.text, tight=True) is None
            and before.low not in WORDS_BEFORE
            and before.low not in ("us", "fy", "cy")
        )
    return before.kind == "mark" and _glued_to_mark(tokens, index, before.low)


def _glued_to_mark(tokens: Tokens, index: int, mark: str) -> bool:
    after_letter = mark == ")" and tokens.low(index - 3) == "(" and len(tokens.low(index - 2)) < 3  # (a)1.
    if after_letter or mark in ("_", "#", "@", "\u00a7", "^", "\\"):
        return True
    if not tokens.glued(index - 1):
        return mark == "[" and tokens.low(index + 1) == "]"
    outer = tokens.at(index - 2)
    if _behind_abbreviated_currency(tokens, index):
        return False
    if mark in _DASHES:
        year = len(tokens.at(index).text) == 4 and outer.low in _BEFORE_YEARS
        return outer.kind == "word" and not year
    return mark in (".", ",", "/", "\u201d", "\u2019", '"', "&", ":", ";", "]") and outer.kind == "word"


def _behind_abbreviated_currency(tokens: Tokens, index: int) -> bool:
    """True if the full stop before a number ends the abbreviation of a currency: "Rs. 500", "Fr.20"."""
    before = tokens.at(index - 2)
    return (
        tokens.low(index - 1) == "."
        and tokens.glued(index - 1)
        and before.low in WORDS_BEFORE
        and before.text[0].isupper()
    )


def _glued_right(tokens: Tokens, index: int) -> bool:
    following = tokens.at(index + 1)
    if not tokens.glued(index + 1):
        return False
    if following.kind == "word":
        return not _continues(tokens, index)
    if following.low == "(":
        return tokens.at(index + 2).kind == "word" and len(tokens.low(index + 2)) < 3 and tokens.low(index + 3) == ")"
    if not tokens.glued(index + 2):
        return False
    return _joined(tokens, index, following.low)


def _continues(tokens: Tokens, index: int) -> bool:
    numeral = read_numeral(tokens, index, money=tokens.low(index - 1) in SIGNS)
    if numeral and numeral.end > index + 1:
        return True
    return read_unit(tokens, index + 1) is not None or ordinal_suffix(tokens, index + 1) is not None


def _joined(tokens: Tokens, index: int, mark: str) -> bool:
    """True if what a mark joins to the number makes a label of it: 10-K, 24/7, 10:30, 213-687-5600."""
    second = tokens.at(index + 2)
    if second.kind == "word":
        if mark in _DASHES:
            return not (_continues(tokens, index) or second.low == "to")
        return mark == "_" or (mark == "/" and not (second.text.islower() and read_per(tokens, index + 1)[0]))
    return second.kind == "number" and _joined_numbers(tokens, index, mark)


def _joined_numbers(tokens: Tokens, index: int, mark: str) -> bool:
    ends_in_a_name = (
        tokens.at(index + 3).kind == "word" and tokens.glued(index + 3) and not _continues(tokens, index + 2)
    )
    if mark in (":", "_") or (ends_in_a_name and mark in _DASHES):
        return True
    numeral = read_numeral(tokens, index)
    if numeral and numeral.end > index + 1:
        return False
    if mark == "/":
        return not _years(tokens.at(index).text, tokens.at(index + 2).text)
    return mark in _DASHES and _telephone(tokens, index)


def _years(one: str, other: str) -> bool:
    return one.isdigit() and other.isdigit() and len(one) == 4 and len(other) in (2, 4)


def _telephone(tokens: Tokens, index: int) -> bool:
    one, other = tokens.at(index).text, tokens.at(index + 2).text
    third = tokens.low(index + 3) in _DASHES and tokens.glued(index + 3) and tokens.glued(index + 4)
    if third and tokens.at(index + 4).kind == "number":
        return True
    if tokens.low(index - 1) in SIGNS or not (one.isdigit() and other.isdigit()):
        return False
    sizes = (len(one), len(other))
    telephone = sizes == (3, 4) and (not other.endswith("0") or tokens.low(index - 1) == ")")
    falls = int(one) > int(other) and len(one) < 8 and read_unit(tokens, index + 3) is None  # Publication 800-145
    return telephone or falls or sizes in ((5, 4), (2, 7)) or other.startswith("0")


def _named(tokens: Tokens, index: int) -> bool:
    """True if the word before says what the number names: "Note 5", "No. 5", "ISO 27001", "[SP 800-53]"."""
    if not _plain(tokens, index):
        return False
    if _refers(tokens, index) or tokens.low(index + 1) in _CODE_BOOKS:
        return True
    before = tokens.at(index - 1)
    if before.kind == "word":
        return tokens.near(index) and _named_by_word(tokens, index)
    if before.low == "." and tokens.glued(index - 1):
        return tokens.low(index - 2) in _ABBREVIATIONS
    if before.low in (":", "(", "+"):
        return _identifier(tokens, index - 2)
    return before.low in ("#", "\u00a7", "\u2116") or (before.low == ")" and tokens.at(index - 2).text in _STANDARDS)


def _named_by_word(tokens: Tokens, index: int) -> bool:
    before = tokens.at(index - 1)
    if before.text in ("Year", "Month", "Week", "Day"):
        return len(tokens.at(index).text) < 3 and read_unit(tokens, index + 1) is None
    if before.low in _NOUNS:
        if before.low == "age" and before.text.islower():
            return False
        return read_unit(tokens, index + 1, counted=False) is None  # "Section 3.2 requires" counts no requires
    return before.text in _STANDARDS or before.low in _IDENTIFIERS


def _refers(tokens: Tokens, index: int) -> bool:
    """True if what stands behind makes it a reference or a blank: "18 above", "1 of this Agreement", "20[__]"."""
    behind = tokens.low(index + 1)
    if tokens.glued(index + 1) and behind in ("[", "*"):
        return behind == "*" or tokens.at(index).text in ("19", "20")
    return behind in _REFERRING or (behind == "of" and tokens.low(index + 2) == "this")


def _identifier(tokens: Tokens, index: int) -> bool:
    return tokens.low(index) in _IDENTIFIERS or tokens.low(index - 1) in _IDENTIFIERS


def _marker(tokens: Tokens, index: int) -> bool:
    """The number of a list item or clause: "5. Termination", "10.3 Indemnification", "(1) the", "- 4 -"."""
    text = tokens.at(index).text
    if "," in text or len(text) > 6:
        return False
    before, behind = tokens.low(index - 1), tokens.low(index + 1)
    if before in SIGNS or _behind_abbreviated_currency(tokens, index):
        return False  # "$5.00 Setup" is a price
    if before == "(" and behind == ")":
        return _bracketed_marker(tokens, index)
    opens = tokens.opens_line(index)
    apart = tokens.at(index).start - tokens.at(index - 1).end > 1
    starts = opens or apart or (before in _SENTENCE_ENDS and not tokens.glued(index))
    if behind == "." and tokens.glued(index + 1) and len(text) < 6 and starts:
        return opens or tokens.capitalised(index + 2) or index + 2 == tokens.size
    closed = behind == ")" and tokens.glued(index + 1) and opens
    closed = closed or (opens and behind in _DASHES and not tokens.glued(index + 1) and tokens.capitalised(index + 2))
    return closed or _page_number(tokens, index) or ("." in text and _opens_clause(tokens, index, starts=starts))


def _page_number(tokens: Tokens, index: int) -> bool:
    """The number of "- 4 -" on a line of its own, and the one behind the dots of a table of contents."""
    if tokens.low(index - 1) in _DASHES and tokens.low(index + 1) in _DASHES:
        return tokens.opens_line(index - 1) and tokens.ends_line(index + 1)
    return all(tokens.low(step) == "." for step in (index - 1, index - 2, index - 3))


def _bracketed_marker(tokens: Tokens, index: int) -> bool:
    text = tokens.at(index).text
    word_glued = tokens.glued(index - 1) and (tokens.at(index - 2).kind == "word" or tokens.low(index - 2) == ")")
    if not text.isdigit() or int(text) > _FOOTNOTE:
        return _area_code(tokens, index)
    following = tokens.at(index + 2)
    same_line = following.start >= 0 and not tokens.opens_line(index + 2)
    goes_on = following.kind == "word" or following.low in {"$", ",", ";", "[", '"', "\u201c"}
    after_words = tokens.at(index - 2).kind == "word" and not tokens.opens_line(index - 1)
    noted = following.kind == "word" and (after_words or tokens.low(index - 2) in _SENTENCE_ENDS)
    under_a_year = year_at(tokens, index - 2) is not None
    return word_glued or (same_line and goes_on) or ((noted or under_a_year) and len(text) == 1)


def _area_code(tokens: Tokens, index: int) -> bool:
    """The 213 of (213) 687-5600."""
    texts = [tokens.at(step).text for step in (index, index + 2, index + 4)]
    return (
        all(map(str.isdigit, texts)) and [len(text) for text in texts] == [3, 3, 4] and tokens.low(index + 3) in _INSIDE
    )


def _opens_clause(tokens: Tokens, index: int, *, starts: bool) -> bool:
    """True if a decimal number is that of a clause: 6.3 In the event, 1.12 "Usage Data"."""
    following = tokens.at(index + 1)
    if starts and following.low in ('"', "\u201c", "["):
        return True
    if following.kind != "word" or tokens.opens_line(index + 1) or tokens.glued(index + 1):
        return False
    numeral = read_numeral(tokens, index)
    if (numeral and numeral.end > index + 1) or read_unit(tokens, index + 1) is not None:
        return False
    if not starts:
        whole, _, part = tokens.at(index).text.partition(".")
        return tokens.capitalised(index + 1) and len(whole) < 3 and 0 < len(part) < 3
    if following.low == "to" and tokens.at(index + 2).kind == "word":
        return True
    return tokens.capitalised(index + 1) or following.low not in _NOT_AFTER_MARKER


def _footnote(tokens: Tokens, index: int) -> bool:
    """[12]."""
    return tokens.low(index - 1) == "[" and tokens.low(index + 1) == "]" and tokens.at(index).text.isdigit()


def _time_of_day(tokens: Tokens, index: int) -> bool:
    behind = tokens.low(index + 1)
    if behind in ("am", "pm", "o") and len(tokens.at(index).text) < 3:
        return behind != "o" or tokens.low(index + 3) == "clock"
    return behind in ("a", "p") and tokens.low(index + 2) == "." and tokens.low(index + 3) == "m"


def _place(tokens: Tokens, index: int) -> bool:
    """The 123 of "123 Main Street" and the 95134 of "San Jose, CA 95134"."""
    text, before = tokens.at(index).text, tokens.at(index - 1)
    if not text.isdigit():
        return False
    state = before.kind == "word" and (
        (before.text.isupper() and len(before.text) == 2)
        or (tokens.capitalised(index - 1) and tokens.low(index - 2) == ",")
    )
    if len(text) == 5 and state:
        return tokens.near(index)
    for step in range(index + 1, index + 5):
        if not (tokens.capitalised(step) or (tokens.low(step) == "." and step > index + 1)) or not tokens.near(step):
            return False
        if tokens.low(step) in _STREETS and step > index + 1:
            return True
    return False
