"""`spanwise check`: reports of a repository checked against the sources that each names, for CI and pre-commit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from spanwise.cli.output import print_json, printable, stdout
from spanwise.cli.verifying import Wanted, passes, text_of
from spanwise.contract.adapters import Given
from spanwise.domain.passage import Passage
from spanwise.engine import gather
from spanwise.errors import InputError
from spanwise.guard.failing import Failure, failures
from spanwise.guard.verification import Verification
from spanwise.guard.verify import verify

_FENCE = "---"
_MOST_FRONT = 200
"""Most lines of front matter."""
_MOST_SOURCES = 200


@dataclass(frozen=True, slots=True)
class Checked:
    """A report and the result of its check."""

    name: str
    verification: Verification | None
    """None if the report names no sources, so that nothing was checked."""
    passed: bool
    failed: tuple[Failure, ...] = ()


def run_check(
    reports: Sequence[str],
    sources: Sequence[str],
    fail_under: float | None,
    *,
    if_sourced: bool = False,
    as_json: bool,
    annotate: bool,
) -> int:
    """Check each report and print the failures; returns the exit code: 0 if all pass, else 1.

    Args:
        reports: Text or Markdown files.
        sources: Files, folders or globs that every report is checked against; empty if each names its own.
        fail_under: The least share of claims that must be supported where they cite; None requires all.
        if_sourced: Accept that no report names a source, as for a hook that gets the files of a commit.
        as_json: Print JSON.
        annotate: Print GitHub workflow commands, which it shows beside the lines.

    Raises:
        InputError: A report or a source cannot be read, or no report has a source, so that nothing is checked.
    """
    wanted = Wanted(fail_under=fail_under, citations=fail_under is None)  # the share counts wrong citations itself
    read: dict[str, list[Passage]] = {}
    checked = [_checked(report, sources, wanted, read) for report in reports]
    if not if_sourced and all(one.verification is None for one in checked):
        raise InputError(
            "nothing was checked, no report has sources: name them with --source PATH, or as sources: in front matter"
        )
    if as_json:
        print_json({"passed": all(one.passed for one in checked), "reports": [_record(one) for one in checked]})
    else:
        for one in checked:
            _show(one, annotate=annotate)
    return 0 if all(one.passed for one in checked) else 1


def _checked(report: str, sources: Sequence[str], wanted: Wanted, read: dict[str, list[Passage]]) -> Checked:
    own, text = front_matter(text_of(report), report)
    named = [*sources, *(_inside(one, report) for one in own)]
    if not named:
        return Checked(report, None, passed=True)
    passages = [passage for one in named for passage in _passages(one, read)]
    given = [Given(passage, number, passage, None) for number, passage in enumerate(passages, 1)]
    verification = verify(text, given)
    passed = passes(verification, wanted) or not verification.claims
    return Checked(report, verification, passed, tuple(failures(verification)) if verification.claims else ())


def front_matter(text: str, name: str) -> tuple[list[str], str]:
    """The `sources` in the front matter of a text, and the text with the lines of its front matter blank.

    Raises:
        InputError: The sources are not a list of paths.
    """
    lines = text.split("\n")
    ends = [at for at, line in enumerate(lines[1:_MOST_FRONT], 1) if line.rstrip() in (_FENCE, "...")]
    if lines[0].rstrip() != _FENCE or not ends:
        return [], text
    front, rest = lines[1 : ends[0]], lines[ends[0] + 1 :]
    return _sources(front, name), "\n" * (ends[0] + 1) + "\n".join(rest)


def _sources(front: Sequence[str], name: str) -> list[str]:
    at = next((at for at, line in enumerate(front) if line.startswith("sources:")), None)
    if at is None:
        return []
    told = front[at].removeprefix("sources:").partition(" #")[0].strip()
    if told.startswith("[") and told.endswith("]"):
        found = told[1:-1].split(",")
    elif told:
        found = [told]
    else:
        block = iter(front[at + 1 :])
        found = []
        while (line := next(block, "").partition(" #")[0].strip()).startswith("- "):
            found.append(line.removeprefix("- "))
    sources = [one.strip().strip("\"'") for one in found if one.strip()]
    if not sources or len(sources) > _MOST_SOURCES:
        raise InputError(f"{printable(name)}: sources is a list of paths in its front matter, {_MOST_SOURCES} at most")
    return sources


def _inside(source: str, report: str) -> str:
    """The path of a source, relative to its report; raises `InputError` if it leads out of the current folder."""
    here, path = os.path.realpath("."), os.path.realpath(os.path.join(os.path.dirname(report), source))
    if os.path.commonpath([here, path]) != here:
        raise InputError(
            f"{printable(report)}: its source {printable(source)} is outside of this folder; name it with --source"
        )
    return path


def _passages(source: str, read: dict[str, list[Passage]]) -> list[Passage]:
    """The documents of a source, each as one passage, so that [2] in a report is the second document."""
    if source not in read:
        with gather([source]) as corpus:
            read[source] = [
                Passage(
                    id=document.name,
                    document=document.name,
                    line_start=1,
                    line_end=document.lines,
                    page=1,
                    text="\n".join(line.text for line in corpus.lines(document.name, 1, document.lines)),
                )
                for document in corpus.documents()
            ]
    return read[source]


def _show(checked: Checked, *, annotate: bool) -> None:
    console, name = stdout(), printable(checked.name)
    if checked.verification is None:
        console.print(f"{name}: names no sources, not checked", markup=False)
        return
    total = len(checked.verification.claims)
    state = "holds" if checked.passed else "fails"
    console.print(f"{name}: {state}, {total - len(checked.failed)} of {total} claims are proved", markup=False)
    for failure in checked.failed:
        line = checked.verification.text.count("\n", 0, failure.claim.start) + 1
        text = printable(str(failure))
        if annotate:
            told = text.replace("%", "%25").replace("\r", "").replace("\n", "%0A")
            level = "warning" if checked.passed else "error"
            console.print(f"::{level} file={_property(name)},line={line}::{told}", markup=False)
        else:
            console.print(f"{name}:{line}: {text}", markup=False)


def _property(value: str) -> str:
    """A value escaped for a property of a workflow command."""
    for character, code in (("%", "%25"), ("\n", "%0A"), (":", "%3A"), (",", "%2C")):
        value = value.replace(character, code)
    return value


def _record(checked: Checked) -> dict[str, object]:
    state = {"report": checked.name, "checked": checked.verification is not None, "passed": checked.passed}
    return {**state, **({} if checked.verification is None else checked.verification.to_dict())}
