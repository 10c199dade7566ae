"""``python -m rulec``."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run one command, and end in a line where somebody interrupts it before it has even begun."""
    try:
        if sys.argv[1:4] == ["hook", "run", "git"]:  # so says the launcher to the rulec on the path
            del sys.argv[1:4]
        elif sys.argv[1:3] == ["hook", "run"]:
            from rulec.hook import start  # noqa: PLC0415 - an agent's hook needs no command line

            start.run(sys.argv[3:])
        from rulec.cli.main import begin  # noqa: PLC0415 - Ctrl-C may be pressed while it is loaded

        begin()
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


if __name__ == "__main__":
    main()
