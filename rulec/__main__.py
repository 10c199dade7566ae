"""``python -m rulec``."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> "NoReturn":
    """Run one command, and end in a line where somebody interrupts it before it has even begun."""
    try:
        _run()
    except KeyboardInterrupt:
        sys.stderr.write("rulec: interrupted\n")
        sys.exit(130)
    except Exception as error:
        said = remove_damaged_bytecode(error)
        if not said:
            raise
        sys.stderr.write(f"rulec: {said}\n")
        sys.exit(2)


def remove_damaged_bytecode(error: BaseException) -> str:
    """What to say of an error that comes from a damaged .pyc file, which is removed; "" for any other error.

    Python takes a file with a sound head for sound, and would fail with it for ever.
    """
    from pathlib import Path  # noqa: PLC0415 - heavy, and wanted here alone

    frames = []
    trace = error.__traceback__
    while trace:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    if len(frames) < 2 or frames[-1].f_code.co_name != "_compile_bytecode":
        return ""
    path = frames[-2].f_locals.get("bytecode_path", "")
    try:
        Path(path).unlink()
    except OSError as failure:
        return f"{path} is damaged and cannot be removed ({failure.strerror}): remove it, then run the command again"
    return f"{path} was damaged and is removed: run the command again"


def _run() -> "NoReturn":
    """A commit that no rule can touch goes the short way; all else loads what it takes to judge."""
    from rulec.gates import fast_path  # noqa: PLC0415 - before the libraries that most verbs need

    said = fast_path.output_if_untouched(sys.argv[1:])
    if not said:
        from rulec.cli.main import begin  # noqa: PLC0415 - as above

        begin()
    if not fast_path.is_told_elsewhere(message="--message" in sys.argv):
        sys.stdout.write(f"{said}\n")
    sys.stdout.flush()
    os._exit(0)  # there is nothing to tidy up, and tidying costs a millisecond


if __name__ == "__main__":
    main()
