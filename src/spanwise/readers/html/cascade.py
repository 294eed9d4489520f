"""The cascade: which of all declarations for an element wins, by importance, layer, specificity and order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import inf
from types import MappingProxyType
from typing import NamedTuple

import tinycss2

from spanwise.readers.html.conditions import LONGEST, Container, CustomFunction, Given, container_holds, replaced
from spanwise.readers.html.css_values import ROOT_SIZE, SCREEN, Scale, font_size, fraction, length, tokens
from spanwise.readers.html.geometry import room
from spanwise.readers.html.properties import INHERITED, Longhand, declarations, expand, is_replaced, normal
from spanwise.readers.html.selectors import (
    DETAILS_CONTENT,
    Element,
    Selector,
    SelectorTooComplex,
    Steps,
    StepsUsed,
    compiled,
)
from spanwise.readers.html.style_sheets import UNLAYERED, Declaration, LayerKey, Rule, Sheets

_STEPS = 3_000_000
"""The work that matching may take: some seconds, and several times what large pages need."""
_LONG_WAIT = 60.0
"""Delay in seconds of an animation that nobody waits for."""
_HARDLY = 600.0
"""Seconds that an animation lasts which hardly moves while someone reads."""
_AS_GOOD_AS = 0.03
"""The share of an animation within which it looks like one of its frames."""
_MOST_ANIMATIONS = 16
_FOLLOWED_PARTS = frozenset(("before", "after", "first-line", "marker", DETAILS_CONTENT, "placeholder"))
_COMPILING = 100
"""Steps charged for compiling one list of selectors."""
_LAST_PART = re.compile(r"[^\s>+~()\[\]\\:]*$")
_NAMED = re.compile(r"[.#][\w-]+")
NO_VARIABLES: Mapping[str, str] = MappingProxyType({})


class Styled(NamedTuple):
    """The winning declarations of one element, and its custom properties."""

    values: Mapping[str, str]
    """Longhands; `inherit` means the parent's value, and a missing one has its initial value."""
    variables: Mapping[str, str]


class _Weighed(NamedTuple):
    """A declaration with its weight in the cascade."""

    level: int
    inline: bool
    layer: LayerKey
    specificity: tuple[int, int, int]
    near: float
    """Minus the steps up to the root of the rule's `@scope`; minus infinity outside any."""
    order: int
    name: str
    value: str


_HINT, _AUTHOR, _ANIMATED, _IMPORTANT = range(4)
_NO_WEIGHT = (0, 0, 0)
_UNSCOPED = -inf


@lru_cache(maxsize=4096)
def inline_style(text: str) -> tuple[Declaration, ...]:
    """The declarations of a `style` attribute."""
    content = tinycss2.parse_blocks_contents(text, skip_comments=True, skip_whitespace=True)
    return tuple(declarations(content))


