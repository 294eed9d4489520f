"""`spanwise token`: make, list and revoke what opens the corpora of a server."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing

import typer

from spanwise.cli.output import printable
from spanwise.cli.serve_plan import Asked, planned, registry_of
from spanwise.errors import InputError
from spanwise.serving.registry import Registry, Token


def run_token(
    action: str,
    name: str,
    opens: Sequence[str],
    operator: bool,
    questions: int | None,
    corpus: str | None,
    config: str | None,
    as_json: bool,
) -> int:
    """Do one thing with the tokens of the server that would be started so, and return the exit code.

    Raises:
        InputError: What was given does not go together.
    """
    # Its tokens are what is looked after here: they are not asked for.
    plan = planned(Asked(corpora=(corpus,) if corpus else (), config=config, host="127.0.0.1"), checked=False)
    fixed = plan.token is not None or any(one.tokens for one in plan.corpora)
    with closing(registry_of(plan)) as registry:
        if action == "list":
            _print_all(registry, as_json)
        elif action == "make":
            if bool(opens) == operator:
                raise InputError("say what it opens: --opens NAME of a corpus, or --operator for everything")
            known = {one.name for one in plan.corpora} | {one.name for one in registry.collections()}
            if unknown := [one for one in opens if one not in known]:
                raise InputError(f"there is no corpus {unknown[0]!r}: there are {', '.join(sorted(known))}")
            made, token = registry.make_token(name, None if operator else opens, questions=questions, closed=fixed)
            typer.echo(json.dumps(_told(made, {}) | {"token": token}) if as_json else token)
            typer.echo("spanwise: keep it now, it is shown only this once", err=True)
        elif action == "revoke":
            registry.revoke(name, closed=fixed)
            typer.echo(f"spanwise: {printable(name)} opens nothing any more", err=True)
        else:
            raise InputError(f"there is no action {printable(action)!r} for tokens: choose make, list or revoke")
    return 0


def _print_all(registry: Registry, as_json: bool) -> None:
    asked = registry.asked_today()
    told = [_told(one, asked) for one in registry.tokens()]
    if as_json:
        typer.echo(json.dumps(told, indent=2))
        return
    if not told:
        typer.echo("spanwise: no token was made yet: spanwise token make NAME --operator makes one", err=True)
    for one in told:
        opens = one["corpora"]
        names = "everything (operator)" if opens is None else ", ".join(map(str, opens)) or "nothing"  # type: ignore[call-overload]
        quota = "" if one["questions"] is None else f", {one['asked_today']} of {one['questions']} questions today"
        typer.echo(printable(f"{one['id']}  {one['label']}: opens {names}{quota}, made {str(one['made'])[:10]}"))


def _told(token: Token, asked: dict[str, int]) -> dict[str, object]:
    return {
        "id": token.id,
        "label": token.label,
        "corpora": None if token.opens is None else sorted(token.opens),
        "questions": token.questions,
        "asked_today": None if token.questions is None else asked.get(token.id, 0),
        "made": token.made,
    }
