"""NOTICE names what was fitted, on what, and the libraries that an installation brings."""

import re

import licences

ROOT = licences.ROOT
NOTICE = (ROOT / "NOTICE").read_text("utf-8")
FITTED = re.findall(
    r"^(src/\S+)(?: \*)?, by (fitting/\S+\.py)(?: and (fitting/\S+\.py))?:\n((?:    .+\n)+)", NOTICE, re.MULTILINE
)
TABLE = re.findall(
    r"^    (\S.*?)  +\S",
    NOTICE.split("The data, with the repository")[1].split("The package contains")[0],
    re.MULTILINE,
)


def named() -> set[str]:
    """The sets that fitted files are said to be made from."""
    lists = " ".join(" ".join(sets.split()) for *_, sets in FITTED)
    return {name for name in TABLE if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", lists)}


def test_every_fitted_file_is_named_with_the_script_that_makes_it():
    """Figures are kept as JSON, and the weights of retrieval as TOML; other data files say that people wrote them."""
    files = {file for file, *_ in FITTED}
    written = {"src/spanwise/mock_data.json", "src/spanwise/server/examples.json"}  # documents made up for the examples
    assert files | written == {"src/spanwise/retrieval/weights.toml"} | {
        str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*.json")
    }
    assert all((ROOT / script).is_file() for _, *scripts, _ in FITTED for script in scripts if script)


def test_the_table_has_the_sets_that_are_used_and_no_others():
    assert named() == set(TABLE)
    assert len(TABLE) > 30


def test_what_has_no_licence_is_not_among_them():
    assert not re.search(r"FinanceBench|FaithBench|no licence", NOTICE, re.IGNORECASE)
    assert "UNLICENSED" in (ROOT / "fitting" / "guard_rows.py").read_text("utf-8")


def test_the_libraries_of_a_plain_installation_are_named():
    listed = re.findall(r"^    ([a-z0-9-]+) ", NOTICE.split("The package contains")[1], re.MULTILINE)
    assert set(licences.needed(licences.PROJECT["project"]["dependencies"])) <= {*listed, "colorama"}