class Cascade:
    """Finds the declarations of elements in the style sheets of a page.

    Rules are indexed by the id, class or tag in the last part of their selectors, so that few are tested for an
    element.
    """

    def __init__(self, sheets: Sheets, *, names: frozenset[str] = frozenset()) -> None:
        self.sheets = sheets
        self.steps = Steps(_STEPS)
        self.in_doubt = False
        """True once matching has used up its steps: from then on whatever a rule might hide counts as hidden."""
        self._index: dict[str, list[tuple[Selector, Rule]]] = {}
        self._parts: dict[str, dict[str, list[tuple[Selector, Rule]]]] = {}
        """Rules for pseudo-elements, by name."""
        self._hiding: dict[str, list[Selector]] = {}
        self._roots: dict[str, list[Selector]] = {}
        for rule in sheets.rules:
            if _may_apply(rule.text, names):
                self._add(rule)

    def _add(self, rule: Rule) -> None:
        self.steps.use(_COMPILING)
        try:
            selectors = compiled(rule.text)
        except SelectorTooComplex:
            self.sheets.left_out += 1
            return
        for selector in selectors:
            if selector.pseudo_element is None:
                self._index.setdefault(selector.key, []).append((selector, rule))
                if any(map(_may_hide, rule.declarations)):
                    self._hiding.setdefault(selector.key, []).append(selector)
            elif selector.pseudo_element in _FOLLOWED_PARTS:
                part = self._parts.setdefault(selector.pseudo_element, {})
                part.setdefault(selector.key, []).append((selector, rule))

    def _matches(self, selector: Selector, element: Element) -> bool:
        try:
            self.steps.use(1)
            return bool(selector.test(element))
        except (TypeError, ValueError, AttributeError, RecursionError):
            return False  # cssselect2 asks for something that exists only in a browser.

    def declared(
        self,
        element: Element | None,
        browser: Mapping[str, str],
        hints: Sequence[Longhand],
        style: str | None,
        inherited: Mapping[str, str],
    ) -> Styled:
        """The winning declarations for an element, which is None if the page has no style sheets.

        They come from a browser's own style sheet (`browser`), presentational attributes (`hints`), the page's sheets
        and the `style` attribute; `inherited` are the custom properties of the parent.
        """
        weighed = [_Weighed(_HINT, False, UNLAYERED, _NO_WEIGHT, _UNSCOPED, at, *hint) for at, hint in enumerate(hints)]
        if element is not None:
            weighed.extend(self._from_sheets(element))
        if style:
            weighed.extend(
                _Weighed(_IMPORTANT if important else _AUTHOR, True, UNLAYERED, _NO_WEIGHT, _UNSCOPED, at, name, value)
                for at, (name, value, important) in enumerate(inline_style(style))
            )
        styled = self._styled(weighed, browser, inherited, element)
        if element is not None and self.sheets.containers:
            self._measure(element, styled)
        return styled

    def _styled(
        self,
        weighed: list[_Weighed],
        browser: Mapping[str, str],
        inherited: Mapping[str, str],
        element: Element | None,
    ) -> Styled:
        if not weighed:
            return Styled(browser, inherited)
        weighed.sort(key=_weight)
        given = _given_by(element, self._variables(weighed, inherited, element), self.sheets.functions)
        variables = given.variables
        values = _applied(weighed, browser, given)
        # An animation driven by scrolling does not run where there is nothing to scroll.
        runs = values.get("animation-timeline", "auto") in ("auto", "initial")
        if runs and values.get("animation-name", "none") != "none" and self.sheets.keyframes:
            values = self._animated(values, browser, weighed, given)
        return Styled(values, variables)

    def generates(self) -> bool:
        """True if any rule styles `before`, `after` or `marker`."""
        return not self._parts.keys().isdisjoint(("before", "after", "marker"))

    def part(self, name: str, element: Element, variables: Mapping[str, str]) -> Mapping[str, str] | None:
        """The winning declarations for a pseudo-element of an element.

        None if there are none.
        """
        index = self._parts.get(name)
        weighed = self._weighed(element, _keys_of(element), index) if index and not self.in_doubt else []
        if not weighed:
            return None
        given = _given_by(element, self._variables(weighed, variables, element), self.sheets.functions)
        return _applied(sorted(weighed, key=_weight), {}, given)

    def _from_sheets(self, element: Element) -> list[_Weighed]:
        keys = _keys_of(element)
        if not self.in_doubt:
            try:
                return self._weighed(element, keys, self._index)
            except StepsUsed:
                self.in_doubt = True
                self.steps.left = _STEPS
        if any(self._matches(selector, element) for key in keys for selector in self._hiding.get(key, ())):
            return [_Weighed(_IMPORTANT, True, UNLAYERED, _NO_WEIGHT, _UNSCOPED, 0, "display", "none")]
        return []

    def _weighed(
        self, element: Element, keys: Sequence[str], index: Mapping[str, list[tuple[Selector, Rule]]]
    ) -> list[_Weighed]:
        best: dict[int, tuple[tuple[int, int, int], Rule]] = {}
        for key in keys:
            for selector, rule in index.get(key, ()):
                known = best.get(rule.order)
                if (
                    (known is None or known[0] < selector.specificity)
                    and (rule.tree == element.tree or rule.outward)
                    and self._matches(selector, element)
                    and (not rule.containers or self._contained(rule, element))
                ):
                    best[rule.order] = (selector.specificity, rule)
        found: list[_Weighed] = []
        for specificity, rule in best.values():
            self.steps.use(2 + 4 * len(rule.declarations))
            layer = self.sheets.layer_key(rule.layer)
            if rule.outward and rule.tree:
                layer = (-1.0, *layer)  # a page's declarations for a host win over those of its shadow tree
            turned = tuple(-place for place in layer)
            near = self._near(rule, element)
            for name, value, important in rule.declarations:
                level, place = (_IMPORTANT, turned) if important else (_AUTHOR, layer)
                found.append(_Weighed(level, False, place, specificity, near, rule.order, name, value))
        return found

    def _near(self, rule: Rule, element: Element) -> float:
        """How near the root of its `@scope` is to an element that a rule matches, as `_Weighed.near`."""
        if not rule.root:
            return _UNSCOPED
        if rule.root not in self._roots:
            self._roots[rule.root] = compiled(rule.root)
        roots = self._roots[rule.root]
        around = enumerate([element, *element.ancestors])
        return next((-at for at, one in around if any(self._matches(root, one) for root in roots)), _UNSCOPED)

    def _contained(self, rule: Rule, element: Element) -> bool:
        """True if all `@container` queries around a rule hold.

        If one is unknown, True unless the rule may hide text.
        """
        around = [one.container for one in element.ancestors if one.container is not None]
        holds = [container_holds(query, around) for query in rule.containers]
        if False in holds or None not in holds:
            return False not in holds
        self.sheets.left_out += 1
        return not any(map(_may_hide, rule.declarations))

    def _measure(self, element: Element, styled: Styled) -> None:
        """Record the width available in an element, and whether it is a query container."""
        values, parent = styled.values, element.parent
        around = SCREEN[0] if parent is None else parent.room
        size = font_size(values.get("font-size", "inherit"), ROOT_SIZE if parent is None else parent.size, ROOT_SIZE)
        element.size = (ROOT_SIZE if parent is None else parent.size) if size is None else size
        element.room = room(values, element.size, around)
        if parent is not None and element.room is not None and values.get("width", "auto") == "auto":
            element.room /= parent.columns  # by estimate: boxes beside each other share the room
        element.columns = _columns(values, len(element.children))
        kind, names = values.get("container-type", "normal"), values.get("container-name", "none")
        inline = values.get("display", "inline") in ("inline", "contents")
        height = length(values.get("height", "auto"), Scale(element.size))
        element.container = Container(
            frozenset(names.split()), "normal" if inline else kind, element.room, height, styled.variables
        )

    def _variables(
        self, weighed: Iterable[_Weighed], inherited: Mapping[str, str], element: Element | None
    ) -> Mapping[str, str]:
        own: dict[str, str | None] = {}
        attributes = None if element is None else element.attrib
        for one in weighed:
            if one.name.startswith("--"):
                around = one.value.lower() in ("inherit", "unset", "revert", "revert-layer")
                given = inherited.get(one.name) if around else one.value[:LONGEST]
                own[one.name] = None if one.value.lower() == "initial" else given
        registered = self.sheets.registered
        if not own and not registered:
            return inherited
        self.steps.use((len(inherited) + len(registered)) // 5)
        merged = dict(inherited)
        for name, (_, inherits) in registered.items():
            if not inherits:
                merged.pop(name, None)
        merged.update((name, value) for name, value in own.items() if value is not None)
        for name, given in own.items():
            context = Given(merged, attributes, functions=self.sheets.functions)
            value = None if given is None else replaced(given, context)
            if value is None:
                merged.pop(name, None)
            else:
                merged[name] = value
        if registered:
            merged = {**{name: initial for name, (initial, _) in registered.items() if initial}, **merged}
        return merged

    def _animated(
        self, values: Mapping[str, str], browser: Mapping[str, str], weighed: list[_Weighed], given: Given
    ) -> Mapping[str, str]:
        """The values after all animations have ended, or where those stand that are paused, wait or hardly move.

        An endless animation keeps only the values that all of its frames share; the others are dropped, as they change.
        """
        level: list[_Weighed] = []
        moving: set[str] = set()
        steady: dict[str, str] = {}
        for one in _animations(values):
            frames = self.sheets.keyframes.get(one.name, {})
            rest = one.rest(frames)
            if rest is None:
                told = [{pair for name, value, _ in frame for pair in expand(name, value)} for frame in frames.values()]
                moving.update(longhand for frame in told for longhand, _ in frame)
                steady.update(set.intersection(*told) if {"from", "to"} <= frames.keys() else ())
            else:
                level += [
                    _Weighed(_ANIMATED, False, UNLAYERED, _NO_WEIGHT, _UNSCOPED, len(level), name, value)
                    for name, value, _ in rest
                ]
        if level:
            values = _applied(sorted([*weighed, *level], key=_weight), browser, given)
        return {**{name: value for name, value in values.items() if name not in moving}, **steady}


class _Animation(NamedTuple):
    """One animation of an element, as declared."""

    name: str
    fill: str
    rounds: str
    direction: str
    state: str
    delay: str
    duration: str

    def rest(self, frames: Mapping[str, Sequence[Declaration]]) -> Sequence[Declaration] | None:
        """The declarations with which the animation rests; None if it never does."""
        waits, lasts = _seconds(self.delay), _seconds(self.duration)
        rounds = inf if self.rounds == "infinite" else length(self.rounds, Scale()) or 0.0
        paused = self.state == "paused"
        done = max(-waits / lasts, 0.0) if lasts > 0 else inf
        if waits >= _LONG_WAIT or (paused and waits > 0):
            if self.fill not in ("backwards", "both"):
                return ()
        elif not (paused or lasts >= _HARDLY) or done >= rounds:
            if rounds == inf:
                return None
            if self.fill not in ("forwards", "both"):
                return ()
            done = rounds
        whole, share = divmod(done, 1.0)
        if done == rounds and whole and not share:
            whole, share = whole - 1, 1.0
        back = {"reverse": True, "alternate": whole % 2 == 1, "alternate-reverse": whole % 2 == 0}
        return _frame_at(1.0 - share if back.get(self.direction, False) else share, frames)


def _frame_at(share: float, frames: Mapping[str, Sequence[Declaration]]) -> Sequence[Declaration]:
    """The frame at a share of an animation, or what the frames around it have in common."""
    ends = {"from": 0.0, "to": 1.0}
    places = [(ends[name] if name in ends else fraction(name), frame) for name, frame in frames.items()]
    known = sorted(((at, frame) for at, frame in places if at is not None), key=lambda one: one[0])
    if near := [frame for at, frame in known if abs(at - share) <= _AS_GOOD_AS]:
        return near[-1]
    before, behind = [[frame for at, frame in known if (at < share) == earlier] for earlier in (True, False)]
    return [one for one in before[-1] if one in behind[0]] if before and behind else ()


_PARTS = {
    "name": "none", "fill-mode": "none", "iteration-count": "1", "direction": "normal", "play-state": "running",
    "delay": "0s", "duration": "0s",
}  # fmt: skip


def _animations(values: Mapping[str, str]) -> Iterator[_Animation]:
    """The animations of an element; lists shorter than that of the names are repeated."""
    lists = [values.get(f"animation-{part}", usual).split(",") for part, usual in _PARTS.items()]
    for at in range(min(len(lists[0]), _MOST_ANIMATIONS)):
        yield _Animation(*(one[at % len(one)].strip().strip("\"'") for one in lists))


def _columns(values: Mapping[str, str], children: int) -> int:
    """The estimated number of boxes beside one another in an element."""
    display = values.get("display", "inline")
    if display.endswith("flex"):
        return max(children, 1) if "column" not in values.get("flex-direction", "row") else 1
    return max(len(tokens(values.get("grid-template-columns", "none"))), 1) if display.endswith("grid") else 1


def _seconds(time: str) -> float:
    number, unit = time.lower().rstrip("ms"), 0.001 if time.lower().endswith("ms") else 1.0
    try:
        return float(number[:24]) * unit
    except ValueError:
        return 0.0


def _given_by(element: Element | None, variables: Mapping[str, str], functions: Mapping[str, CustomFunction]) -> Given:
    """The variables, attributes and sibling position that an element's values may refer to."""
    if element is None:
        return Given(variables, functions=functions)
    beside = 1 if element.parent is None else len(element.parent.children)
    return Given(variables, element.attrib, (element.index + 1, beside), functions)


def _may_hide(declaration: Declaration) -> bool:
    """True if a declaration is of a kind that can hide text, whatever else is declared."""
    name, value, _ = declaration
    if name in ("display", "visibility", "content-visibility"):
        return value not in ("visible", "auto") and (
            name != "display" or value in ("none", "contents") or is_replaced(value)
        )
    if name.startswith("--"):
        return value.lower() in ("none", "hidden", "white", "#fff", "#ffffff", "transparent", "0")
    if name in ("color", "-webkit-text-fill-color"):
        return value in ("white", "#fff", "#ffffff", "transparent") or "(" in value
    if name in ("opacity", "font-size", "font", "height", "max-height", "width", "max-width", "zoom", "scale"):
        return value.startswith(("0", ".0", "1px", "calc", "var", "min", "max", "clamp"))
    if name in ("left", "top", "right", "bottom", "inset", "text-indent", "margin", "margin-left", "translate"):
        return "-" in value or "calc" in value or "var" in value
    return (
        name in ("clip", "clip-path", "-webkit-clip-path", "transform", "filter", "all", "contain", "mix-blend-mode")
        and value != "none"
    )


def _keys_of(element: Element) -> list[str]:
    """The index keys of the rules that may match an element."""
    names = [f".{name}" for name in element.classes]
    if (identifier := element.attrib.get("id")) is not None:
        names.append(f"#{identifier}")
    return [*names, element.tag.lower(), ""]


def _weight(one: _Weighed) -> tuple[int, bool, LayerKey, tuple[int, int, int], float, int]:
    return one[:6]


def _may_apply(text: str, names: frozenset[str]) -> bool:
    """False if every selector of a list names, in its last part, a class or id that the page does not have."""
    if "(" in text or "[" in text or "\\" in text or "/" in text:
        return True
    for one in text.split(","):
        last = _LAST_PART.search(one.rstrip().partition("::")[0])
        named = _NAMED.findall(last.group()) if last else []
        if not named or names.issuperset(named):
            return True
    return False


def _applied(weighed: Sequence[_Weighed], browser: Mapping[str, str], given: Given) -> Mapping[str, str]:
    """The winning values; those of the browser's own sheet stay where nothing else is declared."""
    values = dict(browser)
    below = values
    rolled_back = any(one.value == "revert-layer" for one in weighed)
    layer: tuple[int, bool, LayerKey] | None = None
    for one in weighed:
        if one.name.startswith("--"):
            continue
        here = (one.level, one.inline, one.layer)
        if rolled_back and here != layer:
            below, layer = dict(values), here
        value = one.value
        if is_replaced(value):
            found = replaced(value, given)
            # Not valid at computed-value time: as if it were unset, whatever stood there before.
            pairs = expand(one.name, normal(one.name, found)) if found is not None else ()
            pairs = pairs or expand(one.name, "unset")
        else:
            pairs = expand(one.name, value)
        for longhand, meant in pairs:
            values[longhand] = _meant(longhand, meant, browser if meant == "revert" else below)
    return values


_INITIAL = {
    "background-color": "transparent", "background-image": "none", "position": "static", "display": "inline",
    "color": "canvastext", "visibility": "visible", "font-size": "medium", "opacity": "1",
}  # fmt: skip


def _meant(longhand: str, value: str, below: Mapping[str, str]) -> str:
    """The value that a CSS-wide keyword (`inherit`, `initial`, `unset`, `revert`) stands for; others are unchanged."""
    default = "inherit" if longhand in INHERITED else "initial"
    if value in ("revert", "revert-layer"):
        value = below.get(longhand, default)
    elif value == "unset":
        value = default
    return _INITIAL.get(longhand, "initial") if value == "initial" else value
