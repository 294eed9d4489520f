"""For tests of programs that use Spanwise: a provider that fails on demand, and what models, readers and stores do."""

from spanwise.testing.conformance import ModelConformance
from spanwise.testing.provider import FakeProvider, Fault, Request
from spanwise.testing.readers import ReaderConformance
from spanwise.testing.truth import LockConformance, TruthConformance

__all__ = [
    "FakeProvider",
    "Fault",
    "LockConformance",
    "ModelConformance",
    "ReaderConformance",
    "Request",
    "TruthConformance",
]
