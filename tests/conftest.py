import os
from pathlib import Path

import pytest
from hypothesis import settings

# In CI the examples are the same each time, so that a change is judged and not luck; elsewhere they are new each time.
settings.register_profile("ci", derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

DOCUMENTS = Path(__file__).parent.parent / "examples" / "documents"


@pytest.fixture(scope="session")
def nist() -> Path:
    """NIST SP 800-145: seven pages, printed numbers that differ from positions, lists, footnotes."""
    return DOCUMENTS / "nist-sp-800-145.pdf"


@pytest.fixture(scope="session")
def agreement() -> Path:
    """A real maintenance agreement of nine pages."""
    return DOCUMENTS / "maintenance-agreement.pdf"
