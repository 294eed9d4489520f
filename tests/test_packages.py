"""Wheel and sdist, and the files that say how they are published."""

import os
import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec

import packages
import pytest
import yaml

import spanwise

ROOT = packages.ROOT
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_wheel_and_sdist_answer_in_an_empty_environment(tmp_path):
    if find_spec("hatchling") is None:
        if os.environ.get("CI"):
            pytest.fail("hatchling is not there: pip install --group dev")
        pytest.skip("hatchling is not installed")
    made = packages.tried(tmp_path / "dist", tmp_path)
    assert [one.name for one in made] == [
        f"spanwise-{spanwise.__version__}.tar.gz",
        f"spanwise-{spanwise.__version__}-py3-none-any.whl",
    ]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_do_no_more_than_it_needs(path):
    """Read-only unless a job says why, no secret beside the token, nothing of a pull request in a shell."""
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in path.read_text()
    assert "secrets." not in path.read_text()
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 90
        for step in job["steps"]:
            assert "github.event" not in step.get("run", "")
            for command in re.findall(r"make ([\w-]+)", step.get("run", "")):
                assert re.search(rf"^{command}:", (ROOT / "Makefile").read_text(), re.MULTILINE), command


def test_the_matrix_is_what_the_package_says_it_runs_on():
    matrix = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text())["jobs"]["tests"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert PROJECT["requires-python"] == f">={matrix['python'][0]}"
    told = {f"Programming Language :: Python :: {version}" for version in matrix["python"]}
    assert told <= set(PROJECT["classifiers"])


@pytest.mark.parametrize(("tag", "told"), [
    (f"v{spanwise.__version__}", "is not in CHANGELOG.md"),
    ("v99.0.0", f"the tag v99.0.0 is not the version {spanwise.__version__}"),
])  # fmt: skip
def test_a_release_needs_its_version_and_its_changes(tag, told):
    done = subprocess.run(
        [sys.executable, ROOT / ".github" / "check_release.py", tag], capture_output=True, text=True, check=False
    )
    if f"## [{spanwise.__version__}]" in (ROOT / "CHANGELOG.md").read_text() and tag != "v99.0.0":
        assert done.returncode == 0
    else:
        assert done.returncode == 1
        assert told in done.stderr


def test_the_image_runs_as_nobody_and_asks_for_a_token():
    image = (ROOT / "Dockerfile").read_text()
    users = re.findall(r"^USER (\S+)", image, re.MULTILINE)
    assert users == ["10001:10001"]
    assert "HEALTHCHECK" in image
    assert "/v1/health" in image
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    assert set(services) == {"spanwise", "database", "scheduler", "worker", "batch"}
    for service in services.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
    # No secret is shipped, and only the server is reached from outside, from this machine.
    assert services["spanwise"]["environment"]["SPANWISE_TOKEN"].startswith("${SPANWISE_TOKEN:?")
    assert services["database"]["environment"]["POSTGRES_PASSWORD"].startswith("${SPANWISE_DATABASE_PASSWORD:?")
    assert {name for name, service in services.items() if "ports" in service} == {"spanwise"}
