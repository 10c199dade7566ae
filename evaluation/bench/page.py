"""What the page costs: ``bench page [--rules N] [--waiting N]``.

A repository gets that many rules (as bench large_rulebook makes them) and waiting proposals, ``rulec ui`` runs
in it as a person runs it, and a real Chromium is paired with it. Measured: the start, what the server takes for each
page and when the browser paints it first, the search, how soon a line of the ledger is seen in a tab, and the
memory of all processes (proportional set size).
"""

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluation.bench import large_rulebook
from rulec.checkout import ledger
from rulec.domain.candidate import Candidate, Draft
from rulec.domain.rule import Rule
from rulec.services.proposals import waiting_candidates
from rulec.services.proposals.waiting_candidates import WaitingCandidate
from tests.support.browser import Page, chromium
from tests.support.running_page import RunningPage, running_page
from tests.support.world import at

LOADS = 10
PAGES = ("/queue", "/rules", "/plan", "/report")
WORDS = ("push", "invoice", "never call", "legacy", "src", "dry-run", "npm", "comment", "block", "verify")
LINE = {"event": "ask", "agent": "codex", "slug": "tool-apply-account-0", "outcome": "block", "kind": "command"}
PAINTED = """(() => {
  const [load] = performance.getEntriesByType('navigation');
  const paint = performance.getEntriesByName('first-contentful-paint')[0];
  return [load.domInteractive, paint ? paint.startTime : 0];
})()"""
SEARCHED = """(async (words) => {
  const begun = performance.now();
  const answer = await fetch('/rules?q=' + encodeURIComponent(words), { headers: { 'HX-Request': 'true' } });
  const text = await answer.text();
  return [performance.now() - begun, answer.status, text.length];
})"""


def made(top: Path, rules: int, waiting: int) -> None:
    """The repository with its rules committed, and the proposals that wait in it."""
    large_rulebook.founded(top, rules)
    large_rulebook.ran([*large_rulebook.RULEC, "compile"], top)
    large_rulebook.git(top, "add", "-A")
    large_rulebook.git(top, "commit", "-qm", "Add the rules", "--no-verify")
    large_rulebook.ran(large_rulebook.RULEC, top)
    for rule in list(large_rulebook.rules(rules + waiting))[rules:]:
        waiting_candidates.enqueue(top, WaitingCandidate(candidate=_candidate(rule)))


def _candidate(rule: Rule) -> Candidate:
    draft = Draft(checks=rule.checks, invalid=rule.invalid, valid=rule.valid)
    bare = replace(rule, checks=(), invalid=(), valid=(), enforcement="auto")
    return Candidate(rule=bare, drafts=(draft,), by_agent=True)


def told(what: str, values: Sequence[float], unit: str = "ms", bar: str = "") -> None:
    """One line: the median, the largest, and the goal."""
    text = f"{statistics.median(values):8.0f} {unit}   at most {max(values):6.0f} {unit}"
    print(f"{what:44}{text}   {bar and f'goal {bar}'}", flush=True)


def processes(pid: int) -> Iterator[int]:
    """A process and all below it."""
    yield pid
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # a thread or process that has just ended
            for child in path.read_text().split():
                yield from processes(int(child))


def memory(pid: int) -> float:
    """The proportional set size of all those processes, in MB."""
    total = 0.0
    for one in processes(pid):
        try:
            lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
        except OSError:  # it has ended
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def painted(ui: RunningPage, page: Page) -> None:
    """Each page, loaded several times."""
    for path in PAGES:
        found = []
        for _ in range(LOADS):
            page.open(f"{ui.address}{path}")
            page.until("performance.getEntriesByName('first-contentful-paint').length")
            page.until("document.readyState === 'complete' && !document.querySelector('.htmx-request')", 120)
            found.append(page.value(PAINTED))
        told(f"{path}: first contentful paint", [one[1] for one in found], bar="300 ms")
        told(f"{path}: until its content is there", [one[0] for one in found])


def searched(ui: RunningPage, page: Page) -> None:
    page.open(f"{ui.address}/rules")
    found = [page.value(f"{SEARCHED}('{words}')") for words in WORDS * 2]
    told("search, as the browser waits for it", [one[0] for one in found], bar="50 ms on the server")


def noted(top: Path, number: int) -> float:
    """Write one line of the ledger; when it is there, in milliseconds."""
    ledger.append(str(top), [{**LINE, "of": f"line-{number}", "session": f"s{number}"}])
    return time.time() * 1000


def delayed(ui: RunningPage, page: Page, number: int) -> None:
    """From a line of the ledger until a tab shows it."""
    page.open(f"{ui.address}/rules")
    shown = "document.querySelector('#found').innerText"
    seen = []
    for at_line in range(number):
        page.wire.listen(1 + random.random())
        before = page.value(shown)
        begun = noted(ui.top, at_line)
        page.until(f"{shown} !== {json.dumps(before)}")
        seen.append(time.time() * 1000 - begun)
    told("a line of the ledger is seen in Rules", seen, bar="2,000 ms")


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, usual in (("rules", 1_000), ("waiting", 500)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    asked: Any = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= at(folder / "home")
        top = folder / "repo"
        made(top, asked.rules, asked.waiting)
        print(f"{asked.rules:,} rules, {asked.waiting} waiting, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        begun = time.monotonic()
        with running_page(top) as ui, chromium(folder / "profile") as page:
            told("start", [(time.monotonic() - begun) * 1000], bar="1,500 ms (with the browser's)")
            ui.pair(page)
            print(f"{'memory at the start, all processes':44}{memory(ui.pid):8.0f} MB   goal 150 MB", flush=True)
            painted(ui, page)
            searched(ui, page)
            delayed(ui, page, 20)
            print(f"{'memory after that':44}{memory(ui.pid):8.0f} MB   goal 150 MB", flush=True)
            print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
