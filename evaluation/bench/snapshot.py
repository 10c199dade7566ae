"""What telling an agent the rules costs, in time and in tokens: ``bench snapshot``. Asserts nothing."""

import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.bench._gated import guarded
from evaluation.bench.gates import FLOOR, cpu, event, ratio

RULES = 1_000
TASKS = ("add a dependency", "mend a test of the parser", "release version 2.0", "rename a module", "write docs")
WORDS = (
    "parser",
    "index",
    "reader",
    "writer",
    "cache",
    "queue",
    "session",
    "token",
    "schema",
    "query",
    "release",
    "test",
)


def book(folder: Path, number: int) -> Path:
    """A repository with that many rules, each with its compiled words and two pieces of evidence."""
    from rulec.compiling.agent_briefing import words_artifact
    from rulec.domain.evidence import Evidence
    from rulec.domain.rule import Rule, Scope
    from rulec.rulebook import evidence_file, file_paths, rule_file

    top = guarded(folder, number)
    (top / ".rules/config.yaml").write_text("schema: 1\n")
    for n in range(number):
        one, other = WORDS[n % len(WORDS)], WORDS[n // len(WORDS) % len(WORDS)]
        rule = Rule(
            slug=f"rule-{n}",
            statement=f"Keep the {one} apart from the {other} in case {n}.",
            severity=("must", "should", "style")[n % 3],
            enforcement="warn",
            when=f"changing a {one}" if n % 2 else "",
            do=f"put the {one} into a file of its own and name it after the {other}",
            scope=Scope(include=(f"{one}/**",) if n % 5 == 0 else ("**",)),
        )
        words = words_artifact(rule)
        files = {file_paths.rule_path(rule.slug): rule_file.dump_rule(rule), words.path: words.text}
        for day in (n % 28 + 1, (n + 9) % 28 + 1):
            item = Evidence(slug=rule.slug, kind="correction", weight=1.0, at=f"2026-10-{day:02}T10:00:00Z", turn=day)
            files[file_paths.evidence_path(item)] = evidence_file.dump_evidence(item)
        for path, text in files.items():
            (top / path).parent.mkdir(parents=True, exist_ok=True)
            (top / path).write_text(text or "")
    return top


def settled(top: Path, name: str) -> None:
    """Ask until what is found is kept, which it is once the rulebook is two seconds old."""
    for _ in range(1_000):
        event(top, "SessionStart")
        if (top / ".git/rulec" / name).exists():
            return


def forgotten(top: Path, name: str) -> None:
    """Take what is kept away."""
    (top / ".git/rulec" / name).unlink(missing_ok=True)


def once(measured: Callable[[], object], rounds: int = 9) -> float:
    """Median milliseconds of CPU in this process."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        measured()
        times.append(1000 * (time.process_time() - start))
    return statistics.median(times)


def tokens(records: Sequence[Mapping[str, Any]]) -> list[int]:
    """How long a snapshot is, for no task, for each task and for some paths."""
    from rulec.reminders import selection

    asked = [{}, *({"task": task} for task in TASKS), {"path": "src/a.py"}, {"path": "tests/"}, {"path": "README.md"}]
    return sorted(
        selection.count_tokens(selection.rank_rules(records, selection.Audience(**one)).text()) for one in asked
    )


def main() -> None:
    """Print the table."""
    from rulec.reminders import rule_records
    from rulec.services.setup import snapshot
    from rulec.services.setup.snapshot import SnapshotRequest

    rows = []
    with tempfile.TemporaryDirectory() as name:
        top = book(Path(name), RULES)
        settled(top, rule_records.NAME)

        def floor() -> float:
            return cpu(FLOOR, top, b"{}")

        def cold() -> float:
            forgotten(top, rule_records.NAME)
            return event(top, "SessionStart")

        rows.append(("SessionStart, cold / bare python3", *ratio(cold, floor)))
        rows.append(("SessionStart, warm / bare python3", *ratio(lambda: event(top, "SessionStart"), floor)))
        for what, times, a, b in rows:
            print(f"{what:46} {times:5.2f} x   ({a:.1f} ms / {b:.1f} ms)")
        ask = SnapshotRequest(agent="claude-code", task="rename the parser")
        snapshot.take_snapshot(top, top, ask)
        warm = once(lambda: snapshot.take_snapshot(top, top, ask))
        print(f"{'rulec snapshot, in this process, warm':46} {warm:.1f} ms")

        def again() -> None:
            forgotten(top, snapshot.KEPT)
            snapshot.take_snapshot(top, top, ask)

        print(f"{'rulec snapshot, in this process, cold':46} {once(again, 3):.0f} ms")
        lengths = tokens(snapshot.rule_records(top))
        print(f"tokens, {RULES} rules: median {statistics.median(lengths)}, most {lengths[-1]}")
        shutil.rmtree(top)
    own = tokens(snapshot.rule_records(Path(__file__).parents[2]))
    print(f"tokens, our own rules: median {statistics.median(own)}, most {own[-1]}")


if __name__ == "__main__":
    main()
