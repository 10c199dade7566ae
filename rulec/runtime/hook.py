"""The hook's entry: ``python3 -I -S .rules/compiled/runtime/hook.py AGENT`` with the agent's JSON on standard input."""

import json
import os
import re  # noqa: F401 (what is imported before pycache_prefix is set keeps its own compiled files)
import sys
import time  # noqa: F401 (as above)

HOME = ".rules/compiled/runtime"
NAME = "rulec_runtime"  # the package under which this folder's modules know each other
SAYS = {"cursor": "", "copilot": "", "opencode": "say"}  # where a person sees our JSON, if not in systemMessage
NO_GATES = ("UserPromptSubmit", "SessionStart", "BeforeAgent", "beforeSubmitPrompt", "sessionStart")


def start() -> int:
    """Load the runtime from this file's own folder, whatever the search path says, and answer."""
    here = __file__.replace("\\", "/").rpartition("/")[0] or "."
    sys.pycache_prefix = kept(here)
    sys.dont_write_bytecode = sys.pycache_prefix == os.devnull
    package = type(sys)(NAME)
    package.__path__ = [here]
    sys.modules[NAME] = package
    try:
        main = __import__(NAME + ".main", fromlist=["main"])
        code: int = main.run(sys.argv[1:], here)
    except Exception as broken:  # noqa: BLE001 - a gate that breaks says so in a line, never with a traceback
        return apologise(here, f"rulec: the hook is broken ({type(broken).__name__}: {broken}); run `rulec compile`")
    return code


def kept(here: str) -> str:
    """Where compiled files lie: in the git folder, since no commit brings a file there; nowhere without one."""
    root = here[: -len(HOME)]
    folder = root + ".git" if here == root + HOME else os.devnull
    try:
        if not os.path.isdir(folder):
            with open(folder, encoding="utf-8") as file:  # a linked work tree's says where it is
                line = file.read(4096)
            folder = os.path.join(root, line[len("gitdir:") :].strip()) if line.startswith("gitdir:") else os.devnull
        os.mkdir(folder + "/rulec", 0o700)
    except FileExistsError:
        pass
    except (OSError, ValueError):
        return os.devnull
    return folder + "/rulec/pyc"


def apologise(here: str, what: str) -> int:
    """Tell the person that nothing was checked; stop the agent where some rule wants that of a broken check."""
    agent = "".join(sys.argv[1:2])
    if strict(here) and not listens():
        sys.stderr.write(what + "\n")
        if agent != "copilot":
            return 2
        sys.stdout.write(json.dumps({"permissionDecision": "deny", "permissionDecisionReason": what}) + "\n")
        return 0
    key = SAYS.get(agent, "systemMessage")
    (sys.stdout if key else sys.stderr).write((json.dumps({key: what}) if key else what) + "\n")
    return 0


def strict(here: str) -> bool:
    """Whether some rule wants the agent to be stopped where its check breaks."""
    folder = here + "/../guard"
    try:
        for name in os.listdir(folder):
            with open(folder + "/" + name, "rb") as file:
                if b'"on_error": "block"' in file.read():
                    return True
    except OSError:
        return False
    return False


def listens() -> bool:
    """Whether what is asked, if it is still unread, is no gate: a person's own message must get through."""
    try:
        asked = json.loads(sys.stdin.buffer.read())
        name = asked.get("hook_event_name") or asked.get("event")
    except (OSError, ValueError, AttributeError, RecursionError):
        return False
    return name in (*NO_GATES, "prompt", "start")


if __name__ == "__main__":
    status = start()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        status = status or 1  # nobody listens any more
    os._exit(status)  # there is nothing to tidy up, and tidying costs a millisecond
