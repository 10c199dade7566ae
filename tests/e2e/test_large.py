"""What is too large to be judged is refused or told where code is new, and data and pictures pass as before."""

from pathlib import Path

import pytest

from tests.support.gate import gated
from tests.support.gates import rulec, run

FILL = b"# fill\n" * 300_000  # more than 2 MB


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One rule that reads the text of files, and one that parses them."""
    top = gated(tmp_path_factory.mktemp("large") / "repo")
    path = top / ".rules/no-leftovers.yaml"
    text = path.read_text()
    path.write_text(text.replace("on_error: block\n", ""))
    calls = text.replace("no-leftovers", "no-eval").replace("on_error: block\n", "")
    calls = calls[: calls.index("checks:")] + (
        "checks:\n  - kind: semgrep\n    template: forbid-call\n    with: {functions: [eval], language: python}\n"
        'examples:\n  invalid:\n    - {file: src/a.py, content: "eval(x)\\n"}\n'
        '  valid:\n    - {file: src/a.py, content: "x = 1\\n"}\n'
    )
    (top / ".rules/no-eval.yaml").write_text(calls)
    rulec(top, "compile")
    run(top, "git", "add", "-A")
    run(top, "git", "commit", "-qm", "Parse")
    return top


def _staged(top: Path, code: int, **files: bytes) -> str:
    run(top, "git", "reset", "-q", "--hard")
    for name, content in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_bytes(content)
    run(top, "git", "add", "-Af", *files)
    return rulec(top, "check", "--staged", code=code)


REFUSED = {
    "text beside 2 MB": ("src/a.py", b"breakpoint()\n" + FILL, "src/a.py:1: breakpoint()"),
    "a call beside 2 MB": ("src/a.py", b"eval(x)\n" + FILL, "not judged: src/a.py is larger than 1 MB: no-eval"),
    "code of more than 8 MB": ("src/a.js", b"debugger;\n" + FILL * 5, "not judged: src/a.js is larger than 8 MB"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_size_is_no_way_past_a_rule_that_must_hold(book: Path, name: str) -> None:
    path, content, said = REFUSED[name]
    assert said in _staged(book, 1, **{path: content})


PASSES = {
    "a picture": ("src/a.png", b"\x89PNG\0" + bytes(3_000_000)),
    "a film whose name is that of code": ("src/a.ts", b"G@\0\0" + bytes(9_000_000)),
    "a lock file": ("src/package-lock.json", b'{"debugger": 1}\n' * 200_000),
    "data": ("src/a.csv", b"breakpoint()\n" * 200_000),
    "code that no rule covers": ("lib/a.py", b"breakpoint()\n" + FILL * 5),
    "a large script that no rule parses": ("src/a.js", b"f();\n" * 500_000),
}


@pytest.mark.parametrize("name", PASSES)
def test_large_innocents_pass_as_before(book: Path, name: str) -> None:
    path, content = PASSES[name]
    assert "no findings" in _staged(book, 0, **{path: content})


def test_what_is_generated_or_was_as_large_before_is_told_and_not_refused(book: Path) -> None:
    made = b"x = 1\n" + FILL
    assert "src/generated/a.py is larger than 1 MB" in _staged(book, 0, **{"src/generated/a.py": made})
    run(book, "git", "commit", "-qnm", "Large before")
    assert "1 warned" in _staged(book, 0, **{"src/generated/a.py": made + b"y = 2\n"})
    run(book, "git", "reset", "-q", "--hard", "HEAD~")
