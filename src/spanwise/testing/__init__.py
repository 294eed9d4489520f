"""What tests of programs that use Spanwise need: a provider that fails on demand, and what ports demand of others."""

from spanwise.testing.conformance import ModelConformance
from spanwise.testing.provider import FakeProvider, Fault, Request
from spanwise.testing.truth import LockConformance, TruthConformance

__all__ = ["FakeProvider", "Fault", "LockConformance", "ModelConformance", "Request", "TruthConformance"]
