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
        from rulec.errors import remove_damaged_bytecode  # noqa: PLC0415 - wanted here alone

        said = remove_damaged_bytecode(error)
        if not said:
            raise
        sys.stderr.write(f"rulec: {said}\n")
        sys.exit(2)


def _run() -> "NoReturn":
    """An agent's hook needs no command line; a commit that no rule can touch goes the short way."""
    if sys.argv[1:3] == ["hook", "run"]:
        from rulec.hook import start  # noqa: PLC0415 - as little as a hook needs

        start.run(sys.argv[3:])
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
