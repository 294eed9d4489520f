"""The style sheets of a page as a flat list of rules in the order of the cascade, without those that do not apply."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import tinycss2

from spanwise.readers.bounds import Budget
from spanwise.readers.html.conditions import CustomFunction, media_holds, supports_holds
from spanwise.readers.html.css_values import Token, data_in, split
from spanwise.readers.html.properties import declarations
from spanwise.readers.html.selectors import SelectorTooComplex, across_shadows, written

Declaration: TypeAlias = tuple[str, str, bool]
"""Name, value, and whether it is important."""
LayerKey: TypeAlias = tuple[float, ...]

UNLAYERED: LayerKey = (math.inf,)
_LONGEST = 3_000_000
"""Most characters of all sheets; parsing takes about a second per million."""
_MOST_RULES = 60_000
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_HASHLESS = re.compile(
    r"((?<![^\s;{-])color\s{0,8}:\s{0,8})([0-9a-f]{3}(?:[0-9a-f]{3})?)(?=\s{0,8}(?:[;!}]|\Z))", re.IGNORECASE
)
_DEEPEST = 24


@dataclass(frozen=True, slots=True)
class Rule:
    """Declarations and their selectors, which are compiled only if an element of the page might match."""

    text: str
    """The list of selectors."""
    declarations: tuple[Declaration, ...]
    layer: tuple[str, ...]
    order: int
    tree: int = 0
    """The id of the shadow tree that it applies to; 0 for the page itself."""
    outward: bool = False
    """True if it applies to elements outside that tree: its host, slotted content, or parts of other trees."""
    containers: tuple[tuple[Token, ...], ...] = ()
    """The `@container` queries around it, evaluated for each element."""
    root: str = ""
    """The selectors of the innermost `@scope` around it: of two rules the one with the nearer root wins."""


@dataclass(slots=True)
class Sheets:
    """All rules of a page."""

    rules: list[Rule] = field(default_factory=list)
    keyframes: dict[str, dict[str, tuple[Declaration, ...]]] = field(default_factory=dict)
    """The first (`from`) and last (`to`) frame of each animation."""
    registered: dict[str, tuple[str, bool]] = field(default_factory=dict)
    """Initial value of each registered custom property, and whether it is inherited."""
    functions: dict[str, CustomFunction] = field(default_factory=dict)
    layers: dict[tuple[str, ...], int] = field(default_factory=dict)
    containers: bool = False
    """True if any rule is inside an `@container`."""
    left_out: int = 0
    """The number of rules or sheets that were not followed."""

    def layer_key(self, layer: tuple[str, ...]) -> LayerKey:
        """A key that sorts layers by precedence; rules outside any layer come last."""
        return (*(float(self.layers[layer[: depth + 1]]) for depth in range(len(layer))), math.inf)

    def name_layer(self, layer: tuple[str, ...]) -> None:
        """Register a layer, and those around it, in order of appearance."""
        for depth in range(len(layer)):
            self.layers.setdefault(layer[: depth + 1], len(self.layers))


@dataclass(frozen=True, slots=True)
class _Around:
    """The context of a rule."""

    depth: int = 0
    parent: str | None = None
    """The selector that `&` stands for."""
    nested: bool = False
    """True inside a rule, where a selector without `&` applies to descendants of the parent."""
    layer: tuple[str, ...] = ()
    scope: str = ""
    """The suffix that restricts every selector in an `@scope`."""
    root: str = ""
    tree: int = 0
    containers: tuple[tuple[Token, ...], ...] = ()


class TooManyRules(ValueError):  # noqa: N818  # told as a limit by who knows the document
    """Raised for style sheets that are longer, or have more rules, than those of any real page."""


def with_signs(style: str) -> str:
    """Declarations with the number signs added that colours may lack on pages without a document type."""
    return _HASHLESS.sub(r"\1#\2", style)


def read_sheets(found: Sequence[tuple[str, int]], budget: Budget, *, quirks: bool) -> Sheets:
    """The rules of style sheets, each with its shadow tree, that apply to a common screen. Raises `TooManyRules`."""
    reader = _Reader(quirks=quirks)
    texts = [with_signs(text) if quirks else text for text, _ in found]
    texts = [_COMMENT.sub(" ", text) if len(text) > _LONGEST // 10 else text for text in texts]
    if sum(map(len, texts)) > _LONGEST:
        raise TooManyRules
    for text, (_, tree) in zip(texts, found, strict=True):
        budget.clock()
        parsed = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
        reader.take(parsed, _Around(tree=tree))
    return reader.sheets


class _Reader:
    """Collects the rules of style sheets."""

    def __init__(self, *, quirks: bool) -> None:
        self.sheets = Sheets()
        self._quirks = quirks

    def take(self, items: Sequence[Token], around: _Around, *, block: bool = False) -> None:
        """Read the rules of a sheet or of a block in it; `@import` is followed only at the beginning of a sheet."""
        begun = block
        if around.depth > _DEEPEST:
            self.sheets.left_out += 1
            return
        for kept, group in _runs(items):
            if kept:
                if around.parent is not None:
                    self._keep(around.parent, group, around)
                continue
            for item in group:
                if item.type == "qualified-rule":
                    begun = True
                    self._rule(item, around)
                elif item.type == "at-rule" and not (begun and item.lower_at_keyword == "import"):
                    begun = begun or item.content is not None
                    self._at_rule(item, around)

    def _rule(self, rule: Token, around: _Around) -> None:
        try:
            text = self._selector(rule.prelude, around)
        except SelectorTooComplex:
            self.sheets.left_out += 1
            return
        content = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
        if text:
            self.take(content, replace(around, depth=around.depth + 1, parent=text, nested=True))

    def _selector(self, prelude: Sequence[Token], around: _Around) -> str:
        if not any(token.type not in ("whitespace", "comment") for token in prelude):
            return ""
        if around.parent is None and not around.scope:
            return written(prelude, None, quirks=self._quirks)
        pieces: list[str] = []
        for one in _listed(prelude):
            text = written(one, around.parent, quirks=self._quirks)
            if around.nested and not any(token.type == "literal" and token.value == "&" for token in _all(one)):
                text = f":is({around.parent}) {text}"
            pieces.append(text + around.scope)
        return ", ".join(pieces)

    def _keep(self, text: str, group: Sequence[Token], around: _Around) -> None:
        kept = tuple(declarations(group))
        if not kept:
            return
        if len(self.sheets.rules) >= _MOST_RULES:
            raise TooManyRules
        across = around.tree or "::part(" in text
        listed = _listed(tinycss2.parse_component_value_list(text)) if across else ()
        told = [across_shadows(tinycss2.serialize(one).strip(), around.tree) for one in listed] or [(text, False)]
        for one, outward in told:
            self.sheets.rules.append(
                Rule(
                    one,
                    kept,
                    around.layer,
                    len(self.sheets.rules),
                    around.tree,
                    outward,
                    around.containers,
                    around.root,
                )
            )

    def _at_rule(self, rule: Token, around: _Around) -> None:
        name = rule.lower_at_keyword
        if name == "layer":
            self._layer(rule, around)
        elif name == "import":
            self._import(rule, around)
        elif rule.content is None:
            return
        elif name in ("keyframes", "-webkit-keyframes"):
            self._keyframes(rule)
        elif name == "property":
            self._property(rule)
        elif name == "function":
            self._function(rule)
        elif name == "scope":
            self._scope(rule, around)
        elif _holds(rule):
            self._inside(rule, around)
        elif name == "container":
            self.sheets.containers = True
            self._inside(rule, replace(around, containers=(*around.containers, tuple(rule.prelude))))

    def _import(self, rule: Token, around: _Around) -> None:
        """Read an imported sheet, if its address is a `data:` address that contains it."""
        for token in rule.prelude:
            content = token.arguments[:1] if token.type == "function" and token.lower_name == "url" else [token]
            address = next((one.value for one in content if one.type in ("url", "string")), None)
            if address is not None and (text := sheet_in(address)) is not None and _imports(rule.prelude, token):
                self.take(
                    tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True),
                    replace(around, depth=around.depth + 1),
                )
                return

    def _inside(self, rule: Token, around: _Around) -> None:
        content = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
        self.take(content, replace(around, depth=around.depth + 1), block=True)

    def _layer(self, rule: Token, around: _Around) -> None:
        names = ["".join(token.serialize() for token in one) for one in split(rule.prelude)]
        layers = [(*around.layer, *name.split(".")) for name in names]
        for layer in layers:
            self.sheets.name_layer(layer)
        if rule.content is not None and len(layers) < 2:
            layer = layers[0] if layers else (*around.layer, f" {len(self.sheets.layers)}")
            self.sheets.name_layer(layer)
            self._inside(rule, replace(around, layer=layer))

    def _scope(self, rule: Token, around: _Around) -> None:
        """Read `@scope (root) to (limit)`: its selectors match at or below a root and above any limit."""
        blocks = [token.content for token in rule.prelude if token.type == "() block"]
        try:
            texts = [written(block, around.parent, quirks=self._quirks) for block in blocks]
        except SelectorTooComplex:
            texts = []
        if not blocks and around.parent is not None:
            texts = [around.parent]
        if not texts:
            self.sheets.left_out += 1
            return
        root = texts[0]
        scope = f":where({root},:where({root}) *)"
        if len(texts) > 1:
            scope += f":not(:where(:where({root}) :where({texts[1]}),:where({root}) :where({texts[1]}) *))"
        scope = around.scope + scope
        self._inside(rule, replace(around, parent=f":where({root})", nested=False, scope=scope, root=root))

    def _keyframes(self, rule: Token) -> None:
        name = "".join(token.serialize() for token in rule.prelude).strip().strip("\"'")
        frames: dict[str, tuple[Declaration, ...]] = {}
        for frame in tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True):
            if frame.type != "qualified-rule":
                continue
            content = tinycss2.parse_blocks_contents(frame.content, skip_comments=True, skip_whitespace=True)
            kept = tuple(one for one in declarations(content) if not one[2])  # what is important here is dropped
            for one in split(frame.prelude):
                place = "".join(token.serialize() for token in one).lower()
                frames[{"0%": "from", "100%": "to"}.get(place, place)] = kept
        self.sheets.keyframes[name] = frames

    def _function(self, rule: Token) -> None:
        head = next((token for token in rule.prelude if token.type == "function"), None)
        if head is None:
            return
        parameters: dict[str, str | None] = {}
        for one in split(head.arguments):
            named, *default = split(one, ":")
            first = next((token.value for token in named if token.type == "ident"), "")
            parameters[first] = tinycss2.serialize(default[0]).strip() if default else None
        told: dict[str, str] = {}
        waiting = [rule.content]
        while waiting:
            for item in tinycss2.parse_blocks_contents(waiting.pop(), skip_comments=True, skip_whitespace=True):
                if item.type == "declaration":
                    told[item.name] = tinycss2.serialize(item.value).strip()
                elif item.type == "at-rule" and item.content is not None and _holds(item):
                    waiting.append(item.content)
        result = told.pop("result", "")
        self.sheets.functions[head.name] = CustomFunction(parameters, told, result)

    def _property(self, rule: Token) -> None:
        name = "".join(token.serialize() for token in rule.prelude).strip()
        initial, inherits = "", True
        for item in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True):
            if item.type == "declaration" and item.lower_name == "initial-value":
                initial = tinycss2.serialize(item.value).strip()
            elif item.type == "declaration" and item.lower_name == "inherits":
                inherits = tinycss2.serialize(item.value).strip().lower() != "false"
        self.sheets.registered[name] = (initial, inherits)


def _holds(rule: Token) -> bool:
    """True for an `@media` or `@supports` whose condition holds."""
    holds = {"media": media_holds, "supports": supports_holds}.get(rule.lower_at_keyword)
    return holds is not None and holds(rule.prelude)


def _imports(prelude: Sequence[Token], address: Token) -> bool:
    """True if the media queries after an imported address hold; its `layer` and `supports` are ignored."""
    behind = prelude[prelude.index(address) + 1 :]
    return media_holds([one for one in behind if getattr(one, "lower_name", "") not in ("layer", "supports")])


def sheet_in(address: str) -> str | None:
    """The style sheet in a `data:` address; None if it is no such address."""
    content = data_in(address)
    return None if content is None else content.decode("utf-8", "replace")


def _runs(items: Sequence[Token]) -> Iterator[tuple[bool, list[Token]]]:
    """Groups of consecutive declarations (True) and of rules (False), in order."""
    group: list[Token] = []
    kind = True
    for item in items:
        declared = item.type == "declaration"
        if group and declared != kind:
            yield kind, group
            group = []
        kind = declared
        group.append(item)
    if group:
        yield kind, group


def _listed(prelude: Sequence[Token]) -> Iterator[list[Token]]:
    """The selectors of a list, split at commas, with their spaces."""
    one: list[Token] = []
    for token in prelude:
        if token.type == "literal" and token.value == ",":
            yield one
            one = []
        else:
            one.append(token)
    yield one


def _all(content: Sequence[Token], depth: int = 0) -> Iterator[Token]:
    """Component values and, to a limited depth, those inside functions."""
    for token in content:
        yield token
        if token.type == "function" and depth < 8:
            yield from _all(token.arguments, depth + 1)
