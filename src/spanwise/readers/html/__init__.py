"""HTML: block elements become paragraphs, list items, table rows and headings, with one line per sentence.

`add_page` parses the page, computes its styles (`read_styles`), lays it out by estimate (`hiding_boxes`) and walks
through it once. For each text the walk asks `Visibility` whether a reader sees it; hidden text is recorded apart, with
its reason.
"""

from __future__ import annotations

import base64
import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from spanwise.domain.document import Document, HiddenReason
from spanwise.errors import LimitError
from spanwise.readers.bounds import Budget
from spanwise.readers.builder import DocumentBuilder
from spanwise.readers.decoding import decode
from spanwise.readers.flowing import Spanning, add_heading, add_paragraph, add_row, add_verbatim, raised_after
from spanwise.readers.html.nodes import beside, flat, inside, places_of, with_shadows
from spanwise.readers.html.page_layout import hiding_boxes
from spanwise.readers.html.paint import State
from spanwise.readers.html.selectors import StepsUsed
from spanwise.readers.html.style import display_of
from spanwise.readers.html.style_sheets import TooManyRules
from spanwise.readers.html.tree import check_nesting, has_unread_sheet, is_dark, is_quirky, read_styles
from spanwise.readers.html.visibility import Visibility
from spanwise.readers.office import numeral
from spanwise.readers.port import ReadOptions

_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol optgroup option p pre search section "
    "summary table tbody td tfoot th thead tr ul textarea".split()
)
_DROPPED = frozenset("script style head title meta link ix:header ix:hidden".split())
"""Elements whose content is never meant to be read on the page."""
_LISTS = frozenset(("ul", "ol", "menu", "dir"))
_FORMS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_TABLE_PARTS = frozenset(("thead", "tbody", "tfoot", "tr", "td", "th"))
_PERMALINKS = frozenset("#¶§🔗")
_FIELDS = frozenset("text search url tel email number date month week time datetime-local".split())
"""Types of `input` that show their value, or else their placeholder."""
_TELLING = frozenset("input textarea option optgroup iframe".split())
"""Tags that show some of their attributes as text."""
_BUTTONS = frozenset("submit reset button".split())
_OPENED, _CLOSED = {"q": "\u201c", "rt": "(", "button": " "}, {"q": "\u201d", "rt": ")", "button": " "}
"""What is put around the text of an element: how a word is read is printed above it."""
_OVER = {"msup": "^", "mfrac": "/"}
"""What is put between the parts of a formula, which stand one above the other."""
_DEEPEST_PAGE = 4
"""How deeply pages inside pages (`srcdoc`) are read."""
_HEADINGS = {f"h{level}": level for level in range(1, 7)} | {"dt": 6}
"""Levels of headings; a term of a definition list is the innermost heading, of what is said of it."""

_LEFT_OUT = (
    "The page has more or longer style rules than are followed: text that one of them shows may be kept apart as "
    "hidden, and text that a rule with an endless selector hides may be among the lines."
)
_TOO_STYLED = (
    "{} has style rules without end, so that nobody knows what it shows: print it to PDF in a browser and give that."
)
_SPACES = re.compile(r"[ \t\n\r\f\xa0]+")
_CHARSET = re.compile(rb"(?:charset|encoding)\s{0,8}=\s{0,8}[\"']?\s{0,8}([A-Za-z0-9_.:-]{2,40})", re.IGNORECASE)
_SELF_CLOSED = re.compile(
    r"<(script|style|title|iframe|textarea|noscript|template|div|p|span|a)\b([^<>]{0,2000})/>", re.IGNORECASE
)
_LITERAL, _LITERAL_END = "<![CDATA[", "]]>"
_RAW = re.compile(r"<(?:style|script)\b[^<>]{0,1000}>[\s/*<!-]{0,100}\Z", re.IGNORECASE)
_SHEET = re.compile(r"<\?xml-stylesheet\s([^<>?]{0,1000})\?>", re.IGNORECASE)
_PROLOGUE = 4096
"""Characters at the beginning of a page that are searched for `<?xml-stylesheet?>`."""
_IMPORT = re.compile(r"(@import\s{0,8}(?:url\(\s{0,8})?)[\"']?([^\"'()\s;<>]{1,1000})[\"']?", re.IGNORECASE)
_MOST_SHEETS = 16
"""Most style sheets that one sheet may import, directly or through others."""
_DEEPEST = 4
"""How deeply imported sheets are embedded in one another; each level makes their address a third longer."""


