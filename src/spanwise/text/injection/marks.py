"""Texts as data in a prompt: marks of chat templates and of our own prompts get other signs, character for character.

The one place for it: whatever a prompt quotes (passages, the question, examples, earlier turns, a model's own draft)
goes through `as_data`. The other sign is one that a reader takes for the same: [INST] is shown in \u27e6white
brackets\u27e7, <|end|> in \u27e8mathematical ones\u27e9. No template knows it, and `text.fold` takes it for the sign
that it stands for, so that what a model copies is found in its source.

`unlinked` does the same for what a person is shown: nothing in it can be clicked or loaded by another program.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from spanwise.text.patterns import lazy_pattern

STAND_INS: Mapping[str, str] = {
    "[": "\u27e6",
    "]": "\u27e7",
    "<": "\u27e8",
    ">": "\u27e9",
    "|": "\u00a6",
    ":": "\ua789",
    "#": "\u266f",
    "&": "\ufe60",
}
"""Sign of a mark, and what stands for it in a prompt."""
_SIGN_OF = {shown: sign for sign, shown in STAND_INS.items()}
_REST = frozenset("_-=*")
"""Signs of marks that have none of the others, such as "CONTEXT_END"."""
_DOT = "\u00b7"
_UNSEEN = "\x00"
LOOK_ALIKES: Mapping[str, str] = dict(
    zip(
        "\u2039\u203a\u3008\u3009\u276e\u276f\u02c2\u02c3\u2223\u01c0\u2758\u4e28\u2236\u02d0\u05c3\u3010\u3011\u3014\u3015",
        "<><><><>||||:::[][]",
        strict=True,
    )
)
"""Signs that look like those of marks."""
_ALIKE = dict(
    zip(
        "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455"  # Cyrillic
        "\u0458\u0501\u051b\u0432\u043a\u043c\u043d\u0442"
        "\u03b1\u03bf\u03bd\u03c1\u03b9\u03b5\u03ba\u03c4\u03c5\u03c7"  # Greek
        "\u0131\u0261\u0251"  # other Latin letters
        "\u2329\u232a\u2581\u2028\u2029\x85",
        "aeopcyxisjdqbkmhtaovpiektuxiga<>_\n\n\n",
        strict=True,
    )
) | dict(LOOK_ALIKES)
"""Letters and signs that look like those of marks, lower case; all that ends a line."""
_NO_NAME = r"[\n:;,.()\[\]{}<>/|#&=\-+!?]"
"""Characters that no name of a mark ends with, so that a colon behind them is no part of one."""
_CITES = re.compile(r"\[[\d\s,;-]{1,200}\]", re.ASCII)
"""A citation as a model writes it."""
_ROLE = 12
"""Characters behind a mark among which the role that it opens is named."""
_WORDED = ("context", "global_line")
"""Words of marks that have no sign."""
_OF_ROLES = ("[", "<", "#", "&", "--", "==", "**", *_WORDED)
"""Signs of which every mark of a role has one."""
_RULE = 20
"""Signs in a row that begin a mark, at most."""
_LOOK_BACK = 48
"""Characters in front of a colon among which a mark begins."""


_ODD = re.compile(r"[^ -~\n\t]+")
"""Characters that may be read as something else than themselves in lower case."""
_EVEN = bytes([*range(ord(" "), ord("~") + 1), *b"\n\t"])
"""The others."""
_FEW = 12
"""Odd characters that are replaced one after the other."""


class _Plain(dict[int, str]):
    """Each character as a reader takes it: a plain one, lower case, for what looks like it."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        small = character.lower()[:1]
        folded = unicodedata.normalize("NFKD", small)[:1]
        plain = folded if folded.isascii() and character not in _SIGN_OF else small
        if unicodedata.category(character) in ("Cf", "Cc", "Mn") and character not in "\t\n\r\v\f\x1d\x85":
            plain = _UNSEEN
        self[code] = plain = _ALIKE.get(small, "\n" if character in "\r\v\f" else plain)
        return plain


