"""Secrets taken out of what is logged, shown or kept: keys that are known, and whatever has the form of one."""

from __future__ import annotations

import re
from collections.abc import Sequence

_HIDDEN = "[secret]"
_SHORTEST = 6  # a shorter "key" is a placeholder, and taking it out would garble the text

_KEY_FORMS = re.compile(
    r"""\b(?:sk|pk|gsk|xai|ghp|hf|AKIA|AIza)[-_]?[A-Za-z0-9_\-*]{12,200}   # keys of providers, also half hidden ones
      | (?<=\bBearer\ )[^\s"',]{6,2000}
      | (?<=\bBasic\ )[^\s"',]{6,2000}
      | (?<=\bkey=)[^\s"'&,]{6,2000}
      | (?<=\bapi_key=)[^\s"'&,]{6,2000}
      | (?<=://)[^\s/@:]{1,200}:[^\s/@]{1,200}(?=@)                       # user and password of an address
    """,
    re.VERBOSE,
)


def redact(text: str, secrets: Sequence[str] = ()) -> str:
    """The text without the given secrets, and without anything that looks like a key or a password in an address."""
    for secret in secrets:
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, _HIDDEN)
    return _KEY_FORMS.sub(_HIDDEN, text)
