"""What ``rulec ingest`` costs beside its ``--dry-run``: ``bench accepted [MB]``. Prints a table.

The transcript is made here, in the proportions of real ones, with one correction in it that ends in a rule. Three runs
on it in turn, each in a repository of its own: the dry run, one that leaves the proposal for later, and one that
accepts it. The ratio of their CPU times to the dry run's is the figure; the bar is 3. Beside it: processes of git.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from evaluation.bench.ingest import MEGABYTE, claude_code, cost
from tests.support.counted import wrapped
from tests.support.session import ClaudeSession

ROUNDS = 3
BAR = 3.0
RULEC = [sys.executable, "-m", "rulec"]


def repository(top: Path) -> None:
    """One with gates and a commit."""
    top.mkdir()
    for argv in (
        ["git", "init", "-q", "-b", "main"],
        ["git", "commit", "-q", "--allow-empty", "-m", "Start"],
        [*RULEC, "init", "--yes", "--agent", "claude-code", "--no-ci"],
        ["git", "add", "-A"],
        ["git", "commit", "-qm", "Put up the gates"],
    ):
        subprocess.run(argv, cwd=top, check=True, capture_output=True)


def main() -> None:
    """Write the transcript, run each way in turn, print."""
    size = int(float(sys.argv[1] if len(sys.argv) > 1 else "1.6") * MEGABYTE)
    ways = {"--dry-run": ["--dry-run"], "left for later": [], "accepted": ["--yes"]}
    spent: dict[str, list[float]] = {name: [] for name in ways}
    started: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= {"HOME": name, "XDG_CONFIG_HOME": str(folder / "config"), "GIT_CONFIG_NOSYSTEM": "1"}
        for who in ("AUTHOR", "COMMITTER"):
            os.environ |= {f"GIT_{who}_NAME": "Dev", f"GIT_{who}_EMAIL": "dev@example.com"}
        path = folder / "session.jsonl"
        session = ClaudeSession(folder).person("Add left-pad.").runs("npm install left-pad").agent("Done.")
        session.person("No, always use pnpm, never npm.").runs("pnpm add left-pad").agent("Done.")
        end = session.save(path).read_text("utf-8")
        path.write_text("".join(claude_code(size)) + end, encoding="utf-8")
        note, os.environ["PATH"] = wrapped(folder)
        for number in range(ROUNDS):
            for way, more in ways.items():
                top = folder / f"{number}{len(more)}{way.strip('-')[:4]}"
                repository(top)
                note.write_text("")
                os.chdir(top)
                spent[way].append(cost([*RULEC, "ingest", str(path), *more])[0])
                started[way] = len(note.read_text().splitlines())
                if (top / ".rules" / "use-pnpm.yaml").exists() != (way == "accepted"):
                    raise SystemExit(f"{way}: not what is measured here")
        os.chdir("/")
    dry = statistics.median(spent["--dry-run"])
    print(f"{size / MEGABYTE:.1f} MB{'':<14}{'ratio':>7}{'rulec':>9}{'git':>6}   (bar {BAR:g})")
    for way, seconds in spent.items():
        print(f"{way:<20}{statistics.median(seconds) / dry:7.2f}{statistics.median(seconds):8.1f}s{started[way]:6}")


if __name__ == "__main__":
    main()
