"""A real Chromium, asked through its own debugging pipe; what it loads and complains of is kept."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
# Nothing of the browser's own reaches for the network, so that whatever does is the page's.
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)  # fmt: skip
# The protocol asks for exactly these two: 3 to read from, 4 to write to.
WIRED = """
import os, sys
ends = [os.dup(int(one)) for one in sys.argv[1:3]]
for end, name in zip(ends, (3, 4)):
    os.dup2(end, name)
    os.set_inheritable(name, True)  # also where it was there already
os.execvp(sys.argv[3], sys.argv[3:])
"""


@dataclass
class Page:
    """A page that is open."""

    out: int
    into: int
    number: int = 0
    session: str = ""
    waiting: bytes = b""
    loaded: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    done: int = 0

    def ask(self, method: str, **given: Any) -> dict[str, Any]:
        """What a command of the debugging protocol answers."""
        self.number += 1
        what = {"id": self.number, "method": method, "params": given}
        if self.session:
            what["sessionId"] = self.session
        os.write(self.into, json.dumps(what).encode() + b"\0")
        while True:
            told = self._next()
            if told.get("id") == self.number:
                assert "error" not in told, told
                result: dict[str, Any] = told["result"]
                return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self.waiting:
            part = os.read(self.out, 65_536)
            assert part, "the browser has ended"
            self.waiting += part
        message, _, self.waiting = self.waiting.partition(b"\0")
        told: dict[str, Any] = json.loads(message)
        given = told.get("params", {})
        match told.get("method"):
            case "Network.requestWillBeSent":
                self.loaded.append(given["request"]["url"])
            case "Log.entryAdded":
                self.complaints.append(given["entry"]["text"])
            case "Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Page.javascriptDialogOpening":
                self.complaints.append(json.dumps(given))
            case "Page.loadEventFired":
                self.done += 1
        return told

    def open(self, path: Path, width: int = 1100, *, dark: bool = False) -> None:
        """Show a file, as wide and as dark as that."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        before = self.done
        self.ask("Page.navigate", url=path.as_uri())
        while self.done == before:
            self._next()

    def value(self, expression: str) -> Any:
        """What an expression says in the page."""
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")


@contextmanager
def chromium(profile: Path) -> Iterator[Page]:
    """A page in a new browser."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    assert program, f"none of {', '.join(NAMES)} is installed"
    (theirs, into), (out, back) = os.pipe(), os.pipe()
    asked = [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
    argv = [sys.executable, "-c", WIRED, str(theirs), str(back), *asked]
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_proxy")}
    process = subprocess.Popen(
        argv, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        pass_fds=(theirs, back),
    )  # fmt: skip
    os.close(theirs)
    os.close(back)
    page = Page(out, into)
    try:
        targets = page.ask("Target.getTargets")["targetInfos"]
        target = next(one["targetId"] for one in targets if one["type"] == "page")
        page.session = page.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for room in ("Page", "Network", "Log", "Runtime"):
            page.ask(f"{room}.enable")
        yield page
    finally:
        os.close(into)
        os.close(out)
        process.kill()
        process.wait()
