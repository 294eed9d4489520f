"""`LLMJudge`: an answer against the sections it was written from, claim by claim, by rules and without a model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypedDict

from spanwise import messages
from spanwise.guard.conflicts import conflict, coverage, missing_figures
from spanwise.guard.reading import Source, marks, read_section, split
from spanwise.guard.statements import Statement, is_duty, is_negation, statement
from spanwise.guard.suffixes import cited_texts

ClaimType: TypeAlias = Literal["quantitative", "temporal", "obligation", "general"]
ClaimStatus: TypeAlias = Literal["supported", "unsupported", "contradicted"]

MOST_CLAIMS = 500
"""How many claims of one answer are checked; those after count as unsupported."""

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
_CONTRADICTED = 0.2
_UNSUPPORTED = 0.4
_LEAST_CONFIDENCE = 0.5
_ENOUGH_WORDS = 0.6
_ENOUGH_WORDS_BESIDE_FIGURES = 0.3
_ABOUT_THE_SAME = 0.3
_NEAR_THE_BEST = 0.15
_CLAUSE_END = re.compile(r"[.,;:!?]")
_EXCERPT = 100
_MOST_CANDIDATES = 20
_LOOK_BACK = 200


class JudgedClaim(TypedDict):
    """One statement of the answer."""

    text: str
    type: ClaimType
    found_in_source: bool
    source_quote: str | None
    """What the source says about it, letter by letter; None when nothing is near."""
    status: ClaimStatus


class Summary(TypedDict):
    """How many claims there are of each kind."""

    total_claims: int
    supported: int
    unsupported: int
    contradicted: int


class JudgeVerdict(TypedDict):
    """What the judge found."""

    should_return: bool
    claims: list[JudgedClaim]
    confidence_score: float
    is_hallucinated: bool
    summary: Summary
    reasoning: str


class LLMJudge:
    """Decides whether an answer may be shown: every claim must be in the sections, and none may contradict them.

    The name is that of the component; this one needs no model.
    """

    async def evaluate(self, response: str, sections: Sequence[Mapping[str, object]] | None) -> JudgeVerdict:
        """Check an answer against its sections.

        An answer is worth as much as its weakest claim: 1.0 for one that is quoted, 0.6 and more for a paraphrase
        with the same figures, 0.4 for one without support, 0.2 for a contradicted one; `should_return` is False below
        0.5. An answer that only says that nothing was found claims nothing and may be shown; an empty one may not.

        Args:
            response: The answer; its `(See TITLE, page N)` suffixes are not claims, but what they cite is checked.
            sections: What it was written from, with `title`, `content` and `page_num`.
        """
        plain = response.strip()
        if plain in _HONEST:
            return _verdict([], 1.0, "The answer says that nothing was found, so it claims nothing.")
        if not plain or plain in _SENTINELS:
            return _verdict([], 0.0, "The answer is empty.")
        sources = [read_section(section) for section in sections or ()]
        claims = list(_claims(plain, sections or ()))
        findings = [_find(text, title, page, sources) for text, title, page in claims[:MOST_CLAIMS]]
        findings += [
            _finding(statement(text), "unsupported", None, _UNSUPPORTED, f"only {MOST_CLAIMS} claims are checked")
            for text, *_ in claims[MOST_CLAIMS:]
        ]
        if not findings:
            return _verdict([], 0.0, "The answer holds no statement that could be checked.")
        return _verdict([finding.claim for finding in findings], min(f.score for f in findings), _reasoning(findings))


@dataclass(frozen=True, slots=True)
class _Finding:
    claim: JudgedClaim
    score: float
    reason: str


def _claims(response: str, sections: Sequence[Mapping[str, object]]) -> Iterator[tuple[str, str | None, str | None]]:
    """The statements of an answer; a citation belongs to the one that it stands behind."""
    for part in cited_texts(response, sections):
        found = [text for text in split(part.text) if marks(text)[0] and text not in _HONEST]
        for index, text in enumerate(found):
            last = index == len(found) - 1
            yield text, part.title if last else None, part.page if last else None


def _find(text: str, title: str | None, page: str | None, sources: Sequence[Source]) -> _Finding:
    """The verdict on one claim, from the sections that it cites, or from all of them if it cites none."""
    claim = statement(text)
    if title is None:
        return _judge(claim, sources)
    cited = [source for source in sources if source.label == (title, page)]
    if not cited:
        return _finding(claim, "unsupported", None, _UNSUPPORTED, f"it cites {title}, page {page}, which was not given")
    return _judge(claim, cited)


def _judge(claim: Statement, sources: Sequence[Source]) -> _Finding:
    return _quoted(claim, sources) or _paraphrased(claim, sources)


def _quoted(claim: Statement, sources: Sequence[Source]) -> _Finding | None:
    """A claim whose words stand in a section just so; None for any other."""
    wanted, spans = marks(claim.text)
    if len(claim.text) >= _EXCERPT and claim.text[-1].isalnum():
        wanted = wanted.rstrip()  # an excerpt of a text without sentences may end inside a word
    for source in sources:
        position = source.marks.find(wanted)
        if position < 0:
            continue
        first = source.marks.count(" ", 0, position + 1) // 2
        last = first + len(spans) - 1
        start, end = source.spans[first][0], source.spans[last][1]
        quote = source.content[start:end]
        before = _CLAUSE_END.split(source.content[max(0, start - _LOOK_BACK) : start])[-1]
        if any(is_negation(word) for word in before.lower().split()):
            return _finding(claim, "contradicted", before.lstrip() + quote, _CONTRADICTED, "the source denies it")
        return _finding(claim, "supported", quote, 1.0, "it is quoted")
    return None


def _paraphrased(claim: Statement, sources: Sequence[Source]) -> _Finding:
    unknown = [name for name in sorted(claim.names) if not any(name in source.vocabulary for source in sources)]
    if unknown:
        return _finding(claim, "unsupported", None, _UNSUPPORTED, f"the source does not name {unknown[0]}")
    nearest = _nearest(claim, sources)
    if not nearest:
        return _finding(claim, "unsupported", None, _UNSUPPORTED, "no section speaks of it")
    conflicts = []
    for source, candidate in nearest:
        against = conflict(claim, candidate)
        if against:
            conflicts.append((candidate, against))
            continue
        share = _support(claim, candidate, source)
        if share is not None:
            return _finding(claim, "supported", candidate.text, 0.6 + 0.4 * share, "a section says the same")
    if conflicts:
        candidate, against = conflicts[0]
        return _finding(claim, "contradicted", candidate.text, _CONTRADICTED, against)
    return _finding(claim, "unsupported", None, _UNSUPPORTED, "no section says enough of it")


def _nearest(claim: Statement, sources: Sequence[Source]) -> list[tuple[Source, Statement]]:
    """The sentences that have most of the claim's words, the best first."""
    rated = [
        (coverage(claim, sentence.content | source.title_words), coverage(claim, sentence.content), source, sentence)
        for source in sources
        for sentence in source.sentences
    ]
    best = max((share for share, *_ in rated), default=0.0)
    least = max(_ABOUT_THE_SAME, best - _NEAR_THE_BEST)
    near = sorted((entry for entry in rated if entry[0] >= least), key=lambda entry: (-entry[0], -entry[1]))
    return [(source, sentence) for _, _, source, sentence in near[:_MOST_CANDIDATES]]


