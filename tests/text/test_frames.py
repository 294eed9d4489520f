"""Frames of sentences of our own: noticed where a clause is not asserted, and none where it is."""

import re
import time
from pathlib import Path

import pytest
from every import every

from spanwise.text.framing.frames import LONGEST, Frame, comment_frame, frames, heading_frame

DATA = Path(__file__).parent / "data"
ONCE_NEW = ("frames_held_out.txt", "frames_held_out_again.txt", "frames_around.txt")
"""Written after the grammar of their time; what they missed was mended since, so they guard against going back."""


def read(name):
    """Kind, sentence and the ranges of the clause in brackets."""
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        kind, marked = line.split("\t")
        found = list(re.finditer(r"\[([^\]]*)\]", marked))
        spans = [(mark.start() - 2 * place, mark.end() - 2 * place - 2) for place, mark in enumerate(found)]
        yield kind, re.sub(r"[\[\]]", "", marked), spans


def covers(frame, span):
    return frame.start <= span[0] and span[1] <= frame.end


def noticed(sentence, spans):
    return all(any(covers(frame, span) for frame in frames(sentence)) for span in spans)


def touched(sentence, spans):
    return any(frame.start < end and start < frame.end for frame in frames(sentence) for start, end in spans)


KNOWN = list(read("frames.txt"))
NEW = [case for name in ONCE_NEW for case in read(name)]


@every(("kind", "sentence", "spans"), [case for case in KNOWN if case[0] != "holds"])
def test_a_clause_that_is_not_asserted_is_framed(kind, sentence, spans):
    assert noticed(sentence, spans)
    assert kind in {frame.kind for frame in frames(sentence) if any(covers(frame, span) for span in spans)}


@every(("sentence", "spans"), [case[1:] for case in KNOWN if case[0] == "holds"])
def test_a_clause_that_is_asserted_is_not_framed(sentence, spans):
    assert not touched(sentence, spans)


def test_sentences_written_after_the_grammar_are_framed_as_well():
    framed = [(sentence, spans) for kind, sentence, spans in NEW if kind != "holds"]
    assert sum(noticed(*case) for case in framed) >= 0.95 * len(framed)


def test_controls_written_after_the_grammar_are_clean():
    held = [(sentence, spans) for kind, sentence, spans in NEW if kind == "holds"]
    assert sum(not touched(*case) for case in held) >= 0.97 * len(held)


def test_a_frame_gives_its_clause_and_its_cue():
    sentence = "It has not yet been conclusively established by any study that the drug is safe."
    (frame,) = frames(sentence)
    assert sentence[frame.start : frame.end] == "the drug is safe"
    assert sentence[slice(*frame.cue)] == "not yet been conclusively established by any study that"


def test_the_cue_of_a_restriction_says_what_it_is_restricted_to():
    sentence = "Only in the chocolate version does the bar contain nuts."
    (frame,) = frames(sentence)
    assert sentence[slice(*frame.cue)] == "Only in the chocolate version"


def test_a_condition_frames_what_depends_on_it():
    sentence = "If the buyer defaults, the seller may terminate."
    assert frames(sentence) == (
        Frame("conditional", 3, 21, (0, 2)),
        Frame("conditional", 23, 47, (0, 2)),
    )


def test_frames_of_nested_clauses_lie_within_each_other():
    sentence = "The report claims that the firm denied that the drug is safe."
    outer, inner = frames(sentence)
    assert (outer.kind, inner.kind) == ("alleged", "denied")
    assert outer.start <= inner.start
    assert inner.end <= outer.end


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Common myths", "denied"),
        ("## Popular misconceptions about tea", "denied"),
        ("SUPERSEDED DRAFT, DO NOT USE", "superseded"),
        ("Previous version (until May)", "superseded"),
        ("A hypothetical case", "hypothetical"),
        ("Rumours", "alleged"),
        ("Myths and facts", None),
        ("Fees", None),
        ("Version history", None),
        ("Draft a letter", None),
        ("The shop in the old town", None),
        ("The draft was superseded by the agreement of May.", None),
    ],
)
def test_a_heading_frames_its_section(heading, kind):
    assert heading_frame(heading) == kind


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("This is not true.", "denied"),
        ("That clause has been repealed.", "superseded"),
        ("Nothing of the sort ever happened.", "denied"),
        ("This is well known.", None),
        ("That was all.", None),
        ("This rule applies to everyone.", None),
        ("The weather was mild.", None),
    ],
)
def test_a_comment_frames_the_sentence_before_it(sentence, kind):
    assert comment_frame(sentence) == kind


@every(
    "text",
    [
        "",
        " ",
        "?",
        "???",
        "if",
        "that",
        ")",
        "((((",
        "if,",
        "Myth:",
        ":",
        "not that",
        '"',
        "\u2014",
        "unless (",
        "whether or not",
    ],
)
def test_fragments_are_read(text):
    assert all(0 <= frame.start <= frame.end <= len(text) for frame in frames(text))


@every(
    "unit",
    [
        "if ",
        "not ",
        "that ",
        "claim that ",
        "no ",
        "(",
        ", ",
        "? ",
        "only in ",
        "not that claims if ",
        "is false, ",
        "a myth, ",
        "say : ",
        "-- ",
    ],
)
def test_long_sentences_take_little_time(unit):
    text = (unit * LONGEST)[: 2 * LONGEST]
    began = time.process_time()
    found = frames(text)
    assert time.process_time() - began < 5  # a runaway takes minutes
    assert all(frame.end <= LONGEST for frame in found)
