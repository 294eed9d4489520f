"""Support for tests of programs that use Spanwise: a fake provider, and tests for models, readers and stores."""

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
