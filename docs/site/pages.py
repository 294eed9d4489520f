"""What the site has beside the pages of docs/: the README, pages of the repository, and a reference made from the code.

A hook of mkdocs (mkdocs.yml). Pages of docs/ that the navigation does not list stand at the end of *How to*.
"""

import base64
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from typer.cli import get_docs_for_click

import spanwise
from spanwise import errors, testing
from spanwise.cli.app import app
from spanwise.contract.answers import ANSWER_REGISTRY
from spanwise.contract.record import ResultRecord
from spanwise.contract.strict import strict_json_schema

ROOT = Path(__file__).parents[2]
ELSEWHERE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "SECURITY.md": "SECURITY.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "benchmarks/RESULTS.md": "RESULTS.md",
    "examples/documents/README.md": "documents.md",
}
"""Pages of the repository outside docs/, and where they stand in the site."""
NOTEBOOKS = {path: f"notebooks/{path.stem}.md" for path in sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))}
ELSEWHERE |= {path.relative_to(ROOT).as_posix(): target for path, target in NOTEBOOKS.items()}

GROUPS = {
    "asking": (
        "Ask and answer",
        ("engine", "contract.result", "contract.record", "replaying", "questions.parse", "domain.question"),
    ),
    "documents": ("Documents and corpora", ("domain.document", "domain.passage", "readers", "ingest")),
    "answers": ("The typed contract", ("contract", "answering.decision")),
    "guard": ("The guard", ("guard", "answering.grounding", "domain.claim")),
    "models": ("Models and synthesis", ("llm", "synthesis", "answering.guarded", "text")),
    "components": ("Components", ("questions", "retrieval", "answering.simple", "mock_data")),
}
"""The pages of the reference: the rooms whose public names they have. The longest room that fits a name wins."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"
COMPONENTS = {"LLMJudge", "ResponseGenerator"}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages into the navigation that are there and not listed, and leave out what is not there."""
    docs = Path(config.docs_dir)
    made = {*ELSEWHERE.values(), "notebooks.md"}
    listed: set[str] = set()

    def there(entry: object) -> object:
        if isinstance(entry, str):
            listed.add(entry)
            return entry if entry in made or (docs / entry).is_file() else None
        if isinstance(entry, list):
            return [kept for one in entry if (kept := there(one)) is not None]
        [(title, inner)] = entry.items()
        return None if (kept := there(inner)) is None else {title: kept}

    nav = there(config.nav)
    sections = {title: entry for one in nav for title, entry in one.items()}
    sections["Reference"] += [f"reference/{name}.md" for name, _ in reference()]
    next(one["Notebooks"] for one in sections["How to"] if "Notebooks" in one).extend(NOTEBOOKS.values())
    decisions = next(one["Decisions"] for one in sections["About"] if "Decisions" in one)
    for path in sorted(docs.rglob("*.md")):
        name = path.relative_to(docs).as_posix()
        if name not in listed:
            (decisions if name.startswith("decisions/") else sections["How to"]).append(name)
    config.nav = nav
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that do not lie in docs/."""
    for path, target in NOTEBOOKS.items():
        text, pictures = notebook(path)
        files.append(File.generated(config, target, content=text))
        for name, picture in pictures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=picture))
    for source, target in ELSEWHERE.items():
        if source.endswith(".ipynb"):
            continue
        files.append(File.generated(config, target, content=(ROOT / source).read_text("utf-8")))
    for name, text in reference():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    for name, schema in schemas().items():
        text = json.dumps(schema, indent=2, ensure_ascii=False)
        files.append(File.generated(config, f"reference/schemas/{name}.json", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links of the repository, turned to where things are in the site; fences without marks for the tests."""
    homes = {target: source for source, target in ELSEWHERE.items()}
    here = PurePosixPath(homes.get(page.file.src_uri, f"docs/{page.file.src_uri}")).parent
    markdown = re.sub(r"^```toml (\S+)$", r'```toml title="\1"', markdown, flags=re.MULTILINE)
    markdown = re.sub(r"^```(\w+) [\w-]+$", r"```\1", markdown, flags=re.MULTILINE)

    def turned(match: re.Match[str]) -> str:
        shown, target, anchor = match[1], match[2], match[3] or ""
        path = os.path.normpath(here / target)
        if path in ELSEWHERE:
            target = ELSEWHERE[path]
        elif path.startswith("docs/"):
            target = path.removeprefix("docs/")
        else:
            return shown.removeprefix("[").removesuffix("]")  # a file of the repository that the site has not got
        return f"{shown}({os.path.relpath(target, PurePosixPath(page.file.src_uri).parent)}{anchor})"

    if page.file.src_uri.startswith(("reference/", "notebooks/")):
        return markdown
    return re.sub(r"(\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^)#:\s]+)(#[^)\s]*)?\)", turned, markdown)


