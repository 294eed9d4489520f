"""Selectors of a page's style sheets, matched by cssselect2 against elements that count every step."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cssselect2

from spanwise.readers.html.conditions import Container
from spanwise.readers.html.css_values import ROOT_SIZE, SCREEN, Token

_LONGEST = 4_000
"""Most characters of a selector after nested rules have been expanded."""
_DEEPEST = 8
_WITH_CASE = re.compile(r"[\"'\w]\s{1,8}s\s{0,8}\]", re.IGNORECASE)
"""`[a=b s]`, which Chromium rejects."""
_MOST_COMBINED = 40
STATE = "field-state"
"""The attribute here for the states of a field."""
DETAILS_CONTENT = "content"
"""The name here for the pseudo-element `::details-content`."""
_STATES = {
    "open": ":where(details,dialog)[open]",
    "defined": ":not([undefined-element])",
    "indeterminate": f":where(progress:not([value]),[{STATE}~=indeterminate]):not(:hover)",
    "read-only": f":not([{STATE}~=read-write])",
    **{
        state: f"[{STATE}~={state}]"
        for state in "disabled enabled in-range invalid optional out-of-range read-write required valid".split()
    },
    "default": ":where(option[selected],input[checked]):not(:hover)",
    "focus": "[autofocus]",
    "focus-visible": "[autofocus]",
    "focus-within": ":has([autofocus])",
    "placeholder-shown": ":where(input,textarea)[placeholder]:not([value])",
    "-webkit-any-link": ":any-link",
    "-moz-any-link": ":hover",
    **dict.fromkeys(
        "popover-open modal fullscreen -webkit-full-screen autofill -webkit-autofill picture-in-picture "
        "xr-overlay buffering active-view-transition target-current".split(),
        ":hover",
    ),
    **dict.fromkeys("blank local-link paused seeking stalled target-within volume-locked".split(), "!"),
}
"""Replacements, of the same specificity, for pseudo-classes that cssselect2 lacks; `:hover` never holds at rest, and
`!` is no selector, as with those that no browser knows."""
_PARTS = {
    "details-content": DETAILS_CONTENT, "-webkit-input-placeholder": "placeholder", "backdrop": "shadow",
    **dict.fromkeys("view-transition highlight scroll-marker scroll-button checkmark picker".split(), "shadow"),
    **dict.fromkeys("cue column search-text".split(), "shadow"),
}  # fmt: skip
"""Replacements for pseudo-elements that cssselect2 lacks; no rule is applied to `shadow`."""
_NEVER = frozenset(("state", "active-view-transition-type"))


class StepsUsed(Exception):  # noqa: N818  # a signal, not an error
    """Raised when matching has used up its steps."""


class Steps:
    """The work that matching may still do."""

    def __init__(self, most: int) -> None:
        self.left = most

    def use(self, count: int) -> None:
        """Charge steps; raises `StepsUsed` if none are left."""
        self.left -= count
        if self.left < 0:
            raise StepsUsed


class Element:
    """An element of the page with the interface that cssselect2 needs; it is its own etree element."""

    in_html_document = True
    namespace_url = ""
    in_disabled_fieldset = False

    def __init__(
        self, tag: str, attrib: Mapping[str, str], parent: Element | None, previous: Element | None, steps: Steps
    ) -> None:
        self.tag = tag
        self.attrib = attrib
        self.parent = parent
        self.previous = previous
        self.steps = steps
        self.index: int = 0 if previous is None else previous.index + 1
        self.children: list[Element] = []
        self.text = False
        self.tree = 0
        """The id of its shadow tree; 0 for the page itself."""
        self.size = ROOT_SIZE
        self.room: float | None = SCREEN[0]
        """The width available to its content, in pixels; None if unknown."""
        self.columns = 1
        """The estimated number of children side by side."""
        self.container: Container | None = None
        if parent is not None:
            parent.children.append(self)

    def get(self, name: str, default: str | None = None) -> str | None:
        """The value of an attribute."""
        return self.attrib.get(name, default)

    @property
    def etree_element(self) -> Element:
        """The element itself."""
        return self

    @property
    def local_name(self) -> str:
        """The tag."""
        return self.tag

    @property
    def id(self) -> str | None:
        """The attribute `id`."""
        return self.attrib.get("id")

    @cached_property
    def classes(self) -> frozenset[str]:
        """The names in the attribute `class`."""
        return frozenset(self.attrib.get("class", "").split())

    @property
    def lang(self) -> str:
        """The declared language of the element or the nearest one around it."""
        element: Element | None = self
        while element is not None:
            self.steps.use(1)
            if "lang" in element.attrib:
                return element.attrib["lang"].lower()
            element = element.parent
        return ""

    @property
    def ancestors(self) -> Iterator[Element]:
        """The elements around this one, the nearest first."""
        element = self.parent
        while element is not None:
            self.steps.use(1)
            yield element
            element = element.parent

    @property
    def previous_siblings(self) -> Iterator[Element]:
        """The elements before this one, the nearest first."""
        element = self.previous
        while element is not None:
            self.steps.use(1)
            yield element
            element = element.previous

    @property
    def etree_children(self) -> list[Element]:
        """The child elements."""
        return self.children

    @property
    def etree_siblings(self) -> list[Element]:
        """The element and its siblings, charged as if all of them were looked at."""
        if self.parent is None:
            return [self]
        self.steps.use(1 + len(self.parent.children) // 8)
        return self.parent.children

    def iter_children(self) -> Iterator[Element]:
        """The child elements, in order."""
        for child in self.children:
            self.steps.use(1)
            yield child

    def iter_siblings(self) -> Iterator[Element]:
        """The element and its siblings."""
        yield from self.etree_siblings

    def iter_next_siblings(self) -> Iterator[Element]:
        """The elements after this one."""
        siblings = self.etree_siblings
        for at in range(self.index + 1, len(siblings)):
            self.steps.use(1)
            yield siblings[at]

    def iter_subtree(self) -> Iterator[Element]:
        """The element and its descendants, in order."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            self.steps.use(1)
            yield element
            waiting.extend(reversed(element.children))


