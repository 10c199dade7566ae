"""The head of ``.rules/compiled/hook.py``: finds rulec's modules in the rest of that file, and answers the agent.

Agents run the head alone: parsing all of the file at each call would cost ten times as much. Its sections are compiled
once into one file in the git folder, from which each is loaded when it is imported.
"""

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


DIGEST = ""  # of the sections; filled in when the file is generated
RULES = "/.rules/compiled"


class Sections:
    """An importer of the modules that are sections of the hook's file."""

    def __init__(self, path: str) -> None:
        self.codes: "dict[str, Any]" = {}  # each module's code, or where it is in the file; nothing for a package
        try:
            file = self.file = open(f"{cache(path)}/hook-{DIGEST}-{sys.hexversion:x}", "rb")  # noqa: SIM115 (stays open)
            self.begin = 16 + int(file.read(16))
            self.codes = marshal.loads(file.read(self.begin - 16))  # noqa: S302 (who writes there may run hooks anyway)
        except (OSError, ValueError, EOFError, TypeError):
            self.codes = setup(path)["compile_sections"](path, DIGEST, cache(path))

    def find_spec(self, name: str, *_: object) -> "Any":
        """The spec of a module in this file; None for any other."""
        if name not in self.codes:
            return None
        from _frozen_importlib import ModuleSpec  # noqa: PLC0415 (frozen; a checker of types knows no such module)

        loader: "Any" = self
        return ModuleSpec(name, loader, is_package=not self.codes[name])

    def create_module(self, _: object) -> None:
        """Leave it to the import system."""

    def exec_module(self, module: "Any") -> None:
        """Run the section in its module."""
        code = self.codes[module.__name__]
        if isinstance(code, tuple) and code:
            self.file.seek(self.begin + code[0])
            code = marshal.loads(self.file.read(code[1]))  # noqa: S302 (as above)
        if code:
            exec(code, module.__dict__)  # noqa: S102 (our own sections)


def setup(path: str) -> "dict[str, Any]":
    """The names of the one section that is read from the source: it compiles the others, and says what is broken."""
    with open(path, encoding="utf-8") as file:
        source = file.read().partition("hook_setup ====\n")[2].partition("\n# ====")[0]
    space: "dict[str, Any]" = {"__name__": "hook_setup"}
    exec(source, space)  # noqa: S102 (our own section)
    return space


def cache(path: str) -> str:
    """Where compiled sections lie: in the git folder, since no commit brings a file there; nowhere without one."""
    root = path.rpartition(RULES)[0]
    folder = root + "/.git"
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
    return folder + "/rulec"


def start(path: str, arguments: "list[str]") -> int:
    """Answer, whatever the search path says; the exit code is for the agent."""
    here = path.rpartition("/")[0]
    try:
        finder: "Any" = Sections(path)
        sys.meta_path.insert(0, finder)
        from rulec.hook import dispatch  # noqa: PLC0415 (a section of this file)

        code: int = dispatch.run(arguments, here)
    except Exception as broken:  # noqa: BLE001 - a gate that breaks says so in a line, never with a traceback
        what = f"rulec: the hook is broken ({type(broken).__name__}: {broken}); run `rulec compile`"
        code = setup(path)["report_broken_hook"](here, arguments, what)
    return code


if __name__ == "__main__":
    given = sys.argv[sys.argv[0] == "-c" :]
    status = start(os.path.abspath(given[0]).replace("\\", "/"), given[1:])
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        status = status or 1  # nobody listens any more
    os._exit(status)  # there is nothing to tidy up, and tidying costs a millisecond