def read_html(data: bytes, name: str, options: ReadOptions) -> Document:
    """Read an HTML page, one line for each sentence, heading and table row."""
    budget = Budget(name, options.limits)
    decoded = decode(data, name, declared=declared_encoding(data))
    builder = DocumentBuilder(data, format="html", budget=budget)
    builder.tell(decoded.notices(name))
    add_page(decoded.text, builder, budget)
    builder.guess_headings()
    return builder.build()


def add_page(
    text: str,
    builder: DocumentBuilder,
    budget: Budget,
    *,
    sheet: Callable[[str], str | None] = lambda _: None,
    quoting: Callable[[bool], None] = lambda _: None,
    xml: bool = False,
    depth: int = 0,
) -> None:
    """Add the visible text of a page to a document: a whole page, a chapter of a book, or the body of a message.

    Args:
        text: The page.
        builder: Receives the lines.
        budget: Limits of the reading.
        sheet: Returns the style sheet at an address, if it comes with the page.
        xml: Whether the page is from a book, where standards mode needs no document type.
        depth: How many pages this one is nested in.
        quoting: Called with True where an outermost quotation (`blockquote`) begins and with False where it ends.

    Raises:
        LimitError: The page is nested too deeply, or has more style rules than can be followed.
    """
    text = with_shadows(_as_html(text))
    check_nesting(text, budget)
    tree = LexborHTMLParser(text)
    if tree.root is None:
        return
    for link in tree.css("link[rel~=stylesheet i]"):
        address = link.attributes.get("href") or ""
        if (found := sheet(address)) is not None:
            link.attrs["href"] = _as_address(
                _with_imports(found, address, sheet, {posixpath.normpath(address)}, _DEEPEST)
            )
    quirks = is_quirky(text) and not xml
    try:
        styles = read_styles(tree, budget, quirks=quirks)
        visibility = Visibility(styles, hiding_boxes(tree, styles, budget), tree.root, dark=is_dark(text))
        if has_unread_sheet(tree):
            visibility.page.ground = None
        _Walk(builder, budget, visibility, quoting, depth).run(tree.root)
    except (TooManyRules, StepsUsed) as error:
        raise LimitError(_TOO_STYLED.format(budget.name), document=budget.name) from error
    if styles.cascade.in_doubt or styles.cascade.sheets.left_out:
        builder.notice("styles_left_out", _LEFT_OUT)


def texts_of(html: str, budget: Budget) -> Iterator[tuple[str, HiddenReason | None]]:
    """Each text of a page that was converted from another format, and why it is hidden; None if it is visible."""
    check_nesting(html, budget)
    tree = LexborHTMLParser(html)
    root = tree.root
    if root is None:
        return
    try:
        styles = read_styles(tree, budget, quirks=False)
        visibility = Visibility(styles, hiding_boxes(tree, styles, budget), root, dark=False)
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
                waiting.append((visibility.enter(node, state), inside_of(node)))
    except (TooManyRules, StepsUsed) as error:
        message = f"{budget.name} has style rules without end: take the <style> out and give it again."
        raise LimitError(message, document=budget.name) from error


