"""What ``rulec init`` leaves in the git directory, where no commit puts a file; and whether the rulec there answers.

Agents' settings and git's hooks start the launcher's copy; the record's two lines name the Python and
``rulec/hook/start.py``.
"""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from rulec.checkout.rules_layout import LAUNCHER, LAUNCHER_COPY, RECORD
from rulec.compiling import bundle
from rulec.compiling.launcher import launcher
from rulec.errors import RulecError
from rulec.hook import start as hook_start
from rulec.infra import state, text_files
from rulec.infra.processes import run_tool
from rulec.rulebook.config import Config

SECONDS = 30.0
_ANSWER = b"rulec"  # how a version begins


@dataclass(frozen=True, slots=True, kw_only=True)
class Unstarted:
    """Why no rulec answers, "" where one does; with what becomes of the actions that it should judge."""

    why: str = ""
    refuses: bool = True  # whether git's hooks refuse everything then
    denies: bool = False  # whether an agent's tool calls are denied then


def recorded(top: Path) -> tuple[str, str]:
    """The Python and the start of the hook that this clone's record names; empty where there is none."""
    try:
        lines = (state.state_dir_path(top) / RECORD).read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return "", ""
    python, begin, *_ = [*lines, "", ""]
    return python, begin


def why_rulec_does_not_start(top: Path, config: Config) -> Unstarted:
    """What the launcher would start here, asked for its version; the rulec that runs this is not asked again."""
    python, start = recorded(top)
    if python or start or (state.state_dir_path(top) / LAUNCHER_COPY).exists():
        gone = next((path for path in (python, start) if not Path(path or "/nowhere").is_file()), None)
        if gone is not None:
            why = f"this clone's record names {gone}, which is gone" if gone else "this clone's record is gone"
            return Unstarted(why=why, denies=True)
        if _is_own(python, start):
            return Unstarted()
        return _asked(
            [python, "-I", "-S", start, "git", "--version"], top, f"the recorded {start} under {python}", denies=True
        )
    text = text_files.read_start(top, LAUNCHER)
    if not text:
        return Unstarted(why=f"{LAUNCHER} is missing")
    found = shutil.which("rulec")
    if found and Path(found).resolve() == Path(sys.argv[0]).resolve():
        return Unstarted()
    if bundle.same_text(text, launcher(top, config).text):
        return _asked(["sh", str(top / LAUNCHER), "git", "--version"], top, "this clone has no record, and a rulec")
    return Unstarted(why="" if found else "this clone has no record of a rulec, and none is on PATH")


def _is_own(python: str, start: str) -> bool:
    """Whether a record names the rulec that runs here."""
    same = Path(start).resolve() == own_start()
    return same and Path(python).parent == Path(sys.executable).parent


def _asked(argv: list[str], top: Path, named: str, *, denies: bool = False) -> Unstarted:
    try:
        done = run_tool(argv, cwd=top, seconds=SECONDS)
    except (OSError, RulecError) as error:
        return Unstarted(why=f"{named} does not start: {error}", denies=denies)
    if done.code == 0 and done.out.startswith(_ANSWER):
        return Unstarted()
    if done.code == 0:
        return Unstarted(why=f"{named} does not answer as rulec does", refuses=False)
    return Unstarted(why=f"{named} does not start: {done.said.removeprefix('rulec: ')}", denies=denies)


def put_launcher(top: Path, config: Config) -> list[str]:
    """Write both for this clone and all its work trees; a line for each that was another."""
    folder = state.state_dir(top)
    lines, copy = f"{sys.executable}\n{own_start()}\n", launcher(top, config).text or ""
    done = []
    if (was := _text(folder / RECORD)) != lines:
        earlier = f" instead of that of {Path(was.splitlines()[1]).parents[1]}" if was.count("\n") > 1 else ""
        done.append(f"recorded  the rulec of {own_start().parents[1]}, which the hooks of this clone start{earlier}")
    if _text(folder / LAUNCHER_COPY) not in (copy, ""):
        done.append(f"renewed   {folder / LAUNCHER_COPY}, which agents and git's hooks start")
    text_files.write_atomically(folder / RECORD, lines.encode("utf-8", "surrogateescape"), mode=0o600)
    text_files.write_atomically(folder / LAUNCHER_COPY, copy.encode(), mode=0o700)
    return done


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "surrogateescape")
    except OSError:
        return ""


def has_record(top: Path) -> bool:
    """Whether init ran in this clone."""
    folder = state.state_dir_path(top)
    return (folder / RECORD).exists() or (folder / LAUNCHER_COPY).exists()


def own_start() -> Path:
    """The start of the hook in the rulec that runs here."""
    return Path(hook_start.__file__).resolve()
