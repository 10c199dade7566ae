"""A repository with every sort of gate file and rules that can be loosened in many ways."""

from pathlib import Path

from rulec.domain.evidence import Evidence
from rulec.rulebook import evidence_file
from tests.support.rules import PNPM, STASH, WORDS, YES
from tests.support.world import act, run

CONFIG = """\
schema: 1
emitters: [agents-md, claude-code, codeowners, github-actions, pre-commit]
weights: true
install: rulec==1.0
owners: ["@acme/leads"]
protected: ["migrations/**"]
tests:
  unit: {run: [pytest, -q], report: junit}
"""
LEFTOVERS = """\
schema: 1
slug: no-leftovers
revision: 1
statement: No breakpoints and no debug prints in code.
category: code-style
severity: must
enforcement: block
on_error: block
on_unsure: block
do: take it out
scope:
  include: ["src/**", "web/**"]
  exclude: ["src/vendor/**"]
checks:
  - kind: guard
    template: forbid-text
    with:
      patterns: ["breakpoint\\\\(", "debugger"]
      except: ["src/debug/**"]
examples:
  invalid:
    - {file: src/a.py, content: "breakpoint()\\n"}
    - {file: src/b.js, content: "debugger;\\n"}
  valid:
    - {file: src/a.py, content: "x = 1\\n"}
exceptions:
  - because: the console is theirs
    scope: {include: ["src/console/**"]}
"""
AGAIN = Evidence(slug="use-pnpm", kind="correction", weight=1.0, at="2026-11-21T10:00:00+00:00", quote="pnpm please")


def gated(top: Path) -> Path:
    """It, with hooks of every kind in their files but none in git, so that tests commit as they like."""
    top.mkdir(parents=True)
    run(top, "init", "-q", "-b", "main", "--template=")
    rules = top / ".rules"
    (rules / "evidence/use-pnpm").mkdir(parents=True)
    for item in (YES, AGAIN):
        path = rules / f"evidence/use-pnpm/{evidence_file.evidence_id(item)}.yaml"
        path.write_text(evidence_file.dump_evidence(item))
    texts = {"use-pnpm": PNPM, "no-stash": STASH, "plain-words": WORDS, "no-leftovers": LEFTOVERS, "config": CONFIG}
    for name, text in texts.items():
        (rules / f"{name}.yaml").write_text(text)
    (top / "src").mkdir()
    (top / "src/app.py").write_text("x = 1\n")
    (top / ".husky").mkdir()
    (top / ".husky/pre-commit").write_text("npm test\nsh .rules/hook git check --staged\n")
    (top / ".gitattributes").write_text("*.png binary\n")
    act(top, "compile")
    run(top, "add", "-A")
    run(top, "commit", "-qm", "Put up the gates")
    return top
