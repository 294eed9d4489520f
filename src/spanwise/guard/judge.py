"""`LLMJudge`: whether an answer may be shown, by what `verify` says of its claims and of the sections they cite."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, TypeAlias, TypedDict

from spanwise import messages
from spanwise.domain.claim import Claim
from spanwise.guard.sentence import operators, words_of
from spanwise.guard.verification import Verification
from spanwise.text.fold import folded
from spanwise.text.quantities import quantities
from spanwise.text.sentences import sentences

ClaimType: TypeAlias = Literal["quantitative", "temporal", "obligation", "general"]
ClaimStatus: TypeAlias = Literal["supported", "unsupported", "contradicted"]

_HONEST = frozenset(
    [
        messages.NO_RELEVANT_INFORMATION,
        messages.NO_INFORMATION,
        messages.DONT_KNOW,
        messages.NOT_FOUND,
        messages.REFUSAL,
    ]
)
_SENTINELS = frozenset([messages.INSUFFICIENT_CONTEXT, messages.EMPTY_RESPONSE])
_QUOTED = 1.0
_PARAPHRASED = 0.6
"""Least confidence in a supported claim; the guard's own score takes it up to 1."""
_UNSUPPORTED = 0.4
_CONTRADICTED = 0.2
_LEAST_CONFIDENCE = 0.5
_APART = "\n\n"
_EXCERPT = 100
"""Characters of an excerpt that may end inside a word."""
_ENDS = " .,;:!?\"'"

_Label: TypeAlias = tuple[str, str]
"""Title and page as a citation prints them."""


class JudgedClaim(TypedDict):
    """One statement of the answer."""

    text: str
    type: ClaimType
    found_in_source: bool
    source_quote: str | None
    """The words of the source that support or contradict it, letter by letter; None where none do."""
    status: ClaimStatus


class Summary(TypedDict):
    """How many claims there are of each kind."""

    total_claims: int
    supported: int
    unsupported: int
    contradicted: int


class JudgeVerdict(TypedDict):
    """The published result of the judge."""

    should_return: bool
    claims: list[JudgedClaim]
    confidence_score: float
    is_hallucinated: bool
    summary: Summary
    reasoning: str


