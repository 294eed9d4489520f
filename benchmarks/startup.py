"""How long `import spanwise` and `spanwise --help` take, against an interpreter that does nothing.

Usage: python benchmarks/startup.py [RUNS]
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import spanwise": [sys.executable, "-c", "import spanwise"],
    "spanwise --help": [str(Path(sys.executable).with_name("spanwise")), "--help"],
}


def seconds(command: list[str]) -> float:
    """Wall-clock time of one fresh process."""
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def main() -> None:
    """Measure the commands in turn and print the medians."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs):
        for name, command in COMMANDS.items():
            taken[name].append(seconds(command))
    bare = statistics.median(taken["python -c pass"])
    print(f"{'command':<18}{'median s':>10}{'over bare python':>18}   ({runs} runs each, interleaved)")
    for name, times in taken.items():
        median = statistics.median(times)
        print(f"{name:<18}{median:>10.3f}{median - bare:>18.3f}")


if __name__ == "__main__":
    main()