def declared_encoding(data: bytes) -> str | None:
    """The encoding that a page declares in its first 4,096 bytes; None if it declares none that can be true."""
    match = _CHARSET.search(data[:4096])
    encoding = match[1].decode("ascii").lower() if match else None
    # A page that can be searched for its declaration is not in UTF-16 whatever it says (WHATWG Encoding).
    return (
        None if encoding is None or encoding.startswith(("utf-16", "utf-32", "utf-7", "ucs", "unicode")) else encoding
    )


def _as_html(text: str) -> str:
    """The page without constructs of XHTML: self-closed elements, `<?xml-stylesheet?>`, `CDATA`."""
    head = text[:1024].lower()
    if "<?xml" in head or "xhtml" in head:
        text = _SELF_CLOSED.sub(r"<\1\2></\1>", text)
        text = _without_literals(text)
        named = "".join(f"<link rel=stylesheet {match[1]}>" for match in _SHEET.finditer(text[:_PROLOGUE]))
        return re.sub(r"(<head\b[^<>]{0,1000}>)", lambda match: match[1] + named, text, count=1) if named else text
    return text


def _without_literals(text: str) -> str:
    """The page with the content of `CDATA` sections written as HTML has it."""
    pieces: list[str] = []
    at = 0
    while (start := text.find(_LITERAL, at)) >= 0 and (end := text.find(_LITERAL_END, start)) >= 0:
        inside = text[start + len(_LITERAL) : end]
        raw = _RAW.search(text, max(at, start - 1200), start) is not None
        pieces += [text[at:start], inside if raw else escape(inside, quote=False)]
        at = end + len(_LITERAL_END)
    return "".join([*pieces, text[at:]])


def _with_imports(text: str, address: str, sheet: Callable[[str], str | None], known: set[str], depth: int) -> str:
    """A style sheet in which the sheets that it imports are embedded as `data:` addresses, each once."""

    def put_in(match: re.Match[str]) -> str:
        inner = posixpath.normpath(posixpath.join(posixpath.dirname(address), match[2]))
        left = depth and len(known) < _MOST_SHEETS and ":" not in match[2] and inner not in known
        found = sheet(inner) if left else None
        if found is None:
            return match[0]
        known.add(inner)
        return f'{match[1]}"{_as_address(_with_imports(found, inner, sheet, known, depth - 1))}"'

    return _IMPORT.sub(put_in, text, count=_MOST_SHEETS)


def _as_address(sheet: str) -> str:
    """A `data:` address that contains a style sheet."""
    return f"data:text/css;base64,{base64.b64encode(sheet.encode()).decode()}"


@dataclass(slots=True)
class _List:
    """An open list and the number of its next item."""

    ordered: bool
    number: int
    step: int = 1
    form: str = "decimal"


@dataclass(slots=True)
class _Cells:
    """An open table row: its finished cells, and the pieces of the one that is open."""

    cells: list[str] = field(default_factory=list)
    spans: list[int] = field(default_factory=list)
    """Two entries per cell: its first column, and the column after its last."""
    rows: list[int] = field(default_factory=list)
    """Over how many rows each cell reaches."""
    open_cell: list[str] | None = None
    high: int = 1
    place: tuple[int, int] = (0, 1)
    """First column, and column after the last, of the open cell."""

    def take(self) -> None:
        """Close the open cell and add its text."""
        self.cells.append(" ".join(self.open_cell or ()))
        self.spans += self.place
        self.rows.append(self.high)


