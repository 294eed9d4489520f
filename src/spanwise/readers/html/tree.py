"""Preparation of a page: a check of its nesting, its style sheets, and elements for selectors to match."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from spanwise.errors import LimitError
from spanwise.readers.bounds import Budget
from spanwise.readers.html.cascade import Cascade, inline_style
from spanwise.readers.html.conditions import media_holds
from spanwise.readers.html.css_values import tokens
from spanwise.readers.html.form_states import note_states
from spanwise.readers.html.nodes import ROOT, shadow_of
from spanwise.readers.html.selectors import Element, Steps
from spanwise.readers.html.style import Styles
from spanwise.readers.html.style_sheets import read_sheets, sheet_in

_VOID = frozenset(
    "area base br col embed hr img input link meta source track wbr "
    "circle ellipse image line path polygon polyline rect stop use".split()  # closed as in XML within a drawing
)
_CLOSED_BY_OTHERS = frozenset("p li td th tr tbody thead tfoot dt dd option optgroup colgroup rp rt".split())
_BARRIERS = frozenset("table td th caption template object applet marquee html".split())
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_PARSER_WORK = 300_000_000
"""Most steps that the parser may need (3 s): it searches all open elements whenever a block starts."""
_SEARCHED = 64
_DOCTYPE = re.compile(
    r"\s{0,1000}(?:<!--.{0,2000}?-->\s{0,100}|<\?[^<>]{0,400}>\s{0,100}){0,4}<!doctype\s+html",
    re.IGNORECASE | re.DOTALL,
)
_NAMING = 'meta[http-equiv="default-style" i]'
"""What names the style sheets that a page is shown with, where it has several to choose from."""
_SCHEME = re.compile(r"<meta\s[^<>]{0,200}color-scheme[^<>]{0,200}>", re.IGNORECASE)


def check_nesting(text: str, budget: Budget) -> None:
    """Estimate the steps of the HTML parser, which cannot be interrupted; raise `LimitError` if too many."""
    stack: list[str] = []
    work = 0
    for match in _TAG.finditer(text):
        budget.step()
        tag = match[2].lower()
        if tag in _VOID or tag in _CLOSED_BY_OTHERS:
            work += len(stack)
        elif match[1]:
            _close(stack, tag)
        else:
            work += len(stack)
            stack.append(tag)
        if work > _PARSER_WORK:
            raise LimitError(
                f"{budget.name} has elements nested {len(stack):,} deep: "
                "save it again from a browser as a simple page.",
                document=budget.name,
            )


def _close(stack: list[str], tag: str) -> None:
    for depth in range(1, min(_SEARCHED, len(stack)) + 1):
        if stack[-depth] == tag:
            del stack[-depth:]
            return
        if stack[-depth] in _BARRIERS:
            return


def is_quirky(text: str) -> bool:
    """True if browsers show the page in quirks mode, as it has no document type."""
    return _DOCTYPE.match(text) is None


def is_dark(text: str) -> bool:
    """True if the head of a page declares a dark colour scheme only."""
    match = _SCHEME.search(text[:100_000]) if "color-scheme" in text[:100_000] else None
    return match is not None and "dark" in match.group() and "light" not in match.group()


def read_styles(tree: LexborHTMLParser, budget: Budget, *, quirks: bool) -> Styles:
    """The styles of a page; its elements are prepared for matching only if it has style sheets."""
    found: list[tuple[str, int]] = []
    for sheet in _applied_sheets(tree):
        text = sheet.text() if sheet.tag == "style" else sheet_in(sheet.attributes.get("href") or "") or ""
        if text.strip():
            found.append((text, _tree_of(sheet)))
    sheets = read_sheets(found, budget, quirks=quirks)
    budget.clock()
    if not sheets.rules and not _asks_elements(tree):
        return Styles(Cascade(sheets), {}, quirks=quirks)
    steps = Steps(0)
    elements = _elements(tree, steps, budget, quirks=quirks)
    names = {f".{name}" for element in elements.values() for name in element.classes}
    names |= {f"#{element.attrib['id']}" for element in elements.values() if "id" in element.attrib}
    cascade = Cascade(sheets, names=frozenset(names))
    steps.left, cascade.steps = cascade.steps.left, steps
    note_states(elements.values())
    budget.clock()
    return Styles(cascade, elements, quirks=quirks)


def _asks_elements(tree: LexborHTMLParser) -> bool:
    """True if a `style` attribute refers to other attributes of its element, or to its sibling position."""
    styles = (node.attributes.get("style") or "" for node in tree.css('[style*="("]'))
    values = (value.lower() for style in styles for _, value, _ in inline_style(style))
    return any("attr(" in value or "sibling-" in value for value in values)


def has_unread_sheet(tree: LexborHTMLParser) -> bool:
    """True if a style sheet is in another file, so that any background may be coloured."""
    links = [sheet for sheet in _applied_sheets(tree) if sheet.tag != "style"]
    return any(sheet_in(link.attributes.get("href") or "") is None for link in links)


def _tree_of(node: LexborNode) -> int:
    """The id of the shadow tree that a node is in; 0 for the page itself."""
    parent = node.parent
    while parent is not None and parent.tag != ROOT:
        parent = parent.parent
    return 0 if parent is None else parent.mem_id


def _applied_sheets(tree: LexborHTMLParser) -> Iterator[LexborNode]:
    """The style sheets that a page is shown with, of the sets that their titles make of them (CSSOM, 6.2).

    Those without a title always apply. Of the others those apply that have the title of the first one that is no
    alternative, or the one that the page names itself.
    """
    found = [
        one for one in tree.css(f"style, link[rel~=stylesheet i], {_NAMING}") if one.tag == "meta" or _is_sheet(one)
    ]
    titles = {one.mem_id: "" if _tree_of(one) else one.attributes.get("title") or "" for one in found}
    offered = {titles[one.mem_id] for one in found}
    naming = (one for one in found if one.tag == "meta" or not _is_alternative(one))
    names = (titles[one.mem_id] or one.attributes.get("content") or "" for one in naming)
    preferred = next((name for name in names if name and name in offered), "")
    for sheet in found:
        title = titles[sheet.mem_id]
        stands = title == preferred if title else not _is_alternative(sheet)
        if stands and sheet.tag != "meta" and media_holds(tokens(sheet.attributes.get("media") or "")):
            yield sheet


def _is_alternative(sheet: LexborNode) -> bool:
    """True for a sheet that a reader may choose: a link that says so, or an instruction of XML (`alternate="yes"`)."""
    told = sheet.attributes
    chosen = "alternate" in (told.get("rel") or "").lower().split() or (told.get("alternate") or "").lower() == "yes"
    return sheet.tag != "style" and chosen


def _is_sheet(sheet: LexborNode) -> bool:
    """True for a style sheet of CSS in the page that nothing has switched off."""
    kind = (sheet.attributes.get("type") or "").lower()
    if sheet.tag != "style":  # what a style element says has to be exact
        kind = "" if "disabled" in sheet.attributes else kind.partition(";")[0].strip() or "text/css"
        return kind == "text/css" and _is_in_page(sheet)
    return kind in ("", "text/css") and _is_in_page(sheet)


def _is_in_page(sheet: LexborNode) -> bool:
    """False inside a `template` or `noscript`."""
    parent = sheet.parent
    while parent is not None:
        if parent.tag in ("template", "noscript"):
            return False
        parent = parent.parent
    return True


def _elements(tree: LexborHTMLParser, steps: Steps, budget: Budget, *, quirks: bool) -> dict[int, Element]:
    found: dict[int, Element] = {}
    node = tree.root
    parent: Element | None = None
    above: list[tuple[LexborNode, Element]] = []
    previous: Element | None = None
    while node is not None:
        budget.step()
        inside: LexborNode | None = None
        if node.is_element_node:
            element = Element(node.tag or "", _attributes(node, quirks=quirks), parent, previous, steps)
            if parent is not None:
                element.tree = int(parent.attrib["shadow-tree"]) if parent.tag == ROOT else parent.tree
            found[node.mem_id] = element
            previous = element
            inside = node.child
            if inside is not None:
                above.append((node, element))
                node, parent, previous = inside, element, None
                continue
        elif node.is_text_node and parent is not None and node.text_content:
            parent.text = True
        while node is not None and node.next is None:
            if not above:
                return found
            node, previous = above.pop()
            parent = previous.parent
        node = node.next if node is not None else None
    return found


def _attributes(node: LexborNode, *, quirks: bool) -> dict[str, str]:
    attributes = {name: value or "" for name, value in node.attributes.items()}
    if node.tag == ROOT:
        host = {} if node.parent is None else node.parent.attributes
        attributes = {**{name: value or "" for name, value in host.items()}, "shadow-tree": str(node.mem_id)}
    elif "-" in (node.tag or ""):
        attributes["undefined-element"] = ""  # for `:defined`: no script has defined it
    if (shadow := shadow_of(node)) is not None:
        attributes["shadow-host"] = str(shadow.mem_id)
    if quirks:
        for name in ("class", "id"):
            if name in attributes:
                attributes[name] = attributes[name].lower()
    return attributes
