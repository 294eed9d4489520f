import os

import pytest

from spanwise.errors import DocumentNotFoundError, InputError, LimitError
from spanwise.mcp import indexing
from spanwise.mcp.indexing import Roots

SUFFIXES = {".txt", ".pdf"}


@pytest.fixture
def root(tmp_path):
    """A folder with documents beside a secret, and links that lead to it."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key.txt").write_text("secret")
    root = tmp_path / "root"
    (root / "below" / ".hidden").mkdir(parents=True)
    for name in ("a.txt", "b.exe", "below/c.txt", "below/.d.txt", "below/.hidden/e.txt"):
        (root / name).write_text("text")
    (root / "file.txt").symlink_to(tmp_path / "secret" / "key.txt")
    (root / "folder").symlink_to(tmp_path / "secret")
    (root / "loop.txt").symlink_to(root / "loop.txt")
    (root / "inside.txt").symlink_to(root / "below" / "c.txt")
    return root


def found(root, *paths):
    return [path.relative_to(root).as_posix() for path in Roots([root]).find(paths, SUFFIXES)]


def test_folders_give_what_can_be_read_in_them(root):
    assert found(root, ".") == ["a.txt", "below/c.txt"]
    assert found(root, "below", str(root / "below" / "c.txt")) == ["below/c.txt"]


def test_files_are_named_below_any_root_or_absolutely(root, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "z.pdf").write_text("text")
    roots = Roots([root, tmp_path / "other"])
    assert [path.name for path in roots.find(["z.pdf", str(root / "a.txt")], SUFFIXES)] == ["z.pdf", "a.txt"]


@pytest.mark.parametrize(
    "path",
    [
        "../secret/key.txt",
        "below/../../secret/key.txt",
        "/etc/passwd",
        "~/.ssh/id_rsa",
        "file.txt",
        "folder",
        "folder/key.txt",
        "loop.txt",
        "below/.d.txt",
        "below/.hidden",
        "nothing.txt",
        "a.txt\0.pdf",
        "x" * 5000,
        "\ud800",
        "",
    ],
)
def test_what_is_not_beneath_a_root_is_not_there(root, path):
    if path == "":
        assert "a.txt" in found(root, path)  # the root itself
        return
    with pytest.raises(DocumentNotFoundError, match="no file or folder"):
        found(root, path)


def test_a_root_may_be_a_link(root, tmp_path):
    (tmp_path / "link").symlink_to(root)
    assert len(Roots([tmp_path / "link"]).find(["."], SUFFIXES)) == 2


def test_a_folder_without_documents_is_told(root):
    os.makedirs(root / "empty")
    with pytest.raises(DocumentNotFoundError, match=r"no file there can be read \(.pdf, .txt\)"):
        found(root, "empty")


def test_too_many_files_are_refused(root, monkeypatch):
    monkeypatch.setattr(indexing, "MOST_FILES", 1)
    with pytest.raises(LimitError, match="more than 1 files"):
        found(root, ".")


def test_a_root_is_a_folder(root):
    with pytest.raises(InputError, match="is no folder"):
        Roots([root / "a.txt"])
