"""What git is about to commit is what is judged, however it is staged, whatever it is called, wherever git stands."""

# ruff: noqa: E501 - a case is one line of shell

import shlex
import sys
from pathlib import Path

import pytest

from tests.support.gates import hooked, rulec, run

DO = "git commit -qm 'Do it'"
PASSES = {
    "a good file": "echo x >a; git add a",
    "the work tree is bad, the index is not": "echo x >a; git add a; echo XXX >a",
    "another file of the work tree is bad": "echo x >a; git add a; echo XXX >good.txt; echo XXX >new",
    "a good hunk is staged, a bad one is not": "sed -i '1s/$/ a/; 12s/$/ XXX/' good.txt; printf 'y\\nn\\n' | git add -p",
    "a bad file goes": "git rm -q old.txt",
    "a bad line goes": "sed -i 2d old.txt; git add -A",
    "a line beside a bad one": "sed -i 3s/line/row/ old.txt; git add -A",
    "the mode of a bad file": "chmod +x old.txt; git add -A",
    "a bad file's name": "git mv old.txt new.txt",
    "a bad file's name and a good line": "git mv old.txt new.txt; echo more >>new.txt; git add -A",
    "a bad file's name in another case": "git mv old.txt OLD.txt",
    "a link that is called bad": "ln -s XXX link; git add -A",
    "a bad file becomes a link": "rm old.txt; ln -s good.txt old.txt; git add -A",
    "a submodule": "git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub",
    "a submodule moves on": (
        "git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub; git commit -qnm Sub;"
        "git update-index --cacheinfo 160000,$(git rev-parse HEAD),sub"
    ),
    "a file too large to read": "head -c 3000000 /dev/zero | tr '\\0' X >huge; git add -A",
    "a binary file": "head -c 3000 /dev/urandom | tr -d X >blob; git add -A",
    "a path that is only meant to be added": "echo XXX >new; git add -N new; echo x >a; git add a",
    "a path of its own, beside a bad one that is staged": "echo XXX >b; git add b; echo x >a; git add a; {do} a; git rm -qf b",
    "nothing at all": "git commit -q --allow-empty -m Nothing",
    "an amendment of what nobody judged": "echo XXX >b; git add b; git commit -qnm Past; echo x >a; git add a; {do} --amend",
    "words alone": "echo XXX >b; git add b; git commit -qnm Past; git commit -q --amend -m 'Say it better'",
    "a file is still too long": "sed -i 1s/long/short/ src/long.txt; git add -A",
    "line ends of another system": "sed -i 's/$/\\r/' old.txt; git add -A",
    "line ends by git's own hand": "sed -i 's/$/\\r/' old.txt; git config core.autocrlf input; echo x >a; git add -A",
    "an indented block": "sed -i 's/^/    /' old.txt; git add -A",
    "a moved line": "sed -n 2p old.txt >moved; sed -i 2d old.txt; cat moved >>old.txt; rm moved; git add -A",
    "a moved block and a good line": "sed -n 1,3p old.txt >m; sed -i 1,3d old.txt; echo x >>old.txt; cat m >>old.txt; rm m; git add -A",
    "a sparse checkout": "git sparse-checkout set --no-cone '/*' '!/old.txt'; echo x >a; git add a",
    "git was told not to look": "git update-index --skip-worktree old.txt; echo XXX >>old.txt; echo x >a; git add a",
    "the rules forbid it, and theirs is the text": "sed -i 's/statement: .*/statement: Nobody writes XXX./' .rules/no-bad-line.yaml; {rulec} compile >/dev/null; git add -A",
    "a good change is taken back": "echo x >a; git add a; {do}; git revert --no-edit HEAD -q 2>/dev/null || git revert --no-edit HEAD >/dev/null",
}
NAMES = [
    "a b",
    "-dash",
    "--",
    'quo"te',
    "it's",
    "tab\there",
    "new\nline",
    "back\\slash",
    "ünï",
    "*",
    "[x]",
    ":(top)x",
    "#x",
    "\udcff",
]
REFUSED = {
    "a bad file": ("echo XXX >a; git add a", ""),
    "the index is bad, the work tree is not": ("echo XXX >a; git add a; echo x >a", ""),
    "all that is tracked": ("echo XXX >>good.txt", "-a"),
    "a path of its own": ("echo XXX >>good.txt; echo x >a; git add a", "good.txt"),
    "a path beside what is staged": ("echo x >a; git add a; echo XXX >>good.txt", "-i good.txt"),
    "a folder below": ("echo XXX >src/a; git add src/a; cd src", ""),
    "a bad line beside an old one": ("sed -i '2s/.*/XXX 2\\nXXX new/' old.txt; git add -A", ""),
    "one bad line more, the others moved": ("sed -i 2d old.txt; printf 'XXX 2\\nXXX 2\\n' >>old.txt; git add -A", ""),
    "an old bad line is rewritten": ("sed -i '2s/.*/XXX other/' old.txt; git add -A", ""),
    "a rename with a bad line": ("git mv old.txt new.txt; echo XXX more >>new.txt; git add -A", ""),
    "a copy of a bad file": ("cp old.txt copy.txt; git add -A", ""),
    "a link becomes a bad file": ("ln -s old.txt l; git add l; git commit -qnm Link; rm l; echo XXX >l; git add l", ""),
    "an amendment": ("echo XXX >a; git add a", "--amend"),
    "bytes that are no text": ("printf '\\0\\377\\nXXX\\n\\0' >blob; git add -A", ""),
    "no line end at the end": ("printf XXX >a; git add a", ""),
    "what git shall call binary": ("echo '* binary' >.gitattributes; echo XXX >a; git add -A", ""),
    "what git shall not diff": ("echo '* -diff' >.git/info/attributes; echo XXX >>good.txt; git add -A", ""),
    "another diff": ("git config diff.external true; echo XXX >>good.txt; git add -A", ""),
    "colours and prefixes": ("git config color.ui always; git config diff.noprefix true; echo XXX >>good.txt; git add -A", ""),
    "no renames": ("git config diff.renames false; git mv old.txt new.txt; echo XXX more >>new.txt; git add -A", ""),
    "an order of files": ("printf 'z*\\n' >o; git config diff.orderFile o; echo XXX >z; echo x >a; git add -A", ""),
    "relative paths": ("git config diff.relative true; echo XXX >a; git add a; cd src", ""),
    "blank lines and spaces": ("git config core.whitespace -blank-at-eol; printf '\\n\\n  XXX  \\n' >>good.txt; git add -A", ""),
    "a first commit": ("git checkout -q --orphan fresh; echo XXX >a; git add a", ""),
    "a detached head": ("git checkout -q --detach; echo XXX >a; git add a", ""),
    "a linked worktree": ("git worktree add -q ../linked; cd ../linked; echo XXX >a; git add a", ""),
    "a sparse checkout": ("git sparse-checkout set --cone src; echo XXX >src/a; git add src/a", ""),
    "an index elsewhere": ("cp .git/index ../index; echo XXX >a; GIT_INDEX_FILE=../index git add a; export GIT_INDEX_FILE=$PWD/../index", ""),
    "a split index": ("git update-index --split-index; echo XXX >a; git add a", ""),
    "a replaced commit": ("git replace HEAD $(git commit-tree -m x HEAD^{tree}); echo XXX >a; git add a", ""),
    "a fixup": ("echo XXX >a; git add a", "--fixup HEAD"),
    "a forbidden name": ("echo x >.env; git add -f .env", ""),
    "a link of a forbidden name": ("ln -s good.txt .env; git add -f .env", ""),
    "a forbidden name too large to read": ("head -c 3000000 /dev/zero >.env; git add -f .env", ""),
    "a submodule in a forbidden place": ("git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),secret/sub", ""),
    "a move to a forbidden name": ("git mv good.txt .env", ""),
    "a move in another case": ("git mv good.txt .ENV; git commit -qnm Move; git mv .ENV .env", ""),
    "a longer file": ("echo more >>src/long.txt; git add -A", ""),
}  # fmt: skip


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository behind its git hooks."""
    return hooked(tmp_path / "repo")


def _head(top: Path) -> str:
    return run(top, "git", "log", "--all", "--format=%H")


def _script(top: Path, text: str, code: int) -> str:
    line = text.replace("{do}", DO).replace("{rulec}", f"{shlex.quote(sys.executable)} -m rulec")
    return run(top, "bash", "-ec", line, code=code)


@pytest.mark.parametrize("name", PASSES)
def test_what_adds_nothing_bad_is_committed(top: Path, name: str) -> None:
    last = PASSES[name].rpartition("; ")[2]
    script = PASSES[name] if "commit" in last or "revert" in last or "{do}" in PASSES[name] else f"{PASSES[name]}; {DO}"
    before = _head(top)
    _script(top, script, 0)
    assert _head(top) != before


@pytest.mark.parametrize("name", REFUSED)
def test_what_adds_something_bad_is_not(top: Path, name: str) -> None:
    script, options = REFUSED[name]
    said = _script(top, f"{script}; git log --all --format=%H >{top}/../before; {DO} {options}", 1)
    assert "refused by " in said
    assert _head(top) == (top / "../before").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_no_name_hides_a_file(top: Path, name: str) -> None:
    (top / name).write_text("XXX\n")
    run(top, "git", "--literal-pathspecs", "add", "--", name)
    assert "refused by no-bad-line" in run(top, "git", "commit", "-m", "Add it", code=1)
    (top / name).write_text("x\n")
    run(top, "git", "--literal-pathspecs", "add", "--", name)
    run(top, "git", "commit", "-m", "Add it")


def test_a_submodule_has_gates_of_its_own(top: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    run(tmp_path, "git", "init", "-q", str(outer))
    run(outer, "git", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(top), "sub")
    rulec(outer / "sub", "hook", "install")
    (outer / "sub/a").write_text("XXX\n")
    run(outer / "sub", "git", "add", "a")
    assert "refused by no-bad-line" in run(outer / "sub", "git", "commit", "-m", "Add it", code=1)


def test_a_shallow_clone_is_gated(top: Path, tmp_path: Path) -> None:
    run(tmp_path, "git", "clone", "-q", "--depth", "1", f"file://{top}", "clone")
    clone = tmp_path / "clone"
    rulec(clone, "hook", "install")
    (clone / "a").write_text("XXX\n")
    run(clone, "git", "add", "a")
    run(clone, "git", "commit", "-m", "Add it", code=1)
    run(clone, "git", "commit", "-nqm", "Add it")
    assert "that no gate has seen" in run(clone, "git", "push", "-q", "origin", "HEAD:new", code=1)
