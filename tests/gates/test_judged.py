"""``rulec check`` with judges, through the real SDK against a server that speaks the Messages API."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulec.domain.outcome import Outcome
from rulec.domain.prompt import estimate_tokens
from rulec.gates import gate_ledger
from rulec.gates.judging.judge_settings import JudgeChoice
from rulec.infra.rulebooks import personal_rulebook
from rulec.services.gating import check
from rulec.services.setup.compile import compile_rulebook
from tests.support import messages_replies as replies
from tests.support.judging import answered, read, rule, write
from tests.support.messages_server import KEY, MessagesServer

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

CONFIG = "schema: 1\nmodels: {backend: anthropic, model: claude-haiku-4-5, judges: [ci, commit]}\n"
JUDGE = ".rules/compiled/judge/no-foo.md"
Said = list[str]


def _git(top: Path, *args: str) -> str:
    return subprocess.run(["git", *args], cwd=top, check=True, capture_output=True, text=True).stdout


def _book(top: Path, rules: dict[str, str], config: str = CONFIG) -> None:
    """A rulebook, compiled and committed on main, and a branch on top of it."""
    write(top, rules, config)
    assert compile_rulebook(top, _unheard).code == 0
    _git(top, "add", "-A")
    _git(top, "commit", "-qm", "Write down the rules")
    _git(top, "checkout", "-qb", "work")


def _unheard(_: str) -> None:
    """Nobody listens."""


def _commit(top: Path, files: dict[str, str], message: str = "Change it") -> None:
    for path, text in files.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(text)
    _git(top, "add", "-A")
    _git(top, "commit", "-qm", message)


def _pin(top: Path) -> None:
    """As if a person had pinned the judge of no-foo to block."""
    _commit(top, {JUDGE: (top / JUDGE).read_text().replace('"enforcement": "warn"', '"enforcement": "block"')})


def _since(top: Path, said: Said | None = None, form: str = "text", **more: Any) -> Outcome:
    choice = JudgeChoice(say=(said if said is not None else []).append, **more)
    return check.check_since(top, "main", form, choice=choice)


def _careful(server: MessagesServer) -> None:
    server.script = lambda asked: answered(asked.text)


def test_a_judge_warns_where_its_words_stand(repo: Path, messages: MessagesServer) -> None:
    _careful(messages)
    _book(repo, {"no-foo": rule("no-foo", "foo"), "no-bar": rule("no-bar", "bar")})
    _commit(repo, {"src/a.py": "x = 1\nfoo = 2\n", "src/b.py": "y = 1\n"})
    said: Said = []
    outcome = _since(repo, said)
    assert outcome.code == 0
    assert "warning from no-foo: Nobody writes the word foo.\n  src/a.py:2: foo = 2\n" in outcome.text
    assert "\n  judged by claude-haiku-4-5\n" in outcome.text
    for form in ("sarif", "github", "gitlab", "markdown"):
        assert "judged by " in _since(repo, form=form).text
    (verdict,) = json.loads(_since(repo, form="json").text)["verdicts"]
    assert verdict["finding"]["by"] == "claude-haiku-4-5"
    assert "no-bar" not in outcome.text
    assert outcome.text.endswith("rulec: 2 files, 2 rules: 1 warned")
    assert len(messages.asked) == 1
    assert any("1 request" in line for line in said)


def test_fifty_rules_and_twenty_files_take_a_request_for_each_12000_tokens_and_then_none(
    repo: Path, messages: MessagesServer
) -> None:
    """As ``git diff`` tells the change: files that are new, and files that are edited here and there."""
    _careful(messages)
    body = "".join(f"def calculate_{n}(amount, rate):\n    return amount * rate + {n}\n\n\n" for n in range(150))
    files = {f"src/part{n}/module{n}.py": body.replace("calculate", f"calculate_{n}") for n in range(20)}
    _commit(repo, dict(list(files.items())[10:]))
    _book(repo, {f"no-{n}": rule(f"no-{n}", f"word{n}x") for n in range(50)})
    for path in list(files)[10:]:
        files[path] = re.sub(r"(amount \* rate)( \+ \d*5\n)", r"round(\1)\2", files[path])
    files["src/part3/module3.py"] += "word7x = 1\n"
    _commit(repo, files)
    outcome = _since(repo)
    diff = _git(repo, "diff", "main...HEAD")
    assert len(messages.asked) <= -(-estimate_tokens(diff) // 12_000)
    assert len(messages.asked) > 1
    assert not [v.fault.what for v in outcome.data[0] if v.fault]
    assert [v.finding.line for v in outcome.data[0]] == [601]
    before = len(messages.asked)
    again = _since(repo)
    assert (len(messages.asked), again.text) == (before, outcome.text)

    files["src/part9/module9.py"] = files["src/part9/module9.py"].replace("9_77(amount, rate)", "9_77(amount, part)")
    _commit(repo, files)
    _since(repo)
    assert len(messages.asked) == before + 1
    pieces = read(messages.asked[-1].text).pieces.values()
    assert [name for name, _ in pieces if name.startswith("piece of src/part9/module9.py")] == [
        name for name, _ in pieces if "module" in name
    ]


@pytest.mark.parametrize(
    ("reply", "on_error"),
    [
        (replies.broken(), "warn"), (replies.limited(), "block"),
        ({"verdicts": "no list"}, "warn"), ({"other": 1}, "block"), ({"verdicts": [{"verdict": "pass"}]}, "warn"),
    ],
    ids=["broken", "limited", "no list", "other", "half"],
)  # fmt: skip
def test_a_backend_in_trouble_is_told_once_and_as_the_rule_says(
    repo: Path, messages: MessagesServer, reply: Any, on_error: str
) -> None:
    messages.script = lambda _: reply
    _book(repo, {f"no-{n}": rule(f"no-{n}", f"word{n}", f"on_error: {on_error}\n") for n in range(8)})
    _commit(repo, {"src/a.py": "x = 1\n"})
    outcome = _since(repo)
    assert outcome.code == (on_error == "block")
    refused = int(on_error == "block")
    assert outcome.text.splitlines()[-1] == (
        f"rulec: 1 file, 8 rules: {'1 refused' if refused else 'no findings'}, "
        "8 judge rules not judged: the backend did not answer"
    )
    assert outcome.text.count("not judged:") == 2
    assert "and 2 more" in outcome.text
    assert len(outcome.text.splitlines()) < 8
    assert KEY not in outcome.text
    _careful(messages)
    assert "not judged" not in _since(repo).text, "trouble is never kept"


def test_what_was_answered_before_the_trouble_counts(repo: Path, messages: MessagesServer) -> None:
    def script(asked: Any) -> Any:
        return answered(asked.text) if "1 + foo" in asked.text else replies.refused()

    messages.script = script
    _book(repo, {"no-foo": rule("no-foo", "foo")})
    large = "".join(f"value_{n} = compute_something_long({n}, {n + 1}, {n + 2})\n" for n in range(1200))
    _commit(repo, {"src/a.py": f"foo = 1\n{large}", "src/b.py": large})
    outcome = _since(repo)
    assert len(messages.asked) > 1
    assert "src/a.py:1: foo = 1" in outcome.text
    assert "1 judge rule not judged: the backend did not answer" in outcome.text


def test_without_a_backend_judges_are_counted_and_block_only_where_the_rule_says_so(repo: Path) -> None:
    _book(repo, {f"no-{n}": rule(f"no-{n}", f"word{n}") for n in range(3)}, "schema: 1\n")
    _commit(repo, {"src/a.py": "word1 = 1\n"})
    outcome = _since(repo)
    assert outcome.text == ("rulec: 1 file, 3 rules: no findings, 3 judge rules not judged: no backend")
    for form in ("json", "sarif", "github", "markdown", "gitlab"):
        told = _since(repo, form=form).text
        assert "3 judge rules not judged: no backend" in told or json.loads(told)["counts"]["judges_off"] == 3


def test_a_rule_that_blocks_on_error_blocks_where_nobody_can_be_asked(repo: Path) -> None:
    _book(repo, {"no-foo": rule("no-foo", "foo", "on_error: block\n")}, "schema: 1\n")
    _commit(repo, {"src/a.py": "x = 1\n"})
    outcome = _since(repo)
    assert outcome.code == 1
    cure = "name one in models.backend of the settings, or set on_error: warn in the rule"
    assert f"not judged: no backend is configured: {cure}" in outcome.text


HOSTILE: list[tuple[str, Callable[[dict[str, Any]], dict[str, Any]]]] = [
    ("all pass", lambda data: {"verdicts": [{**one, "verdict": "pass"} for one in data["verdicts"]]}),
    ("nothing", lambda _: {"verdicts": []}),
    ("other rules", lambda _: {"verdicts": [{"rule": n, "verdict": "pass"} for n in range(90, 99)]}),
    (
        "an invented quote for every rule",
        lambda data: {"verdicts": [{**one, "verdict": "fail", "quote": "import os"} for one in data["verdicts"]]},
    ),
]


@pytest.mark.parametrize("change", [change for _, change in HOSTILE], ids=[name for name, _ in HOSTILE])
def test_a_reply_that_lets_the_decoy_pass_is_believed_in_nothing_and_not_kept(
    repo: Path, messages: MessagesServer, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    messages.script = lambda asked: change(answered(asked.text))
    _book(repo, {"no-foo": rule("no-foo", "foo"), "no-bar": rule("no-bar", "bar", "on_unsure: audit\n")})
    _commit(repo, {"src/a.py": "foo = 1\n"})
    outcome = _since(repo)
    assert "not certain: the reply let pass what surely fails" in outcome.text
    assert "1 warned, 1 audited" in outcome.text
    _careful(messages)
    assert "src/a.py:1: foo = 1" in _since(repo).text


def test_at_a_commit_judges_are_asked_only_where_the_settings_say_so(repo: Path, messages: MessagesServer) -> None:
    _careful(messages)
    _book(repo, {"no-foo": rule("no-foo", "foo")}, CONFIG.replace(", commit", ""))
    (repo / "a.py").write_text("foo = 1\n")
    _git(repo, "add", "-A")
    assert check.check_staged(repo, "text", _unheard).text == ("rulec: 1 file, 0 rules: no findings")
    assert not messages.asked
    _commit(repo, {".rules/config.yaml": CONFIG})
    (repo / "a.py").write_text("foo = 1\nx = 1\n")
    _git(repo, "add", "-A")
    assert not messages.asked
    (repo / "b.py").write_text("foo = 1\n")
    _git(repo, "add", "-A")
    assert "b.py:1: foo = 1" in check.check_staged(repo, "text", _unheard).text
    assert messages.asked


def test_a_message_is_judged_where_it_is_written_and_in_ci(repo: Path, messages: MessagesServer) -> None:
    _careful(messages)
    _book(repo, {"no-foo": rule("no-foo", "foo", of="message")})
    _commit(repo, {"a.py": "foo = 1\n"}, "Add it\n\nIt is a foo.\n")
    text = _since(repo).text
    assert f"commit message:3: {_git(repo, 'rev-parse', 'HEAD')[:10]} It is a foo." in text
    assert "a.py" not in text
    (repo / "b.py").write_text("x = 1\n")
    _git(repo, "add", "-A")
    (repo / ".git/COMMIT_EDITMSG").write_text("Add foo\n")
    assert (
        "commit message:1: Add foo"
        in check.check_message(repo, str(repo / ".git/COMMIT_EDITMSG"), "text", _unheard).text
    )


def test_scope_and_exceptions_are_heeded_and_rule_files_never_sent(repo: Path, messages: MessagesServer) -> None:
    _careful(messages)
    scope = "scope: {include: ['src/**'], exclude: ['src/old/**']}\n"
    spared = "exceptions: [{because: it is generated, scope: {include: [src/made.py]}}]\n"
    _book(repo, {"no-foo": rule("no-foo", "foo", scope + spared).replace("file: a.py", "file: src/a.py")})
    files = dict.fromkeys(("src/a.py", "src/old/a.py", "src/made.py", "b.py", ".rules/templates/x.md"), "foo = 1\n")
    _commit(repo, files)
    assert [v.finding.path for v in _since(repo).data[0] if v.facts.slug == "no-foo"] == ["src/a.py"]
    (asked,) = messages.asked
    assert not [path for path in files if path != "src/a.py" and f"piece of {path}" in asked.text]


def test_verdicts_are_kept_in_a_folder_of_ci_and_never_in_one_that_a_change_brings(
    repo: Path, messages: MessagesServer, tmp_path: Path, rulec: Any
) -> None:
    _careful(messages)
    _book(repo, {"no-foo": rule("no-foo", "foo")})
    _commit(repo, {"src/a.py": "foo = 1\n"})
    cache = tmp_path / "cache"
    first = rulec("check", "--base", "main", "--judge-cache", str(cache)).stdout
    for path in (".git/rulec/answers", ".git/rulec/verdicts"):
        subprocess.run(["rm", "-rf", path], cwd=repo, check=True)
    assert rulec("check", "--base", "main", "--judge-cache", str(cache)).stdout == first
    assert len(messages.asked) == 1
    assert all(path.stat().st_mode & 0o077 == 0 for path in cache.iterdir())
    _commit(repo, {"kept/0": "forged\n"})
    refused = rulec("check", "--base", "main", "--judge-cache", "kept", code=2)
    assert "holds files that git tracks" in refused.stderr


def test_files_that_hold_nothing_to_read_are_counted(repo: Path, messages: MessagesServer) -> None:
    _careful(messages)
    _book(repo, {"no-foo": rule("no-foo", "foo")})
    _commit(repo, {"a.py": "x = 1\n", "data.json": "[" + "1, " * 5_000 + "1]\n", "pnpm.lock": "foo\n", "z.bin": "a\0b"})
    assert "3 files not sent to a judge" in _since(repo).text


def test_whoever_names_files_asks_and_a_folder_does_not(repo: Path, messages: MessagesServer) -> None:
    _careful(messages)
    _book(repo, {"no-foo": rule("no-foo", "foo")})
    _commit(repo, {"a.py": "foo = 1\n"})
    assert "a.py:1: foo = 1" in check.check_files(repo, [str(repo / "a.py")], "text").text
    whole = check.check_files(repo, [str(repo)], "text").text
    assert whole.endswith("1 judge rule not judged: name the files to ask of them")


def test_what_only_moved_is_not_judged_and_what_is_excepted_says_so(repo: Path, messages: MessagesServer) -> None:
    _careful(messages)
    _book(repo, {"no-foo": rule("no-foo", "foo")})
    _git(repo, "checkout", "-q", "main")
    lines = [f"line_{n} = {n}\n" for n in range(40)]
    ignored = "foo = 3  # rulec: ignore[no-foo] until=2099-01-01 the old client\n"
    _commit(repo, {"a.py": "".join(["foo = 1\n", *lines]), "b.py": "foo = 2\n"})
    _commit(repo, {"c.py": ignored})
    _git(repo, "checkout", "-qb", "next")
    _commit(repo, {"a.py": "".join([*lines, "if x:\n", "    foo = 1\n"]), "c.py": ignored.replace("3 ", "4 ")})
    outcome = _since(repo)
    assert [(v.outcome, v.finding.path, v.finding.line) for v in outcome.data[0]] == [("excepted", "c.py", 1)]


def test_a_budget_that_is_reached_keeps_what_is_done_and_the_next_run_goes_on(
    repo: Path, messages: MessagesServer
) -> None:
    _careful(messages)
    _book(repo, {"no-foo": rule("no-foo", "foo")}, CONFIG.replace("judges:", "tokens: 24000, judges:"))
    large = "".join(f"value_{n} = compute_something_long({n}, {n + 1}, {n + 2})\n" for n in range(1200))
    _commit(repo, {"src/a.py": f"foo = 1\n{large}", "src/b.py": f"{large}foo = 2\n"})
    first = _since(repo)
    assert len(messages.asked) >= 1
    assert "budget" in first.text
    assert "1 judge rule not judged" in first.text
    for _ in range(4):
        last = _since(repo)
    assert "not judged" not in last.text
    assert {v.finding.path for v in last.data[0]} == {"src/a.py", "src/b.py"}
    assert len(messages.asked) <= -(-estimate_tokens(_git(repo, "diff", "main...HEAD")) // 12_000)


def test_a_backend_that_nobody_knows_refuses_no_commit(repo: Path) -> None:
    _book(repo, {"no-foo": rule("no-foo", "foo")}, "schema: 1\nmodels: {backend: nobody, judges: [commit]}\n")
    (repo / "a.py").write_text("foo = 1\n")
    _git(repo, "add", "-A")
    outcome = check.check_staged(repo, "text", _unheard)
    assert outcome.code == 0
    assert "not judged: no backend 'nobody'; known are anthropic" in outcome.text
    assert "1 judge rule not judged: the backend did not answer" in outcome.text


def test_a_real_commit_is_refused_by_a_judge_that_is_pinned(repo: Path, messages: MessagesServer, rulec: Any) -> None:
    _careful(messages)
    _book(repo, {"no-foo": rule("no-foo", "foo")})
    _pin(repo)
    (repo / "a.py").write_text("foo = 1\n")
    _git(repo, "add", "-A")
    done = rulec("check", "--staged", code=1)
    assert "refused by no-foo" in done.stdout
    assert "a.py:1: foo = 1" in done.stdout
    (repo / "a.py").write_text("x = 1\n")
    _git(repo, "add", "-A")
    rulec("check", "--staged")


def test_what_nobody_judged_is_not_noted_as_put_right(repo: Path, messages: MessagesServer) -> None:
    _careful(messages)
    _book(repo, {"no-foo": rule("no-foo", "foo")})

    def staged(text: str) -> list[str]:
        (repo / "a.py").write_text(text)
        _git(repo, "add", "-A")
        check.check_staged(repo, "text", _unheard)
        return [one.outcome for one in gate_ledger.ledger_entries(repo)]

    assert staged("foo = 1\n") == ["warn"]
    messages.script = lambda _: replies.refused()
    assert "fixed" not in staged("x = 1\n")
    messages.script = lambda _: {"verdicts": []}
    assert "fixed" not in staged("x = 2\n")
    _careful(messages)
    assert staged("x = 3\n")[-1] == "fixed"


def test_signs_that_a_terminal_obeys_and_odd_names_are_no_harm(repo: Path, messages: MessagesServer) -> None:
    _careful(messages)
    _book(repo, {"no-foo": rule("no-foo", "foo")})
    name = b"a\xff\nrule 9.py".decode("utf-8", "surrogateescape")
    (repo / name).write_bytes(b"foo = '\x1b]0;x\x07\xe2\x80\xae'\n")
    _git(repo, "add", "-A")
    _git(repo, "commit", "-qm", "Odd")
    text = _since(repo).text
    assert "foo = '\\u001b]0;x\\u0007\\u202e'" in text
    assert "a\\xff\\nrule 9.py:1" in text
    assert not set("\x1b\x07\u202e") & set(text)


@pytest.mark.parametrize("own", [b"models: {judges: [nowhere]}\n", b"models: {judges\n", b"judges \xff\n"])
def test_a_persons_settings_that_cannot_be_read_keep_no_commit(repo: Path, own: bytes) -> None:
    _book(repo, {"no-foo": rule("no-foo", "foo")})
    path = personal_rulebook.personal_folder() / ".rules/config.yaml"
    path.parent.mkdir(parents=True)
    path.write_bytes(own)
    (repo / "a.py").write_text("foo = 1\n")
    _git(repo, "add", "-A")
    said: Said = []
    assert check.check_staged(repo, "text", said.append).code == 0
    assert any("no judge is asked: " in line for line in said)


@pytest.mark.parametrize(("on_error", "code"), [("block", 1), ("warn", 0)])
def test_where_settings_cannot_be_read_each_rule_says_what_that_means(repo: Path, on_error: str, code: int) -> None:
    _book(repo, {"no-foo": rule("no-foo", "foo") + f"on_error: {on_error}\n"})
    path = personal_rulebook.personal_folder() / ".rules/config.yaml"
    path.parent.mkdir(parents=True)
    path.write_text("models: {judges: [nowhere]}\n")
    (repo / "a.py").write_text("x = 1\n")
    _git(repo, "add", "-A")
    done = check.check_staged(repo, "text", lambda _: None)
    assert done.code == code
    assert "1 judge rule not judged" in done.text
    path.write_text("models: {judges: [ci]}\n")
    assert check.check_staged(repo, "text", lambda _: None).code == 0


def test_a_person_may_have_judges_asked_at_their_own_commits(repo: Path, messages: MessagesServer) -> None:
    _careful(messages)
    _book(repo, {"no-foo": rule("no-foo", "foo")}, "schema: 1\n")
    path = personal_rulebook.personal_folder() / ".rules/config.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(CONFIG)
    (repo / "a.py").write_text("foo = 1\n")
    _git(repo, "add", "-A")
    assert "a.py:1: foo = 1" in check.check_staged(repo, "text", _unheard).text
