"""A verification as one HTML page: each claim coloured and in words, its evidence and the reason beside it.

The page stands alone: no script, no address to load from, everything that comes from outside escaped, and characters
that cannot be seen shown as what they are.
"""

from __future__ import annotations

import base64
import hashlib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from spanwise.domain.claim import Cited, Claim
from spanwise.guard.conflicts.values import Conflict, Side
from spanwise.guard.verification import Finding, Place, Verification, where

LONGEST_QUOTE = 1500
"""Characters of one quote that the page shows; the rest is said to be left out."""
LABELS = {
    "supported": "Supported",
    "contradicted": "Contradicted",
    "unsupported": "Not supported",
    "unchecked": "Not checked",
}
"""Words for each `Support`; colours never say anything alone."""
CITED: Mapping[Cited, str] = {
    "wrong_place": "its citation does not support it",
    "fabricated": "it cites what was not given",
}
"""Words for citations that do not hold."""
_UNSEEN = frozenset(["Cc", "Cf", "Cs", "Co", "Cn"])
_STYLE = """
:root{color-scheme:light dark;--ok:#14632a;--ok-bg:#e3f5e6;--bad:#9c1c1c;--bad-bg:#fde6e4;--no:#7a4a00;--no-bg:#fff1d6;
--un:#4a4f57;--un-bg:#eceef1;--line:#c9ced6}
@media (prefers-color-scheme:dark){:root{--ok:#8fdca4;--ok-bg:#12301b;--bad:#ffb1a8;--bad-bg:#401614;--no:#f5cd87;
--no-bg:#3a2a0b;--un:#c3c8d0;--un-bg:#2a2e35;--line:#4a505a}}
body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
.answer{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:.5rem;padding:1rem}
.answer a{color:inherit;text-decoration-thickness:2px;text-underline-offset:3px;border-radius:.2rem}
article{display:grid;grid-template-columns:1fr 1fr;gap:0 1.5rem;border-top:1px solid var(--line);padding:1rem 0}
@media (max-width:50rem){article{display:block}}
h3,h4,p,ul{margin:.3rem 0}h3,h4{font-size:1rem}
blockquote{margin:.3rem 0 1rem;padding-left:1rem;border-left:3px solid var(--line);white-space:pre-wrap;
overflow-wrap:anywhere}
.badge{font-weight:600;padding:.1rem .5rem;border-radius:.3rem}.place{font-size:.9rem}
.supported{color:var(--ok);background:var(--ok-bg)}.contradicted{color:var(--bad);background:var(--bad-bg)}
.unsupported{color:var(--no);background:var(--no-bg)}.unchecked{color:var(--un);background:var(--un-bg)}
.code{font:.8em monospace;border:1px dotted}.said{overflow-wrap:anywhere}
:target{outline:3px solid Highlight;outline-offset:4px}
""".strip()
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'"


def page(
    verification: Verification, *, title: str, question: str | None = None, conflicts: Sequence[Conflict] = ()
) -> str:
    """The page as text, without lone surrogates, so that it can be written as UTF-8.

    Args:
        verification: What was checked.
        title: What the answer is called.
        question: What was asked, shown when it is given.
        conflicts: Where the sources disagree about what the answer rests on.
    """
    heading = shown(f"Verification of {title}")
    asked = f'<p>Question: <bdi class="said">{shown(question)}</bdi></p>\n' if question else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(_seen(f'Verification of {title}'))}</title>\n<style>{_STYLE}</style>\n</head>\n"
        "<body>\n<main>\n"
        f"<h1>{heading}</h1>\n{asked}{_summary(verification)}"
        f'<h2>Answer</h2>\n<div class="answer" dir="auto">{"".join(_marked(verification))}</div>\n'
        f"{_claims(verification)}{_conflicts(conflicts)}{_account(verification)}"
        "</main>\n</body>\n</html>\n"
    )


def counts(verification: Verification) -> dict[str, int]:
    """How many claims there are of each support, in the order of `LABELS`."""
    found = dict.fromkeys(LABELS, 0)
    for claim in verification.claims:
        found[claim.support] += 1
    return found


def shown(text: str) -> str:
    """Text as HTML: escaped, and each character that cannot be seen as its code point."""
    if all(map(_visible, text)):
        return escape(text)
    return "".join(
        escape(character) if _visible(character) else f'<span class="code">U+{ord(character):04X}</span>'
        for character in text
    )


def unseen(text: str) -> int:
    """How many characters of a text cannot be seen: control, directional and zero-width ones."""
    return sum(not _visible(character) for character in text)


def _visible(character: str) -> bool:
    return character in "\n\t" or character == "\r" or unicodedata.category(character) not in _UNSEEN


