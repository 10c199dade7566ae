"""A real Chromium, asked through its own debugging pipe; what it loads and complains of is kept."""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
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
    "--host-resolver-rules=MAP * ~NOTFOUND,EXCLUDE localhost,EXCLUDE *.localhost,EXCLUDE 127.0.0.1",
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
LIMIT = 60  # seconds in which everything that is waited for has to be there, on a busy machine too
# Of the keys that are no letters: what the event's `code` is, the number that old code reads, and what it types.
KEYS = {
    "Enter": ("Enter", 13, "\r"), "Tab": ("Tab", 9, ""), "Escape": ("Escape", 27, ""), " ": ("Space", 32, " "),
    "ArrowDown": ("ArrowDown", 40, ""), "ArrowUp": ("ArrowUp", 38, ""), "Backspace": ("Backspace", 8, ""),
    "ArrowLeft": ("ArrowLeft", 37, ""), "ArrowRight": ("ArrowRight", 39, ""), "End": ("End", 35, ""),
}  # fmt: skip
MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}


@dataclass
class Wire:
    """The pipe to a browser, and the tabs whose messages come through it."""

    out: int
    into: int
    number: int = 0
    waiting: bytes = b""
    pages: dict[str, "Page"] = field(default_factory=dict)

    def ask(self, method: str, session: str = "", **given: Any) -> dict[str, Any]:
        """What a command of the debugging protocol answers."""
        self.number += 1
        what = {"id": self.number, "method": method, "params": given}
        if session:
            what["sessionId"] = session
        os.write(self.into, json.dumps(what).encode() + b"\0")
        end = time.monotonic() + LIMIT
        while told := self.listen(end - time.monotonic()):
            if told.get("id") == what["id"]:
                if "error" in told:
                    raise Refused(f"{method}: {told['error']}")
                result: dict[str, Any] = told["result"]
                return result
        raise AssertionError(f"no answer to {method}")

    def listen(self, seconds: float) -> dict[str, Any]:
        """The next message, kept by the tab that it tells of; nothing where none comes in that time."""
        end = time.monotonic() + seconds
        while b"\0" not in self.waiting:
            if not select.select([self.out], [], [], max(0.0, end - time.monotonic()))[0]:
                return {}
            part = os.read(self.out, 1_000_000)
            assert part, "the browser has ended"
            self.waiting += part
        message, _, self.waiting = self.waiting.partition(b"\0")
        told: dict[str, Any] = json.loads(message)
        page = self.pages.get(told.get("sessionId", ""))
        if page and "method" in told:
            page.hear(told["method"], told["params"])
        return told

    def tab(self, target: str = "", *, window: bool = True) -> "Page":
        """A new tab, or that one; it shares the cookies and the storage of the others.

        In a ``window`` of its own it hides none of the others.
        """
        target = target or self.ask("Target.createTarget", url="about:blank", newWindow=window)["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session, target)
        for room in ("Page", "Network", "Log", "Runtime", "DOM"):
            page.ask(f"{room}.enable")
        return page

    def close_others(self, kept: "Page") -> None:
        """Close all tabs but one, and leave that one empty."""
        for page in [page for page in self.pages.values() if page is not kept]:
            del self.pages[page.session]
            self.ask("Target.closeTarget", targetId=page.target)
        kept.open("about:blank")


class Refused(Exception):  # noqa: N818 - what the protocol says, which some callers expect
    """The browser does not do what it was asked."""


@dataclass
class Page:
    """A page that is open."""

    wire: Wire
    session: str
    target: str
    loaded: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    done: int = 0

    def ask(self, method: str, **given: Any) -> dict[str, Any]:
        """What a command of the debugging protocol answers about this tab."""
        return self.wire.ask(method, self.session, **given)

    def hear(self, method: str, given: dict[str, Any]) -> None:
        """Keep what the browser tells of this tab."""
        match method:
            case "Network.requestWillBeSent":
                self.loaded.append(given["request"]["url"])
            case "Log.entryAdded":
                entry = given["entry"]
                self.complaints.append(f"{entry['text']} {entry.get('url', '')}".strip())
            case "Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Page.javascriptDialogOpening":
                self.complaints.append(json.dumps(given))
            case "Page.loadEventFired":
                self.done += 1

    def look(self, width: int = 1100, *, dark: bool = False) -> None:
        """Be as wide and as dark as that."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        self.ask("Emulation.setScrollbarsHidden", hidden=True)  # they would take some of the width
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme, still])

    def open(self, where: Path | str, width: int = 1100, *, dark: bool = False) -> None:
        """Show a file or an address, as wide and as dark as that."""
        self.look(width, dark=dark)
        before = self.done
        self.ask("Page.navigate", url=where if isinstance(where, str) else where.as_uri())
        self.loads(before)

    def loads(self, before: int) -> None:
        """Wait until a page is there; ``before`` is what ``done`` was when it was asked for."""
        end = time.monotonic() + LIMIT
        while self.done == before:
            assert self.wire.listen(end - time.monotonic()) or self.done > before, "the page does not come"

    def value(self, expression: str) -> Any:
        """What an expression says in the page; a promise is waited for."""
        told = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def until(self, expression: str, seconds: float = LIMIT) -> Any:
        """What an expression says once it says anything true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if found := self.value(expression):
                    return found
            except Refused:  # between two pages there is none
                pass
            self.wire.listen(0.03)
        shown = self.value("location.pathname + '\\n' + document.body.innerText")
        raise AssertionError(f"not within {seconds} s: {expression}\non {shown[:3000]}")

    def click(self, selector: str) -> None:
        """Click what a selector finds first."""
        self._click(_first(selector))

    def choose(self, name: str, within: str = "body") -> None:
        """Click the first button or link in sight whose name begins so."""
        self._click(_named(name, within))

    def fill(self, label: str, text: str, within: str = "body") -> None:
        """Click into the field of that label, take out what is there and type the text."""
        self._click(_labelled(label, within))
        self.press("Control+a", "Backspace")
        self.type(text)

    def select(self, label: str, value: str, within: str = "body") -> None:
        """Choose an option of a list, as its keys do."""
        found = _labelled(label, within)
        self.until(f"Boolean({found})")
        self.value(f"""(one => {{ one.focus(); one.value = {json.dumps(value)};
            one.dispatchEvent(new Event('change', {{bubbles: true}})) }})({found})""")

    def _click(self, expression: str) -> None:
        """Click, as a mouse does, in the middle of an element."""
        self.until(f"Boolean({expression})")
        box = self.value(f"""(one => {{ one.scrollIntoView({{block: 'center', behavior: 'instant'}});
            const box = one.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2, box.width * box.height] }})({expression})""")
        assert box[2], f"{expression} is not seen"
        point = {"x": box[0], "y": box[1]}
        self.ask("Input.dispatchMouseEvent", type="mouseMoved", **point)
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **point)

    def press(self, *keys: str) -> None:
        """Press keys one after the other; ``Shift+Tab`` is two held together."""
        for key in keys:
            *held, last = key.split("+") if len(key) > 1 else [key]
            code, number, text = KEYS.get(last) or (_code(last), ord(last.upper()[0]), last)
            bits = sum(MODIFIERS[one] for one in held)
            if bits & ~MODIFIERS["Shift"]:
                text = ""
            event = {"key": last, "code": code, "windowsVirtualKeyCode": number, "modifiers": bits}
            down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
            self.ask("Input.dispatchKeyEvent", **event, **down)
            self.ask("Input.dispatchKeyEvent", **event, type="keyUp")

    def type(self, text: str) -> None:
        """Type a text where the focus is, as a keyboard or a paste does."""
        self.ask("Input.insertText", text=text)

    def text(self, selector: str = "main") -> str:
        """The text of it that is seen."""
        return str(self.value(f"{_first(selector)}?.innerText") or "")

    def scripts(self, *, run: bool) -> None:
        """Let pages run scripts, or none."""
        self.ask("Emulation.setScriptExecutionDisabled", value=not run)

    def picture(self, most: int = 0) -> bytes:
        """A PNG of the page, of its first ``most`` pixels where that is given.

        The window is made as high as that: what scrolls by itself is not drawn beyond it.
        """
        size = self.ask("Page.getLayoutMetrics")["cssLayoutViewport"]
        height = int(self.ask("Page.getLayoutMetrics")["cssContentSize"]["height"])
        wide, high = int(size["clientWidth"]), min(height, most or height)
        shape = {"deviceScaleFactor": 1, "mobile": wide < 600}
        self.ask("Emulation.setDeviceMetricsOverride", width=wide, height=high, **shape)
        self.value("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        data = self.ask("Page.captureScreenshot")["data"]
        return base64.b64decode(data)


def _first(selector: str) -> str:
    return f"document.querySelector({json.dumps(selector)})"


def _named(name: str, within: str) -> str:
    return (
        f"[...document.querySelectorAll({json.dumps(within)} + ' :is(button, a, summary)')].find(one =>"
        f" one.checkVisibility() && one.innerText.trim().startsWith({json.dumps(name)}))"
    )


def _labelled(label: str, within: str) -> str:
    return (
        f"[...document.querySelectorAll({json.dumps(within)} + ' :is(input, textarea, select)')].find(one =>"
        " one.checkVisibility() && [one.ariaLabel, ...[...one.labels].map(all => all.innerText)]"
        f".some(said => said?.trim().startsWith({json.dumps(label)})))"
    )


def _code(key: str) -> str:
    return f"Key{key.upper()}" if key.isalpha() else f"Digit{key}" if key.isdigit() else ""


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
    wire = Wire(out, into)
    try:
        targets = wire.ask("Target.getTargets")["targetInfos"]
        yield wire.tab(next(one["targetId"] for one in targets if one["type"] == "page"))
    finally:
        os.close(into)
        os.close(out)
        process.kill()
        process.wait()
