"""Builds the environments of environments.toml under .cache/frameworks, and runs the tests of this folder in each.

`environments.py [NAME...]` builds what is missing or changed and runs the tests; `environments.py lock NAME...` writes
the exact versions of an environment anew. An environment sees the packages of the interpreter that runs this script,
behind its own.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
ENVIRONMENTS = tomllib.loads((HERE / "environments.toml").read_text("utf-8"))
NAME = os.environ.get("SPANWISE_FRAMEWORKS")
TESTED = [*ENVIRONMENTS[NAME]["tests"], "pages"] if NAME else []
"""The test modules of the environment that this is, where it is one."""
QUIET = {
    "DO_NOT_TRACK": "1",
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "LANGSMITH_TRACING": "false",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "RAGAS_DO_NOT_TRACK": "true",
}
"""No framework tells anybody that it is being used, and none asks the network for prices."""


def main(names: list[str]) -> int:
    """Build and test, or lock; the exit code."""
    locking = names[:1] == ["lock"]
    chosen = names[locking:] or list(ENVIRONMENTS)
    if locking:
        for name in chosen:
            built(name, anew=True)
        return 0
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:  # installing waits for the network, tests for one core
        return max(pool.map(tested, chosen))


def built(name: str, *, anew: bool = False) -> Path:
    """The folder of an environment, made where there is none or where its versions are others by now."""
    folder, pinned = ROOT / ".cache" / "frameworks" / name, HERE / f"{name}.txt"
    wanted = ENVIRONMENTS[name]["requirements"]
    made_of = [sys.version, sys.prefix, *wanted, "" if anew else pinned.read_text("utf-8")]
    identity, mark = hashlib.sha256("\n".join(made_of).encode()).hexdigest(), folder / "made-of"
    if mark.is_file() and mark.read_text("utf-8") == identity and not anew:
        return folder
    print(f"building {folder}")
    shutil.rmtree(folder, ignore_errors=True)
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    own = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    behind = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})"  # with the .pth files there
    (own / "project.pth").write_text(f"{ROOT / 'src'}\n{behind}\n", "utf-8")
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    install = [*pip, "install", "--quiet", "--quiet", "--no-compile", *wanted]
    if anew:
        run(*install)
        listed = run(*pip, "list", "--path", own, "--format=freeze", output=True)
        pinned.write_text("\n".join(sorted(listed.split(), key=str.lower)) + "\n", "utf-8")
    elif run(*install, "--constraint", pinned, check=False):
        print(f"not all versions of {pinned.name} are to be had: the newest instead")
        run(*install)
    mark.write_text(identity, "utf-8")
    return folder


def tested(name: str) -> int:
    """Build an environment and run its tests, whose output is printed at their end; the exit code of pytest."""
    built(name)
    # What a framework says to itself is its own affair; a warning about how it is called from here is an error.
    warnings = "filterwarnings=default\nerror:::spanwise"
    licences = "tests/test_licences.py::test_what_users_install_is_allowed"
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", warnings, "tests/integrations", licences]
    python = ROOT / ".cache" / "frameworks" / name / "bin" / "python"
    environment = os.environ | QUIET | {"SPANWISE_FRAMEWORKS": name}
    done = subprocess.run([python, *command], cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    print(f"the frameworks of environment {name}\n{done.stdout}{done.stderr}", flush=True)
    return done.returncode


def run(*command: object, check: bool = True, output: bool = False) -> str | int:
    """Run a command; what it prints where that is asked for, else its exit code."""
    done = subprocess.run(
        [str(one) for one in command], check=check, text=True, stdout=subprocess.PIPE if output else None
    )
    return done.stdout if output else done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
