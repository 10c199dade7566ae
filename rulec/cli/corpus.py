"""The command that mines the transcripts of many repositories: mine-corpus."""

import os
from pathlib import Path
from typing import Literal

import click

from rulec.cli.group import FORMAT, finish, number_option, verb
from rulec.errors import RulecError


def _named_folder(_: click.Context, __: click.Parameter, name: str) -> Path:
    if not name:  # an unset variable in a script must not mean the current folder
        raise RulecError("is empty", where="--out", hint="name a folder")
    return Path(name)


@verb(
    "rulec mine-corpus transcripts",
    "rulec mine-corpus transcripts --engine dask --workers 8",
    "rulec mine-corpus s3://bucket/transcripts --engine dask --cluster tcp://10.0.0.5:8786 --out /shared/mined",
    name="mine-corpus",
    interrupted="run it again to go on",
)
@click.argument("place", metavar="PATH|s3://BUCKET/FOLDER")
@click.option(
    "--engine",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="What runs the workers: processes of this machine, or Dask.",
)
@number_option("--workers", least=1, most=1000, help="Start so many workers here (default: one for each processor).")
@click.option("--cluster", default="", metavar="ADDRESS", help="Use the workers of this Dask cluster instead.")
@click.option(
    "--out",
    callback=_named_folder,
    default="mined",
    show_default=True,
    metavar="FOLDER",
    help="The folder of the results; a second run goes on from what is there.",
)
@click.option("--reader", default="", metavar="FORMAT", help="Read all transcripts in this format.")
@FORMAT
def mine_corpus(
    *,
    place: str,
    engine: Literal["local", "dask"],
    workers: int | None,
    cluster: str,
    out: Path,
    reader: str,
    form: str,
) -> None:
    """Mine the transcripts of many repositories.

    It needs none of the repositories. It writes one queue for each of them, which `rulec ingest --queue` takes, and a
    report of the wishes that several of them share. Transcripts that did not change since the last run are not read.
    """
    from rulec.infra.engines.pieces import WorkerSettings
    from rulec.services.corpus.mine_corpus import CorpusOptions, mine_corpus
    from rulec.terminal import progress_bar

    how = WorkerSettings(engine=engine, workers=workers or os.cpu_count() or 1, cluster=cluster)
    options = CorpusOptions(out=out, how=how, reader=reader, progress=progress_bar)
    finish(mine_corpus(place, options), form)
