"""The built site loads nothing from elsewhere, no script, style, font or picture; its reference has every public name.

`make docs` runs it.
"""

import re
import sys
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

import spanwise

LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "embed": "src", "object": "data"}
ELSEWHERE = re.compile(r"(?:https?:)?//")
IN_STYLES = re.compile(r"""(?:url\(\s*|@import\s+)["']?((?:https?:)?//[^"')\s]+)""")


def loads(page: Path) -> list[str]:
    """What a page or a style sheet has a browser fetch from another host."""
    text = page.read_text("utf-8")
    found = IN_STYLES.findall(text)
    if page.suffix == ".html":
        tree = LexborHTMLParser(text)
        asked = [node.attributes.get(LOADING[node.tag or ""]) for node in tree.css(",".join(LOADING))]
        linked = [node for node in tree.css("link") if node.attributes.get("rel") not in {"canonical", "next", "prev"}]
        asked += [node.attributes.get("href") for node in linked]
        found += [address for address in asked if address and ELSEWHERE.match(address)]
        if not tree.css_matches('meta[http-equiv="Content-Security-Policy"]'):
            found.append("no content security policy")
    return found


def main(site: Path) -> int:
    """Name each page that loads something from elsewhere."""
    pages = [path for path in sorted(site.rglob("*")) if path.suffix in {".html", ".css"}]
    bad = {path: found for path in pages if (found := loads(path))}
    for path, found in bad.items():
        print(f"{path}: {', '.join(found)}", file=sys.stderr)
    anchors = set(re.findall(r'id="spanwise\.(\w+)"', "".join(path.read_text("utf-8") for path in pages)))
    if missing := {name for name in spanwise.__all__ if not name.startswith("_")} - anchors:
        print(f"not in the reference: {', '.join(sorted(missing))}", file=sys.stderr)
        return 1
    print(f"{len(pages)} pages and style sheets of {site} load nothing from elsewhere" if pages and not bad else "")
    return 1 if bad or not pages else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
