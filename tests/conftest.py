from pathlib import Path

import pytest

DOCUMENTS = Path(__file__).parent.parent / "examples" / "documents"


@pytest.fixture(scope="session")
def nist() -> Path:
    """NIST SP 800-145: seven pages, printed numbers that differ from positions, lists, footnotes."""
    return DOCUMENTS / "nist-sp-800-145.pdf"


@pytest.fixture(scope="session")
def agreement() -> Path:
    """A real maintenance agreement of nine pages."""
    return DOCUMENTS / "maintenance-agreement.pdf"
