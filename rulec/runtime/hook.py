"""The hook's entry: ``python3 -I -S .rules/compiled/runtime/hook.py AGENT`` with the agent's JSON on standard input."""

import json
import os
import re  # noqa: F401 (what is imported before pycache_prefix is set keeps its own compiled files)
import sys
import time  # noqa: F401 (as above)

NAME = "rulec_runtime"  # the package under which this folder's modules know each other


def start() -> int:
    """Load the runtime from this file's own folder, whatever the search path says, and answer."""
    here = __file__.replace("\\", "/").rpartition("/")[0] or "."
    sys.dont_write_bytecode = False
    sys.pycache_prefix = here + "/../../.cache/pyc"
    package = type(sys)(NAME)
    package.__path__ = [here]
    sys.modules[NAME] = package
    try:
        main = __import__(NAME + ".main", fromlist=["main"])
        code: int = main.run(sys.argv[1:], here)
    except Exception as broken:  # noqa: BLE001 - a gate that breaks says so in a line, never with a traceback
        return apologise(here, f"rulec: the hook is broken ({type(broken).__name__}: {broken}); run `rulec compile`")
    return code


def apologise(here: str, what: str) -> int:
    """Tell the person that nothing was checked; stop the agent where some rule wants that of a broken check."""
    try:
        folder = here + "/../guard"
        for name in os.listdir(folder):
            with open(folder + "/" + name, "rb") as file:
                if b'"on_error": "block"' in file.read():
                    sys.stderr.write(what + "\n")
                    return 2
    except OSError:
        what += "; its artifacts cannot be read"
    sys.stdout.write(json.dumps({"systemMessage": what}) + "\n")
    return 0


if __name__ == "__main__":
    status = start()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        status = status or 1  # nobody listens any more
    os._exit(status)  # there is nothing to tidy up, and tidying costs a millisecond
