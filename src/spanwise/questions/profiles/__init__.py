"""Profiles: knowledge about kinds of documents, as data. Users add a kind by a TOML file.

A profile has intents (what is asked of such documents, and where the answer is expected), synonyms, metrics and
statements.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path

from spanwise.domain.question import AnswerShape, Metric, SentenceModel, Statement
from spanwise.errors import InputError
from spanwise.text.tables.financial_statements import FORMULA_PART, alike, read_table
from spanwise.text.terms import stem, terms, words

_AMPERSAND = re.compile(r"(?<=\w)&(?=\w)")
SHIPPED = ("contracts", "filings", "standards")


OPENING = 2500
"""Number of characters at the beginning of a document by which its kind is recognised, about its first page. With more,
every long document would contain the words of every kind."""


_A_STATEMENT = 0.6
"""Least similarity of a passage's rows to those of a statement; three rows of it suffice."""


class ProfileError(InputError):
    """There is no such profile, or its file is not valid."""


@dataclass(frozen=True, slots=True)
class Intent:
    """A kind of question that is asked about such documents."""

    name: str
    asks: tuple[frozenset[str], ...] = ()
    """The stems of each example question with this intent."""
    cues: tuple[frozenset[str], ...] = ()
    """Sets of stems; a question with all stems of one set has this intent."""
    sections: tuple[str, ...] = ()
    """Titles of the sections where the answer is expected, the most likely first."""
    terms: tuple[str, ...] = ()
    """Words that answers use and the question may not."""
    answer_type: str = "text"
    answer_shape: AnswerShape = "single"
    model: SentenceModel | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class AskedMetric:
    """The names of a metric in questions, and the metrics with rows from which it is read or computed."""

    asked: tuple[tuple[str, ...], ...]
    """Phrases, each as a sequence of stems."""
    metrics: tuple[Metric, ...]
    """The metrics that have rows: the metric itself, and those it is computed from."""
    itself: Metric


@dataclass(frozen=True, slots=True)
class AskedStatement:
    """The names of a statement in questions, and the titles and rows by which it is recognised."""

    asked: tuple[tuple[str, ...], ...]
    """Phrases, each as a sequence of stems."""
    statement: Statement


@dataclass(frozen=True, slots=True)
class Profile:
    """Knowledge about one kind of document."""

    name: str
    detect: frozenset[str] = frozenset()
    """Stems of words that occur at the beginning of such documents."""
    least: int = 0
    """Least number of them that must occur; 0 if every document fits."""
    intents: tuple[Intent, ...] = ()
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """From a phrase in questions to the wordings in documents."""
    metrics: tuple[AskedMetric, ...] = ()
    statements: tuple[AskedStatement, ...] = ()
    form: frozenset[str] = frozenset()
    """Stems of words in questions about metrics that do not help to choose the metric, such as "calculate"."""
    general: bool = False
    """True if the profile applies to every question about such a document, even without one of its intents."""

    def covers(self, opening: str) -> bool:
        """True if a document with this beginning is of this kind."""
        beginning = opening[:OPENING]
        return self.least == 0 or len(self.detect.intersection(terms(beginning))) >= self.least

    def holds_statement(self, passage: str) -> bool:
        """True if a passage has the rows of one of the profile's statements."""
        if not self.statements:
            return False
        table = read_table(enumerate(passage.split("\n"), 1))
        return any(alike(one.statement, table) >= _A_STATEMENT for one in self.statements)


def asked_terms(text: str) -> list[str]:
    """The stems of a text in order; an abbreviation with an ampersand is one word (D&A, PP&E)."""
    return terms(_AMPERSAND.sub("", text))


def load_profile(name_or_path: str) -> Profile:
    """A built-in profile by its name, or a user's by the path of its TOML file.

    Raises:
        ProfileError: There is no such profile, or the file is not valid.
    """
    if name_or_path in SHIPPED:
        return shipped_profile(name_or_path)
    path = Path(str(name_or_path))
    if path.suffix != ".toml":
        raise ProfileError(f"there is no profile {name_or_path!r}: choose {', '.join(SHIPPED)}, or give a .toml file")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(f"the profile {path} cannot be read: check the path") from error
    fitted = path.with_suffix(".json")
    try:
        models = fitted.read_text(encoding="utf-8") if fitted.exists() else "{}"
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(f"the models of the profile, {fitted}, cannot be read: mend or move that file") from error
    return _parse(str(path), text, models)


@lru_cache(maxsize=len(SHIPPED))
def shipped_profile(name: str) -> Profile:
    """The built-in profile with that name, cached."""
    folder = resources.files(__name__)
    fitted = folder / f"{name}.json"
    models = fitted.read_text(encoding="utf-8") if fitted.is_file() else "{}"
    return _parse(name, (folder / f"{name}.toml").read_text(encoding="utf-8"), models)


