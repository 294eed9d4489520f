"""What an address holds that is no place but the thing itself (`data:`)."""

from __future__ import annotations

import base64
from urllib.parse import unquote_to_bytes


def data_in(address: str, most: int | None = None) -> bytes | None:
    """What a `data:` address holds; None for any other address and for what cannot be decoded.

    Args:
        address: The address.
        most: How many characters of its content are looked at; None for all.
    """
    head, comma, body = address.partition(",")
    if head[:5].lower() != "data:" or not comma:
        return None
    content = unquote_to_bytes(body[:most])
    if not head.lower().endswith(";base64"):
        return content
    try:
        return base64.b64decode(b"".join(content.split()) + b"==")
    except ValueError:
        return None
