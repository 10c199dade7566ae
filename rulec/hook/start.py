"""What ``.rules/hook`` starts: the answer to an agent's hook, or one of rulec's verbs for a git hook.

``python -I -S FOLDER/rulec/hook/start.py AGENT [call|start]`` or ``... git ARGUMENTS``: nothing but the standard
library and FOLDER is on the path, so that neither the environment nor a file of the work tree takes part.
"""

import os
import sys


def run(arguments: list[str]) -> None:
    """Answer an agent, or run a verb, and end the process."""
    if arguments[:1] == ["git"]:
        import runpy  # noqa: PLC0415 (an agent's hook needs nothing of it)
        import site  # noqa: PLC0415 (as above)

        site.main()
        sys.argv = ["rulec", *arguments[1:]]
        runpy.run_module("rulec", run_name="__main__")
    from rulec.hook import dispatch  # noqa: PLC0415 (below, the path is complete only now)

    code = dispatch.run(arguments)
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or 1  # nobody listens any more
    os._exit(code)  # there is nothing to tidy up, and tidying costs a millisecond


if __name__ == "__main__":
    sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    try:
        run(sys.argv[1:])
    except Exception as broken:  # noqa: BLE001 - .rules/hook denies where this ends so; a traceback helps no agent
        sys.stderr.write(f"rulec: the hook is broken ({type(broken).__name__}: {broken})\n")
        sys.stderr.flush()
        os._exit(1)
