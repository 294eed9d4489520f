"""A verification as one HTML page."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from spanwise import find_conflicts, verify
from spanwise.guard.report import page

SOURCES = [
    "A late fee of 1.5% per month applies to every balance. The Vendor shall insure the goods.",
    "A late fee of 2% per month applies to every balance.",
]
HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)"> </style> & "quoted" \u202etxt.exe\u200b \ud800'


class Reader(HTMLParser):
    """Counts tags, keeps text and the targets of links."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.words.append(data)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


def made(text: str, sources=SOURCES, **options) -> str:
    return page(verify(text, sources), title="answer.md", **options)


def test_every_claim_is_marked_in_the_answer_and_has_its_entry():
    answer = "A late fee of 1.5% per month applies. The moon is made of green cheese."
    reader = read(made(answer, SOURCES[:1]))
    text = "".join(reader.words)
    assert reader.tags.count("article") == 2
    assert {("href", "#c1"), ("href", "#c2"), ("id", "c1"), ("id", "c2")} <= set(reader.attributes)
    assert "Claim 1: Supported" in text
    assert "Claim 2: Not supported" in text
    assert SOURCES[0].partition(". ")[0] in text


def test_the_page_stands_alone_and_runs_nothing():
    html = made("The Vendor shall insure the goods.")
    reader = read(html)
    assert {"script", "link", "img", "iframe", "form"}.isdisjoint(reader.tags)
    style = html.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = next(value for name, value in reader.attributes if name == "content" and value.startswith("default-src"))
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert not re.search(r"https?://|url\(", html)
    assert ("lang", "en") in reader.attributes
    assert "prefers-color-scheme:dark" in html


@pytest.mark.parametrize("where", ["answer", "source", "question", "title"])
def test_nothing_from_outside_becomes_markup(where):
    plain = "The Vendor shall insure the goods."
    answer = f"{plain} {HOSTILE}" if where == "answer" else plain
    source = f"{plain} {HOSTILE}" if where == "source" else plain
    html = page(
        verify(answer, [{"text": source, "chunk_id": HOSTILE, "document": HOSTILE}]),
        title=HOSTILE if where == "title" else "answer.md",
        question=HOSTILE if where == "question" else None,
    )
    reader = read(html)
    assert {"script", "img"}.isdisjoint(reader.tags)
    assert reader.tags.count("style") == 1
    assert not any(name.startswith("on") for name, _ in reader.attributes)
    assert not re.search("[\u202e\u200b\ud800]", html)
    html.encode("utf-8")


def test_what_cannot_be_seen_is_told():
    html = made("The Vendor \u202eshall\u202c insure the go\u200bods.")
    assert "3 characters that cannot be seen" in html
    assert "U+202E" in html


def test_sources_that_disagree_are_shown():
    html = made("A late fee of 2% per month applies.", conflicts=find_conflicts(SOURCES))
    assert "Sources that disagree" in html


@pytest.mark.parametrize("text", ["", "# Heading", "I do not know."])
def test_an_answer_without_claims(text):
    assert "no claim" in made(text)
    assert "<article" not in made(text)


def test_a_long_quote_is_cut_and_said_to_be():
    source = "The Vendor shall insure the goods " + "and the goods of others " * 70 + "."
    html = made("The Vendor shall insure the goods and the goods of others.", [source])
    assert "more characters" in html
    assert len(html) < 12_000
