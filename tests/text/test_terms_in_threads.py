import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from spanwise.text import terms

WORDS = ["characteristically", "obligations", "maintenance", "terminated", "be", "generalizations", "sky", "penalties"]


@pytest.fixture
def hasty():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty")
def test_threads_get_the_stems_that_one_thread_gets():
    stem = terms.stem.__wrapped__  # without its cache
    expected = {word: stem(word) for word in WORDS}
    chosen = random.Random(1).choices(WORDS, k=4_000)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(stem, chosen)) == [expected[word] for word in chosen]
