import unicodedata

from every import every
from hypothesis import given
from hypothesis import strategies as st

from spanwise.serving.entries import LONGEST_NAME, clean_name, id_of


@every(
    ("given_name", "name"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\fakepath\\report.pdf", "report.pdf"),
        ("a/b\\c.txt", "c.txt"),
        ("..", "document"),
        ("", "document"),
        ("///", "document"),
        (".hidden", "hidden"),
        ("in\u202evoice\u200b.pdf", "invoice.pdf"),
        ("a\x00b\r\nc.pdf", "abc.pdf"),
        ("  two   words .pdf ", "two words .pdf"),
        ("<script>alert(1)</script>", "script>"),
        ("\ufeffnote.md", "note.md"),
        ("cafe\u0301.txt", "caf\u00e9.txt"),
        ("\ud800x.txt", "x.txt"),
        ("日本語.pdf", "日本語.pdf"),
    ],
)
def test_names_lose_what_deceives(given_name, name):
    assert clean_name(given_name) == name


@given(st.text(alphabet=st.characters(), max_size=400))
def test_any_name_becomes_a_plain_one(given_name):
    name = clean_name(given_name)
    assert 1 <= len(name) <= LONGEST_NAME
    assert not set(name) & set("/\\")
    assert not any(unicodedata.category(one) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for one in name)
    assert clean_name(name) == name
    assert name not in (".", "..")


def test_long_names_stay_apart_and_keep_their_ending():
    one, other = clean_name("x" * 300 + "1.pdf"), clean_name("x" * 300 + "2.pdf")
    assert one != other
    assert len(one) == len(other) == LONGEST_NAME
    assert one.endswith(".pdf")


def test_ids_are_short_digests():
    assert id_of("a") == "ca978112ca1bbdca"
