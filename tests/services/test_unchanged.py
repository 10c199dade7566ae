"""A rulebook that is as the last compile left it costs no second one; one that is not is compiled."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rulec.infra.rulebooks import rulebook_files
from rulec.services.setup.compile import output_if_unchanged, remember_compile, rulebook_digests
from tests.support.rulebooks import files, tool
from tests.support.world import act, run

DONE = "2 rules, 0 files changed, 0 newly proved, 0 unproved"


@pytest.fixture
def compiled(repo: Path) -> Path:
    """A rulebook that was just compiled."""
    for name, text in files(tool("use-pnpm", "npm", "pnpm"), tool("use-uv", "pip", "uv")).items():
        target = repo / ".rules" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    (repo / ".rules/config.yaml").write_text("schema: 1\nemitters: [agents-md]\n")
    assert "2 newly proved" in act(repo, "compile").out
    return repo


def edit(top: Path, path: str, old: str, new: str) -> None:
    text = (top / path).read_text()
    assert old in text
    (top / path).write_text(text.replace(old, new))


def put(top: Path, path: str, text: str) -> None:
    (top / path).parent.mkdir(parents=True, exist_ok=True)
    (top / path).write_text(text)


def test_what_is_done_is_not_done_again_and_told_as_if_it_were(compiled: Path) -> None:
    assert output_if_unchanged(compiled) == DONE
    assert act(compiled, "compile").out == f"{DONE}\n"
    (compiled / ".git/rulec/compiled").unlink()
    assert act(compiled, "compile").out == f"{DONE}\n"
    assert output_if_unchanged(compiled) == DONE


CHANGES: dict[str, Callable[[Path], object]] = {
    "a rule": lambda top: edit(top, ".rules/use-uv.yaml", "never pip", "not pip"),
    "its evidence": lambda top: next((top / ".rules/evidence/use-uv").glob("*.yaml")).unlink(),
    "the settings": lambda top: edit(top, ".rules/config.yaml", "[agents-md]", "[agents-md, claude-md]"),
    "an artifact": lambda top: (top / ".rules/compiled/guard/use-uv.json").unlink(),
    "an artifact too many": lambda top: put(top, ".rules/compiled/guard/old.json", "{}"),
    "the runtime": lambda top: put(top, ".rules/hook", ""),
    "a part of a document": lambda top: edit(top, "AGENTS.md", "Read them", "Read nothing"),
    "a document": lambda top: (top / "AGENTS.md").unlink(),
    "a team's template": lambda top: put(top, ".rules/templates/checks/own.j2", "{# #}"),
    "an artifact that is a link": lambda top: link(top / ".rules/compiled/guard/use-uv.json"),
}


def link(path: Path) -> None:
    path.rename(path.with_name("moved"))
    path.symlink_to("moved")


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_changed_is_compiled_and_compared(compiled: Path, what: str) -> None:
    CHANGES[what](compiled)
    assert output_if_unchanged(compiled) == ""
    assert (act(compiled, "compile", "--check", code=None).code == 1) == (what != "a team's template")


def test_what_was_compared_is_not_compared_again(compiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    current = "2 rules, every artifact is current\n"
    with monkeypatch.context() as patched:
        patched.setattr("rulec.services.setup.compile._current", lambda _: pytest.fail("compile left it current"))
        assert act(compiled, "compile", "--check").out == current
    (compiled / ".git/rulec/compiled").unlink()
    assert act(compiled, "compile", "--check").out == current
    monkeypatch.setattr("rulec.services.setup.compile._current", lambda _: pytest.fail("it was compared"))
    assert act(compiled, "compile", "--check").out == current
    assert output_if_unchanged(compiled) == "", "a comparison wrote nothing, so that compile still looks"


def test_a_complaint_is_told_by_each_comparison(compiled: Path) -> None:
    (compiled / ".rules/use-uv.yaml").unlink()
    act(compiled, "compile")
    for _ in range(2):
        assert "evidence without a rule" in act(compiled, "compile", "--check", code=1).out


def test_a_merge_in_conflict_is_settled(compiled: Path) -> None:
    run(compiled, "add", "-A")
    run(compiled, "commit", "-qm", "Rules", "--no-verify")
    for branch, line in (("one", "# One\n"), ("two", "# Two\n")):
        run(compiled, "checkout", "-qb", branch, "main")
        put(compiled, "NOTES", line)
        run(compiled, "add", "-A")
        run(compiled, "commit", "-qm", branch, "--no-verify")
    run(compiled, "merge", "-q", "one", code=None)
    assert output_if_unchanged(compiled) == ""


def test_what_somebody_wrote_meanwhile_is_not_taken_for_compiled(compiled: Path) -> None:
    began = rulebook_digests(compiled)
    book = rulebook_files.load_rulebook(compiled)
    edit(compiled, ".rules/use-uv.yaml", "never pip", "not pip")
    remember_compile(compiled, began, [], book, "done")
    assert output_if_unchanged(compiled) == ""
    remember_compile(compiled, began, [".rules/use-uv.yaml"], book, "done")
    assert output_if_unchanged(compiled) == "done", "unless it was rulec that wrote it"


def test_a_failed_proof_is_tried_again(compiled: Path) -> None:
    edit(compiled, ".rules/use-uv.yaml", "pip x", "uv x")
    for _ in range(2):
        assert "FAILED  use-uv" in act(compiled, "compile", code=1).out


def test_ci_looks_for_itself(compiled: Path) -> None:
    (compiled / ".rules/compiled/guard/use-uv.json").unlink()
    remember_compile(compiled, rulebook_digests(compiled), [], rulebook_files.load_rulebook(compiled), DONE)
    assert act(compiled, "compile").out == f"{DONE}\n", "a piece of state that lies is believed here"
    assert "use-uv.json" in act(compiled, "compile", "--check", code=1).out
