"""Holds a tag against the version and the changelog, before anything is published: `check_release.py v1.2.3`."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main(tag: str) -> int:
    """Say what is missing; 1 where something is."""
    [version] = re.findall(r'^__version__ = "(.+)"$', (ROOT / "src/spanwise/__init__.py").read_text(), re.MULTILINE)
    if tag != f"v{version}":
        sys.exit(f"the tag {tag} is not the version {version} of src/spanwise/__init__.py: change one of them")
    if f"## [{version}]" not in (ROOT / "CHANGELOG.md").read_text():
        sys.exit(f"version {version} is not in CHANGELOG.md: give what changed a heading, ## [{version}] - YYYY-MM-DD")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
