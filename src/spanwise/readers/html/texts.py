"""The texts of a page that was made from another format, each with the reason why it is not seen."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

from spanwise.domain.document import HiddenReason
from spanwise.errors import LimitError
from spanwise.readers.bounds import Budget
from spanwise.readers.html.boxes import hiding_boxes
from spanwise.readers.html.nesting import check_nesting
from spanwise.readers.html.selectors import StepsUsed
from spanwise.readers.html.shadows import beside, flat
from spanwise.readers.html.sheets import TooManyRules
from spanwise.readers.html.tree import read_styles
from spanwise.readers.html.visibility import Visibility


def texts_of(html: str, budget: Budget) -> list[tuple[str, HiddenReason | None]]:
    """Each text of a page and why it is hidden; None if it is seen.

    Raises:
        LimitError: The page takes too long, or has style rules without end.
    """
    try:
        return list(_texts(html, budget))
    except (TooManyRules, StepsUsed) as error:
        message = f"{budget.name} has style rules without end: take the <style> out and give it again."
        raise LimitError(message, document=budget.name) from error


def _texts(html: str, budget: Budget) -> Iterator[tuple[str, HiddenReason | None]]:
    check_nesting(html, budget)
    tree = LexborHTMLParser(html)
    root = tree.root
    if root is None:
        return
    cascade, elements = read_styles(tree, budget, quirks=False)
    visibility = Visibility(cascade, root, elements, quirks=False, dark=False)
    visibility.hiding = hiding_boxes(tree, cascade, elements, budget, quirks=False)
    inside_of = flat(root)
    waiting = [(visibility.page, beside(root))]
    while waiting:
        budget.step()
        state, inside = waiting[-1]
        node = next(inside, None)
        if node is None:
            waiting.pop()
        elif node.is_text_node:
            yield node.text_content or "", visibility.reason(state, node.mem_id)
        elif node.is_element_node:
            waiting.append((visibility.enter(node, elements.get(node.mem_id), state), inside_of(node)))
