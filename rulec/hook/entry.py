"""The head of ``.rules/compiled/hook.py``: finds rulec's modules in the rest of that file, and answers the agent.

Agents run the head alone, for the file is long. Its sections are compiled once into one file in the git folder. The
line in the agents' settings (integrations.hook_settings) prefers the copy of this file in the git folder, where no
commit brings one; it leaves ``g``, that folder, ``s``, the text that runs, and ``b``, the remote's base's if it asked.
"""

import _imp
import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


DIGEST = ""  # of the sections; filled in when the file is generated
RULES = "/.rules/compiled"
KEY = SUM = 8  # what check sums are made with, and their bytes


class Sections:
    """An importer of the modules that are sections of the hook's file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.codes: "dict[str, Any]" = {}  # or its place in the file; nothing: a package
        try:
            file = self.file = open(f"{state(path)}/hook-{DIGEST}-{sys.hexversion:x}", "rb")  # noqa: SIM115 (stays open)
            size = int(file.read(16))
            self.begin, self.codes = 16 + size, unpacked(file.read(size))
        except (OSError, ValueError):
            self.compile()
        if globals().get("b"):
            setup(path)["keep_hook"](source(path), state(path))

    def compile(self) -> None:
        """Compile all sections anew: there is no copy of them, or a damaged one."""
        self.codes = setup(self.path)["compile_sections"](source(self.path), DIGEST, state(self.path))

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
            try:
                self.file.seek(self.begin + code[0])
                code = unpacked(self.file.read(code[1]))
            except (OSError, ValueError):
                self.compile()
                code = self.codes[module.__name__]
        if code:
            exec(code, module.__dict__)  # noqa: S102 (our own sections)


def unpacked(data: bytes) -> "Any":
    """What is marshalled behind its check sum."""
    if data[:SUM] != _imp.source_hash(KEY, data[SUM:]):
        raise ValueError("damaged")
    return marshal.loads(data[SUM:])  # noqa: S302 (who writes there may run hooks anyway)


def source(path: str, *, checked: bool = True) -> str:
    """The whole file, from wherever it has our sections."""
    import hashlib  # noqa: PLC0415 (only where they are not compiled yet)

    for place in (state(path) + "/hook.py", "", path):
        try:
            data = open(place, "rb").read() if place else globals().get("b") or b""  # noqa: SIM115 (the process ends soon)
        except OSError:
            continue
        text = data[SUM * (place.endswith("/rulec/hook.py")) :].decode("utf-8", "replace").replace("\r\n", "\n")
        found = hashlib.sha256(text[text.find("\n# ==== ") :].encode()).hexdigest()
        if found.startswith(DIGEST) or (place == path and not checked):
            return text
    raise ValueError("its sections are not those that rulec wrote")


def setup(path: str, *, checked: bool = True) -> "dict[str, Any]":
    """The names of the section that compiles the others, and says what is broken."""
    text = source(path, checked=checked).partition("hook_setup ====\n")[2].partition("\n# ====")[0]
    space: "dict[str, Any]" = {"__name__": "hook_setup"}
    exec(text, space)  # noqa: S102 (our own section)
    return space


def state(path: str) -> str:
    """Where copies lie: in the git folder that all work trees share, where no commit brings a file."""
    folder: str = globals().get("g") or path.rpartition(RULES)[0] + "/.git"
    try:
        for name in ("", "/commondir"):  # a linked work tree's file leads to its folder, and that to ours
            if os.path.isfile(folder + name):
                with open(folder + name, encoding="utf-8") as file:
                    line = file.read(4096).strip()
                folder = os.path.join(folder if name else os.path.dirname(folder), line[8 * (not name) :])
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
        sys.meta_path.insert(0, Sections(path))
        from rulec.hook import dispatch  # noqa: PLC0415 (a section of this file)

        code: int = dispatch.run(arguments, here, globals().get("s"))
    except Exception as broken:  # noqa: BLE001 - a gate that breaks says so in a line, never with a traceback
        what = f"rulec: the hook is broken ({type(broken).__name__}: {broken}); run `rulec compile`"
        code = setup(path, checked=False)["report_broken_hook"](here, arguments, what)
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
