"""The command line: `spanwise ask`, `index`, `eval`, `doctor`, `schema`."""


def main() -> None:
    """Run the command line and leave the process with its exit code."""
    from spanwise.cli.app import app

    app()
