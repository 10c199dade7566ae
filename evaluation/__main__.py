"""``python -m evaluation``: the experiment (``eval``) and the benchmarks (``bench NAME``)."""

import runpy
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

from evaluation.experiment.command import evaluate
from rulec.errors import RulecError
from rulec.infra import processes
from rulec.terminal import complain

_BENCHES = Path(__file__).parent / "bench"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def evaluation() -> None:
    """Measure rulec: whether corrected mistakes stay away, and what it costs."""


@evaluation.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("name", default="")
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def bench(name: str, words: tuple[str, ...]) -> None:
    """Run one benchmark with its own WORDS; without a NAME, list them.

    The first lines of evaluation/bench/NAME.py say what it takes and what it prints.
    """
    known = sorted(path.stem for path in _BENCHES.glob("[a-z]*.py"))
    if not name:
        click.echo("\n".join(known))
        return
    if name not in known:
        raise RulecError(f"no benchmark {name!r}", hint=f"known are {', '.join(known)}")
    sys.argv = [name, *words]
    runpy.run_module(f"evaluation.bench.{name}", run_name="__main__", alter_sys=True)


evaluation.add_command(evaluate)


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run one command: exit 0 done, 2 refused with one line."""
    processes.exit_on_sigterm()
    try:
        evaluation.main(args=list(argv) if argv is not None else None, prog_name="evaluation", standalone_mode=False)
    except RulecError as error:
        complain(str(error))
        sys.exit(2)
    except click.ClickException as error:
        complain(f"{error.format_message().rstrip('.?')}; see python -m evaluation --help")
        sys.exit(2)
    except (KeyboardInterrupt, click.exceptions.Abort):
        complain("interrupted; nothing was measured")
        sys.exit(130)
    sys.exit(0)


if __name__ == "__main__":
    main()
