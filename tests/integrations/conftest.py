"""What is here runs with `make frameworks`, in the environments of environments.toml: no other has the frameworks."""

from environments import HERE, TESTED

collect_ignore_glob = [one.name for one in HERE.glob("test_*.py") if one.stem.removeprefix("test_") not in TESTED]