_PLAIN = _Plain()


def as_data(text: str, *, ids: Collection[str] = (), labels: bool = True, headings: bool = True) -> str:
    """The text, as long as before, with other signs in whatever looks like a mark; linear in its length.

    Args:
        text: What a prompt quotes.
        ids: Ids of passages: in brackets they are marks as well.
        labels: Change what looks like the label of a passage (`[7]`) too; a model's own draft keeps its citations.
        headings: Change words of people too that begin a line as the parts of some prompts do (`Context:`); names of
            fields, which the prompt itself writes, stay.
    """
    seen, origin = plainly(text)
    changed: dict[int, str] = {}
    for start, end in _marks(seen, frozenset(one.strip().lower() for one in ids), headings=headings):
        written = text[start:end] if origin is None else text[origin[start] : origin[end - 1] + 1]
        if labels or not _CITES.fullmatch(written):
            changed |= _stand_ins(seen, start, end)
    if not changed:
        return text
    characters = list(text)
    for place, sign in changed.items():
        characters[place if origin is None else origin[place]] = sign
    return "".join(characters)


def plainly(text: str) -> tuple[str, list[int] | None]:
    """The text as a reader takes it, lower case, look-alikes plain and nothing unseen; where each character was.

    The places are None where every character kept its own.
    """
    odd = text.encode(errors="surrogatepass").translate(None, _EVEN)
    if not odd:
        return text.lower(), None
    plain = {one: _PLAIN[ord(one)] for one in set(odd.decode(errors="surrogatepass"))}
    if len(plain) <= _FEW and all(sign == one or sign.encode() in _EVEN for one, sign in plain.items()):
        seen = text  # no sign is another one's stand-in, so that they can be put in one by one, in a third of the time
        for one, sign in plain.items():
            seen = seen.replace(one, sign)
        seen = seen.lower()
    else:
        seen = _ODD.sub(lambda some: some[0].translate(_PLAIN), text).lower()
    if _UNSEEN not in seen:
        return seen, None
    origin = [place for place, character in enumerate(seen) if character != _UNSEEN]
    return seen.replace(_UNSEEN, ""), origin


def role_marks(seen: str) -> list[tuple[int, int, bool]]:
    """The marks of chat templates and of prompts in a plain text, and of each whether it is one of who gives orders."""
    if not any(sign in seen for sign in _OF_ROLES):
        return []
    known, found = _patterns(), []
    for at in _places(seen):
        first = seen[at]
        match = None if first in ":|" else known.get(first, known["words"]).match(seen, at)
        if match and (first != "&" or (match := known["entity"].match(seen, at))):
            near = seen[match.start() : match.end() + _ROLE]
            found.append((*match.span(), known["orders"].search(near) is not None))
    return found


def as_written(text: str, sources: Iterable[str]) -> str:
    """What a model copied, with the signs that its sources have; a sign that a source has itself stays."""
    if text.isascii() or _SIGN_OF.keys().isdisjoint(text):
        return text
    held = [shown for shown in _SIGN_OF if shown in text]
    for source in sources:
        held = [shown for shown in held if shown not in source]
    return text.translate({ord(shown): _SIGN_OF[shown] for shown in held})


def _stand_ins(seen: str, start: int, end: int) -> dict[int, str]:
    found = {at: STAND_INS[seen[at]] for at in range(start, end) if seen[at] in STAND_INS}
    rest = {at: _DOT for at in range(start, end) if not found and seen[at] in _REST}
    return found or rest or {end - 1: _DOT}


