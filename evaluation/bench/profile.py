"""Whether every place says the same of a rule under ``profile: lexsona``: ``bench profile [ROWS]``.

The table of the suite and ROWS more at random (the seed is fixed): what is compiled, the tool call, the commit gate,
``rules``, ``why`` and ``snapshot`` are each held against the paper's formula, written down anew. Then 20 rules are
added one after the other, and the compiled files of all others are compared before and after each. The cases were
written by who built it, in view.
"""

import os
import random
import sys
import tempfile
from pathlib import Path

from tests.support import aged_rules, world
from tests.support.aged_rules import TABLE, Row, compiled_of, is_active, what_each_says

PROGRAMS = (
    "poetry", "pipenv", "conda", "wget", "virtualenv", "bower", "grunt", "gulp", "ant", "sbt", "svn", "hg",
    "telnet", "rsh", "ftp", "nano", "emacs", "screen", "crontab", "mkfs",
)  # fmt: skip
CATEGORIES = ("tooling", "code-style", "security", "process", "testing", "git", "docs")


def more_rows(count: int) -> list[Row]:
    """Rows at random, none so near an end that the seconds of the run decide."""
    draw, rows = random.Random(45), []
    while len(rows) < count:
        row = draw.randint(0, 45), draw.randint(0, 6), round(draw.uniform(0.01, 120), 2), draw.choice(CATEGORIES)
        later = (*row[:2], row[2] + 0.02, row[3])
        if row[0] + row[1] and is_active(row) == is_active(later):
            rows.append(row)
    return rows


def main(count: int) -> None:
    table = [*TABLE, *more_rows(count)]
    with tempfile.TemporaryDirectory() as name:
        top = Path(name) / "repo"
        top.mkdir()
        os.environ.update(world.at(Path(name)))
        world.run(top, "init", "-q", "-b", "main", "--template=")
        aged_rules.fill(top, table)
        wanted = [is_active(row) for row in table]
        print(f"{sum(wanted)} of {len(table)} rules are active by the paper's formula")
        for place, said in what_each_says(top, len(table)).items():
            right = sum(map(bool.__eq__, said, wanted))
            print(f"  {place:16} {right} of {len(table)} the same")
        same = 0
        for program in PROGRAMS:
            before = compiled_of(top)
            check = ["--check", "forbid-command", "--with", f"commands={program}"]
            world.act(top, "add", f"Never run {program}.", *check, "--invalid", f"{{command: {program} x}}", "--yes")
            after = compiled_of(top)
            assert len(after) > len(before), program
            same += all(after.get(path) == text for path, text in before.items())
        print(f"adds that changed no other rule's files: {same} of {len(PROGRAMS)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 30)
