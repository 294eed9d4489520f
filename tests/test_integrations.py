"""What the adapters say where their framework is not installed, or is too old; the rest is in tests/integrations."""

import re
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError

import licences
import pytest

from spanwise.errors import MissingExtraError
from spanwise.integrations import answers

ADAPTERS = {"dspy": "dspy", "haystack": "haystack", "langchain": "langchain", "llama_index": "llama-index"}


def missing(package):
    raise PackageNotFoundError(package)


@pytest.mark.parametrize(("module", "extra"), ADAPTERS.items())
@pytest.mark.parametrize(("version", "told"), [(missing, "is not installed"), (lambda _: "0.1.2rc3", "not 0.1.2rc3")])
def test_an_adapter_names_the_extra_that_it_needs(module, extra, version, told, monkeypatch):
    monkeypatch.delitem(sys.modules, f"spanwise.integrations.{module}", raising=False)
    monkeypatch.setattr(answers, "version", version)
    with pytest.raises(ImportError, match=told) as caught:
        import_module(f"spanwise.integrations.{module}")
    assert isinstance(caught.value, MissingExtraError)
    assert f'pip install ".[{extra}]" in the folder of the repository' in str(caught.value)


def test_newer_versions_are_taken(monkeypatch):
    for found in ("1.0", "1.0.3", "2.0rc1", "10"):
        monkeypatch.setattr(answers, "version", lambda _, found=found: found)
        with answers.framework("langchain"):
            pass


def test_a_version_that_has_moved_a_name_is_told_with_what_to_install(monkeypatch):
    monkeypatch.setattr(answers, "version", lambda _: "9.0")
    told = r"langchain-core 9.0 cannot .*'gone'.*or take an older langchain-core"
    with pytest.raises(MissingExtraError, match=told), answers.framework("langchain"):
        from json import gone  # noqa: F401


def test_the_extras_say_the_same_versions():
    extras = licences.PROJECT["project"]["optional-dependencies"]
    for extra, (package, oldest) in answers.OLDEST.items():
        assert f"{package}>={oldest}" in [re.sub(r"\[.*\]", "", one) for one in extras[extra]]
