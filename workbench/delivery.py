"""Verbs that carry a result to others. Part of the command line (:mod:`workbench.cli`), in a file of their own."""

from __future__ import annotations

from pathlib import Path

import click

from workbench import options
from workbench.printing import console, print_json


@click.command()
@click.argument("out", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--bundle", type=click.Path(exists=True, path_type=Path), metavar="BUNDLE", help="Also what this needs.")
@click.option("--only-bundle", is_flag=True, help="Leave the workbench itself out.")
@click.option("--extra", "extras", multiple=True, metavar="NAME", help="Of the workbench, like samples or iomp.")
@options.as_json
def wheelhouse(out: Path, bundle: Path | None, only_bundle: bool, extras: tuple[str, ...], as_json: bool) -> int:
    """Collect everything a machine without network needs to install this, into the folder (or .zip) DIR.

    For this Python and platform. There: python install.py VENV
    """
    from workbench.export.wheelhouse import collect
    from workbench.progress import shown_progress
    from workbench.tables import wheelhouse as shown

    with shown_progress() as listener:
        found = collect(
            out,
            bundle=bundle,
            only_bundle=only_bundle,
            extras=extras,
            progress=lambda line: listener.progress(line[:100], 0, 0),
        )
    if as_json:
        print_json(found)
    else:
        console().print(shown.show(found))
    return 0
