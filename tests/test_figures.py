"""The figures of the benchmarks: RESULTS.md says what the rows say, and a row is added where it belongs."""

import re
import shutil
import subprocess
import sys

import figures
import pytest

AGE = re.compile(r", (?:\d+ changes since|not in the history any more)")


def test_results_are_made_from_the_rows():
    shown = AGE.sub("", figures.RESULTS.read_text("utf-8"))
    assert shown == AGE.sub("", figures.render(*figures.load())), "python benchmarks/figures.py writes it"


def test_every_figure_says_what_its_data_was_and_where_its_code_is():
    sections, told = figures.load()
    assert len({one.name for one in told}) == len(told)
    for one in told:
        assert one.section in sections
        assert one.data in figures.DATA
        assert [room for room in one.rooms if not (figures.ROOT / "src" / "spanwise" / room).exists()] == []
        assert bool(one.minutes) == bool(one.pick), one.name


def test_two_hours_are_enough():
    measured = [one for one in figures.load()[1] if one.pick]
    assert sum(figures.minutes_of(command, measured) for command in {one.command for one in measured}) < 120


def test_a_row_is_added_before_the_others(tmp_path):
    path = tmp_path / "figures.toml"
    shutil.copy(figures.FIGURES, path)
    for name in ("nist", "help"):
        before = {one.name: one.rows for one in figures.load(path)[1]}[name]
        figures.add(name, figures.Row('.5 "half"', "abc1234"), path)
        after = {one.name: one.rows for one in figures.load(path)[1]}[name]
        assert after == [figures.Row('.5 "half"', "abc1234"), *before]
    with pytest.raises(SystemExit, match="no figure nobody"):
        figures.add("nobody", figures.Row("1", "abc1234"), path)


def test_what_a_command_prints_becomes_a_row_beside_the_last():
    [one] = [one for one in figures.load()[1] if one.name == "import"]
    assert figures.picked(one, "python -c pass      0.013\nimport spanwise  0.026") == "0.026 s (bare 0.013)"
    assert figures.picked(one, "nothing") is None
    assert figures.compared("0.026 s (bare 0.013)", "0.023 s (bare 0.013)") == " (+13%, +0%)"
    [one] = [one for one in figures.load()[1] if one.name == "nist"]
    said = '{"sets": {"nist": {"figures": [{"part": "questions", "name": "%s", "value": 0.5}]}}}'
    assert figures.pointed(one.pick[0], said % "gold contained in the answer") == [".500"]


def test_an_unknown_figure_is_named():
    command = [sys.executable, "benchmarks/figures.py", "measure", "--only", "nobody"]
    done = subprocess.run(command, cwd=figures.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "no figure nobody" in done.stderr


def test_the_readme_shows_rows_of_the_page_of_limits():
    """One screen: some of the rows, word for word, so that one copy has to be right."""
    readme, limits = ((figures.ROOT / name).read_text("utf-8") for name in ("README.md", "docs/limits.md"))
    shown = [line for line in readme.splitlines() if line.startswith("| ")]
    assert len(shown) >= 5
    assert set(shown) <= set(limits.splitlines())
    assert len(readme.splitlines()) <= 65


def test_the_page_of_limits_says_the_last_figures_of_everyday_files():
    last = {one.name: re.findall(r"\.\d+", one.rows[0].value) for one in figures.load()[1]}
    page = (figures.ROOT / "docs/limits.md").read_text("utf-8")
    answered = re.search(r"words are in (\.\d+) of the answers on everyday files, and only (\.\d+) of", page)
    silent = re.search(r"(\.\d+) of them were plainly .* of (\d+) unmarked answers (\d+) were right", page)
    assert answered is not None
    assert silent is not None
    assert [*answered.groups()] == [last["everyday-gold"][0], last["everyday-sure"][0]]
    assert [silent[1], f"{int(silent[3]) / int(silent[2]):.3f}".lstrip("0")] == [
        last["everyday-nothing-there"][-1],
        last["everyday-sure"][1],
    ]
