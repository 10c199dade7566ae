"""Notes which lines of a few files a Python program executes. Tests' interpreters run it, as their sitecustomize.

It needs nothing installed: sys.monitoring where Python has it, a trace function elsewhere.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any


class LineTracer:
    """Writes each line of the wanted files once, when it is first executed."""

    def __init__(self, wanted: "list[str]", place: str) -> None:
        import os  # noqa: PLC0415 (this file is the first that the interpreter runs)
        import sys  # noqa: PLC0415 (as above)

        self.os, self.sys = os, sys
        self.wanted = {os.path.realpath(path) for path in wanted}
        self.names: dict[str, str] = {}  # file of a code object -> its real path where it is wanted, else ""
        self.seen: set[tuple[str, int]] = set()
        self.handle = os.open(place, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self.write("start", 0)

    def write(self, name: str, line: int) -> None:
        """Add one line to the report at once: a process may be ended at any time."""
        self.os.write(self.handle, f"{line}\t{name}\n".encode("utf-8", "surrogateescape"))

    def wanted_name(self, file: str) -> str:
        """The real path of a wanted file, "" for all others."""
        if file not in self.names:
            real = self.os.path.realpath(file)
            self.names[file] = real if real in self.wanted else ""
        return self.names[file]

    def note(self, name: str, line: int) -> None:
        """One line was executed."""
        if (name, line) not in self.seen:
            self.seen.add((name, line))
            self.write(name, line)

    def start(self) -> None:
        """Begin to watch this process and its threads."""
        monitoring = getattr(self.sys, "monitoring", None)
        tool = 4  # none of those that debuggers, coverage and profilers take by agreement
        if monitoring is None or monitoring.get_tool(tool) is not None:
            self._trace()
            return
        monitoring.use_tool_id(tool, "rulec")

        def on_line(code: "Any", line: int) -> "Any":
            name = self.wanted_name(code.co_filename)
            if name:
                self.note(name, line)
            return monitoring.DISABLE

        monitoring.register_callback(tool, monitoring.events.LINE, on_line)
        monitoring.set_events(tool, monitoring.events.LINE)

    def _trace(self) -> None:
        import atexit  # noqa: PLC0415 (as above)
        import threading  # noqa: PLC0415 (as above)

        def in_frame(frame: "FrameType", event: str, _: "Any") -> "Any":
            if event == "line":
                self.note(self.names[frame.f_code.co_filename], frame.f_lineno)
            return in_frame

        def on_call(frame: "FrameType", _: str, __: "Any") -> "Any":
            return in_frame if self.wanted_name(frame.f_code.co_filename) else None

        def at_end() -> None:
            if self.sys.gettrace() is not on_call:  # another program took it over
                self.write("lost", 0)

        self.sys.settrace(on_call)
        threading.settrace(on_call)
        atexit.register(at_end)


def begin() -> None:
    """Start where the run asks for it, then let the interpreter's own sitecustomize run."""
    import os  # noqa: PLC0415 (as above)
    import sys  # noqa: PLC0415 (as above)

    wanted, place = os.environ.get("RULEC_TRACED_FILES", ""), os.environ.get("RULEC_TRACED_LINES", "")
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [one for one in sys.path if os.path.abspath(one or ".") != here]
    if wanted and place:
        LineTracer(wanted.split(os.pathsep), place).start()
    sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # type: ignore[import-not-found]  # noqa: F401, PLC0415 (the interpreter's own)
    except ImportError:
        return


if __name__ == "sitecustomize":
    begin()