def _marks(seen: str, ids: Collection[str], *, headings: bool) -> Iterator[tuple[int, int]]:
    """The range of each mark; every pattern is bounded."""
    known = _patterns()
    done = 0
    for at in _places(seen):
        if at < done:
            continue
        first = seen[at]
        if first == ":":
            low = max(0, at - _LOOK_BACK)
            if not _may_end_a_label(seen[low:at]):
                continue
            if known["label"].search(seen, low, at) or (headings and known["heading"].search(seen, low, at)):
                yield at, at + 1
        elif first == "[":
            if match := known["["].match(seen, at) or known["cited"].match(seen, at):
                yield at, match.end()
            elif ids and (match := known["bracket"].match(seen, at)) and match[1].strip() in ids:
                yield at, at + 1
                yield match.end() - 1, match.end()
        elif match := known.get(first, known["words"]).match(seen, at):
            done = match.end()
            yield at, done


def _places(seen: str) -> Iterator[int]:
    """Where a mark may begin; of a rule, of which a text has long ones, only its last signs before a word of marks."""
    known = _patterns()
    worded = any(word in seen for word in _WORDED)
    for sign in known["worded" if worded else "sign"].finditer(seen):
        at = sign.start()
        if seen[at] not in "-=*":
            yield at
        elif known["ruled"].match(seen, sign.end()):
            first = max(at, sign.end() - _RULE)  # an even number of signs before the end, as all are pairs
            yield from range(first, sign.end(), 2)


def _may_end_a_label(before: str) -> bool:
    """True unless what stands in front of a colon is surely no label: its end is looked at instead of its beginning."""
    if not before.isascii():
        return True
    end = before.rstrip().rstrip("*_\"'")
    if not end[-1:].isalpha():  # "Passage 7"
        end = end.rstrip("0123456789").rstrip()
    return end.endswith(_last_parts())


@cache
def _last_parts() -> tuple[str, ...]:
    """The last words of labels."""
    held = tomllib.loads(files(__package__).joinpath("marks.toml").read_text(encoding="utf-8"))
    names = f"{held['speakers']} {held['headings']}".lower().split()
    return tuple({name.rpartition("_")[2] for name in names})


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    """By their first sign, how marks are written; `sign` and `worded` find where one may begin."""
    held = tomllib.loads(files(__package__).joinpath("marks.toml").read_text(encoding="utf-8"))
    one = {name: "|".join(map(_word, written.lower().split())) for name, written in held.items()}
    blank = r"[^\S\n]"
    begins = rf"(?:^|\n){blank}{{0,8}}[>*_\-#\u2022]{{0,6}}{blank}{{0,2}}"
    behind = rf"[*_\"']{{0,3}}{blank}{{0,2}}\Z"
    ends = (
        rf"(?:begin|start|end)[\s_-]{{1,3}}(?:of[\s_-]{{1,3}})?(?:the[\s_-]{{1,3}})?(?:{one['ends']})\b[-=*# ]{{0,20}}"
    )
    pairs = r"(?:--|==|\*\*)*+"
    words = r"context[\s_-]{0,4}(?:start|end)|global_line"
    angle = rf"<{blank}{{0,2}}/?{blank}{{0,2}}(?:{one['angles']})(?!\w)[^<>\n]{{0,100}}>"
    written = {
        # Each begins with a plain character: so `re` skips the others, which is what most of a text is.
        "sign": (sign := rf"\[|<|#|&|:(?<!{_NO_NAME}:)|\|(?u:(?<=\w\|)(?=[>\s]))|--{pairs}|=={pairs}|\*\*{pairs}"),
        "worded": rf"{sign}|{words}",  # words are looked for where there are some: every "c" and "g" begins one
        "label": rf"(?<!\w)(?:{one['speakers']}){behind}",
        "heading": rf"{begins}(?:{one['headings']})(?:{blank}\d{{1,4}})?{behind}",
        "[": rf"\[{blank}{{0,2}}/?{blank}{{0,2}}(?:{one['brackets']})\b[^\[\]\n]{{0,40}}\]|\[{blank}{{0,2}}{ends}\]",
        "cited": r"(?<!\w)\[\s{0,3}\d[\d\s,;\u2013\u2014-]{0,200}\]",
        "bracket": r"\[([^\[\]\n]{1,200})\]",
        "<": rf"<{blank}?\|[^<>|\n]{{0,64}}\|?{blank}?>|<{blank}?\||<<{blank}{{0,2}}/?\w{{2,20}}{blank}{{0,2}}>>"
        rf"|{angle}|</?{ends}>",
        "|": r"(?<=\w)\|>|(?<=\n\d)\|\s|(?<=\n\d\d)\|\s|(?<=\n\d\d\d)\|\s|(?<=\n\d\d\d\d)\|\s|(?<=\n\d\d\d\d\d)\|\s",
        "#": rf"#{{2,6}}{blank}{{0,3}}(?:{one['hashed']})\b",
        "&": r"&(?:lt|gt|amp|lbrack|rbrack|lsqb|rsqb|vert|verbar|colon|#\w{2,8});",
        "entity": rf"&(?:lt|#0{{0,4}}60|#x0{{0,4}}3c);/?(?:{one['angles']})(?!\w)",
        "orders": r"sys|inst(?!ance)|developer|override|admin|root|policy|rules|tool|function",
        "ruled": rf"[-=*]{{0,{_RULE}}}{blank}{{0,3}}[bse]",
        "words": rf"[-=*]{{2,{_RULE}}}{blank}{{0,3}}(?:{ends}|end[\s_-]{{0,4}}chunk[-=* ]{{0,20}})"
        rf"|{words}",
    }
    return {
        name: re.compile(pattern, re.ASCII if name in ("sign", "worded") else 0) for name, pattern in written.items()
    }


