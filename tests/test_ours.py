"""The search for sentences of others finds copies however they are written down, and nothing else."""

import gzip
import json
import zipfile

import ours
import pytest

COPIED = "The keeper of the light writes down the height of the water at every turn of the tide, 4 times a day."


@pytest.fixture
def data(tmp_path):
    """A folder like that of the evaluation data, with one sentence in each kind of file."""
    (tmp_path / "a").mkdir()
    with gzip.open(tmp_path / "a" / "rows.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps({"id": 1, "parts": [{"text": f"Before it. {COPIED} After it."}]}) + "\n")
    return tmp_path


def found(text: str, data) -> bool:
    rows, vocabulary = ours.rows_of([("file.py", text)])
    return any(list(ours.shared(told, rows, vocabulary)) for _, told in ours.texts_of(data))


@pytest.mark.parametrize(
    "text",
    [
        COPIED,
        COPIED.upper(),
        COPIED.replace("4", "17"),
        COPIED.replace(" of ", "\n# of\n# "),
        COPIED.replace("light writes", 'light "\n    "writes'),
        json.dumps({"x": COPIED.replace(", ", ",\n")}),
        "\\u2019tis so: " + COPIED.replace("the light", "the\\nlight"),
        f"Ours, and then theirs: {COPIED.split(',', maxsplit=1)[0]}",
    ],
    ids=["as it is", "capitals", "a figure", "lines of a comment", "two literals", "JSON", "escapes", "a part"],
)
def test_a_copy_is_found(text, data):
    assert found(text, data)


@pytest.mark.parametrize(
    "text",
    [
        "The keeper of the light writes down the height of the sea whenever the tide turns.",
        "At every turn of the tide the keeper of the light writes down how high the water stands.",
        "January February March April May June July August September October November December",
    ],
)
def test_what_is_our_own_is_not(text, data):
    assert not found(text, data)


def test_rows_of_nobody_are_left_aside(data):
    (data / "a" / "months.txt").write_text(ours.NOBODYS[0])
    assert not found(ours.NOBODYS[0].title(), data)


@pytest.mark.parametrize("skipped", [0, 1])
def test_scripts_without_spaces_are_compared_from_any_character(data, skipped):
    theirs = "海の高さを測る人は毎日四回潮の変わる時に帳面へ書き付けるのである"
    (data / "a" / "page.md").write_text(f"前{theirs}後")
    assert found(theirs[skipped:], data)
    assert not found(theirs[:14], data)


def test_packages_and_markup_are_read(data):
    with zipfile.ZipFile(data / "a" / "page.docx", "w") as package:
        package.writestr("word/document.xml", "<w:p><w:t>Nobody knows who </w:t><w:t>first set the great stone "
                         "upright on the hill above our harbour wall.</w:t></w:p>")  # fmt: skip
    assert found("Nobody knows who first set the great stone upright on the hill above our harbour wall.", data)


def test_this_repository_is_looked_through():
    names = {name for name, _ in ours.tracked()}
    assert {"README.md", "src/spanwise/engine.py", "examples/writing/content/lease.md", "NOTICE"} <= names
    assert "LICENSE" not in names
