"""JSON on its way out: also of text in which a model left half a character, which UTF-8 cannot say."""

from __future__ import annotations

import json

from fastapi.responses import JSONResponse
from pydantic import BaseModel
from pydantic_core import PydanticSerializationError


def json_text(value: BaseModel, *, exclude_none: bool = False) -> str:
    """A record as JSON; half a character stands in it as its escape."""
    try:
        return value.model_dump_json(exclude_none=exclude_none)
    except PydanticSerializationError:
        return json.dumps(value.model_dump(exclude_none=exclude_none), allow_nan=False)


class AnyJSON(JSONResponse):
    """JSON values as a response, whatever characters they hold."""

    def render(self, content: object) -> bytes:
        """As UTF-8 where that can be."""
        try:
            return super().render(content)
        except UnicodeEncodeError:
            return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()
