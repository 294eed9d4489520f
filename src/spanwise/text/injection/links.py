"""Texts in which nothing can be clicked or loaded: links, images and tags, as other programs read them, become text.

Each character keeps its place: a sign without which there is no link gets one that a reader takes for the same.
"""

from __future__ import annotations

import re

from spanwise.text.patterns import lazy_pattern

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
