"""What the pages of rules cost: ``bench rule_pages [RULES]``, 1,000 by default. Asserts nothing.

The rulebook is that of large_rulebook.py. The requests go to the real application in this process, whose services run
in processes of their own; what a browser adds is not in it.
"""

import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from starlette.testclient import TestClient
from starlette.types import ASGIApp

from evaluation.bench.large_rulebook import RULEC, founded, git, ran
from rulec.domain.rule import Rule
from rulec.rulebook import file_paths
from rulec.web.app import make_app
from tests.support.world import at

WORDS = ("never", "push", "cli", "schema", "module 7", "import load", "text", "no such words", "comment mentions")
TIMES = 20


def _open(app: ASGIApp) -> ASGIApp:
    return app


def _seconds(page: TestClient, where: str) -> float:
    begun = time.perf_counter()
    answer = page.get(where)
    assert answer.status_code == 200, answer.text
    return time.perf_counter() - begun


def _told(what: str, found: Sequence[float], goal: str = "") -> None:
    middle, most = statistics.median(found) * 1000, max(found) * 1000
    print(f"{what:44}{middle:8.0f} ms{most:8.0f} ms{goal:>10}", flush=True)


def _measure(page: TestClient, top: Path, rules: Sequence[Rule]) -> None:
    print(f"{'':44}{'median':>11}{'most':>11}{'goal':>10}")
    _told("the first page of any kind", [_seconds(page, "/")])
    _told("all rules, the first time", [_seconds(page, "/rules")])
    _told("all rules", [_seconds(page, "/rules") for _ in range(TIMES)], "300 ms")
    _told("search", [_seconds(page, f"/rules?q={words}") for words in WORDS for _ in range(3)], "50 ms")
    _told(
        "by file and category", [_seconds(page, "/rules?file=src/a.py&category=process") for _ in range(TIMES)], "50 ms"
    )
    some = [rule.slug for rule in rules[:: max(1, len(rules) // TIMES)]]
    for part, goal in (("", "300 ms"), ("/examples", ""), ("/past", "")):
        _told(f"one rule{part}", [_seconds(page, f"/rules/{slug}{part}") for slug in some], goal)
    path = top / file_paths.rule_path(rules[0].slug)
    path.write_text(path.read_text("utf-8") + "# a person's comment\n", encoding="utf-8")
    _told("all rules, after one was changed", [_seconds(page, "/rules")])
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'memory of the server, without its workers':44}{size:8.0f} MB")


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= at(folder / "home")
        rules = founded(folder / "repo", number)
        ran([*RULEC, "compile"], folder / "repo")
        git(folder / "repo", "add", "-A")
        git(folder / "repo", "commit", "-qm", "Add the rules", "--no-verify")
        print(
            f"{number:,} rules, python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
        )
        with TestClient(make_app(folder / "repo", _open), base_url="http://127.0.0.1") as page:
            _measure(page, folder / "repo", rules)


if __name__ == "__main__":
    main()
