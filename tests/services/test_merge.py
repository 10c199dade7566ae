"""git's merge driver: what is generated never stops a merge, what people wrote is merged as git merges it."""

import json
from pathlib import Path

import pytest

from tests.support.world import act, at_home, copy, founded, run

RULE, GUARD = ".rules/use-pnpm.yaml", ".rules/compiled/guard/use-pnpm.json"
SETTINGS = ".claude/settings.json"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with at_home(tmp_path_factory.mktemp("home")):
        return founded(tmp_path_factory.mktemp("made") / "repo", "Use pnpm, not npm")


@pytest.fixture
def top(made: Path, tmp_path: Path) -> Path:
    return copy(made, tmp_path / "top")


def _sides(top: Path, *texts: dict[str, str | None]) -> None:
    """A branch for each set of files, the second one being stood on."""
    for number, files in enumerate(texts):
        run(top, "switch", "-qc", f"side{number}", "main")
        for path, text in files.items():
            if text is None:
                (top / path).unlink()
            else:
                (top / path).write_text(text)
        run(top, "add", "-A")
        run(top, "commit", "-qm", f"Side {number}", "--no-verify")


def test_a_compiled_check_in_conflict_is_no_conflict(top: Path) -> None:
    text = (top / GUARD).read_text()
    _sides(top, {GUARD: text.replace("pnpm", "PNPM")}, {GUARD: text.replace("pnpm", "Pnpm")})
    run(top, "merge", "-q", "--no-edit", "side0")
    json.loads((top / GUARD).read_text())
    act(top, "compile")
    assert (top / GUARD).read_text() == text


def test_a_compiled_check_that_one_side_removed_is_settled_by_compile(top: Path) -> None:
    text = (top / GUARD).read_text()
    _sides(top, {GUARD: text.replace("pnpm", "PNPM")}, {GUARD: None, RULE: None})
    run(top, "merge", "-q", "--no-edit", "side0", code=1)
    assert f"settled {GUARD}" in act(top, "compile").out
    run(top, "commit", "-q", "--no-edit", "--no-verify")
    assert not (top / GUARD).exists()


def test_hooks_that_both_sides_put_up_stand_once_beside_what_people_added(top: Path) -> None:
    ours = (top / SETTINGS).read_text()
    run(top, "rm", "-q", SETTINGS)
    run(top, "commit", "-qm", "No settings", "--no-verify")
    theirs = {"permissions": {"allow": ["Bash(ls)"]}}
    _sides(top, {".gitignore": "x\n"}, {".gitignore": "x\n"})
    for number, text in enumerate((ours, json.dumps(theirs, indent=4) + "\n")):
        run(top, "switch", "-q", f"side{number}")
        (top / SETTINGS).parent.mkdir(exist_ok=True)
        (top / SETTINGS).write_text(text)
        act(top, "compile")
        run(top, "add", "-A")
        run(top, "commit", "-qm", f"Settings {number}", "--no-verify")
    run(top, "merge", "-q", "--no-edit", "side0")
    merged = json.loads((top / SETTINGS).read_text())
    assert merged == {**theirs, **json.loads(ours)}
    act(top, "compile", "--check")


def test_where_rulec_is_gone_git_merges_as_text(top: Path) -> None:
    driver = run(top, "config", "merge.rulec.driver").strip()
    run(top, "config", "merge.rulec.driver", "/no/such/python" + driver[driver.index(" -E") :])
    guide = (top / "AGENTS.md").read_text()
    _sides(top, {"AGENTS.md": guide.replace("kind", "bold")}, {"AGENTS.md": guide.replace("kind", "shy")})
    run(top, "merge", "-q", "--no-edit", "side0", code=1)
    assert "<<<<<<< ours\nBe shy.\n=======\nBe bold.\n>>>>>>> theirs\n" in (top / "AGENTS.md").read_text()


def test_a_file_that_is_named_like_an_option_loses_no_side(top: Path) -> None:
    lines = "".join(f"{number}\n" for number in range(9))
    run(top, "switch", "-q", "main")
    (top / "--help").write_text(lines)
    (top / ".gitattributes").write_text("* merge=rulec\n")
    run(top, "add", "-A")
    run(top, "commit", "-qm", "A strange name", "--no-verify")
    _sides(top, {"--help": lines.replace("0", "ours")}, {"--help": lines.replace("8", "theirs")})
    run(top, "merge", "-q", "--no-edit", "side0")
    assert (top / "--help").read_text() == lines.replace("0", "ours").replace("8", "theirs")


def test_two_versions_of_rulec_merge_their_pre_commit_hooks(top: Path) -> None:
    text = (top / ".pre-commit-config.yaml").read_text()
    (line,) = (line for line in text.splitlines(keepends=True) if line.startswith("default_stages:"))
    mine = "  - repo: local\n    hooks: []\n"
    _sides(
        top,
        {".pre-commit-config.yaml": text.replace(line, "") + mine},
        {".pre-commit-config.yaml": text.replace(line, f"# {line}")},
    )
    run(top, "merge", "-q", "--no-edit", "side0")
    assert (top / ".pre-commit-config.yaml").read_text() == text + mine


def test_init_names_the_driver_and_takes_it_out_again(top: Path) -> None:
    assert "git's merge driver is set up" in act(top, "doctor", code=None).out
    before = run(top, "config", "--local", "--list")
    assert "merge driver" not in act(top, "init", "--yes").out
    assert run(top, "config", "--local", "--list") == before
    run(top, "config", "--remove-section", "merge.rulec")
    assert "git's merge driver is not set up; run rulec init" in act(top, "doctor", code=1).out
    assert "installed merge driver" in act(top, "init", "--yes").out
    assert "uninstalled merge driver" in act(top, "init", "--remove", "--yes").out
    assert "merge.rulec" not in run(top, "config", "--local", "--list")
    assert not (top / ".gitattributes").exists()


def test_a_merge_in_a_linked_work_tree_settles_the_document(top: Path, tmp_path: Path) -> None:
    run(top, "switch", "-qc", "side", "main")
    act(top, "add", "Do not run kubectl delete", "--yes")
    run(top, "worktree", "add", "-q", "-b", "beside", str(tmp_path / "linked"), "main")
    linked = tmp_path / "linked"
    act(linked, "add", "Do not run terraform apply", "--yes")
    run(linked, "merge", "-q", "--no-edit", "side")
    act(linked, "compile", "--check")
    assert {path.stem for path in (linked / ".rules").glob("no-*.yaml")} >= {"no-kubectl-delete", "no-terraform-apply"}
