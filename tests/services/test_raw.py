"""Checks in somebody's own text are rules like any other: compiled, compared, rolled back; and held to what may run."""

from pathlib import Path

import pytest

from rulec.checks.template_library import open_library
from rulec.rulebook import rule_file
from tests.conftest import Run

SCRIPT = """\
# says where a line ends in blanks
for path do
  grep -n ' $' "$path" | while IFS=: read -r number text; do finding "$path" "$number" "blanks: $text"; done
done
exit 0
"""
RULE = """\
schema: 1
slug: no-blanks
revision: 1
statement: No line ends in blanks.
category: code-style
severity: must
enforcement: block
checks:
  - kind: shell
    template: raw-shell
    with:
      script: |
{script}
examples:
  invalid:
    - file: a.txt
      content: "x \\n"
  valid:
    - file: a.txt
      content: "x\\n"
"""


def _text(script: str) -> str:
    return RULE.format(script="".join(f"        {line}\n" for line in script.splitlines()).rstrip("\n"))


def _write(top: Path, script: str) -> Path:
    path = top / ".rules/no-blanks.yaml"
    path.write_text(_text(script))
    return path


def test_a_rule_with_a_script_keeps_its_bytes_when_it_is_read_and_written() -> None:
    text = _text(SCRIPT)
    rule = rule_file.parse_rule(text, source="a.yaml")
    assert rule.checks[0].parameters == {"script": SCRIPT}
    assert rule_file.dump_rule(rule, text) == text
    assert rule_file.parse_rule(rule_file.dump_rule(rule), source="b.yaml").checks == rule.checks


def test_a_script_by_hand_is_proved_compared_told_as_weaker_and_rolled_back(gated: Path, rulec: Run, git: Run) -> None:
    _write(gated, SCRIPT)
    rulec("compile")
    assert "1 proved, 0 failed" in rulec("test", "no-blanks").stdout
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "No blanks", "--no-verify")
    (gated / "b.txt").write_text("x \n")
    git("add", "b.txt")
    refused = git("commit", "-qm", "Blanks", check=False)
    assert (refused.returncode, "b.txt:1" in refused.stdout + refused.stderr) == (1, True), refused
    git("rm", "-qf", "b.txt")
    _write(gated, "exit 0\n")
    rulec("compile", code=1)
    git("add", "-A")
    told = rulec("check", "--staged", code=None).stdout
    assert "no-blanks: raw-shell: " in told
    assert "no-blanks" in rulec("diff", "HEAD").stdout
    git("commit", "-qm", "Deaf", "--no-verify")
    rulec("rollback", "no-blanks")
    assert (gated / ".rules/no-blanks.yaml").read_text() == _text(SCRIPT)
    rulec("compile", "--check")


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ('for path do\n  rm -f "$path"\ndone\n', ".rules/no-blanks.yaml:9: raw-shell.script: runs rm; "),
        ("grep -c x *.py | tee total\n", "raw-shell.script: runs tee; "),
    ],
)
def test_a_script_that_may_do_more_is_refused_wherever_it_would_be_compiled_or_proved(
    gated: Path, rulec: Run, script: str, told: str
) -> None:
    _write(gated, script)
    for verb in (["compile"], ["compile", "--check"], ["test", "no-blanks"]):
        done = rulec(*verb, code=None)
        assert done.returncode, verb
        assert told in done.stdout + done.stderr, verb
    assert not list((gated / ".rules/compiled/shell").glob("*"))


def test_a_pull_requests_script_is_refused_before_it_is_tried(gated: Path, rulec: Run, git: Run) -> None:
    _write(gated, SCRIPT)
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "No blanks", "--no-verify")
    _write(gated, f"printf x >{gated}/taken\n")
    git("add", "-A")
    told = rulec("check", "--staged", code=None)
    assert "raw-shell.script: writes /" in told.stdout + told.stderr
    assert not (gated / "taken").exists()


def test_no_template_of_a_team_takes_the_place_of_those_that_hold_a_text_to_its_bounds(tmp_path: Path) -> None:
    (tmp_path / "checks").mkdir()
    ours = open_library().template("raw-shell")
    text = Path(ours.source).read_text().replace("type: script", "type: str")
    (tmp_path / "checks/raw-shell.j2").write_text(text)
    (tmp_path / "checks/raw-other.j2").write_text(text)
    shelf = open_library(tmp_path)
    assert shelf.template("raw-shell") == shelf.templates()["raw-shell"] == ours
    assert "type: str" not in (shelf._source("checks/raw-shell.j2") or "")
    assert "raw-other" in shelf.templates()
