import sys
import warnings
from pathlib import Path

import pytest

WRITING = Path(__file__).parents[2] / "examples" / "writing"


@pytest.fixture(scope="session")
def made() -> dict[str, bytes]:
    """The documents of examples/documents, written again."""
    sys.path.insert(0, str(WRITING))
    try:
        import make

        with warnings.catch_warnings():  # of the writers, which call what newer Pythons will drop
            warnings.simplefilter("ignore")
            return make.made()
    finally:
        sys.path.remove(str(WRITING))