class LLMJudge:
    """Decides whether an answer may be shown: every claim must be in the sections, and none may contradict them.

    The name is that of the component; this one needs no model. It is `spanwise.verify` behind the component's
    signature.
    """

    async def evaluate(self, response: str, sections: Sequence[Mapping[str, object]] | None) -> JudgeVerdict:
        """Check an answer against its sections.

        An answer is worth as much as its weakest claim: 1.0 for one whose very words a section has, 0.6 and more for
        any other that is supported, 0.4 for one without support, 0.2 for a contradicted one; `should_return` is False
        below 0.5. An answer that only says that nothing was found claims nothing and may be shown; an empty one may
        not.

        Args:
            response: The answer. Its `(See TITLE, page N)` suffixes are not claims: the statement before one is checked
                against the sections that it names alone, and every other one against all sections.
            sections: What it was written from, with `title`, `content` and `page_num`.
        """
        plain = response.strip()
        if plain in _HONEST:
            return _verdict([], 1.0, "The answer says that nothing was found, so it claims nothing.")
        if not plain or plain in _SENTINELS:
            return _verdict([], 0.0, "The answer is empty.")
        findings = _findings(list(_stretches(plain, sections or ())), sections or ())
        if not findings:
            return _verdict([], 0.0, "The answer holds no statement that could be checked.")
        return _verdict([finding.claim for finding in findings], min(f.score for f in findings), _reasoning(findings))


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A stretch of the answer without citations, and those that stand behind it."""

    text: str
    cites: tuple[_Label, ...] = ()


@dataclass(frozen=True, slots=True)
class _Finding:
    claim: JudgedClaim
    score: float
    reason: str


def _stretches(response: str, sections: Sequence[Mapping[str, object]]) -> Iterator[_Stretch]:
    """The answer cut at its citations: a citation belongs to the one statement before it, as do those right behind."""
    cited: _Stretch | None = None
    for part in cited_texts(response, sections):
        here = () if part.title is None or part.page is None else ((part.title, part.page),)
        if not words_of(part.text):
            if cited is not None and here:
                cited = _Stretch(cited.text, (*cited.cites, *here))
            continue
        if cited is not None:
            yield cited
        last = _last_statement(part.text) if here else len(part.text)
        if words_of(part.text[:last]):
            yield _Stretch(part.text[:last])
        cited = _Stretch(part.text[last:], here) if here else None
    if cited is not None:
        yield cited


def _last_statement(text: str) -> int:
    """Where the last sentence with words begins."""
    line = text.rstrip().rfind("\n\n") + 1
    starts = [line + start for start, end in sentences(text[line:]) if words_of(text[line + start : line + end])]
    return starts[-1] if starts else 0


def _findings(stretches: Sequence[_Stretch], sections: Sequence[Mapping[str, object]]) -> list[_Finding]:
    """The finding on each claim, in the order of the answer; what cites the same sections is checked at once."""
    found: dict[int, list[_Finding]] = {}
    for cites in dict.fromkeys(stretch.cites for stretch in stretches):
        own = {number: stretch.text.strip() for number, stretch in enumerate(stretches) if stretch.cites == cites}
        against = [section for section in sections if not cites or label(section) in cites]
        unknown = next((one for one in cites if all(label(section) != one for section in sections)), None)
        found |= _checked(own, [] if unknown else against, unknown)
    return [finding for number in sorted(found) for finding in found[number]]


def _checked(
    texts: Mapping[int, str], sections: Sequence[Mapping[str, object]], unknown: _Label | None
) -> dict[int, list[_Finding]]:
    """The findings on stretches that cite the same, by their number in the answer."""
    from spanwise.guard.verify import verify  # the components are imported without any library

    starts = list(accumulate((len(text) + len(_APART) for text in texts.values()), initial=0))[:-1]
    report = verify(_APART.join(texts.values()), [_passage(section) for section in sections])
    numbers = list(texts)
    claims: dict[int, list[Claim]] = {number: [] for number in texts}
    for claim in report.claims:
        claims[numbers[bisect_right(starts, claim.start) - 1]].append(claim)
    found: dict[int, list[_Finding]] = {}
    for number, text in texts.items():
        if not any(report.findings_of(claim) for claim in claims[number]) and _begins_one(text, sections):
            found[number] = [_Finding(_judged(text, "supported", text), _QUOTED, "a section begins with it")]
        else:
            found[number] = [_finding(claim, report, unknown) for claim in claims[number]]
    return found


def _begins_one(text: str, sections: Sequence[Mapping[str, object]]) -> bool:
    """True if a section begins with a text, letter by letter: an excerpt, which may be a question or end in a word."""
    contents = (str(section.get("content") or "").strip() for section in sections)
    begun = [content[len(text) :] for content in contents if content.startswith(text)]
    return any(len(text) >= _EXCERPT or not text[-1].isalnum() or not rest[:1].isalnum() for rest in begun)


def _passage(section: Mapping[str, object]) -> dict[str, object]:
    return {
        "title": label(section)[0] if section.get("title") else None,
        "content": str(section.get("content") or ""),
        "page_num": section.get("page_num"),
    }


def _finding(claim: Claim, report: Verification, unknown: _Label | None) -> _Finding:
    if unknown is not None:
        reason = f"it cites {unknown[0]}, page {unknown[1]}, which was not given"
        return _Finding(_judged(claim.text, "unsupported", None), _UNSUPPORTED, reason)
    evidence = report.evidence_of(claim)
    if claim.support == "contradicted":
        shown = [place for one in report.findings_of(claim) for place in report.evidence if place.id == one.source]
        quote = next((place.quote for place in (*shown, *evidence)), None)
        return _Finding(_judged(claim.text, "contradicted", quote), _CONTRADICTED, claim.reason)
    if claim.support != "supported":
        return _Finding(_judged(claim.text, "unsupported", None), _UNSUPPORTED, claim.reason)
    quoted = next((one.quote for one in evidence if folded(claim.text).strip(_ENDS) in folded(one.quote)), None)
    score = _QUOTED if quoted else _PARAPHRASED + (1 - _PARAPHRASED) * claim.score
    return _Finding(_judged(claim.text, "supported", quoted or evidence[0].quote), score, claim.reason)


def _judged(text: str, status: ClaimStatus, quote: str | None) -> JudgedClaim:
    return {
        "text": text,
        "type": _type(text),
        "found_in_source": status == "supported",
        "source_quote": quote,
        "status": status,
    }


def _type(text: str) -> ClaimType:
    found = quantities(text)
    if any(not one.iso and one.kind != "duration" for one in found):
        return "quantitative"
    if found:
        return "temporal"
    return "obligation" if any(one.group == "modality" for one in operators(words_of(text))) else "general"


def _verdict(claims: list[JudgedClaim], confidence: float, reasoning: str) -> JudgeVerdict:
    counts = Counter(claim["status"] for claim in claims)
    score = round(confidence, 2)
    hallucinated = counts["contradicted"] > 0 or score < _LEAST_CONFIDENCE
    return {
        "should_return": not hallucinated,
        "claims": claims,
        "confidence_score": score,
        "is_hallucinated": hallucinated,
        "summary": {
            "total_claims": len(claims),
            "supported": counts["supported"],
            "unsupported": counts["unsupported"],
            "contradicted": counts["contradicted"],
        },
        "reasoning": reasoning,
    }


def _reasoning(findings: Sequence[_Finding]) -> str:
    problems = [finding for finding in findings if finding.claim["status"] != "supported"]
    if not problems:
        return f"All claims ({len(findings)}) are supported by the sections."
    told = [f'"{finding.claim["text"]}" is {finding.claim["status"]}: {finding.reason}.' for finding in problems]
    return f"{len(problems)} of {len(findings)} claims do not hold. {' '.join(told)}"


_OPENING = "(See "
_ANY = re.compile(r"\(See (?P<title>[^\n]{1,300}?), page (?P<page>[^\s()]{1,20})\)")


@dataclass(frozen=True, slots=True)
class CitedText:
    """A stretch of an answer and the citation behind it; `title` and `page` are None where there is none."""

    text: str
    title: str | None = None
    page: str | None = None


def label(section: Mapping[str, object]) -> tuple[str, str]:
    """Title and page as a citation of this section prints them."""
    title, page = section.get("title"), section.get("page_num")
    shown_page = "" if page is None else str(page).strip()
    return str(title or "").strip() or "Unknown", shown_page or "?"


def cited_texts(response: str, sections: Sequence[Mapping[str, object]]) -> list[CitedText]:
    """Cut an answer at its citations.

    A title may hold brackets and commas, so citations of the given sections are recognised first, letter by letter.
    What looks like a citation of something else counts as one too, unless it is part of a section's own text.
    """
    known = {f"(See {title}, page {page})": (title, page) for title, page in map(label, sections)}
    longest_first = sorted(known, key=len, reverse=True)
    contents = [str(section.get("content") or "") for section in sections]
    texts: list[CitedText] = []
    start = position = 0
    while (position := response.find(_OPENING, position)) >= 0:
        written, title, page = next(
            ((text, *known[text]) for text in longest_first if response.startswith(text, position)), ("", "", "")
        )
        other = None if written else _ANY.match(response, position)
        if other and not any(other.group() in content for content in contents):
            written, title, page = other.group(), other["title"], other["page"]
        if not written:
            position += len(_OPENING)
            continue
        texts.append(CitedText(response[start:position], title, page))
        start = position = position + len(written)
    return [*texts, CitedText(response[start:])]
