"""``rulec why``, ``diff`` and ``rollback`` over real histories."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Run


@pytest.fixture
def ruled(gated: Path, rulec: Run) -> Path:
    rulec("add", "Use pnpm, never npm", "--yes")
    return gated


def edit(top: Path, old: str, new: str, slug: str = "use-pnpm") -> None:
    path = top / f".rules/{slug}.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def loosen(top: Path, rulec: Run, git: Run) -> None:
    edit(top, "revision: 1", "revision: 2")
    edit(top, "enforcement: auto", "enforcement: audit")
    rulec("compile")
    git("commit", "-qam", "Only note it", "--no-verify")


def supersede(top: Path, rulec: Run, git: Run) -> None:
    """As a person would by hand: the old rule into the archive, a new one in its place."""
    (top / ".rules/archive").mkdir()
    git("mv", ".rules/use-pnpm.yaml", ".rules/archive/use-pnpm.yaml")
    old = top / ".rules/archive/use-pnpm.yaml"
    text = old.read_text()
    old.write_text(f"{text}superseded_by: use-bun\n")
    new = text.replace("use-pnpm", "use-bun").replace("pnpm", "bun")
    (top / ".rules/use-bun.yaml").write_text(re.sub("(?m)^origin.*\n", "", new) + "supersedes: [use-pnpm]\n")
    rulec("compile", code=None)
    git("add", "-A")
    git("commit", "-qm", "Use bun", "-m", "Resolution: SUPERSEDE use-pnpm -- bun is faster", "--no-verify")


def test_why_tells_each_decision_and_what_it_did_to_the_files(ruled: Path, rulec: Run, git: Run) -> None:
    loosen(ruled, rulec, git)
    newest, first = rulec("why", "use-pnpm").stdout.splitlines()[-2:]
    assert newest.endswith("Dev: Only note it [changed]")
    assert "NEW use-pnpm -- a new rule, for none says this yet" in first
    assert "in force" in first


def test_why_goes_on_with_the_rule_whose_place_it_took(ruled: Path, rulec: Run, git: Run) -> None:
    supersede(ruled, rulec, git)
    told = rulec("why", "use-bun").stdout
    own, _, before = told.partition("before that, use-pnpm:")
    assert "SUPERSEDE use-pnpm -- bun is faster" in own
    assert "archived" in before
    assert "NEW use-pnpm" in before
    assert "SUPERSEDE" in rulec("why", "use-pnpm").stdout.splitlines()[-2]  # an archived rule has its history too


def test_why_follows_a_rule_that_was_renamed(ruled: Path, rulec: Run, git: Run) -> None:
    git("mv", ".rules/use-pnpm.yaml", ".rules/only-pnpm.yaml")
    git("rm", "-rq", ".rules/evidence/use-pnpm")
    edit(ruled, "slug: use-pnpm", "slug: only-pnpm", "only-pnpm")
    git("commit", "-qam", "Call it by its name", "--no-verify")
    assert "NEW use-pnpm" in rulec("why", "only-pnpm").stdout


def test_a_message_cannot_pretend_to_be_another_commit(ruled: Path, rulec: Run, git: Run) -> None:
    edit(ruled, "severity:", "severity: ")
    forged = f"Innocent\n\nResolution: NEW x -- forged\n\n{'0' * 40}\nwords"
    git("commit", "-qam", forged, "--no-verify")
    lines = rulec("why", "use-pnpm").stdout.splitlines()[-2:]
    assert "forged" not in lines[0]


def test_why_answers_for_a_rule_in_the_archive(ruled: Path, rulec: Run, git: Run) -> None:
    supersede(ruled, rulec, git)
    told = rulec("why", "use-pnpm").stdout
    assert "no longer in force, superseded by: use-bun" in told
    assert 'said: "Use pnpm, never npm' in told


def test_why_counts_what_the_commit_gate_caught(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", "Never use print() in src/*.py", "--yes")
    (gated / "src").mkdir()
    (gated / "src/a.py").write_text("print(1)\n")
    git("add", "-A")
    assert git("commit", "-qm", "Try", check=False).returncode
    slug = json.loads(rulec("rules", "--format", "json").stdout)[0]["slug"]
    told = rulec("why", slug).stdout
    assert "at this machine's gates: caught 1 since" in told
    assert "1 block" in told
    assert "src/a.py" in told


def test_diff_names_what_is_looser_and_the_example_that_shows_it(ruled: Path, rulec: Run, git: Run) -> None:
    loosen(ruled, rulec, git)
    told = rulec("diff", "HEAD~1..HEAD").stdout
    assert "loosened   use-pnpm@1 -> @2 (blocks -> audits): enforcement" in told
    assert "npm: blocked -> audited" in told
    assert "tightened" in rulec("diff", "HEAD..HEAD~1").stdout
    assert rulec("diff").stdout == "no rule changed\n"


def test_diff_says_what_was_added_and_what_it_took_the_place_of(ruled: Path, rulec: Run, git: Run) -> None:
    supersede(ruled, rulec, git)
    kinds = {d["slug"]: d["kind"] for d in json.loads(rulec("diff", "HEAD~1..", "--format", "json").stdout)}
    assert kinds == {"use-bun": "added", "use-pnpm": "superseded"}
    assert "in place of use-pnpm" in rulec("diff", "HEAD~1").stdout


def test_diff_of_a_commit_that_is_none_is_refused(ruled: Path, rulec: Run) -> None:
    assert "'nowhere' is not a commit here" in rulec("diff", "nowhere..HEAD", code=2).stderr
    assert "three dots" in rulec("diff", "HEAD~1...HEAD", code=2).stderr


def test_rollback_of_a_supersession_brings_the_old_rule_back(ruled: Path, rulec: Run, git: Run) -> None:
    stood = git("rev-parse", "HEAD^{tree}").stdout
    supersede(ruled, rulec, git)
    told = rulec("rollback", "use-bun").stdout
    assert "in force again: use-pnpm" in told
    assert git("rev-parse", "HEAD^{tree}").stdout == stood
    assert not git("status", "--porcelain").stdout
    assert "Rule: use-pnpm" in git("log", "-1", "--format=%B").stdout


def test_rollback_and_again_is_where_it_was(ruled: Path, rulec: Run, git: Run) -> None:
    loosen(ruled, rulec, git)
    stood = git("rev-parse", "HEAD", "HEAD^{tree}").stdout.split()
    rulec("rollback", "use-pnpm")
    rulec("rollback", "use-pnpm", "--to", stood[0])
    assert git("rev-parse", "HEAD^{tree}").stdout.strip() == stood[1]
    rulec("rollback", "use-pnpm", "--to", "@1")
    assert "revision: 1" in (ruled / ".rules/use-pnpm.yaml").read_text()
    assert "no commit here holds use-pnpm@9" in rulec("rollback", "use-pnpm", "--to", "@9", code=2).stderr


def test_rollback_never_guesses_what_a_shallow_clone_lacks(ruled: Path, rulec: Run, tmp_path: Path) -> None:
    clone = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{ruled}", str(clone)], check=True)
    assert "not in this shallow clone" in rulec("rollback", "use-pnpm", code=2, cwd=clone).stderr
    assert "a shallow clone ends here" in rulec("why", "use-pnpm", cwd=clone).stdout
    assert (clone / ".rules/use-pnpm.yaml").exists()
