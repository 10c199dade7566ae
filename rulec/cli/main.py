"""Runs one command: argv in, exit code out; a bug of rulec ends in one line instead of a traceback."""

import errno
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

# Importing them fills the group.
from rulec.cli import every_day, evolving, for_agents, gates, plans, rules, setup  # noqa: F401
from rulec.cli.group import rulec
from rulec.errors import RulecError, remove_damaged_bytecode
from rulec.infra import processes
from rulec.terminal import complain

_OF_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)  # wherever they strike, it is no bug of rulec


def begin() -> NoReturn:
    """Run one command; SIGTERM ends it and the processes it started."""
    processes.exit_on_sigterm()
    main()


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run one command: exit 0 clean, 1 findings, 2 refused, 3 a bug of rulec."""
    try:
        rulec.main(args=list(argv) if argv is not None else None, prog_name="rulec", standalone_mode=False)
    except RulecError as error:
        complain(str(error))
        sys.exit(2)
    except click.exceptions.Abort as error:  # click's word for an EOFError, too
        if error.__cause__ and (said := remove_damaged_bytecode(error.__cause__)):
            complain(said)
            sys.exit(2)
        complain(f"interrupted; {error.args[0] if error.args else 'what was decided is written'}")
        sys.exit(130)
    except click.ClickException as error:
        verb = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "rulec"
        said = " ".join(error.format_message().split())  # click lists choices below each other
        complain(f"{said.rstrip('.?')}; see {verb} --help")
        sys.exit(2)
    except BrokenPipeError:  # somebody's `| head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:  # the last line of defence: a bug is told, with exit 3, not dumped
        if isinstance(error, OSError) and error.errno in _OF_DISK:
            where = f"{error.filename}: " if error.filename else ""
            complain(f"{where}cannot be written: {error.strerror}; see the disk, then run the command again")
            sys.exit(2)
        if said := remove_damaged_bytecode(error):
            complain(said)
            sys.exit(2)
        if os.environ.get("RULEC_DEBUG"):
            raise
        complain(f"a bug of rulec, please report it: {type(error).__name__}: {error} (RULEC_DEBUG=1 shows where)")
        sys.exit(3)
    sys.exit(0)
