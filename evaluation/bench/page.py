"""What the page costs: ``bench page [--rules N] [--waiting N] [--tabs N] [--minutes M]``.

With ``--no-browser`` only the events are counted.

A repository gets that many rules (as bench large_rulebook makes them) and waiting proposals, ``rulec ui`` runs
in it as a person runs it, and a real Chromium is paired with it. Measured: the start, what the server takes for each
page and when the browser paints it first, the search, how soon a line of the ledger is heard and seen in a tab, and the
memory of all processes (proportional set size). Then tabs listen for some minutes while lines are written: each has to
hear each line once, in order.
"""

import argparse
import os
import random
import statistics
import tempfile
import threading
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
from rulec.web.app import make_app
from tests.support.browser import Page, chromium
from tests.support.listening import Tab, served
from tests.support.running_page import RunningPage, running_page
from tests.support.world import at

LOADS = 10
PAGES = ("/", "/rules", "/queue", "/plan", "/evolve", "/report")
WORDS = ("push", "invoice", "never call", "legacy", "src", "dry-run", "npm", "comment", "block", "verify")
LINE = {"event": "ask", "agent": "codex", "slug": "tool-apply-account-0", "outcome": "block", "kind": "command"}
# What a tab's own listener hears is kept beside it: another connection of its own would be one too many.
HEARING = """
window.heard = [];
const listen = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (name, hear, given) {
  return listen.call(this, name, (event) => {
    if (event.lastEventId) heard.push([event.type, event.lastEventId, event.data, Date.now()]);
    hear.call(this, event);
  }, given);
};
"""
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


def lines_heard(page: Page) -> list[str]:
    """The lines of which a tab heard, in order."""
    found = page.value("heard.filter(one => one[0] === 'ledger').map(one => JSON.parse(one[2]).of || '')")
    return [name for name in found if name.startswith("line-")]


def delayed(ui: RunningPage, page: Page, number: int) -> None:
    """From a line of the ledger until a tab heard of it, and until it shows it."""
    page.open(f"{ui.address}/")
    page.until("window.heard && !!document.querySelector('#found')")
    page.wire.listen(2)
    heard, seen = [], []
    for at_line in range(number):
        page.wire.listen(1 + random.random())
        begun = noted(ui.top, at_line)
        name = f"line-{at_line}"
        mine = f"heard.find(one => one[2].includes('\"{name}\"'))"
        heard.append(page.until(f"!!{mine} && {mine}[3]") - begun)
        page.until(f"document.querySelector('#found').textContent.includes('{name}')")
        seen.append(time.time() * 1000 - begun)
    told("a line of the ledger is heard of in a tab", heard, bar="1,000 ms")
    told("and seen in Today", seen, bar="1,000 ms")


def soaked(ui: RunningPage, page: Page, tabs: int, minutes: float, first: int) -> None:
    """Lines are written at random for some minutes; each tab has to hear each once, in order."""
    every = [page, *(page.wire.tab() for _ in range(tabs - 1))]
    for one in every:
        one.ask("Page.addScriptToEvaluateOnNewDocument", source=HEARING)
        one.open(f"{ui.address}/")
        one.until("window.heard && !!document.querySelector('#found')")
    page.wire.listen(2)
    end, number, most, peaks = time.monotonic() + minutes * 60, first, 0.0, [0.0]
    while time.monotonic() < end:
        for _ in range(random.choice((1, 1, 1, 3, 40))):
            noted(ui.top, number)
            number += 1
        until = time.monotonic() + random.random() * 4
        while time.monotonic() < until:
            page.wire.listen(0.2)
            peaks.append(memory(ui.pid))
    page.wire.listen(3)
    wanted = [f"line-{one}" for one in range(first, number)]
    print(f"{minutes:g} minutes, {tabs} tabs, {len(wanted)} lines written:")
    for place, one in enumerate(every, 1):
        got = lines_heard(one)
        lost, twice = len(set(wanted) - set(got)), len(got) - len(set(got))
        order = "in order" if got == wanted else "NOT as written"
        reloads = one.value("heard.filter(one => one[0] === 'reload').length")
        print(f"  tab {place}: {len(got)} heard, {lost} lost, {twice} twice, {order}, {reloads} told to read all again")
    most = max(peaks)
    print(
        f"{'memory meanwhile, all processes':44}{statistics.median(peaks):8.0f} MB   at most {most:6.0f} MB", flush=True
    )


def listened(top: Path, tabs: int, minutes: float) -> None:
    """Without a browser: connections that listen, one of which is lost every few seconds and comes back."""
    top.mkdir()
    large_rulebook.git(top, "init", "-q")
    with served(make_app(top, lambda app: app)) as server:
        every, restless = [server.tab() for _ in range(tabs)], server.tab()
        before, away, pace = list[str](), 0, threading.Event()
        written, number = dict[str, float](), 0
        end = time.monotonic() + minutes * 60
        while time.monotonic() < end:
            for _ in range(random.choice((1, 1, 1, 3, 40))):
                written[f"line-{number}"] = noted(top, number) / 1000
                number += 1
            pace.wait(random.random() * 4)
            if random.random() < 0.3:
                restless.close()
                before, away = [*before, *_named(restless)], away + 1
                written[f"line-{number}"] = noted(top, number) / 1000
                number += 1
                restless = server.tab(after=restless.heard[-1][0] if restless.heard else server.live.position)
        pace.wait(2)
        print(f"{minutes:g} minutes, {tabs} connections and one that was lost {away} times, {number} lines written:")
        for place, found in enumerate([*map(_named, every), [*before, *_named(restless)]], 1):
            lost, twice = len(set(written) - set(found)), len(found) - len(set(found))
            order = "in order" if found == list(written) else "NOT as written"
            print(f"  {place}: {len(found)} heard, {lost} lost, {twice} twice, {order}")
        delays = [
            (at_time - written[data["of"]]) * 1000
            for at_time, (_, topic, data) in zip(every[0].times, every[0].heard, strict=True)
            if topic == "ledger" and data
        ]
        told("a line of the ledger is heard of", delays, bar="1,000 ms")


def _named(tab: Tab) -> list[str]:
    return [data["of"] for _, topic, data in tab.heard if topic == "ledger" and data]


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, usual in (("rules", 1_000), ("waiting", 500), ("tabs", 5)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--no-browser", action="store_true")
    asked: Any = parser.parse_args()
    if asked.no_browser:
        with tempfile.TemporaryDirectory() as name:
            os.environ |= at(Path(name, "home"))
            listened(Path(name, "repo"), asked.tabs, asked.minutes)
            print(f"load {os.getloadavg()[0]:.1f}")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= at(folder / "home")
        top = folder / "repo"
        made(top, asked.rules, asked.waiting)
        print(f"{asked.rules:,} rules, {asked.waiting} waiting, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        begun = time.monotonic()
        with running_page(top) as ui, chromium(folder / "profile") as page:
            told("start", [(time.monotonic() - begun) * 1000], bar="1,500 ms (with the browser's)")
            page.ask("Page.addScriptToEvaluateOnNewDocument", source=HEARING)
            ui.pair(page)
            print(f"{'memory at the start, all processes':44}{memory(ui.pid):8.0f} MB   goal 150 MB", flush=True)
            painted(ui, page)
            searched(ui, page)
            delayed(ui, page, 20)
            print(f"{'memory after that':44}{memory(ui.pid):8.0f} MB   goal 150 MB", flush=True)
            soaked(ui, page, asked.tabs, asked.minutes, 1_000)
            print(f"{'memory after that':44}{memory(ui.pid):8.0f} MB   goal 150 MB", flush=True)
            print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
