"""Images, addresses and active HTML in a model's text that no chunk has.

Whoever views them tells a stranger what was asked: an instruction hidden in a document can have the model write them.
A text comes in, and goes out without them, with what was taken out. What is taken out may have kept two halves of
another one apart, so the text is read again until nothing is found in it.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from spanwise.guard.claims.parts import comments_in, without_comments

COMMENT = "an HTML comment, which no reader sees"
NOT_IN_A_CHUNK = "no chunk has this image, or it is active HTML"

_ALT = r"(?:\\.|[^\\\[\]]|\[(?:\\.|[^\\\[\]]){0,200}\]){0,500}"
_ADDRESS = r"(?:\\.|[^\\\s<>()]|\((?:\\.|[^\\\s<>()]){0,500}\)){0,2000}"
_IMAGE = re.compile(
    rf"!\[{_ALT}\]\(\s{{0,9}}(?:<(?P<pointed>[^<>\n]{{0,2000}})>|(?P<address>{_ADDRESS}))(?:\s[^\n]{{0,500}}?)?\)",
    re.DOTALL,
)
"""A Markdown image with its address."""
_DEFINITION = re.compile(
    r"^(?P<before>[>\s\d.)*+-]{0,40})\[[^\[\]\\]{1,200}\]:\s{0,9}<?(?P<address>[^\s<>]{1,2000})(?P<title>[^\n]*)",
    re.MULTILINE,
)
"""The address of a reference, which is an image or a link wherever its label is in brackets."""
_TITLE = re.compile(r">?\s*(?:[\"'(].*)?")
_OPENING = re.compile(r"!(?=\[)(?!\[[^\[\]\n\\]{1,200}\](?![(\[]))")
"""What makes an image of a link; a citation behind an exclamation mark is none."""
_TAG = re.compile(
    r"</?(?P<name>[a-z][\w:-]{0,40})(?P<rest>(?:[\s/](?:\"[^\"]{0,3000}\"|'[^']{0,3000}'|[^<>]){0,3000}+)?)(?:>|\Z)",
    re.IGNORECASE,
)
_ACTIVE = frozenset(
    "a applet area audio base bgsound body embed form frame frameset html iframe image img input isindex link meta "
    "object picture portal script source style svg template track video".split()
)
"""Elements that fetch, link or run something."""
_ATTRIBUTE = re.compile(
    r"(?:\bon\w{1,30}|style|src\w{0,5}|href|background|poster|action|formaction|data|ping)\s{0,9}=", re.IGNORECASE
)
"""Attributes that do so on any element."""
_MOST_PASSES = 8


def without_foreign(text: str, known: Collection[str]) -> tuple[str, list[tuple[str, str]]]:
    """The text without foreign content, and what was taken out: why, and the beginning of it.

    Args:
        text: What the model wrote.
        known: The texts and addresses of the chunks: an image whose address is in one of them stays.
    """
    found: list[tuple[str, str]] = []
    for _ in range(_MOST_PASSES):
        before = text
        found += [(COMMENT, text[start:end][:200]) for start, end in comments_in(text)]
        text = _once(without_comments(text), known, found)
        if text == before:
            return text, found
    # Nobody writes this deep by chance: nothing of it may begin a tag or an image any more.
    return text.replace("<", "\u2039").replace("![", "["), found


def _once(text: str, known: Collection[str], found: list[tuple[str, str]]) -> str:
    def foreign(match: re.Match[str], left: str = "") -> str:
        found.append((NOT_IN_A_CHUNK, match.group()[:200]))
        return left

    def image(match: re.Match[str]) -> str:
        address = match["address"] if match["pointed"] is None else match["pointed"]
        return match.group() if _is_known(address, known) else foreign(match)

    def definition(match: re.Match[str]) -> str:
        plain = not _TITLE.fullmatch(match["title"]) or not re.search(r"[/:\\&]", match["address"])
        return match.group() if plain or _is_known(match["address"], known) else foreign(match, match["before"])

    def tag(match: re.Match[str]) -> str:
        attribute = _ATTRIBUTE.search(match["rest"])
        if not match.group().endswith(">"):  # the page around it may end the tag; what is no tag keeps its words
            return foreign(match, f"\u2039{match.group()[1:]}") if attribute else match.group()
        return foreign(match) if attribute or match["name"].lower() in _ACTIVE else match.group()

    text = _TAG.sub(tag, text) if "<" in text else text
    text = _DEFINITION.sub(definition, text) if "]:" in text else text
    if "![" not in text:
        return text
    text = _IMAGE.sub(image, text)
    own = [match.span() for match in _IMAGE.finditer(text)]
    return _OPENING.sub(
        lambda match: match.group() if any(low <= match.start() < high for low, high in own) else foreign(match), text
    )


def _is_known(address: str, known: Collection[str]) -> bool:
    return bool(address) and any(address in part for part in known)