def _word(name: str) -> str:
    """A name of a mark, its parts set apart by what nobody reads: "start_of_turn", "start of turn"."""
    return r"[\s_-]{0,2}".join(map(re.escape, name.split("_")))


_LINK = lazy_pattern(
    r"(?P<paren>\]\s{0,3}\()|(?P<definition>\]:)|(?P<scheme>\b[a-z][a-z0-9+.-]{0,30}:(?=\s{0,2}[/\\]))"
    r"|(?P<named>\b(?:javascript|data|vbscript|mailto|tel|sms|file|blob|xmpp|about|view-source|magnet|news|callto)"
    r"[\s\u00ad\u200b-\u200f\u2060-\u2064]{0,4}:(?=\S))"
    r"|(?P<www>\bwww\.)|(?P<mail>(?<=[\w.+-])@(?=[\w-]))|(?P<tag><(?=[/\s]{0,3}(?:a|img|image|script|i?frame|object|embed|video|audio|source|link|meta|base|form|input"
    r"|button|svg|math|style|body|html|picture|track|area|map|portal|template|marquee|isindex)(?!\w)|[a-z][\w+.-]{1,20}:|!--))"
    r"|(?P<domain>(?<=[a-z0-9])\.(?!(?:eml|mbox|msg)/)(?=[a-z]{2,24}[/?#:][^\s]))|(?P<reference>\]\[)",
    re.IGNORECASE,
)
# A name such as "mail.eml/agenda.pdf" is none of a server: there is no domain of these endings.
_STAND_INS = {"(": "\uff08", ":": "\ua789", ".": "\u2024", "@": "\uff20", "<": "\u2039", "[": "\uff3b"}
_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]")
"""Characters that steer a terminal or turn the direction of what follows."""


def unlinked(text: str) -> str:
    """The text, as long as before, without anything that a reader of Markdown, HTML or plain text makes a link of."""
    return _LINK.sub(_without, steady(text))


def steady(text: str) -> str:
    """The text, as long as before, without characters that steer a terminal or turn the direction of what follows."""
    return text if text.isprintable() else _UNSAFE.sub("\ufffd", text)


def _without(match: re.Match[str]) -> str:
    written = match.group()
    return written[:-1] + _STAND_INS[written[-1]]
