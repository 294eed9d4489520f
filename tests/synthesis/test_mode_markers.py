import pytest

from spanwise.synthesis.markers import Rejected, read_citations, read_markers, unfinished

IDS = {"c1": 1, "c2": 2, "report.pdf:3-4": 3, "77": 4}


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Yes [1].", [(1,)]),
        ("Yes [1, 2]; no [2;3].", [(1, 2), (2, 3)]),
        ("Yes [1-3][2].", [(1, 2, 3), (2,)]),
        ("Yes [1\u20132, 4].", [(1, 2, 4)]),
        ("Yes [c1], [c1, c2] and [report.pdf:3-4].", [(1,), (1, 2), (3,)]),
        ("Yes [77].", [(4,)]),
        ("Word[2]", [(2,)]),
    ],
)
def test_markers_that_hold(text, labels):
    marked = read_markers(text, {1, 2, 3, 4}, IDS)
    assert [marker.labels for marker in marked.markers] == labels
    assert marked.text == text
    assert all(text[marker.start] == "[" and text[marker.end - 1] == "]" for marker in marked.markers)


@pytest.mark.parametrize(
    ("text", "clean", "rejected"),
    [
        ("Yes [99].", "Yes.", ["[99]"]),
        ("Yes [0] so.", "Yes so.", ["[0]"]),
        ("Yes [1, 99].", "Yes [1].", ["99"]),
        ("Yes [1-99].", "Yes.", ["[1-99]"]),
        ("Yes [3-1].", "Yes.", ["[3-1]"]),
        ("Yes [c9].", "Yes.", ["[c9]"]),
        ("Yes [c1, c9].", "Yes [1].", ["c9"]),
        ("Yes [1-999999999].", "Yes.", ["[1-999999999]"]),
    ],
)
def test_markers_that_cite_nothing_are_taken_out(text, clean, rejected):
    marked = read_markers(text, {1, 2, 3, 4}, IDS)
    assert marked.text == clean
    assert [one.marker for one in marked.rejected] == rejected


@pytest.mark.parametrize(
    "text",
    [
        "[Terms](https://x.test) and [1](#note)",
        "Born [1999].",
        "He [sic] said [...] so [emphasis added].",
        "Use `argv[9]` and\n```\na[9] = [99]\n```",
        "[ ] open, [^9] footnote",
        "[unclosed 9",
        "[" * 2000,
    ],
)
def test_what_is_no_marker_stays(text):
    assert read_markers(text, {1, 2}, IDS, total=2) == read_markers(text, {1, 2}, IDS, total=2).__class__(text, (), ())


def test_a_number_up_to_the_count_of_passages_is_no_year():
    assert read_markers("[1999]", {1999}, total=2000).markers[0].labels == (1999,)
    assert read_markers("x [1998]", {1999}, total=2000).rejected == (
        Rejected("[1998]", "no passage 1998 was shown for this answer"),
    )


@pytest.mark.parametrize(
    ("text", "cited", "rejected"),
    [
        ("Yes [7].", [("7",)], []),
        ("Yes [7, 8].", [("7", "8")], []),
        ("Yes [7-9].", [("7", "8", "9")], []),
        ("Yes [7; 12].", [("7",)], ["12"]),
        ("Yes [9-7].", [], ["[9-7]"]),
        ("Yes [7-12].", [], ["[7-12]"]),
    ],
)
def test_ids_that_are_numbers_are_cited_in_lists_and_ranges_too(text, cited, rejected):
    reading = read_citations(text, ["9", "7", "8", "9" * 5000])
    assert [marker.ids for marker in reading.markers] == cited
    assert [one.marker for one in reading.rejected] == rejected
    marked = read_markers(text, {1, 2, 3}, {"9": 3, "7": 1, "8": 2})
    assert [marker.labels for marker in marked.markers] == [tuple(int(name) - 6 for name in one) for one in cited]


def test_strictly_any_word_in_brackets_is_an_id():
    assert read_markers("Yes [zzz] and [sic!].", {1}, IDS, strict=True).text == "Yes and [sic!]."


@pytest.mark.parametrize(
    ("text", "shown"),
    [("Yes", 3), ("Yes ", 3), ("Yes [1", 3), ("Yes [1]", 3), ("Yes [1].", 8), ("Yes `a[1", 3), ("Yes `a[1]` b", 12)],
)
def test_a_stream_shows_whole_markers_only(text, shown):
    assert unfinished(text) == shown


@pytest.mark.parametrize("text", ["Yes [1] and [99], `a[9]` too [2, 98]. Born [1999].", "A [c1] b [c9]\nc [1](x) d"])
def test_what_a_stream_shows_is_the_beginning_of_the_whole(text):
    whole = read_markers(text, {1, 2}, IDS, total=2).text
    for end in range(len(text) + 1):
        part = text[:end]
        assert whole.startswith(read_markers(part[: unfinished(part)], {1, 2}, IDS, total=2).text)