def notebook(path: Path) -> tuple[str, dict[str, bytes]]:
    """A notebook as a page, and its pictures by name."""
    parts, pictures = [], {}
    for number, cell in enumerate(json.loads(path.read_text("utf-8"))["cells"]):
        source = "".join(cell["source"])
        parts.append(f"```python\n{source}\n```" if cell["cell_type"] == "code" else source)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                name = f"{path.stem}-{number}.png"
                pictures[name] = base64.b64decode(data["image/png"])
                parts.append(f"![What the cell before gives]({name})")
            else:
                parts.append(f"```text\n{''.join(output.get('text') or data['text/plain']).rstrip()}\n```")
    return "\n\n".join(parts), pictures


def reference() -> Iterator[tuple[str, str]]:
    """The pages of the reference: names, commands, schemas."""
    pages = {name: [f"# {title}", ""] for name, (title, _) in GROUPS.items()}
    for name in sorted(spanwise.__all__, key=lambda name: name[0].isupper()):  # functions first
        if not name.startswith("_"):
            inherited = ["    options: {inherited_members: true}"] if name == "Corpus" else []
            pages[group_of(name)] += [f"::: spanwise.{name}", *inherited, ""]
    order = list(pages)
    for name, lines in pages.items():
        after = order[order.index(name) + 1] if name != order[-1] else "errors"
        yield name, "\n".join([*lines, f"Next: [{titles()[after]}]({after}.md)"])
    raised = [name for name in vars(errors) if name.endswith("Error") or name == "ScriptExhausted"]
    told = "\n\n".join(f"::: {errors.__name__}.{name}" for name in raised)
    yield "errors", f"# Errors\n\n{told}\n\nNext: [the conformance suites](testing.md)"
    suites = "\n\n".join(f"::: {testing.__name__}.{name}" for name in testing.__all__)
    yield "testing", f"# Conformance suites\n\n{suites}\n\nNext: [the commands](commands.md)"
    yield "commands", commands()
    yield "formats", formats()


def titles() -> dict[str, str]:
    """The title of each page of the reference."""
    return {name: title for name, (title, _) in GROUPS.items()} | {"errors": "Errors"}


def group_of(name: str) -> str:
    """The page that a public name stands on."""
    if name in COMPONENTS:
        return "components"
    if name == "validate_answer":
        return "answers"
    if name not in spanwise._HOMES:  # noqa: SLF001  # where a name lives is what is asked here
        return "asking"
    home = spanwise._HOMES[name]  # noqa: SLF001
    rooms = {room: group for group, (_, rooms) in GROUPS.items() for room in rooms if f"{home}.".startswith(f"{room}.")}
    return rooms[max(rooms, key=len)] if rooms else "asking"


def commands() -> str:
    """Every command with its options, as `--help` says."""
    group = typer.main.get_command(app)
    text = get_docs_for_click(obj=group, ctx=typer.Context(group), name="spanwise")
    text = re.sub(r"\[default: (.*?)\]", r"(default: \1)", re.sub(r"\[required\]", "(required)", text))
    return f"{text.replace('# `spanwise`', '# Commands', 1)}\n\nNext: [formats](formats.md)"


def formats() -> str:
    """The formats that programs read, with their JSON Schemas."""
    lines = [
        "# Formats",
        "",
        "JSON Schemas of what Spanwise prints and takes, as `spanwise schema NAME` prints them (draft 2020-12).",
        "",
        "| schema | is |",
        "| --- | --- |",
        "| [result](schemas/result.json) | what `--json`, the HTTP API and `Result.to_dict()` give: version 1 |",
    ]
    lines += [
        f"| [{name}](schemas/{name}.json) | `{answer.__name__}`: what a model fills |"
        for name, answer in ANSWER_REGISTRY.items()
    ]
    lines += ["", "## The result", "", "| field | type |", "| --- | --- |"]
    for name, field in schemas()["result"]["properties"].items():
        kinds = [one.get("type", one.get("$ref", "").split("/")[-1]) for one in field.get("anyOf", [field])]
        lines.append(f"| `{name}` | {' or '.join(kinds)} |")
    lines += ["", "The server describes its API itself at `/v1/openapi.json`.", ""]
    return "\n".join([*lines, "Next: [converting results](../converting.md)"])


def schemas() -> dict[str, dict[str, object]]:
    """The JSON Schemas, by name."""
    result = {"$schema": DIALECT, **ResultRecord.model_json_schema(mode="serialization")}
    return {"result": result, **{name: strict_json_schema(answer) for name, answer in ANSWER_REGISTRY.items()}}
