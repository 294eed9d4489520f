import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise import AmountAnswer, Call, Reply, TextAnswer, parse_structured
from spanwise.errors import StructuredOutputError
from spanwise.llm.structured import parse_mapping, parse_reply


@pytest.fixture
def answer(nothing_found):
    return TextAnswer.model_validate_json(nothing_found)


@pytest.mark.parametrize(
    "dirty",
    [
        "```json\n{}\n```",
        "```\n{}```",
        "Sure! Here is the answer you asked for:\n{}\nLet me know if you need more.",
        '<think>The user wants {{curly}} things, maybe {{"items": []}}.</think>\n{}',
        "thoughts without a beginning {{ }}</think>{}",
        'First try: {{"items": 3}}. Better: {}',
        "\ufeff{}",
        "{{not json}} {}",
        'A "quoted word and then {}',
    ],
    ids=["fence", "bare-fence", "prose", "thoughts", "end-of-thoughts", "second-try", "bom", "braces", "odd-quote"],
)
def test_dirt_around_the_object_does_not_matter(dirty, nothing_found, answer):
    assert parse_structured(dirty.format(nothing_found), TextAnswer) == answer


def test_trailing_commas_do_not_matter_and_those_in_strings_stay(nothing_found):
    said = nothing_found.replace('"caveats": []', '"caveats": ["one,]", "two,}", ]')[:-1] + " , }"
    assert parse_structured(said, TextAnswer).caveats == ["one,]", "two,}"]


def test_a_line_break_inside_a_string_is_kept(nothing_found):
    said = nothing_found.replace('"caveats": []', '"caveats": ["two\nlines"]')
    assert parse_structured(said, TextAnswer).caveats == ["two\nlines"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no JSON object was found"),
        ("I do not know.", "no JSON object was found"),
        ('{"items": []}', "extraction_method: Field required"),
        ("{" * 5000, "no JSON object was found"),
        ("[" * 100_000, "no JSON object was found"),
        ('{"a":' * 5000, "no JSON object was found"),
        ('{"confidence": NaN}', "no JSON object was found"),
        ('{"confidence": 1e999}', "no JSON object was found"),
    ],
    ids=["empty", "prose", "incomplete", "braces", "brackets", "deep", "nan", "infinite"],
)
def test_what_is_no_answer_is_a_typed_error_that_names_the_problem(text, problem):
    with pytest.raises(StructuredOutputError) as caught:
        parse_structured(text, AmountAnswer)
    assert problem in caught.value.problems
    assert caught.value.text == text


def test_a_reply_of_many_pages_is_refused_at_once():
    with pytest.raises(StructuredOutputError, match="max_output_tokens"):
        parse_structured("{" * 200_001, TextAnswer)


@pytest.mark.parametrize("hostile", ['{"', "{,", '{"a":1,', '"{', "</think>{", "<think>", '{"\\'])
def test_hostile_replies_take_no_time(hostile):
    begun = time.process_time()
    with pytest.raises(StructuredOutputError):
        parse_structured(hostile * (199_999 // len(hostile)), TextAnswer)
    assert time.process_time() - begun < 30


@given(st.text(alphabet='{}[]",:\\ a1<think>/`\n', max_size=200))
def test_any_text_gives_an_answer_or_a_typed_error(text):
    reply = parse_reply(Call("?", schema={"type": "object", "required": ["a"]}), Reply(text))
    assert (reply.error is None) == (reply.parsed is not None and "a" in reply.parsed)


def test_a_mapping_needs_the_required_keys(capital):
    assert parse_mapping('{"name": "Paris"}', capital) == {"name": "Paris"}
    with pytest.raises(StructuredOutputError, match="name: missing"):
        parse_mapping('{"town": "Paris"}', capital)


def test_a_reply_is_parsed_where_its_call_has_a_schema(capital, nothing_found, answer):
    assert parse_reply(Call("?"), Reply("{}")).parsed is None
    assert parse_reply(Call("?", schema=capital), Reply('{"name": "Paris"}')).parsed == {"name": "Paris"}
    assert parse_reply(Call("?", schema=TextAnswer), Reply(nothing_found)).parsed == answer
    assert isinstance(parse_reply(Call("?", schema=capital), Reply("no")).error, StructuredOutputError)
