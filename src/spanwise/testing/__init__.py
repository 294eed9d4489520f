"""What tests of programs that use Spanwise need: a provider that fails on demand, and what every model has to do."""

from spanwise.testing.conformance import ModelConformance
from spanwise.testing.provider import FakeProvider, Fault, Request

__all__ = ["FakeProvider", "Fault", "ModelConformance", "Request"]
