"""The OpenAPI document as a page that needs no script and no other host."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

_STYLE = """
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{font-size:1.05rem;margin:2rem 0 .3rem;overflow-wrap:anywhere}h2 code{font-weight:700}p{margin:.3rem 0}
pre{overflow-x:auto;border:1px solid #8888;border-radius:.4rem;padding:.6rem;font-size:.85rem}
table{border-collapse:collapse}td,th{text-align:left;padding:.1rem .8rem .1rem 0;vertical-align:top}
""".strip()
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
Described = Mapping[str, Any]


def serve_description(app: FastAPI) -> None:
    """Add the page at /v1/docs."""

    @app.get("/v1/docs", include_in_schema=False)
    async def docs(_: Request) -> HTMLResponse:
        return HTMLResponse(page(app.openapi()), headers={"Content-Security-Policy": _POLICY})


def page(described: Described) -> str:
    """The page of an OpenAPI document."""
    info = described["info"]
    operations = "".join(
        _operation(described, method, path, operation)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(info['title'])} API</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(info['title'])} API {escape(info['version'])}</h1>\n<p>{escape(info.get('summary', ''))} "
        f'Errors are <code>application/problem+json</code>. <a href="/v1/openapi.json">openapi.json</a></p>\n'
        f"{operations}</main>\n</body>\n</html>\n"
    )


def _operation(described: Described, method: str, path: str, operation: Described) -> str:
    parameters = "".join(map(_parameter, operation.get("parameters", ())))
    table = f"<table><tbody>{parameters}</tbody></table>\n" if parameters else ""
    bodies = "".join(_bodies(described, operation))
    return (
        f"<section>\n<h2><code>{method.upper()} {escape(path)}</code></h2>\n"
        f"<p>{escape(operation.get('description', ''))}</p>\n{table}{bodies}</section>\n"
    )


def _parameter(parameter: Described) -> str:
    needed = "" if parameter.get("required") else " (optional)"
    said = parameter.get("description") or json.dumps(parameter.get("schema", {}))
    return f"<tr><th><code>{escape(parameter['name'])}</code></th><td>{escape(said)}{needed}</td></tr>"


def _bodies(described: Described, operation: Described) -> Iterator[str]:
    for kind, body in operation.get("requestBody", {}).get("content", {}).items():
        schema = _followed(described, body.get("schema", {}))
        shown = schema.get("examples", [schema.get("properties", {})])[0]
        yield f"<p>Send {escape(kind)}:</p>\n<pre>{escape(json.dumps(shown, indent=2, ensure_ascii=False))}</pre>\n"
    for status, response in operation.get("responses", {}).items():
        for kind, body in response.get("content", {}).items():
            if "example" in body:
                text = json.dumps(body["example"], indent=2, ensure_ascii=False)
                yield f"<p>{escape(status)}, {escape(kind)}:</p>\n<pre>{escape(text)}</pre>\n"


def _followed(described: Described, schema: Described) -> Described:
    """The schema behind a reference within the document."""
    reference: str = schema.get("$ref", "")
    found: Any = schema if not reference else described
    for name in reference.removeprefix("#/").split("/") if reference else ():
        found = found[name]
    followed: Described = found
    return followed
