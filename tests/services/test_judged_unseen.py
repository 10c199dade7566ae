"""What a change keeps from judges, by its size, its names or its words: never a way to pass."""

from pathlib import Path

import pytest

from tests.gates.test_judged import _book, _careful, _commit, _git, _since
from tests.support.judging import rule
from tests.support.messages_server import MessagesServer

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 12345\n"


def test_what_looks_like_a_secret_is_not_certain_and_asked_once(repo: Path, messages: MessagesServer) -> None:
    _careful(messages)
    _book(repo, {"no-foo": rule("no-foo", "foo")})
    _commit(repo, {"src/a.js": "cookie: foo = evil(1)\n", "src/b.js": "password = 'hunter2x!'\n"})
    first = _since(repo)
    assert "src/a.js:1: not certain: part of it looks like a secret and was not shown" in first.text
    assert "src/b.js" not in first.text
    assert (_since(repo).text, len(messages.asked)) == (first.text, 1)


@pytest.mark.parametrize(("include", "judged"), [("src/**", ["src/a.py:1", "src/a.py:3"]), ("**", [])])
def test_a_rename_into_the_sight_of_a_judge_is_judged_whole_and_any_other_is_not(
    repo: Path, messages: MessagesServer, include: str, judged: list[str]
) -> None:
    _careful(messages)
    (repo / "drafts").mkdir()
    (repo / "drafts/a.py").write_text("foo = 1\nx = 2\nfoo = 3\n")
    named = rule("no-foo", "foo", f"scope: {{include: ['{include}']}}\n").replace("file: a.py", "file: src/a.py")
    _book(repo, {"no-foo": named})
    (repo / "src").mkdir()
    _git(repo, "mv", "drafts/a.py", "src/a.py")
    _git(repo, "commit", "-qm", "Move it")
    found = [verdict.finding for verdict in _since(repo).data[0]]
    assert [f"{one.path}:{one.line}" for one in found] == judged


@pytest.mark.parametrize(
    ("name", "content", "judged"),
    [
        ("y.lock", b"foo = 1\nx = 2\nfoo = 3\n", [1, 3]),
        ("y.bin", b"foo = 1\nx = 2\ny = 3\n\0\xff\n", [1]),
        ("y.txt", b"foo = 1\n", []),
        ("large.py", b"foo = 1\n" + b"total = amount * rate + 1\n" * 9_000, []),
    ],
)
def test_what_was_of_a_kind_that_is_not_sent_is_judged_whole_once_it_is_named_as_code(
    repo: Path, messages: MessagesServer, name: str, content: bytes, judged: list[int]
) -> None:
    _careful(messages)
    (repo / "src").mkdir()
    (repo / "src" / name).write_bytes(content)
    _book(repo, {"no-foo": rule("no-foo", "foo")})
    _git(repo, "mv", f"src/{name}", "src/y.py")
    (repo / "src/y.py").write_bytes(content.replace(b"\0", b"x"))
    _git(repo, "commit", "-qam", "Move it")
    assert [one.finding.line for one in _since(repo).data[0]] == judged


def test_code_and_what_a_scope_names_is_told_where_nothing_of_it_is_sent(repo: Path, messages: MessagesServer) -> None:
    _careful(messages)
    scope = "scope: {include: ['config/**']}\n"
    _book(
        repo,
        {
            "no-foo": rule("no-foo", "foo"),
            "no-bar": rule("no-bar", "bar", scope).replace("file: a.py", "file: config/a.py"),
        },
    )
    data = "[" + "1, " * 5_000 + "1]\n"
    _commit(repo, {"src/a.py": POINTER, "config/b.json": data, "other/b.json": data, "config/yarn.lock": "bar\n"})
    text = _since(repo).text
    assert "src/a.py: not certain: it is kept by Git LFS" in text
    assert "config/b.json: not certain: it is too large to be sent to a judge" in text
    assert "other/b.json" not in text
    assert "yarn.lock" not in text
    assert "2 warned" in text


def test_the_end_of_a_long_message_is_judged(repo: Path, messages: MessagesServer) -> None:
    _careful(messages)
    _book(repo, {"no-foo": rule("no-foo", "foo", of="message")})
    _commit(repo, {"a.py": "x = 1\n"}, "Change it\n\n" + ("word " * 15 + "\n") * 110 + "\nfoo at the end\n")
    assert "foo at the end" in _since(repo).text
