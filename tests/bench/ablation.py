"""What each part earns: ``python -m tests.bench.ablation``. Leaves out each fit, template and heuristic once.

The cases of ``repeat.py`` are mined with everything first. A part that offered no draft for a case cannot change it;
where the rules come out as they were, so does the rest; only what is left is played again. Every result is appended to
a file at once, so that a run which was stopped goes on where it was, with ``--workers`` cases beside each other.
Prints a Markdown table: repeats that are no longer caught without the part, and innocents that are then blocked.
"""

import argparse
import hashlib
import importlib.util
import json
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import Any

from rulec import registry
from rulec.host.templates import library
from tests.bench._without import HEURISTICS, OF_FITS

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT.parent / "shared/bench/repeat.py"
NOTHING = "nothing"
Result = dict[str, Any]


def repeat_bench(path: Path) -> Any:
    """repeat.py as a module."""
    spec = importlib.util.spec_from_file_location("repeat_bench", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Plays:
    """Mines one case with a part left out, and plays its actions where that changed the rules."""

    def __init__(self, bench: Any, via: str, scratch: Path, results: Path) -> None:
        self.bench, self.via, self.scratch, self.results = bench, via, scratch, results
        self.known: dict[tuple[str, str], Result] = {}
        self.lock = Lock()
        for line in results.read_text().splitlines() if results.exists() else ():
            result = json.loads(line)
            self.known[result["part"], result["case"]] = result

    def play(self, case: Any, part: str, folder: Path) -> Result:
        """The result of one case, from the file or from a run in this folder."""
        if (part, case["id"]) in self.known:
            return self.known[part, case["id"]]
        base = self.known.get((NOTHING, case["id"]))
        if base and not self._meets(base, part):
            return base
        result = {"part": part, "case": case["id"], **self._run(case, part, folder, base)}
        with self.lock, self.results.open("a") as file:
            file.write(json.dumps(result) + "\n")
            self.known[part, case["id"]] = result
        return result

    def _meets(self, base: Result, part: str) -> bool:
        """Whether the part had anything to offer when the case was mined with all of them."""
        kind, _, name = part.partition(":")
        return kind == "heuristic" or any(name in ([fit] if kind == "fit" else used) for fit, used in base["offered"])

    def _run(self, case: Any, part: str, folder: Path, base: Result | None) -> Result:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        trace = folder / "trace"
        command = [sys.executable, str(ROOT / "tests/bench/_without.py"), part, str(trace)]
        repo, env, slugs, _, said = self.bench.fresh(case, folder, command, self.via)
        assert not any("Traceback" in done.stderr for done in said), said[-1].stderr
        offered = sorted(set(trace.read_text().splitlines())) if trace.exists() else []
        mined = {"rules": _mark(repo), "offered": [json.loads(line) for line in offered]}
        if base and base["rules"] == mined["rules"]:
            return mined | {"caught": base["caught"], "blocked": base["blocked"]}
        innocent = [*([case["fix"]] if case.get("fix") else []), *case["innocent"]]
        stopped = [self._stopped([case["offence"], *case["repeat"]], repo, env, slugs, folder)]
        stopped += [self._stopped(innocent, repo, env, slugs, folder)]
        return mined | {"caught": stopped[0], "blocked": stopped[1]}

    def _stopped(self, actions: list[Any], repo: Path, env: Any, slugs: list[str], folder: Path) -> list[int]:
        """The places of those actions that a rule stopped."""
        saved, found = folder / "saved", []
        if not saved.exists():
            shutil.copytree(repo, saved, symlinks=True)
        for number, action in enumerate(actions):
            shutil.rmtree(repo)
            shutil.copytree(saved, repo, symlinks=True)
            where, why = self.bench.play(self.bench.Session(repo, env), action, slugs)
            if where and any(slug in (why or "") for slug in slugs):
                found.append(number)
        return found


def _mark(repo: Path) -> str:
    """What the rulebook does, whoever said it and when."""
    hashed = hashlib.sha256()
    for path in sorted((repo / ".rules/compiled").glob("*/*")):
        if path.parent.name != "runtime":
            hashed.update(f"{path.name}\0{path.read_text()}\0".replace(str(repo), "").encode())
    return hashed.hexdigest()[:16]


def parts() -> list[str]:
    """All that can be left out."""
    fits = [f"fit:{fit.name}" for fit in registry.fits()]
    templates = [f"template:{name}" for name in library().templates()]
    return [*fits, *templates, *(f"heuristic:{name}" for name in (*HEURISTICS, *OF_FITS))]


def run_all(plays: Plays, cases: list[Any], wanted: Iterable[str], workers: int) -> None:
    """Every case with everything first, then without each part."""
    folders: SimpleQueue[Path] = SimpleQueue()
    for number in range(workers):
        folders.put(plays.scratch / str(number))

    def one(case: Any, part: str) -> None:
        folder = folders.get()
        try:
            plays.play(case, part, folder)
        finally:
            folders.put(folder)

    for round_ in ([NOTHING], list(wanted)):
        with ThreadPoolExecutor(workers) as pool:
            for done in [pool.submit(one, case, part) for part in round_ for case in cases]:
                done.result()


def rows(plays: Plays, cases: list[Any], wanted: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """A line of the table for each part, with what it is sorted by."""
    for part in wanted:
        lost = gained = blocked = freed = touched = 0
        for case in cases:
            base, now = plays.known[NOTHING, case["id"]], plays.known.get((part, case["id"]))
            if now is None or now["rules"] == base["rules"]:
                continue
            touched += 1
            lost += len(set(base["caught"]) - set(now["caught"]))
            gained += len(set(now["caught"]) - set(base["caught"]))
            blocked += len(set(now["blocked"]) - set(base["blocked"]))
            freed += len(set(base["blocked"]) - set(now["blocked"]))
        yield lost - gained, blocked - freed, f"| {part} | {touched} | {lost} | {gained} | {blocked} | {freed} |"


def main() -> None:
    """Run what is not known yet, then print the table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--bench", type=Path, default=BENCH)
    asked.add_argument("--cases", type=Path, default=None, help="by default those of repeat.py")
    asked.add_argument("--via", choices=["ingest", "add"], default="ingest")
    asked.add_argument("--only", default="", help="cases, by comma")
    asked.add_argument("--leave", default="", help="parts, by comma, such as fit:calls")
    asked.add_argument("--workers", type=int, default=2)
    asked.add_argument("--results", type=Path, default=None, help="by default in the temporary folder")
    given = asked.parse_args()
    path = given.cases or given.bench.resolve().parents[1] / "data/repeat/cases.jsonl"
    cases = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    cases = [case for case in cases if not given.only or case["id"] in given.only.split(",")]
    if not cases:
        asked.error(f"no case of {path} is called {given.only}")
    wanted = given.leave.split(",") if given.leave else parts()
    results = given.results or Path(tempfile.gettempdir()) / f"rulec-ablation-{given.via}.jsonl"
    print(f"results in {results}; remove it after a change of the code", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="rulec-ablation-") as scratch:
        plays = Plays(repeat_bench(given.bench), given.via, Path(scratch), results)
        run_all(plays, cases, wanted, given.workers)
        base = [plays.known[NOTHING, case["id"]] for case in cases]
    repeats = sum(1 + len(case["repeat"]) for case in cases)
    innocent = sum(len(case["innocent"]) + bool(case.get("fix")) for case in cases)
    caught, blocked = (sum(len(one[key]) for one in base) for key in ("caught", "blocked"))
    print(f"{len(cases)} cases via {given.via}: with everything {caught}/{repeats} repeats caught, ", end="")
    print(f"{blocked}/{innocent} innocents blocked.\n")
    print("| left out | cases changed | repeats lost | gained | innocents blocked | freed |\n|---|---|---|---|---|---|")
    for _, _, row in sorted(rows(plays, cases, wanted), reverse=True):
        print(row)


if __name__ == "__main__":
    main()