def _parse(origin: str, text: str, fitted: str) -> Profile:
    try:
        raw = tomllib.loads(text)
        models = {name: SentenceModel(model["bias"], model["weights"]) for name, model in json.loads(fitted).items()}
        detect = raw.get("detect", {})
        return Profile(
            name=raw["name"],
            detect=frozenset(stem for word in detect.get("words", ()) for stem in terms(word)),
            least=int(detect.get("least", 0)),
            intents=tuple(_intent(intent, models) for intent in raw.get("intent", ())),
            synonyms={phrase: tuple(_strings(raw["synonyms"], phrase)) for phrase in raw.get("synonyms", {})},
            metrics=_metrics(raw.get("metric", ())),
            statements=tuple(_statement(statement) for statement in raw.get("statement", ())),
            form=frozenset(stem for word in _strings(raw, "form") for stem in terms(word)),
            general=bool(raw.get("general", False)),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:  # no TOML or JSON, or of another form
        raise ProfileError(f"{origin} is not a profile: {error}") from error


def _intent(raw: Mapping[str, object], models: Mapping[str, SentenceModel]) -> Intent:
    name = str(raw["name"])
    shape = raw.get("shape", "single")
    if shape not in ("single", "listing", "table"):
        raise ValueError(f"the intent {name!r} has the shape {shape!r}: choose single, listing or table")
    return Intent(
        name=name,
        asks=tuple(wording(ask) for ask in _strings(raw, "asks")),
        cues=tuple(wording(cue) for cue in _strings(raw, "cues")),
        sections=tuple(_strings(raw, "sections")),
        terms=tuple(_strings(raw, "terms")),
        answer_type=str(raw.get("type", "text")),
        answer_shape=shape,
        model=models.get(name),
    )


def _metrics(raw: Sequence[Mapping[str, object]]) -> tuple[AskedMetric, ...]:
    """The metrics in the order of the file, each with those it is computed from, all of which must have rows."""
    every = {str(entry["name"]): _metric(entry) for entry in raw}
    found = []
    for entry in raw:
        itself = every[str(entry["name"])]
        if unknown := [name for name in itself.of if name not in every or not every[name].rows]:
            raise ValueError(f"the metric {itself.name!r} is computed of {unknown[0]!r}, which has no rows")
        metrics = tuple(every[name] for name in (itself.name, *itself.of) if every[name].rows)
        asked = tuple(tuple(asked_terms(phrase)) for phrase in _strings(entry, "asked"))
        found.append(AskedMetric(asked, metrics, itself))
    return tuple(found)


def _metric(raw: Mapping[str, object]) -> Metric:
    statement, formula = raw.get("statement"), raw.get("formula", [])
    formulas = (formula,) if isinstance(formula, str) else tuple(_strings(raw, "formula"))
    named = [found[1] for one in formulas for found in FORMULA_PART.finditer(one)]
    return Metric(
        name=str(raw["name"]),
        rows=tuple(_strings(raw, "rows")),
        statement=None if statement is None else str(statement),
        of=tuple(dict.fromkeys([*_strings(raw, "of"), *named])),
        formulas=formulas,
        unit=str(raw.get("unit", "")),
        unsigned=bool(raw.get("unsigned", False)),
    )


def _statement(raw: Mapping[str, object]) -> AskedStatement:
    statement = Statement(str(raw["name"]), tuple(_strings(raw, "titles")), tuple(_strings(raw, "rows")))
    return AskedStatement(tuple(tuple(asked_terms(phrase)) for phrase in _strings(raw, "asked")), statement)


def _strings(raw: Mapping[str, object], key: str) -> Collection[str]:
    value = raw.get(key, ())
    if not isinstance(value, list | tuple) or not all(isinstance(part, str) for part in value):
        raise ValueError(f"{key!r} has to be a list of texts")
    return value


_SILENT = frozenset(
    "a an and any are as at be by do does for from has have in is it its of on or that the this to was".split()
)


def wording(text: str) -> frozenset[str]:
    """The stems of the words of a question except the commonest function words; question words are kept."""
    return frozenset(stem(word) for word in words(text) if word not in _SILENT)


ALIKE = 0.5
"""Least Jaccard index of the stems of a question and an example, for the question to have the example's intent."""
CUE_SHARE = 0.2
"""Least share of a question's stems that a cue must make up, since two words in a long question may be chance."""


def match_intent(question: str, profiles: Sequence[Profile]) -> tuple[Profile, Intent] | None:
    """The profile and the intent that fit the question best; None if none fits."""
    asked = wording(question)
    best: tuple[float, Profile, Intent] | None = None
    for profile in profiles:
        for intent in profile.intents:
            strength = _strength(asked, intent)
            if strength > 0 and (best is None or strength > best[0]):
                best = (strength, profile, intent)
    return None if best is None else best[1:]


def _strength(asked: frozenset[str], intent: Intent) -> float:
    """How well a question fits an intent, 0 if not at all; examples weigh more than cues, long cues more than short."""
    if not asked:
        return 0.0
    alike = max((len(asked & ask) / len(asked | ask) for ask in intent.asks), default=0.0)
    if alike >= ALIKE:
        return 1.0 + alike
    found = (len(cue) for cue in intent.cues if cue and cue <= asked and len(cue) / len(asked) >= CUE_SHARE)
    longest = max(found, default=0)
    return longest / (longest + 1.0) * (0.5 + 0.5 * longest / len(asked)) if longest else 0.0
