import subprocess
import sys

import pytest

from spanwise import Call, ModelProfile, Reply, TextAnswer, Usage
from spanwise.errors import ModelError, RateLimitedError


def test_the_hash_is_the_same_in_every_process():
    code = "from spanwise import Call, TextAnswer; print(Call('a', system='b', schema=TextAnswer).hash)"
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert there.stdout.strip() == Call("a", system="b", schema=TextAnswer).hash


def test_the_hash_stays_as_it_is_or_recordings_and_caches_are_lost():
    call = Call("What?", system="Be brief.", schema={"type": "object"}, max_output_tokens=9, temperature=0.0)
    assert call.hash == "c9b64be711cebf6132317a4c5277358eb451f90dc01c0a2ec9a5041e66bc6467"


@pytest.mark.parametrize(
    "other",
    [
        {"prompt": "b"},
        {"system": "s"},
        {"model": "m"},
        {"max_output_tokens": 5},
        {"temperature": 0.0},
        {"schema": TextAnswer},
        {"schema": {"type": "object"}},
    ],
    ids=lambda other: "-".join(f"{key}" for key in other),
)
def test_whatever_the_model_sees_changes_the_hash(other):
    assert Call(**{"prompt": "a"} | other).hash != Call("a").hash


def test_what_the_model_does_not_see_leaves_the_hash_alone():
    assert Call("a", purpose="refine", final=True).hash == Call("a").hash


def test_text_that_is_no_unicode_has_a_hash():
    assert Call("a\ud800").hash != Call("a").hash


def test_calls_can_be_kept_in_a_set_whatever_their_schema():
    assert len({Call("a", schema={"type": "object"}), Call("a", schema={"type": "object"}), Call("a")}) == 2


def test_usage_adds_up():
    total = Usage(1, 2, requests=1, cost_usd=0.5) + Usage(3, 4, estimated=True, requests=2)
    assert total == Usage(4, 6, estimated=True, requests=3, cost_usd=0.5)
    assert (Usage() + Usage()).cost_usd is None


def test_a_failed_reply_raises_when_it_is_checked():
    assert Reply("fine").checked().text == "fine"
    with pytest.raises(RateLimitedError, match="wait") as caught:
        Reply(error=RateLimitedError("wait", retry_after=2.0, status=429)).checked()
    assert caught.value.exit_code == 3
    assert isinstance(caught.value, ModelError)


def test_prices_are_for_a_million_tokens():
    assert ModelProfile("x", input_price=2.0, output_price=10.0).cost_usd(500_000, 100_000) == pytest.approx(2.0)
    assert ModelProfile("x", input_price=2.0).cost_usd(1, 1) is None