@dataclass(frozen=True, slots=True)
class Selector:
    """A compiled selector: its test, its specificity, and the key under which it is indexed."""

    test: Callable[[Element], bool]
    specificity: tuple[int, int, int]
    key: str
    """The `#id`, `.class` or tag that its last part names; empty if none."""
    pseudo_element: str | None


class SelectorTooComplex(ValueError):  # noqa: N818  # a reason to tell, not an error
    """Raised for a selector that is longer or nested deeper than is followed."""


def compiled(text: str) -> list[Selector]:
    """The selectors of a list; empty if a browser would not understand one of them. Raises `SelectorTooComplex`."""
    if len(text) > _LONGEST or sum(map(text.count, " >+~")) > 4 * _MOST_COMBINED:
        raise SelectorTooComplex
    if _WITH_CASE.search(text):
        return []
    try:
        found: Sequence[Any] = cssselect2.compile_selector_list(text)
    except (cssselect2.SelectorError, NotImplementedError, TypeError, AttributeError, IndexError, ValueError):
        return []
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise SelectorTooComplex from error
    return [
        Selector(one.test, tuple(one.specificity), _key(one), one.pseudo_element)
        for one in found
        if not one.never_matches
    ]


def _key(one: Any) -> str:  # noqa: ANN401  # cssselect2 publishes no types
    if one.id is not None:
        return f"#{one.id}"
    return f".{one.class_name}" if one.class_name is not None else one.lower_local_name or ""


def _is_understood(text: str) -> bool:
    """True for a selector that is valid in a forgiving selector list."""
    try:
        return bool(cssselect2.compile_selector_list(text))
    except (cssselect2.SelectorError, NotImplementedError, TypeError, AttributeError, IndexError, ValueError):
        return False


