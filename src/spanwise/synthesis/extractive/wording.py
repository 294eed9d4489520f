"""`as_read`: a draft whose texts are worded as a person reads them, as far as the cited lines prove each word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spanwise.contract.items import Item, TextItem
from spanwise.contract.result import Draft
from spanwise.contract.validation.cited import MOST_SHOWN, Cited, Stretch
from spanwise.store.port import Lines
from spanwise.text.readable import readable


def as_read(draft: Draft, store: Lines) -> Draft:
    """The draft with its texts, written values and sentences behind a yes or no in readable words.

    What code computed and what rests on a sentence model stays; so do words that the cited lines would prove no more.
    """
    if draft.model is not None or not draft.answer.items:
        return draft
    items: list[Item] = []
    written, said = list(draft.written), list(draft.sentences)
    for at, (item, documents) in enumerate(zip(draft.answer.items, draft.sources, strict=True)):
        made = draft.computations[at] if at < len(draft.computations) else None
        if made is None and len(documents) == len(item.spans):
            cited = _cited(item, documents, store)
            items.append(_item_as_read(item, cited))
            written[at : at + 1] = [_words(text, cited) for text in written[at : at + 1]]
            said[at : at + 1] = [_words(text, cited) for text in said[at : at + 1]]
        else:
            items.append(item)
    answer = draft.answer.model_copy(update={"items": items})
    return replace(draft, answer=answer, written=tuple(written), sentences=tuple(said))


def _cited(item: Item, documents: Sequence[str], store: Lines) -> Cited:
    lines = (store.lines(name, one.line_start, one.line_end) for name, one in zip(documents, item.spans, strict=True))
    return Cited([Stretch(found) for found in lines if found])


def _item_as_read(item: Item, cited: Cited) -> Item:
    return item.model_copy(update={"text": _words(item.text, cited)}) if isinstance(item, TextItem) else item


def _words(text: str, cited: Cited) -> str:
    """A text in readable words; as it is where the cited lines hold it so only."""
    if len(cited.text) > MOST_SHOWN:
        return text
    shown = readable(text, cited.text)
    return shown if shown != text and cited.holds(shown) else text
