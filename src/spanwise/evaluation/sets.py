"""The question sets by name."""

from __future__ import annotations

from spanwise.errors import InputError
from spanwise.evaluation import cuad, docqa, everyday, financebench, nist, squad2, tatqa
from spanwise.evaluation.cases import DataSet

SETS: dict[str, DataSet] = {
    data_set.name: data_set
    for data_set in (nist.SET, financebench.SET, cuad.SET, squad2.SET, tatqa.SET, everyday.SET, *docqa.SETS)
}


def chosen_sets(name: str) -> list[DataSet]:
    """The set of that name, those of documents of many kinds for `docqa`, or every set for `all`.

    Raises:
        InputError: There is no such set.
    """
    if name == "all":
        return list(SETS.values())
    if name == docqa.DOCQA:
        return list(docqa.SETS)
    if name not in SETS:
        raise InputError(f"there is no evaluation set {name!r}: choose {', '.join(SETS)}, {docqa.DOCQA} or all")
    return [SETS[name]]
