import json
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import resources

import pytest
import snowballstemmer

from spanwise.text import terms
from spanwise.text.languages.data import languages

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


def test_the_stemmer_of_the_index_stems_as_snowball_s_own_does():
    rarities = json.loads(resources.files("spanwise.text").joinpath("rarity.json").read_text(encoding="utf-8"))
    known = " ".join(rarities.values()).split()
    for language in languages().values():
        if language.stemmer:
            own = snowballstemmer.stemmer(language.stemmer)
            words = [*language.function_words, *language.months, *(known if language.code == "en" else ())]
            assert [terms._stemmer(language.stemmer)(word) for word in words] == own.stemWords(words), language.code
