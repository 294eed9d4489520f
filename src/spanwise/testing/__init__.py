"""What tests of programs that use Spanwise need: a provider that fails on demand, and what models and readers do."""

from spanwise.testing.conformance import ModelConformance
from spanwise.testing.provider import FakeProvider, Fault, Request
from spanwise.testing.readers import ReaderConformance

__all__ = ["FakeProvider", "Fault", "ModelConformance", "ReaderConformance", "Request"]
