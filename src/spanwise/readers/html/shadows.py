"""Shadow trees that a page declares in templates: put where they are shown, and what is slotted into them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from selectolax.lexbor import LexborNode

ROOT = "shadow-root"
"""The tag of an element that stands for a shadow tree."""
_TEMPLATE = re.compile(r"<(/?)template\b([^<>]{0,1000})>", re.IGNORECASE)
_DECLARED = re.compile(r"\bshadowrootmode\s{0,8}=\s{0,8}[\"']?(?:open|closed)\b", re.IGNORECASE)

_HOSTS = frozenset("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split())
"""Tags that may have a shadow tree, beside those of a page's own."""


def with_shadows(text: str) -> str:
    """The source of a page with an element in place of each template that declares a shadow tree."""
    if "shadowrootmode" not in text.lower():
        return text
    pieces: list[str] = []
    opened: list[bool] = []
    end = 0
    for match in _TEMPLATE.finditer(text):
        shadow = _DECLARED.search(match[2]) is not None and all(opened)
        if not match[1]:
            opened.append(shadow)
        elif opened:
            shadow = opened.pop()
        if shadow:
            pieces += [text[end : match.start()], f"<{match[1]}{ROOT}>"]
            end = match.end()
    return "".join([*pieces, text[end:]])


def flat(root: LexborNode) -> Callable[[LexborNode], Iterator[LexborNode]]:
    """How the children of elements of a page are found, as they are shown."""
    return children if root.css_first(ROOT) is not None else inside


def inside(node: LexborNode) -> Iterator[LexborNode]:
    """The children of an element as they stand in the page."""
    return beside(node.child)


def children(node: LexborNode) -> Iterator[LexborNode]:
    """What is shown in an element: that of its shadow tree first, and in a slot what is put into it.

    What stands in a host without a slot for it comes last; nobody sees it.
    """
    if node.tag == "slot" and (host := _host_of(node)) is not None:
        slotted = [one for one in beside(host.child) if one.tag != ROOT and _slot_for(host, one) == node.mem_id]
        if any(not one.is_text_node or (one.text_content or "").strip() for one in slotted):
            yield from slotted
            return
    host_of = shadow_of(node)
    if host_of is not None:
        yield host_of
        yield from (one for one in beside(node.child) if one.tag != ROOT and _slot_for(node, one) is None)
        return
    yield from beside(node.child)


def shadow_of(node: LexborNode) -> LexborNode | None:
    """The shadow tree that an element shows in place of what stands in it."""
    tag = node.tag or ""
    return next((one for one in beside(node.child) if one.tag == ROOT), None) if tag in _HOSTS or "-" in tag else None


def beside(node: LexborNode | None) -> Iterator[LexborNode]:
    """A node and those after it."""
    while node is not None:
        yield node
        node = node.next


def _host_of(node: LexborNode) -> LexborNode | None:
    at: LexborNode | None = node
    while at is not None and at.tag != ROOT:
        at = at.parent
    return None if at is None or at.parent is None or shadow_of(at.parent) is None else at.parent


def _slot_for(host: LexborNode, node: LexborNode) -> int | None:
    """The slot that shows what stands in a host: the first of its name."""
    shadow = shadow_of(host)
    wanted = "" if node.is_text_node or not node.is_element_node else node.attributes.get("slot") or ""
    slots = [] if shadow is None else shadow.css("slot")
    return next((slot.mem_id for slot in slots if (slot.attributes.get("name") or "") == wanted), None)
