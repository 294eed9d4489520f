"""Lets the scripts beside it import `sets`, the public sets of the benchmarks; to import this is enough."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))