def _seen(text: str) -> str:
    return "".join(character if _visible(character) else "\ufffd" for character in text)


def _summary(verification: Verification) -> str:
    if not verification.claims:
        told = f"<p>{escape(verification.reason)}.</p>\n"
    else:
        parts = [
            f'<li><span class="badge {support}">{count} {label.lower()}</span></li>'
            for (support, label), count in zip(LABELS.items(), counts(verification).values(), strict=True)
            if count
        ]
        told = f"<ul>\n{''.join(parts)}\n</ul>\n<p>Score {verification.score:.2f}.</p>\n"
    hidden = unseen(verification.text)
    if hidden:
        told += f"<p>The answer has {hidden} characters that cannot be seen; they are shown as their code points.</p>\n"
    return told


def _marked(verification: Verification) -> Iterator[str]:
    """The whole answer; each claim is a link to what was found."""
    position = 0
    text = verification.text
    for number, claim in enumerate(verification.claims, 1):
        if claim.start < position:
            continue  # a claim inside another one has its own entry below
        yield shown(text[position : claim.start])
        yield (
            f'<a class="{claim.support}" href="#c{number}" title="{LABELS[claim.support]}">'
            f"{shown(text[claim.start : claim.end])}</a>"
        )
        position = claim.end
    yield shown(text[position:])


def _claims(verification: Verification) -> str:
    if not verification.claims:
        return ""
    places = {place.id: place for place in verification.evidence}
    findings: dict[int, list[Finding]] = {}
    for finding in verification.findings:
        findings.setdefault(finding.claim, []).append(finding)
    entries = (
        _claim(number, claim, findings.get(number - 1, ()), places)
        for number, claim in enumerate(verification.claims, 1)
    )
    return f"<h2>Claims</h2>\n{''.join(entries)}"


def _claim(number: int, claim: Claim, findings: Sequence[Finding], places: Mapping[str, Place]) -> str:
    found = "".join(
        f"<li><strong>{escape(finding.kind.replace('_', ' '))}</strong>: {shown(finding.reason)}</li>"
        for finding in findings
        if finding.reason != claim.reason
    )
    evidence = "".join(_quoted(places[one]) for one in claim.citations if one in places)
    return (
        f'<article id="c{number}" aria-labelledby="h{number}">\n<div>\n'
        f'<h3 id="h{number}">Claim {number}: <span class="badge {claim.support}">{LABELS[claim.support]}</span></h3>\n'
        f'<p class="said" dir="auto"><bdi>{shown(claim.text)}</bdi></p>\n'
        f"<p>{shown(claim.reason)} (score {claim.score:.2f}, {escape(claim.verdict)})</p>\n"
        f"{f'<p>{CITED[claim.cited]}</p>' if claim.cited in CITED else ''}"
        f"{f'<ul>{found}</ul>' if found else ''}</div>\n"
        f"<div>\n<h4>Evidence</h4>\n{evidence or '<p>None.</p>'}</div>\n</article>\n"
    )


def _quoted(place: Place | Side) -> str:
    quote = place.quote[:LONGEST_QUOTE]
    left = len(place.quote) - len(quote)
    more = f"<p>({left} more characters)</p>" if left else ""
    return (
        f'<p class="place"><bdi>{shown(where(place))}</bdi></p>'
        f'<blockquote dir="auto">{shown(quote)}</blockquote>{more}\n'
    )


def _conflicts(conflicts: Sequence[Conflict]) -> str:
    if not conflicts:
        return ""
    entries = (
        f"<article>\n<div>\n<h3>{shown(conflict.reason)}</h3>\n{_quoted(conflict.one)}</div>\n"
        f"<div>\n{_quoted(conflict.other)}</div>\n</article>\n"
        for conflict in conflicts
    )
    return f"<h2>Sources that disagree</h2>\n{''.join(entries)}"


def _account(verification: Verification) -> str:
    """What was not checked, or not read, and why."""
    parts = [
        f"<li>{escape(part.kind)}{f' ({shown(part.reason)})' if part.reason else ''}: "
        f'<bdi class="said">{shown(verification.text[part.start : part.end][:LONGEST_QUOTE])}</bdi></li>\n'
        for part in verification.account
        if part.claim is None and verification.text[part.start : part.end].strip()
    ]
    parts += [
        f"<li>passage not read ({shown(passage.reason)}): <bdi>{shown(passage.passage_id)}</bdi></li>\n"
        for passage in verification.passages
        if not passage.read
    ]
    read = sum(passage.read for passage in verification.passages)
    told = f"<p>{read} of {len(verification.passages)} passages were read.</p>\n"
    listed = f"<ul>\n{''.join(parts)}</ul>\n" if parts else ""
    return f"<h2>What is no claim or was not checked</h2>\n{told}{listed}"
