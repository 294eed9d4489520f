"""Nothing is installed whose licence is not on the list of pyproject.toml, and nothing is locked to one machine."""

import json
import re

import licences
import pytest
import sbom


@pytest.fixture(scope="module")
def shipped():
    return licences.shipped()


@pytest.fixture(scope="module")
def developing():
    return licences.developing()


def test_the_walk_follows_dependencies_of_dependencies(shipped, developing):
    assert {"pydantic", "pydantic-core", "annotated-types", "pikepdf", "tantivy", "mcp", "fastapi"} <= set(shipped)
    assert {"pytest", "pluggy", "reportlab", "openpyxl"} <= set(developing)
    assert not set(shipped) & set(developing)


def test_what_users_install_is_allowed(shipped):
    assert {name: bad for name, found in shipped.items() if (bad := licences.refused(found))} == {}


def test_what_developers_install_is_allowed(developing):
    assert {name: bad for name, found in developing.items() if (bad := licences.refused(found, developer=True))} == {}


@pytest.mark.parametrize(
    ("expression", "bad"),
    [
        ("MIT", []),
        ("MIT License AND Apache Software License", []),
        ("GPL-3.0-only OR MIT", []),
        ("MIT AND GPL-3.0-only", ["GPL-3.0-only"]),
        ("(MIT OR AGPL-3.0) AND LGPL-2.1", ["LGPL-2.1"]),
        ("not stated", ["not stated"]),
        ("CC-BY-NC-4.0", ["CC-BY-NC-4.0"]),
    ],
)
def test_an_expression_is_taken_apart(expression, bad):
    assert [part for part in licences.parts(expression) if part not in licences.RULES["allowed"]] == bad


def test_the_locked_versions_name_no_index_and_no_path():
    lines = (licences.ROOT / "constraints.txt").read_text("utf-8").splitlines()
    told = [line for line in lines if not line.startswith("#")]
    pinned = re.compile(r"[a-z0-9-]+==[\w.+!]+( ; .+)?")
    assert [line for line in told if not pinned.fullmatch(line)] == []
    assert len({line.split("==")[0] for line in told}) > 100
    assert not [line for line in lines if "://" in line or re.search(r"@ |--|\.whl", line)]
    named = {licences.normal(re.split(r"[\[>=; ]", one)[0]) for one in licences.PROJECT["project"]["dependencies"]}
    assert named <= {line.split("==")[0] for line in told}


def test_a_bill_of_materials_is_cleaned_and_held_against_the_environment(shipped, tmp_path, capsys):
    components = [
        {"name": name, "version": found.version, "externalReferences": [{"url": "file:///home/me/x.whl"}]}
        for name, found in shipped.items()
    ]
    path = tmp_path / "bill.json"
    path.write_text(json.dumps({"components": components, "metadata": {}}))
    assert sbom.main(path) == 0
    assert "file:" not in path.read_text()
    licensed = {one["name"]: one["licenses"] for one in json.loads(path.read_text())["components"]}
    assert licensed["pikepdf"] == [{"expression": "MPL-2.0"}]
    path.write_text(json.dumps({"components": [*components[1:], {"name": "odd", "version": "1"}], "metadata": {}}))
    assert sbom.main(path) == 1
    assert f"without version or licence: ['odd']; missing: ['{components[0]['name']}']" in capsys.readouterr().out
