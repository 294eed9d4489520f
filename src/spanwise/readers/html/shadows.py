"""Shadow trees that a page declares in templates, which the parser keeps out of the tree, put where they are shown."""

from __future__ import annotations

import re

ROOT = "shadow-root"
"""The tag of an element that stands for a shadow tree."""
_TEMPLATE = re.compile(r"<(/?)template\b([^<>]{0,1000})>", re.IGNORECASE)
_DECLARED = re.compile(r"\bshadowrootmode\s{0,8}=\s{0,8}[\"']?(?:open|closed)\b", re.IGNORECASE)


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
