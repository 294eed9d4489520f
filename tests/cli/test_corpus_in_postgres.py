"""The commands take the URL of a database where they take a file, and never show its password."""

from postgres_server import PASSWORD

from spanwise.store.address import address_of, shown


def test_index_and_ask(spanwise, database, tmp_path):
    (tmp_path / "rent.txt").write_text("The late fee is 7% per month.\n")
    code, out, err = spanwise("index", str(tmp_path / "rent.txt"), "--corpus", database)
    assert (code, out) == (0, f"{shown(database)}: 1 added\n")
    code, out, err = spanwise("ask", "--corpus", database, "What is the late fee?", "--json")
    assert code == 0
    assert "7%" in out
    assert PASSWORD not in out + err


def test_extract(spanwise, database, tmp_path):
    (tmp_path / "rent.txt").write_text("The late fee is 7% per month.\n")
    code, out, _ = spanwise(
        "extract", str(tmp_path / "rent.txt"), "--corpus", database, "--ask", "What is the late fee?"
    )
    assert code == 0
    assert "7%" in out


def test_a_database_that_is_not_there_is_bad_input(spanwise, database):
    gone = database.replace(address_of(database).database, "gone")
    code, out, err = spanwise("ask", "--corpus", gone, "What is the late fee?")
    assert (code, out) == (2, "")
    assert "is not there: make it (createdb gone)" in err
    assert PASSWORD not in err