class _Walk:
    """Visits every node once, without recursion, and passes finished blocks to the builder."""

    def __init__(
        self,
        builder: DocumentBuilder,
        budget: Budget,
        visibility: Visibility,
        quoting: Callable[[bool], None],
        depth: int,
    ) -> None:
        self._depth = depth
        self._inside_of: Callable[[LexborNode], Iterator[LexborNode]] = inside
        self._builder = builder
        self._budget = budget
        self._visibility = visibility
        self._quoting = quoting
        self._quotes = 0
        self._states = [visibility.page]
        self._inline: list[str] = []
        self._lists: list[_List] = []
        self._rows: list[_Cells | None] = []
        self._spanning: list[Spanning] = []
        self._places: dict[int, tuple[int, int]] = {}
        self._tables = 0
        self._verbatim = 0
        self._raised = 0
        self._marker = ""
        self._hidden: list[str] = []
        self._reason: HiddenReason | None = None

    def run(self, root: LexborNode) -> None:
        """Visit the tree under `root` and its preceding siblings (comments before `<html>`)."""
        first = root
        while first.prev is not None:
            first = first.prev
        inside_of = self._inside_of = flat(root)
        waiting: list[tuple[LexborNode | None, Iterator[LexborNode]]] = [(None, beside(first))]
        while waiting:
            around, inside = waiting[-1]
            node = next(inside, None)
            if node is None:
                waiting.pop()
                if around is not None:
                    self._leave(around)
            elif self._enter(node):
                waiting.append((node, inside_of(node)))
        self._flush()
        self._hide()

    def _enter(self, node: LexborNode) -> bool:
        """Process a node; True if it stays open, so that its children and then `_leave` follow."""
        self._budget.object()
        if node.is_text_node:
            self._text(node.text_content or "", node.mem_id)
            return False
        if node.is_comment_node:
            comment = node.comment_content or ""
            self._builder.hide("" if comment.startswith("?") else comment, "comment")  # the first: an XML declaration
            return False
        tag = node.tag or ""
        unread = tag in _DROPPED and not (tag == "title" and self._states[-1].svg)
        if unread or not node.is_element_node or (tag == "a" and _is_permalink(node)):
            return False
        if tag == "template":
            self._builder.hide(_template_text(node), "hidden_markup")
            return False
        state = self._visibility.enter(node, self._states[-1])
        self._states.append(state)
        if state.gone is None:
            self._open(tag, node)
            if tag in _TELLING:
                self._show_attributes(tag, node, state)
            if self._visibility.generates:
                if tag == "li":
                    words, reason = self._visibility.generated("marker", node, state)
                    self._marker = f"{words} " if words and reason is None else self._marker
                self._generate("before", node, state)
        empty = node.child is None and tag != "slot"
        if empty or (tag == "option" and node.attributes.get("label")) or tag == "iframe":
            self._leave(node)
            return False
        return True

    def _show_attributes(self, tag: str, node: LexborNode, state: State) -> None:
        """Add the text that an element shows from its attributes: a field's value, a label, a page within the page."""
        attributes = node.attributes
        told = {name: attributes.get(name) or "" for name in ("value", "placeholder", "label", "srcdoc")}
        kind = (attributes.get("type") or "text").lower() if tag == "input" else ""
        if kind in _FIELDS or kind in _BUTTONS:
            self._text(f" {told['value']} ", node.mem_id)
            if kind in _FIELDS and not told["value"]:
                self._show_placeholder(told["placeholder"], node, state)
        elif tag == "textarea" and not node.text():
            self._show_placeholder(told["placeholder"], node, state)
        elif tag == "optgroup" and state.summary:
            self._unseen(told["label"], "closed")
        elif tag in ("option", "optgroup"):
            self._text(told["label"])
        elif tag == "iframe" and told["srcdoc"]:
            self._flush()
            if self._visibility.reason(state, node.mem_id) or self._depth >= _DEEPEST_PAGE:
                inside = LexborHTMLParser(told["srcdoc"]).root
                self._unseen("" if inside is None else inside.text(separator=" "), state.reason or "hidden_markup")
            else:
                add_page(told["srcdoc"], self._builder, self._budget, depth=self._depth + 1)
            self._unseen(node.text(), "hidden_markup")

    def _show_placeholder(self, words: str, node: LexborNode, state: State) -> None:
        reason = state.reason or self._visibility.part_reason("placeholder", node, state)
        if reason is None:
            self._text(f" {words} ", node.mem_id)
        else:
            self._unseen(words, reason)

    def _generate(self, side: str, node: LexborNode, state: State) -> None:
        """Add the text that a style sheet generates before or after the content of an element."""
        words, reason = self._visibility.generated(side, node, state)
        if words and reason is None:
            self._inline.append(words)
        elif reason is not None:
            self._unseen(words, reason)

    def _leave(self, node: LexborNode) -> None:
        state = self._states.pop()
        if state.gone is None:
            if self._visibility.generates:
                self._generate("after", node, state)
            self._close(node.tag or "")
        if state.reason != self._states[-1].reason:
            self._hide()

    def _text(self, text: str, node: int = 0) -> None:
        state = self._states[-1]
        reason = self._visibility.reason(state, node)
        if reason is not None:
            self._unseen(text, reason)
            return
        seen = self._visibility.seen(node, text)
        if self._hidden and not text[:seen].isspace():
            self._hide()
        shown = text[:seen]
        shown = shown if self._verbatim else _SPACES.sub(" ", shown)
        self._inline.append(raised_after("".join(self._inline[-3:]), shown) if self._raised else shown)
        self._unseen(text[seen:], "clipped")

    def _unseen(self, text: str, reason: HiddenReason) -> None:
        if text and not text.isspace():
            if reason != self._reason:
                self._hide()
            self._reason = reason
            self._hidden.append(text)

    def _hide(self) -> None:
        """Record the hidden text gathered so far, and begin anew."""
        if self._reason is not None:
            self._builder.hide(" ".join(self._hidden), self._reason)
        self._hidden.clear()
        self._reason = None

    def _open_inline(self, tag: str, node: LexborNode) -> None:
        if tag[:1] == "m" and (around := node.parent) is not None and around.tag in _OVER:
            base = next((one for one in inside(around) if one.is_element_node), node)
            self._inline.append(_OVER[around.tag] if base.mem_id != node.mem_id else "")
        if tag == "br":
            self._inline.append("\n")
        elif tag in _OPENED:
            self._inline.append(_OPENED[tag])
        elif tag == "sup":
            self._raised += 1
        elif tag == "slot" and (first := next(self._inside_of(node), None)) is not None and first != node.child:
            self._unseen(node.text(separator=" "), "hidden_markup")  # what it shows where nothing is put into it

    def _open(self, tag: str, node: LexborNode) -> None:
        if tag not in _BLOCKS:
            self._open_inline(tag, node)
            return
        self._flush()
        if tag in _LISTS:
            self._open_list(tag, node)
        elif tag == "li":
            self._marker = self._item_marker(node)
        elif tag == "table":
            self._open_table(node)
        elif tag in _TABLE_PARTS:
            self._open_part(tag, node)
        elif tag in ("pre", "textarea"):
            self._verbatim += 1
        elif tag == "blockquote":
            self._quotes += 1
            if self._quotes == 1:
                self._quoting(True)

    def _open_part(self, tag: str, node: LexborNode) -> None:
        """Open a part of a table: a group of rows, a row or a cell."""
        self._spanning = self._spanning or [Spanning()]
        if tag == "tr":
            reaches = self._spanning[-1].reaches
            self._rows[-1:] = [_Cells() if reaches or _has_many_cells(node) else None]
        elif tag not in ("td", "th"):
            self._spanning[-1] = Spanning()  # no cell reaches beyond its group
        elif self._row is not None:
            self._row.open_cell = []
            self._row.place = self._places.get(node.mem_id, (0, 1))
            self._row.high = _integer(node.attributes.get("rowspan"), 1)

    def _close_inline(self, tag: str) -> None:
        if tag == "sup":
            self._raised -= 1
        elif tag == "rt" and self._inline[-1:] == [_OPENED[tag]]:
            self._inline.pop()
        else:
            self._inline.append(_CLOSED.get(tag, ""))

    def _close(self, tag: str) -> None:
        if tag not in _BLOCKS:
            self._close_inline(tag)
            return
        self._flush(heading=_HEADINGS.get(tag))
        if tag in _LISTS and self._lists:
            self._lists.pop()
            self._marker = ""
        elif tag == "table" and self._rows:
            self._rows.pop()
            self._spanning.pop()
            self._tables -= 1
        elif tag == "tr" and self._row is not None:
            self._emit(self._row)
            self._rows[-1] = None
        elif tag in ("td", "th") and self._row is not None and self._row.open_cell is not None:
            self._row.take()
            self._row.open_cell = None
        elif tag in ("pre", "textarea"):
            self._verbatim -= 1
        elif tag == "blockquote":
            self._quotes -= 1
            if self._quotes == 0:
                self._quoting(False)

    @property
    def _row(self) -> _Cells | None:
        return self._rows[-1] if self._rows else None

    def _open_table(self, node: LexborNode) -> None:
        self._tables += 1
        self._budget.depth(self._tables, "tables")
        if (row := self._row) is not None and row.open_cell is not None:
            # A table inside a cell: the row so far becomes a line of its own, so that the order is kept.
            row.take()
            row.open_cell = []
            self._emit(row)
        self._places.update(places_of(node, display_of))
        self._rows.append(None)
        self._spanning.append(Spanning())

    def _emit(self, row: _Cells) -> None:
        add_row(self._builder, *self._spanning[-1].row(row.cells, row.spans, row.rows))
        row.cells, row.spans, row.rows = [], [], []

    def _open_list(self, tag: str, node: LexborNode) -> None:
        self._budget.depth(len(self._lists) + 1, "lists")
        step = -1 if tag == "ol" and "reversed" in node.attributes else 1
        first = 1 if step > 0 else sum(one.tag == "li" for one in inside(node))
        start = _integer(node.attributes.get("start"), first) if tag == "ol" else 1
        self._lists.append(_List(tag == "ol", start, step, _FORMS.get(node.attributes.get("type") or "", "decimal")))

    def _item_marker(self, node: LexborNode) -> str:
        current = self._lists[-1] if self._lists else None
        if current is None or not current.ordered:
            return "- "
        number = _integer(node.attributes.get("value"), current.number)
        current.number = number + current.step
        return f"{numeral(number, current.form)}. "

    def _flush(self, heading: int | None = None) -> None:
        """Close the open paragraph."""
        text = "".join(self._inline)
        self._inline.clear()
        if not text.strip():
            return
        marker, self._marker = self._marker, ""
        if (row := self._row) is not None and row.open_cell is not None:
            row.open_cell.append(marker + " ".join(text.split()))
        elif heading is not None:
            add_heading(self._builder, text, heading, marker)
        elif self._verbatim:
            add_verbatim(self._builder, text)
        else:
            add_paragraph(self._builder, text, role="list_item" if marker else "text", marker=marker)


def _template_text(template: LexborNode) -> str:
    """The text in a `template`, which the parser keeps outside the tree."""
    inside = LexborHTMLParser((template.html or "").replace("<template", "<div").replace("</template", "</div"))
    return "" if inside.root is None else inside.root.text(separator=" ")


def _is_permalink(link: LexborNode) -> bool:
    """True for the sign beside a heading that links to the heading itself."""
    inside = link.child
    if inside is None or inside.next is not None or not inside.is_text_node:
        return False
    return (inside.text_content or "").strip() in _PERMALINKS and (link.attributes.get("href") or "").startswith("#")


def _has_many_cells(row: LexborNode) -> bool:
    """True if a row has more than one cell; a layout table has rows of a single cell that contains everything."""
    cells = 0
    child = row.child
    while child is not None and cells < 2:
        cells += child.tag in ("td", "th")
        child = child.next
    return cells > 1


def _integer(value: str | None, default: int) -> int:
    return int(value) if value is not None and re.fullmatch(r"\s?-?[0-9]{1,6}\s?", value) else default
