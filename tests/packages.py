"""Builds wheel and sdist and tries them: the sdist builds the same wheel, and the wheel answers where nothing else is.

`make package` writes both to a folder. The empty environment borrows the libraries of this one instead of downloading
them; of Spanwise it has the wheel alone.
"""

import os
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
QUESTION = "Is a notice by email valid?"
ANSWER = "No. A notice by email is not valid."
NEVER = ("__pycache__", ".pyc", ".cache/", "demo-output", ".jsonl.gz", "node_modules", ".venv")


def build(root: Path, target: Path, kind: str) -> Path:
    """The wheel or the sdist of a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(target)]
    # A fixed time: the same source gives the same bytes.
    environment = os.environ | {"SOURCE_DATE_EPOCH": "1704067200"}
    subprocess.run(command, cwd=root, check=True, capture_output=True, env=environment)
    [made] = target.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return made


def contents(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel by name."""
    with zipfile.ZipFile(wheel) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def unpacked(sdist: Path, folder: Path) -> Path:
    """The folder that an sdist unpacks to."""
    with tarfile.open(sdist) as packed:
        packed.extractall(folder, filter="data")
    [root] = folder.iterdir()
    return root


def installed(wheel: Path, folder: Path) -> Path:
    """The interpreter of a new environment that has the wheel, and the libraries of this one."""
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
    asked = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = Path(subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip())
    borrowed = [path for path in sys.path if path.endswith("site-packages")]
    (site / "borrowed.pth").write_text("\n".join(borrowed) + "\n")
    return python


def answered(python: Path, folder: Path) -> tuple[str, str]:
    """Where the package is taken from, and what it answers, in an empty folder."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    program = f"import spanwise; print(spanwise.__file__); print(spanwise.ask({QUESTION!r}, 'lease.pdf').text)"
    (folder / "lease.pdf").write_bytes((ROOT / "examples/documents/lease.pdf").read_bytes())
    done = subprocess.run(
        [str(python), "-c", program], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    source, _, answer = done.stdout.strip().partition("\n")
    return source, answer


def tried(target: Path, work: Path) -> list[Path]:
    """Build both into a folder and try them.

    Raises:
        AssertionError: One of them is not what it should be.
    """
    sdist, wheel = build(ROOT, target, "sdist"), build(ROOT, target, "wheel")
    (work / "unpacked").mkdir()
    root = unpacked(sdist, work / "unpacked")
    files = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
    assert not [one for one in files if any(part in one for part in NEVER)]
    assert contents(build(root, work / "again", "wheel")) == contents(wheel)
    names = {name for name in contents(wheel) if name.startswith("spanwise/")}
    assert names == {
        str(path.relative_to(ROOT / "src"))
        for path in (ROOT / "src").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    }
    (work / "empty").mkdir()
    source, answer = answered(installed(wheel, work / "venv"), work / "empty")
    assert Path(source).is_relative_to(work / "venv"), source
    assert answer == ANSWER
    return [sdist, wheel]


if __name__ == "__main__":
    out = Path(sys.argv[1]).resolve()
    out.mkdir(exist_ok=True)
    for old in (*out.glob("spanwise-*.whl"), *out.glob("spanwise-*.tar.gz")):
        old.unlink()
    with tempfile.TemporaryDirectory() as scratch:
        for made in tried(out, Path(scratch).resolve()):
            print(f"{made.relative_to(out.parent)}: {made.stat().st_size:,} bytes, it answers")
