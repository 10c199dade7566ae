"""A commit that no rule can touch goes a short way, which says what the long one says; all others go the long one."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulec import registry
from rulec.domain.files import globs
from rulec.gates import fast_path, passed_changes
from rulec.gates.trusted_checks import _ends
from rulec.infra import fast_files
from tests.checks.support import artifact
from tests.support.world import act, inside, run

SEMGREP, SHELL, GUARD = (registry.checker(name) for name in ("semgrep", "shell", "guard"))
TEXT = '{"on": "text", "forbid": ["secret"], "globs": ["*.cfg"], "parts": ["comments"]}'
PASSED = "rulec: %s, 5 rules: no findings\n"


@pytest.fixture
def filled(repo: Path) -> Path:
    """A repository whose gate has judged once."""
    made = [
        artifact(SEMGREP, "calls", "languages: [python]\npattern: forbidden(...)\n", include=("src/**",)),
        artifact(SEMGREP, "scripts", "languages: [bash]\npattern: curl ...\n"),
        artifact(SEMGREP, "words", "languages: [regex]\npattern-regex: bad\npaths: {include: ['*.txt']}\n"),
        artifact(SHELL, "docs", "exit 0\n", include=("docs/*.md",)),
        artifact(GUARD, "comments", TEXT),
    ]
    for one in made:
        put(repo, one.path, one.text or "")
    run(repo, "add", "-A")
    run(repo, "commit", "-qm", "Rules")
    (repo / ".git/COMMIT_EDITMSG").write_text("x")
    passed_changes.begin_record(repo)
    act(repo, "check", "--staged")
    return repo


def put(top: Path, path: str, content: str | bytes) -> None:
    target = top / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content.encode() if isinstance(content, str) else content)


def short(top: Path) -> str:
    with inside(top):
        return fast_path.output_if_untouched(["check", "--staged"])


def staged(top: Path, *files: tuple[str, str | bytes]) -> None:
    for path, content in files:
        put(top, path, content)
    run(top, "add", "-A")


UNTOUCHED: list[list[tuple[str, str | bytes]]] = [
    [("README", "bad\n")],
    [("lib/a.py", "forbidden()\n"), ("a.js", "forbidden()\n")],
    [("srcs.py", "forbidden()\n")],
    [("docs/a.rst", "x\n"), ("docs.md", "x\n")],
    [("tool", "#!/usr/bin/env node\ncurl();\n")],
    [("image.png", b"\x89PNG\0\xff"), ("no\nname", "x"), ("\udcff", "x"), ("a b", "")],
    [],
]


@pytest.mark.parametrize("files", UNTOUCHED)
def test_what_no_rule_looks_at_goes_the_short_way_and_is_noted_as_seen(
    filled: Path, files: list[tuple[str, str | bytes]]
) -> None:
    staged(filled, *files)
    long = act(filled, "check", "--staged").out
    assert long == PASSED % ("1 file" if len(files) == 1 else f"{len(files)} files")
    noted = (filled / ".git/rulec/seen").read_text().splitlines()
    (filled / ".git/rulec/seen").write_text("")
    assert f"{short(filled)}\n" == long
    assert (filled / ".git/rulec/seen").read_text().splitlines() == noted[-1:] * bool(files)


@pytest.mark.parametrize(
    "file",
    [
        ("src/a.py", "x = 1\n"),
        ("src/tool", "#!/usr/bin/env python3\n"),
        ("bin/tool", "#!/bin/sh\ncurl x\n"),
        ("a.txt", "x\n"),
        ("docs/a.md", "x\n"),
        ("a.cfg", "x\n"),
        ("lib/a.py", "x = 1  # rulec: ignore[calls] until=2099-01-01 because\n"),
        ("CODEOWNERS", "* @me\n"),
        ("AGENTS.md", "x\n"),
        (".github/workflows/a.yml", "x: 1\n"),
        ("lib/.eslintrc", "x\n"),
        ("lib/big.py", b"#" * 2_000_001),
    ],
)
def test_what_a_rule_may_look_at_goes_the_long_way(filled: Path, file: tuple[str, str | bytes]) -> None:
    staged(filled, ("README", "x\n"), file)
    assert short(filled) == ""


def test_a_file_that_goes_or_moves_is_looked_at_where_it_was(filled: Path) -> None:
    staged(filled, ("a.txt", "much that is bad\n" * 9), ("lib/a.py", "x = 1\n" * 9))
    run(filled, "commit", "-qm", "Files", "--no-verify")
    act(filled, "check", "--staged")
    run(filled, "mv", "a.txt", "b.md")
    assert short(filled) == "", "what was found there may be gone now"
    run(filled, "reset", "-q", "--hard")
    run(filled, "rm", "-q", "lib/a.py")
    assert f"{short(filled)}\n" == PASSED % "1 file"


def test_links_go_the_long_way(filled: Path) -> None:
    (filled / "link").symlink_to("README")
    run(filled, "add", "-A")
    assert short(filled) == ""


@pytest.mark.parametrize("arguments", [[], ["check"], ["check", "--staged", "--format", "json"], ["check", "--all"]])
def test_no_other_verb_goes_it(filled: Path, arguments: list[str]) -> None:
    staged(filled, ("README", "x\n"))
    with inside(filled):
        assert fast_path.output_if_untouched(arguments) == ""


def test_a_message_goes_it_where_no_rule_speaks_of_messages_and_the_change_was_seen(filled: Path) -> None:
    def message() -> str:
        with inside(filled):
            return fast_path.output_if_untouched(["check", "--message", ".git/COMMIT_EDITMSG"])

    staged(filled, ("lib/a.py", "x = 1\n"))
    act(filled, "check", "--staged")
    assert message() == "", "scripts are asked about every message"
    run(filled, "rm", "-q", "--cached", ".rules/compiled/shell/docs.sh")
    run(filled, "commit", "-qm", "No scripts", "--no-verify")
    staged(filled, ("src/a.py", "x = 1\n"))
    (filled / ".rules/compiled/shell/docs.sh").unlink()
    run(filled, "rm", "-q", "--cached", "--ignore-unmatch", ".rules/compiled/shell/docs.sh")
    assert message() == "", "nobody has seen it"
    long = act(filled, "check", "--staged").out
    assert f"{message()}\n" == long == act(filled, "check", "--message", ".git/COMMIT_EDITMSG").out
    (filled / ".git/COMMIT_EDITMSG").unlink()
    assert message() == ""


def test_it_needs_a_plain_repository_that_knows_its_rules(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    staged(filled, ("README", "x\n"))
    assert short(filled)
    (filled / "sub").mkdir()
    assert short(filled / "sub") == "", "below the top"
    for name in ("MERGE_HEAD", "rulec/journal.json"):
        (filled / ".git" / name).write_text("x")
        assert short(filled) == "", name
        (filled / ".git" / name).unlink()
    for name, value in (("GIT_DIR", str(filled / "sub")), ("GIT_WORK_TREE", str(filled))):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            assert short(filled) == "", name
    with monkeypatch.context() as patch:
        patch.setenv("GIT_DIR", ".git")  # as git sets it for a hook
        assert short(filled)
    put(filled, ".rules/compiled/semgrep/calls.yaml", "other")
    run(filled, "commit", "-qam", "Other rules", "--no-verify")
    assert short(filled) == "", "the rules are not those that are known"


def test_a_person_with_rules_of_their_own_goes_the_long_way(filled: Path) -> None:
    staged(filled, ("README", "x\n"))
    rules = Path(os.environ["XDG_CONFIG_HOME"], "rulec/rules/.rules")
    rules.mkdir(parents=True)
    assert short(filled), "there are none yet"
    (rules / "no-x.yaml").write_text("schema: 1\n")
    assert short(filled) == ""


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.chmod(0o644),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b"rulec-pressed-1 00000000\n"),
        lambda path: path.unlink(),
        lambda path: (path.rename(path.with_name("moved")), path.symlink_to("moved")),
    ],
)
def test_what_is_kept_counts_as_none_where_it_is_not_as_we_left_it(
    filled: Path, spoil: Callable[[Path], object]
) -> None:
    staged(filled, ("README", "x\n"))
    assert short(filled)
    spoil(filled / ".git/rulec" / fast_path.REACH)
    assert short(filled) == ""
    act(filled, "check", "--staged")


def test_a_finding_is_found_by_what_is_kept_as_by_what_is_read(filled: Path) -> None:
    staged(filled, ("src/a.py", "forbidden()\n"), ("src/b.py", "x = 1\n"), ("a.txt", "bad\n"))
    judged = ("check", "--staged", "--format", "json")
    kept = act(filled, *judged).out
    assert {one["finding"]["path"] for one in json.loads(kept)["verdicts"]} == {"src/a.py", "a.txt"}
    for name in ("checks", fast_path.REACH):
        (filled / ".git/rulec" / name).unlink()
    assert act(filled, *judged).out == kept
    assert (filled / ".git/rulec/checks").exists()
    assert act(filled, *judged).out == kept


def test_a_piece_is_its_owners_alone_and_known_by_its_key(tmp_path: Path) -> None:
    place = tmp_path / "piece"
    fast_files.store_piece(str(place), "one", {"a": (1, "b")})
    assert place.stat().st_mode & 0o777 == 0o600
    assert fast_files.load_piece(str(place), "one") == {"a": (1, "b")}
    assert fast_files.load_piece(str(place), "two") is None
    fast_files.store_piece(str(place / "no-folder"), "one", 1)
    assert fast_files.load_piece(str(place / "no-folder"), "one") is None


GLOBS = [
    "**",
    "*.py",
    "src/**",
    "src/",
    "src",
    "./src/*.py",
    "src/**/*.t?t",
    "a/b.py",
    "**/x.py",
    "*",
    "?.py",
    "/src/*",
]
PATHS = [
    "a.py",
    "src/a.py",
    "src/b/c.txt",
    "x.py",
    "b/x.py",
    "src",
    "src/x/a.py",
    "a/b.py",
    "a/b.py/c",
    "q/src/a",
    "é.py",
]


@pytest.mark.parametrize("glob", [*GLOBS, "{src,lib}/*.py", "[ab].py", "a\\*.py", "*.d.ts", "a*b.py", "**/*.py"])
def test_what_a_glob_surely_asks_for_is_never_more_than_it_asks_for(glob: str) -> None:
    for option in globs.expand_braces(glob):
        begin, end = _ends(option)
        assert all(path.startswith(begin) and path.endswith(end) for path in PATHS if globs.match([option], path))


def test_the_program_itself_goes_it(filled: Path) -> None:
    staged(filled, ("README", "x\n"))
    argv = [sys.executable, "-E", "-P", "-X", "importtime", "-m", "rulec", "check", "--staged"]
    done = subprocess.run(argv, cwd=filled, capture_output=True, text=True, check=True)
    assert done.stdout == PASSED % "1 file"
    heavy = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()} & {
        "click",
        "rulec.domain.plugs",
        "json",
    }
    assert not heavy
