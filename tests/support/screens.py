"""The documentation's screens, made by the real commands: ``python -m tests.support.screens`` writes them anew."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.support.forge import Forge
from tests.support.session import ClaudeSession, logger, pnpm

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_SCREEN = re.compile(r"<!-- screen: (\w+) -->\n```(\w*)\n(.*?)```", re.DOTALL)
IDENTITY = {f"GIT_{who}_{what}": "dev@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


INSTRUCTIONS = """# Working here

- Use pnpm, not npm.
- Never run `git push --force`.
- Never edit `gen/`.
- Prefer small functions.
"""


def _sessions(top: Path) -> Iterator[ClaudeSession]:
    yield ClaudeSession(top, "monday").person("Add left-pad.").runs("npm install left-pad").runs("git push")
    yield ClaudeSession(top, "tuesday").person("Add a button.").runs("pnpm add button").runs("npm ci")
    yield ClaudeSession(top, "friday").person("Run\nnpm ci\nonce more.").runs("npm ci").edits("src/app.py")


def screens() -> dict[str, str]:
    """Each screen as the tools print it today."""
    with tempfile.TemporaryDirectory() as name:
        top = Path(name).resolve() / "repo"
        top.mkdir()

        def run(*argv: str) -> str:
            environment = {**os.environ, **IDENTITY, "PRE_COMMIT_HOME": name + "/pre-commit"}
            done = subprocess.run(argv, cwd=top, env=environment, capture_output=True, text=True, check=False)
            return done.stdout + done.stderr

        rulec = (sys.executable, "-m", "rulec")
        run("git", "init", "-q", "-b", "main")
        run(*rulec, "init", "--yes", "--agent", "claude-code")
        run("git", "add", "-A")
        run("git", "commit", "-qm", "Put up the gates")
        transcript = str(pnpm(top).save(top.parent / "1.jsonl"))
        ingested = run(*rulec, "ingest", transcript, "--yes", "--enforcement", "block")
        run(*rulec, "ingest", str(logger(top).save(top.parent / "2.jsonl")), "--yes", "--enforcement", "block")
        (top / "src").mkdir()
        (top / "src/report.py").write_text("def show(total):\n    print(total)\n")
        run("git", "add", "-A")
        refused = run("git", "commit", "-m", "Show the total")
        rule = (top / ".rules/use-pnpm.yaml").read_text()
        comment = _comment(top, run, rulec)
        (top / "CLAUDE.md").write_text(INSTRUCTIONS)
        audited = run(*rulec, "audit", *(str(one.save(top.parent / f"{one.session}.jsonl")) for one in _sessions(top)))
    return {
        "comment": comment,
        "audit": "$ rulec audit\n" + audited.rpartition("rulec: ")[0],  # without what it says it is about to read
        "ingest": ingested.partition("  -> written")[0],
        "refused": "$ git commit -m 'Show the total'\n" + refused,
        "rule": rule,
    }


def _comment(top: Path, run: Callable[..., str], rulec: Sequence[str]) -> str:
    """The comment on a pull request that breaks a rule and loosens it."""
    base = run("git", "rev-parse", "HEAD").strip()
    run("git", "commit", "-qnm", "Show the total")
    run(*rulec, "set", "use-logger", "warn")
    check, rules = top.parent / "check.md", top.parent / "rules.md"
    run(*rulec, "check", "--base", base, "--report", f"markdown={check}")
    rules.write_text(run(*rulec, "diff", f"{base}..HEAD", "--blast", "--no-scripts", "--format", "markdown"))
    with Forge() as forge:
        settings = [f"{name}={value}" for name, value in forge.environment(top.parent).items()]
        run("env", *settings, *rulec, "comment", str(check), str(rules))
    body = str(forge.comments[0]["body"]).partition("\n")[2]
    return re.sub(r"`[0-9a-f]{10} ", "`4f2c9a81d0 ", body)  # a commit has another name each time


def shown() -> list[tuple[str, str]]:
    """Each screen as a page shows it, with its name."""
    return [(name, text) for page in PAGES for name, _, text in _SCREEN.findall(page.read_text())]


def write() -> None:
    """Bring every page up to date."""
    now = screens()
    for page in PAGES:
        text = page.read_text()
        fresh = _SCREEN.sub(lambda m: f"<!-- screen: {m[1]} -->\n```{m[2]}\n{now[m[1]].rstrip()}\n```", text)
        if fresh != text:
            page.write_text(fresh)


if __name__ == "__main__":
    write()