def _function(name: str, inside: str, *, pseudo_class: bool) -> str:
    """A functional pseudo-class in the form that cssselect2 accepts."""
    if not pseudo_class and name in _PARTS:
        return _PARTS[name]
    if pseudo_class and (name in _NEVER or (name == "lang" and '"' in inside)):
        return "hover" if name in _NEVER else "!"
    if pseudo_class and name == "-webkit-any":
        name = "is"
    if pseudo_class and name == "dir":
        return f"{'is' if inside.lower() == 'rtl' else 'not'}([dir=rtl i],[dir=rtl i] *)"
    if name.startswith("nth-") and " of " in inside:
        # cssselect2 requires all selectors of a list to match here, CSS one of them.
        inside = "{} of :is({})".format(*inside.split(" of ", 1))
    elif name in ("is", "where") and "," in inside and "(" not in inside:
        inside = ",".join(filter(_is_understood, inside.split(",")))
    return f"{name}({inside or ('' if name == 'not' else ':hover')})"


def written(content: Sequence[Token], parent: str | None, *, quirks: bool = False, depth: int = 0) -> str:
    """A selector as text for cssselect2, with `&` and unknown states replaced. Raises `SelectorTooComplex`."""
    if depth > _DEEPEST:
        raise SelectorTooComplex
    pieces: list[str] = []
    before = ""
    states = _STATES if parent is None else {"scope": f":where({parent})", **_STATES}
    for token in content:
        if token.type == "literal" and token.value == "&":
            pieces.append(":where(:root)" if parent is None else f":is({parent})")
        elif before == ":" and token.type == "ident" and pieces[-2:] != [":", ":"] and token.lower_value in states:
            pieces[-1:] = [states[token.lower_value]]
        elif token.type == "ident" and pieces[-2:] == [":", ":"]:
            name = token.lower_value
            pieces.append(_PARTS.get(name, "shadow" if name.startswith("-webkit-") else token.serialize()))
        elif token.type == "function":
            inside = written(token.arguments, parent, quirks=quirks, depth=depth + 1)
            pieces.append(_function(token.lower_name, inside, pseudo_class=before == ":" and pieces[-2:] != [":", ":"]))
        elif quirks and (token.type == "hash" or (before == "." and token.type == "ident")):
            pieces.append(token.serialize().lower())
        elif token.type == "comment":
            pieces.append("/**/")
        else:
            pieces.append(token.serialize())
        before = token.value if token.type == "literal" else ""
    text = "".join(pieces).strip()
    if len(text) > _LONGEST:
        raise SelectorTooComplex
    return text


_IN_SHADOW = re.compile(r"(?::(host)(?:-context)?|::(slotted|part))(?:\((.*?)\))?(?=[^\w(-]|$)", re.IGNORECASE)
"""Selectors that reach out of a shadow tree: its host, slotted content, and parts of other shadow trees."""


def across_shadows(text: str, tree: int) -> tuple[str, bool]:
    """A selector of a shadow tree (0: the page), rewritten to match elements of the whole page.

    The flag is True if it is about elements outside that tree.
    """
    match = _IN_SHADOW.search(text)
    if match is None:
        return text, False
    before, behind, inside = text[: match.start()], text[match.end() :], match[3] or "*"
    if match[2] and match[2].lower() == "part":
        return f'{before.strip() or "*"} > shadow-root [part~="{inside.strip()}"]{behind}', True
    if match[2]:  # which of several slots shows an element is not asked
        plain = before.strip() in ("", "slot", "*")
        return f'[shadow-host="{tree}"] > {inside}:not(shadow-root){behind}' if plain else ":hover", True
    within = re.search(r"[\s>+~]", behind.strip()) is not None or behind.strip()[:1] in (">", "+", "~")
    mark = (
        f'[shadow-tree="{tree}"]' if within or (behind[:1].isspace() and behind.strip()) else f'[shadow-host="{tree}"]'
    )
    around = f":is({inside},:is({inside}) *)" if match[0].lower().startswith(":host-context") else f":is({inside})"
    return f"{before}{'' if inside == '*' else around}{mark}{behind}", not within