def _support(claim: Statement, candidate: Statement, source: Source) -> float | None:
    """Share of the claim that a sentence says, with the help of one more of its section; None if that is too little."""
    helpers = sorted(
        (other for other in source.sentences if other is not candidate),
        key=lambda other: (len(missing_figures(claim, candidate, other)), -coverage(claim, other.content)),
    )
    for helper in (candidate, *(other for other in helpers[:1] if other.content & claim.content)):
        share = coverage(claim, candidate.content | helper.content | source.title_words)
        enough = _ENOUGH_WORDS_BESIDE_FIGURES if claim.figures else _ENOUGH_WORDS
        if share >= enough and not missing_figures(claim, candidate, helper):
            return share
    return None


def _finding(claim: Statement, status: ClaimStatus, quote: str | None, score: float, reason: str) -> _Finding:
    judged: JudgedClaim = {
        "text": claim.text,
        "type": _type(claim),
        "found_in_source": status == "supported",
        "source_quote": quote,
        "status": status,
    }
    return _Finding(judged, score, reason)


def _type(claim: Statement) -> ClaimType:
    kinds = {figure.kind for figure in claim.figures}
    if kinds & {"percent", "money", "number"}:
        return "quantitative"
    if kinds:
        return "temporal"
    return "obligation" if is_duty(claim) else "general"


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
