"""Holds a software bill of materials against its environment: `make sbom` runs it on what cyclonedx-py wrote.

References to files of the machine that made it are taken out. Where a package tells its licence in a way that the
writer does not know, the one that tests/test_licences.py checks is put in; a component without a version or a licence
is refused, and what an installation needs has to be in it.
"""

import json
import sys
from pathlib import Path

import licences

import spanwise


def main(path: Path) -> int:
    """Clean the file and check it; 1 where something is missing."""
    bill = json.loads(path.read_text(encoding="utf-8"))
    components = bill["components"]
    known = licences.shipped()
    for component in [*components, bill["metadata"].get("component", {})]:
        kept = [one for one in component.get("externalReferences", []) if not one["url"].startswith("file:")]
        component.pop("externalReferences", None)
        if kept:
            component["externalReferences"] = kept
        name = licences.normal(component.get("name", ""))
        if name in known and (not component.get("licenses") or name in licences.RULES["stated_elsewhere"]):
            component["licenses"] = [{"expression": " AND ".join(licences.parts(licences.licences(known[name])))}]
    bill["metadata"].get("component", {}).setdefault("version", spanwise.__version__)
    path.write_text(json.dumps(bill, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    names = {licences.normal(component["name"]) for component in components}
    bare = [one["name"] for one in components if not one.get("version") or not one.get("licenses")]
    missing = sorted(set(known) - names)
    told = f"without version or licence: {bare or 'none'}; missing: {missing or 'none'}"
    print(f"{path}: {len(components)} components; {told}")
    return int(bool(bare or missing or "file:" in path.read_text(encoding="utf-8")))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
