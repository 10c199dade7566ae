"""A rulebook that is wrong gets one line that says what, where and what to do; exit 2; nothing is written."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.world import act, at_home, copy, founded, run

RULE, ARCHIVE, GUARD = ".rules/use-pnpm.yaml", ".rules/archive", ".rules/compiled/guard/use-pnpm.json"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with at_home(tmp_path_factory.mktemp("home")):
        return founded(tmp_path_factory.mktemp("made") / "repo", "Use pnpm, not npm")


@pytest.fixture
def ruled(made: Path, tmp_path: Path) -> Path:
    """A repository with one rule, use-pnpm."""
    return copy(made, tmp_path / "ruled")


def _refused(top: Path, *argv: str, says: tuple[str, ...]) -> None:
    before = run(top, "rev-parse", "HEAD"), run(top, "status", "--porcelain")
    done = act(top, *argv, code=2)
    assert done.err.startswith("rulec: ")
    assert done.err.count("\n") == 1, done.err
    assert "; " in done.err, f"no word on what to do: {done.err}"
    for part in says:
        assert part in done.err, done.err
    assert before == (run(top, "rev-parse", "HEAD"), run(top, "status", "--porcelain"))


def _write(top: Path, path: str, text: str | bytes) -> None:
    (top / path).parent.mkdir(parents=True, exist_ok=True)
    (top / path).write_bytes(text.encode() if isinstance(text, str) else text)


def _rule(slug: str, more: str = "") -> str:
    return f"schema: 1\nslug: {slug}\nstatement: Use {slug}.\n{more}"


def _conflict(text: str, line: int) -> str:
    lines = text.splitlines(keepends=True)
    lines[line - 1 : line] = ["<<<<<<< HEAD\n", lines[line - 1], "=======\n", f"x{lines[line - 1]}", ">>>>>>> theirs\n"]
    return "".join(lines)


def _in_conflict(path: str, line: int) -> Callable[[Path], None]:
    return lambda top: _write(top, path, _conflict((top / path).read_text(), line))


def _half_settled(top: Path) -> None:
    _write(top, RULE, (top / RULE).read_text() + ">>>>>>> theirs\n")


def _evidence(top: Path) -> Path:
    return next(path for path in sorted((top / ".rules/evidence/use-pnpm").iterdir()) if "quote" in path.read_text())


def _edited_evidence(top: Path) -> None:
    path = _evidence(top)
    path.write_text(path.read_text().replace("quote: ", "quote: really "))


def _evidence_in_conflict(top: Path) -> None:
    path = _evidence(top)
    path.write_text(_conflict(path.read_text(), 2))


def _moved_evidence(top: Path) -> None:
    path = _evidence(top)
    _write(top, f".rules/evidence/use-yarn/{path.name}", path.read_bytes())


def _files(**texts: str) -> Callable[[Path], None]:
    def write(top: Path) -> None:
        for name, text in texts.items():
            _write(top, f".rules/{name.replace('__', '/')}.yaml", text)

    return write


def _added(more: str) -> Callable[[Path], None]:
    return lambda top: _write(top, RULE, (top / RULE).read_text() + more)


BOMB = "rationale: x\nwhen: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"k{n}: &k{n} [{', '.join([f'*{last}'] * 9)}]\n" for n, last in enumerate(["a", *(f"k{i}" for i in range(8))])
)
WRONG: dict[str, tuple[Callable[[Path], None], tuple[str, ...]]] = {
    "a conflict in a rule": (_in_conflict(RULE, 4), (f"{RULE}:4: a merge conflict stands here", "finish the merge")),
    "a conflict that is half settled": (_half_settled, (f"{RULE}:", "a merge conflict stands here")),
    "a conflict in evidence": (_evidence_in_conflict, (".rules/evidence/use-pnpm/", ".yaml:2: a merge conflict")),
    "a conflict in the settings": (_in_conflict(".rules/config.yaml", 1), (".rules/config.yaml:1: a merge conflict",)),
    "a conflict in a person's words": (_in_conflict("AGENTS.md", 3), ("AGENTS.md:3: a merge conflict stands here",)),
    "evidence that was changed": (_edited_evidence, ("is not the evidence", "git checkout")),
    "evidence of another rule": (_moved_evidence, (".rules/evidence/use-yarn/", "is evidence for use-pnpm")),
    "a slug in force and in the archive": (
        _files(**{"archive__use-pnpm": _rule("use-pnpm", "retired: enough\n")}),
        (f"{ARCHIVE}/use-pnpm.yaml: is in force too, as {RULE}", "remove one of the two"),
    ),
    "a slug that differs in case alone": (
        _files(**{"Use-Pnpm": _rule("use-pnpm")}), (".rules/Use-Pnpm.yaml", "name the file use-pnpm.yaml"),
    ),
    "an archive whose name differs in case alone": (
        _files(**{"archive__Use-pnpm": _rule("use-pnpm")}), (f"{ARCHIVE}/Use-pnpm.yaml: 'Use-pnpm' is no slug",),
    ),
    "a slug that is not ASCII": (_files(grün=_rule("grün")), (".rules/grün.yaml:2: 'grün' is no slug",)),
    "a slug of look-alike letters": (_files(x=_rule("usе-pnpm")), (".rules/x.yaml:2", "is no slug")),  # noqa: RUF001 - one of its letters is Cyrillic
    "a rule in force that says it is superseded": (
        _added("superseded_by: use-bun\n"), (f"{RULE}:", "is no longer in force (use-bun)", "move the file to"),
    ),
    "a rule in force that says it is retired": (_added("retired: enough\n"), (f"{RULE}:", "move the file to")),
    "an archived rule that does not say why": (
        _files(**{"archive__use-npm": _rule("use-npm")}),
        (f"{ARCHIVE}/use-npm.yaml: is in the archive and has neither superseded_by nor retired",),
    ),
    "an archived rule that says two reasons": (
        _files(**{"archive__use-npm": _rule("use-npm", "retired: x\nsuperseded_by: use-pnpm\n")}),
        ("has both superseded_by and retired",),
    ),
    "an archived rule of another name": (
        _files(**{"archive__use-npm": _rule("use-yarn", "retired: x\n")}), ("holds the rule use-yarn",),
    ),
    "a successor that is no rule": (
        _files(**{"archive__use-npm": _rule("use-npm", "superseded_by: use-bun\n")}),
        (f"{ARCHIVE}/use-npm.yaml: was superseded by use-bun, which is not a rule here",),
    ),
    "successors in a circle": (
        _files(**{
            "archive__use-npm": _rule("use-npm", "superseded_by: use-yarn\n"),
            "archive__use-yarn": _rule("use-yarn", "superseded_by: use-npm\n"),
        }),
        ("supersedes itself: use-npm -> use-yarn -> use-npm",),
    ),
    "a rule that supersedes itself": (_added("supersedes: [use-pnpm]\n"), ("supersedes use-pnpm, which is in force",)),
    "rules that supersede each other": (
        _files(a=_rule("a", "supersedes: [b]\n"), b=_rule("b", "supersedes: [a]\n")),
        (".rules/a.yaml: supersedes b, which is in force",),
    ),
    "an unknown key": (_added("colour: red\n"), (f"{RULE}:", "colour is not a known key")),
    "a key twice": (_added("severity: must\n"), (f"{RULE}:", "not valid YAML: found duplicate key")),
    "a bomb of anchors": (_added(BOMB), (RULE,)),
    "a rule that is no text": (lambda top: _write(top, RULE, b"\xff\xfe\x00"), (RULE, "is not UTF-8")),
    "a rule that is empty": (lambda top: _write(top, RULE, ""), (f"{RULE}:1", "must be a mapping")),
    "a rule that is a list": (lambda top: _write(top, RULE, "- a\n"), (f"{RULE}:1", "must be a mapping")),
    "a mode that is none": (
        _files(config="schema: 1\nweakened: bold\n"), (".rules/config.yaml:2", "is not one of"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_rulebook_that_is_wrong_is_refused(ruled: Path, name: str) -> None:
    spoil, says = WRONG[name]
    spoil(ruled)
    for argv in (("compile",), ("compile", "--check")):
        _refused(ruled, *argv, says=says)


def _odd_folder(top: Path) -> None:
    (top / ".rules/odd.yaml").mkdir()


def _odd_link(top: Path) -> None:
    (top / ".rules/odd.yaml").symlink_to("/etc/hostname")


def _file_for_folder(top: Path) -> None:
    (top / ".rules/compiled").rename(top / ".rules/was")
    _write(top, ".rules/compiled", "in the way\n")


def _file_for_kind(top: Path) -> None:
    _write(top, ".rules/compiled/semgrep", "in the way\n")


IN_THE_WAY: dict[str, tuple[Callable[[Path], None], tuple[str, ...], tuple[str, ...]]] = {
    "a folder for a rule": (_odd_folder, ("compile",), (".rules/odd.yaml: is no regular file",)),
    "a link for a rule": (_odd_link, ("compile",), (".rules/odd.yaml: is no regular file",)),
    "a file for the compiled checks": (_file_for_folder, ("compile",), (".rules/compiled", "cannot be written")),
    "a file for a kind of check": (
        _file_for_kind,
        ("add", "Never use print() in Python", "--yes"),
        (".rules/compiled/semgrep", "cannot be written"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", IN_THE_WAY)
def test_something_else_stands_where_a_file_should(ruled: Path, name: str) -> None:
    spoil, argv, says = IN_THE_WAY[name]
    spoil(ruled)
    _refused(ruled, *argv, says=says)


FORMS = {
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "a byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "no last line end": lambda text: text.rstrip("\n").encode(),
    "comments and blank lines": lambda text: f"# ours\n\n{text}\n# the end\n".encode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_rule_file_in_another_editors_form_is_the_same_rule(ruled: Path, form: str) -> None:
    for path in (ruled / RULE, _evidence(ruled), ruled / ".rules/config.yaml"):
        path.write_bytes(FORMS[form](path.read_text()))
    assert "every artifact is current" in act(ruled, "compile", "--check").out
    assert "0 files changed" in act(ruled, "compile").out


def test_evidence_whose_rule_is_gone_is_told_and_kept(ruled: Path) -> None:
    run(ruled, "rm", "-q", RULE)
    told = act(ruled, "compile", "--check", code=1).out
    assert "evidence without a rule: .rules/evidence/use-pnpm; git rm -r it, or bring the rule back" in told
    assert "evidence without a rule" in act(ruled, "compile").out
    assert list((ruled / ".rules/evidence/use-pnpm").iterdir())
    assert not (ruled / GUARD).exists()


def test_a_conflict_in_what_is_generated_is_settled_by_compile(ruled: Path) -> None:
    before = {path: (ruled / path).read_text() for path in (GUARD, "AGENTS.md", ".rules/.gitignore")}
    for path, text in before.items():
        _write(ruled, path, _conflict(text, min(9, text.count("\n"))))
    assert "<<<<<<<" in (ruled / "AGENTS.md").read_text()
    act(ruled, "compile")
    assert {path: (ruled / path).read_text() for path in before} == before


def test_a_repository_without_commits(tmp_path: Path) -> None:
    top = tmp_path / "new"
    top.mkdir()
    run(top, "init", "-q")
    act(top, "init", "--yes", "--agent", "claude-code", "--no-ci")
    act(top, "add", "Use pnpm, not npm", "--yes")
    assert "every artifact is current" in act(top, "compile", "--check").out
    assert "use-pnpm" in act(top, "why", "use-pnpm", code=None).out


def test_a_shallow_clone_says_where_its_history_ends(made: Path, tmp_path: Path) -> None:
    top = tmp_path / "shallow"
    run(tmp_path, "clone", "-q", "--depth=1", f"file://{made}", str(top))
    _refused(top, "rollback", "use-pnpm", says=("shallow clone", "git fetch --unshallow"))
    act(top, "why", "use-pnpm")


def test_a_rollback_to_where_the_rule_was_not(ruled: Path) -> None:
    _refused(ruled, "rollback", "use-pnpm", "--to", "HEAD~2", says=("use-pnpm did not exist at HEAD~2", "rulec why"))
    _refused(ruled, "rollback", "use-pnpm", "--to", "no-such", says=("'no-such' is not a commit here",))
    _refused(ruled, "rollback", "use-bun", says=("use-bun has no history",))


def test_a_merge_under_way_is_named(ruled: Path) -> None:
    (ruled / ".git/MERGE_HEAD").write_text(run(ruled, "rev-parse", "HEAD"))
    _refused(ruled, "add", "Never commit .env files", "--yes", says=("a merge is under way", "finish or abort"))


def test_a_commit_in_the_midst_of_a_write_is_refused(ruled: Path) -> None:
    (ruled / ".git/rulec/journal.json").write_text("{}")
    _refused(ruled, "check", "--staged", says=("was stopped while it wrote", "run rulec, then commit again"))
    _refused(ruled, "compile", says=(".git/rulec/journal.json: cannot be read", "delete it, then run rulec compile"))


def test_nobody_but_git_merges(ruled: Path) -> None:
    for name in ("README", ".rules/config.yaml", "../x", ".merge_file_gone"):
        _refused(ruled, "merge", name, name, name, "7", "AGENTS.md", says=(name, "git runs this verb, not you"))
