"""The hook as the agent runs it: a real process, real JSON, a real repository, every Python that is here."""

import json
import random
import shutil
import subprocess

import pytest

from rulec.checkout.rules_layout import LAUNCHER
from rulec.compiling.launcher import launcher
from rulec.hook.dispatch import respond
from rulec.rulebook.config import Config
from tests.support import guard_rules as rules
from tests.support.asking import ask_hook
from tests.support.session import unknown_work

RULES = [
    rules.command("pnpm", "npm", rewrite={"npm install": "pnpm add"}),
    rules.path("gen", "src/gen/"),
    rules.text("no-print", r"print\(", globs=["*.py"]),
    rules.text("licence", require=["^# Copyright"], globs=["lib/"]),
]


def repository(folder, *more):
    subprocess.run(["git", "init", "-q", "--template=", str(folder)], check=True)
    (folder / ".rules/compiled/guard").mkdir(parents=True)
    for rule in [*RULES, *more]:
        put(folder, rule["facts"]["slug"], json.dumps(rule, indent=2))
    (folder / LAUNCHER).write_text(launcher(folder, Config()).text or "")
    (folder / ".git/rulec").mkdir(mode=0o700)
    for name, text in {"src/gen/a.py": "x = 1\n", "src/a.py": "print(1)\nx = 1\n"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def put(folder, slug, text):
    (folder / f".rules/compiled/guard/{slug}.json").write_text(text)


@pytest.fixture
def repo(tmp_path):
    return repository(tmp_path / "repo")


def hook(repo, payload, *, broken="", env=(), cwd=None):
    done = ask_hook(repo, payload, broken=broken, cwd=cwd, **dict(env))
    assert b"Traceback" not in done.stderr + done.stdout
    assert b'"allow"' not in done.stdout
    return done.returncode, json.loads(done.stdout) if done.stdout else {}, done.stderr.decode()


def asks(repo, tool, event="PreToolUse", **given):
    return {
        "session_id": "s1",
        "transcript_path": "/tmp/t.jsonl",
        "cwd": str(repo),
        "permission_mode": "default",
        "hook_event_name": event,
        "tool_name": tool,
        "tool_input": given,
        "tool_use_id": "t1",
    }


def bash(repo, command, **more):
    return {**asks(repo, "Bash", command=command, description="x"), **more}


def denied(answer):
    code, out, error = answer
    assert (code, error) == (0, "")
    said = out.get("hookSpecificOutput", {})
    assert set(out) <= {"hookSpecificOutput", "systemMessage"}
    return said["permissionDecisionReason"] if said.get("permissionDecision") == "deny" else ""


def test_it_denies_and_passes(repo):
    reason = denied(hook(repo, bash(repo, "cd web && npm install left-pad")))
    assert "pnpm" in reason
    assert "npm install left-pad" in reason
    assert '"please"' in reason
    assert "2026-11-20, to claude-code" in reason
    assert "run `pnpm add left-pad`" in reason
    for command in ("grep -r 'npm install' docs", "ls", "cat > n.md <<'EOF'\nnpm ci\nEOF"):
        assert hook(repo, bash(repo, command)) == (0, {}, "")
    write = asks(repo, "Write", file_path=str(repo / "src/gen/new.py"), content="x")
    assert "gen" in denied(hook(repo, write))
    stop = {"hook_event_name": "Stop", "session_id": "s1", "cwd": str(repo), "stop_hook_active": False}
    stop["transcript_path"] = str(unknown_work(repo))
    assert hook(repo, stop)[1]["decision"] == "block"


TOOLS = [
    ("Write", {"file_path": "src/gen/a.py", "content": "x"}, "gen"),
    ("Write", {"file_path": "web/../src/gen/a.py", "content": "x"}, "gen"),
    ("Write", {"file_path": "link/a.py", "content": "x"}, "gen"),
    ("Write", {"file_path": "link.py", "content": "x"}, "gen"),
    ("Write", {"file_path": "b.py", "content": "print(2)\n"}, "no-print"),
    ("Write", {"file_path": "src/a.py", "content": "print(1)\nx = 2\n"}, ""),
    ("Write", {"file_path": "lib/a.c", "content": "int x;\n"}, "licence"),
    ("Write", {"file_path": "lib/a.c", "content": "# Copyright\n"}, ""),
    ("Edit", {"file_path": "src/a.py", "old_string": "x = 1", "new_string": "x = 2"}, ""),
    ("Edit", {"file_path": "src/a.py", "old_string": "x = 1", "new_string": "print(3)"}, "no-print"),
    ("Edit", {"file_path": "src/a.py", "old_string": "print(1)", "new_string": "print(1)\ny"}, ""),
    ("MultiEdit", {"file_path": "src/a.py", "edits": [{"old_string": "x", "new_string": "print(x)"}]}, "no-print"),
    ("MultiEdit", {"file_path": "src/gen/a.py", "edits": []}, "gen"),
    ("NotebookEdit", {"notebook_path": "src/gen/n.ipynb", "new_source": "x"}, "gen"),
    ("NotebookEdit", {"notebook_path": "n.py", "new_source": "print(1)"}, "no-print"),
    ("Read", {"file_path": "src/gen/a.py"}, ""),
    ("Grep", {"pattern": "npm"}, ""),
    ("mcp__x__y", {"command": "npm ci"}, ""),
    ("Bash", {"command": "echo 1 > link/b"}, "gen"),
    ("Bash", {"command": "cat link/a.py"}, ""),
]


@pytest.mark.parametrize(("tool", "given", "slug"), TOOLS)
def test_each_tool_is_judged_by_what_it_would_do(repo, tool, given, slug):
    (repo / "link").symlink_to("src/gen")
    (repo / "link.py").symlink_to("src/gen/a.py")
    for form in (given, {k: str(repo / v) if k.endswith("_path") else v for k, v in given.items()}):
        reason = denied(hook(repo, asks(repo, tool, **form)))
        assert reason.startswith(f"rulec rule {slug}:") if slug else reason == ""


def test_a_path_is_seen_from_the_folder_the_agent_stands_in(repo):
    assert denied(hook(repo, {**bash(repo, "rm gen/a.py"), "cwd": str(repo / "src")}))
    assert not denied(hook(repo, {**bash(repo, "rm gen/a.py"), "cwd": str(repo)}))
    assert denied(hook(repo, bash(repo, f"rm {repo}/src/gen/a.py")))


def test_a_repository_reached_through_a_link_is_the_same_repository(repo, tmp_path):
    (tmp_path / "alias").symlink_to(repo)
    payload = asks(tmp_path / "alias", "Write", file_path=str(tmp_path / "alias/src/gen/a.py"), content="x")
    assert denied(hook(repo, payload))
    payload = asks(repo, "Write", file_path=str(repo / "src/gen/a.py"), content="x")
    assert denied(hook(repo, payload, env={"CLAUDE_PROJECT_DIR": str(tmp_path / "alias")}.items()))


@pytest.mark.parametrize("env", [{"CLAUDE_PROJECT_DIR": ""}, {"CLAUDE_PROJECT_DIR": "/nowhere"}])
def test_the_root_is_found_without_the_agents_help(repo, tmp_path, env):
    for cwd, started in (("", repo), (str(repo / "src"), tmp_path)):
        assert denied(hook(repo, {**bash(repo, "npm ci"), "cwd": cwd}, env=env.items(), cwd=started))


def test_a_rule_that_warns_tells_only_the_agent_and_one_that_audits_tells_nobody(repo):
    for slug, enforcement in (("warned", "warn"), ("audited", "audit")):
        rule = rules.command(slug, slug)
        rule["facts"]["enforcement"] = enforcement
        put(repo, slug, json.dumps(rule))
    _, out, _ = hook(repo, bash(repo, "warned"))
    assert set(out["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    assert hook(repo, bash(repo, "audited")) == (0, {}, "")
    ledger = [json.loads(line) for line in (repo / ".git/rulec/ledger.jsonl").read_text().splitlines()]
    assert [(line["slug"], line["outcome"]) for line in ledger] == [("warned", "warn"), ("audited", "audit")]


def test_an_uncertain_finding_never_denies(repo):
    _, out, _ = hook(repo, bash(repo, "python3 -c \"p = w('src/gen/a.py'); open(p,'w')\""))
    assert "Perhaps" in out["hookSpecificOutput"]["additionalContext"]
    assert "permissionDecision" not in out["hookSpecificOutput"]


@pytest.mark.parametrize(
    ("enforcement", "on_unsure", "outcome"),
    [
        ("block", "warn", "warn"),
        ("block", "block", "block"),
        ("block", "audit", "audit"),
        ("warn", "block", "warn"),
        ("audit", "block", "audit"),
    ],
)
def test_what_an_uncertain_finding_may_do_at_most_is_the_rules_to_say(repo, enforcement, on_unsure, outcome):
    rule = rules.command("force", "git push --force")
    rule["facts"].update(enforcement=enforcement, on_unsure=on_unsure)
    put(repo, "force", json.dumps(rule))
    _, out, _ = hook(repo, bash(repo, "git push $FLAGS"))
    told = out.get("hookSpecificOutput", {})
    assert (told.get("permissionDecision") == "deny") == (outcome == "block")
    assert ("additionalContext" in told) == (outcome == "warn")
    assert ("not certain ($FLAGS may hold --force)" in json.dumps(out)) == (outcome != "audit")
    (line,) = (json.loads(line) for line in (repo / ".git/rulec/ledger.jsonl").read_text().splitlines())
    assert (line["outcome"], line["unsure"]) == (outcome, True)


LINES = [
    (rules.text("head", require=["^# Copyright$"]), "# Copyright\nx\n", False),
    (rules.text("head", require=["^# Copyright$"]), "# Copyleft\nx\n", True),
    (rules.text("foot", require=["^end$"]), "x\nend", False),
    (rules.text("end", r"\bTODO$"), "x TODO\n", True),
    (rules.text("end", r"\bTODO$"), "x TODO y\n", False),
    (rules.text("blank", r"^\s+$"), "x\n\ny\n", False),
    (rules.text("dot", r"^x.$"), "x\ny\n", False),
]


@pytest.mark.parametrize(("rule", "text", "caught"), LINES)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_line_end_of_windows_changes_no_verdict(rule, text, caught, newline):
    text = text.replace("\n", newline)
    assert bool(rules.findings([rule], {"kind": "write", "path": "a", "new": text, "content": text})) == caught
    text += "\r" * (newline == "\r\n" and not text.endswith("\n"))
    assert bool(rules.findings([rule], {"kind": "write", "path": "a", "new": text, "content": text})) == caught


def test_an_edit_in_lf_of_a_file_in_crlf_is_seen_whole(repo):
    for name, newline in (("unix", "\n"), ("windows", "\r\n")):
        (repo / "lib").mkdir(exist_ok=True)
        (repo / f"lib/{name}.py").write_bytes(newline.join(["# Copyright", "a = 1", "b = 2", ""]).encode())
        edit = {"file_path": f"lib/{name}.py", "old_string": "a = 1\nb = 2\n", "new_string": "a = 1\nprint(2)\n"}
        assert f"lib/{name}.py:3: print(2)" in denied(hook(repo, asks(repo, "Edit", **edit)))
        edit = {**edit, "old_string": "# Copyright\na", "new_string": "a"}
        assert "licence" in denied(hook(repo, asks(repo, "Edit", **edit)))


def test_after_an_edit_only_what_it_put_there_is_judged(repo):
    (repo / "src/a.py").write_text("print(1)\nprint(2)\n")
    edit = asks(repo, "Edit", "PostToolUse", file_path="src/a.py", old_string="x = 1", new_string="print(2)")
    _, out, _ = hook(repo, edit)
    assert (out["decision"], "src/a.py:2" in out["reason"] or "print(2)" in out["reason"]) == ("block", True)
    quiet = {**edit, "tool_input": {"file_path": "src/a.py", "old_string": "print(1)", "new_string": "print(1)"}}
    assert hook(repo, quiet) == (0, {}, "")
    formatted = {**quiet, "tool_response": {"originalFile": "print(1)\n"}}
    assert hook(repo, formatted)[1]["decision"] == "block"


LEAKS = [
    "npm install --//r/:_authToken=topsecret",
    "NPM_TOKEN=topsecret npm ci",
    "SKIP=topsecret git commit -m topsecret",
    "GIT_CONFIG_VALUE_0=topsecret git commit -m x",
    "GIT_CONFIG_COUNT=topsecret git push https://x:topsecret@h.example/r",
    "git -c alias.topsecret=x topsecret",
    "npm " + "(" * 500 + "topsecret",
]


@pytest.mark.parametrize("command", LEAKS)
def test_the_ledger_holds_no_word_of_a_command_but_its_program(repo, command):
    hook(repo, bash(repo, command))
    text = (repo / ".git/rulec/ledger.jsonl").read_text()
    assert "topsecret" not in text
    for line in map(json.loads, text.splitlines()):
        assert sorted(line) == [
            "agent", "at", "digest", "event", "id", "kind", "of", "outcome", "session", "slug", "unsure",
        ]  # fmt: skip
        assert (line["agent"], line["event"], line["kind"], len(line["digest"])) == ("claude-code", "ask", "command", 8)
        assert line["of"] in ("npm", "git", "")


def test_the_ledger_names_the_path_of_a_file(repo):
    hook(repo, asks(repo, "Write", file_path="src/gen/a.py", content="topsecret"))
    line = json.loads((repo / ".git/rulec/ledger.jsonl").read_text())
    assert (line["of"], line["kind"], line["slug"]) == ("src/gen/a.py", "write", "gen")


def test_the_ledger_is_private_short_and_bounded(repo):
    path = repo / ".git/rulec/ledger.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    path.chmod(0o644)
    hook(repo, bash(repo, "npm " + "word " * 200))
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(path.read_text()) <= 300
    path.write_text(path.read_text() * 5000)
    hook(repo, bash(repo, "npm ci"))
    assert path.stat().st_size <= 1_000_000
    assert all(json.loads(line) for line in path.read_text().splitlines())
    path.unlink()
    path.mkdir()
    assert denied(hook(repo, bash(repo, "npm ci")))


BAD = [b"", b"{", b"null", b"[]", b"3", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"a":' * 5_000]


@pytest.mark.parametrize("raw", BAD, ids=range(len(BAD)))
def test_what_is_no_question_is_said_aloud_and_stops_only_where_a_rule_asks(repo, raw):
    code, out, error = hook(repo, raw)
    assert (code, list(out), error) == (0, ["systemMessage"], "")
    strict = rules.command("strict", "x")
    strict["facts"]["on_error"] = "block"
    put(repo, "strict", json.dumps(strict))
    code, out, error = hook(repo, raw)
    assert (code, out) == (2, {})
    assert "not checked" in error


FORMS = [b"\xef\xbb\xbf%s", b"%s\r\n", b"\r\n  %s\n\n"]


@pytest.mark.parametrize("form", FORMS)
def test_a_mark_or_line_ends_around_the_question_do_not_matter(repo, form):
    assert denied(hook(repo, form % json.dumps(bash(repo, "npm ci"), indent=1).replace("\n", "\r\n").encode()))


def test_fields_of_another_kind_are_taken_as_absent(repo):
    odd = {"cwd": None, "session_id": 3, "tool_response": "x", "new": {"deep": []}, "agent_id": []}
    assert denied(hook(repo, {**bash(repo, "npm ci"), **odd}))
    for given in ({}, {"command": None}, {"command": ["npm"]}, None, "npm", {"file_path": {}}):
        for tool in ("Bash", "Write", "Edit", "MultiEdit", "NotebookEdit"):
            code, out, error = hook(repo, {**asks(repo, tool), "tool_input": given})
            assert (code, list(out), error) == (0, ["systemMessage"], "")
            assert "not checked" in out["systemMessage"]


def test_a_broken_artifact_is_told_to_the_person_or_blocks_as_its_rule_says(repo):
    put(repo, "bad", "{")
    code, out, _ = hook(repo, bash(repo, "ls"))
    assert (code, list(out)) == (0, ["systemMessage"])
    assert "bad.json" in out["systemMessage"]
    assert denied(hook(repo, bash(repo, "npm ci")))
    put(repo, "bad", '{"facts": {"on_error": "block"')
    assert "bad.json" in denied(hook(repo, bash(repo, "ls")))


def test_without_artifacts_that_git_knows_nothing_is_said(repo):
    shutil.rmtree(repo / ".rules/compiled/guard")
    (repo / ".rules/config.yaml").write_text("")
    assert hook(repo, bash(repo, "npm ci")) == (0, {}, "")
    assert hook(repo, bash(repo, "git commit --no-verify -m x")) == (0, {}, "")


def test_a_linked_work_tree_writes_to_the_ledger_of_all_since_it_may_be_gone_tomorrow(repo, tmp_path):
    subprocess.run(["git", "-C", repo, "add", "-A"], check=True)
    subprocess.run(["git", "-C", repo, "commit", "-qm", "x"], check=True)
    subprocess.run(["git", "-C", repo, "worktree", "add", "-q", tmp_path / "tree"], check=True)
    tree = tmp_path / "tree"
    assert denied(hook(tree, bash(tree, "npm ci")))
    assert (repo / ".git/rulec/ledger.jsonl").exists()


def test_no_mutated_question_makes_a_traceback_or_an_allow(repo):
    pick = random.Random(3)
    here = str(repo / ".rules/compiled")
    seeds = [
        bash(repo, "cd web && npm install x > src/gen/a"),
        asks(repo, "Write", file_path="src/gen/a.py", content="print(1)"),
        asks(repo, "MultiEdit", "PostToolUse", file_path="src/a.py", edits=[{"old_string": "a", "new_string": "b"}]),
        asks(repo, "Edit", file_path="src/a.py", old_string="x", new_string="y", replace_all=True),
    ]
    for _ in range(1500):
        data = bytearray(json.dumps(pick.choice(seeds)).encode())
        for _ in range(pick.randrange(1, 6)):
            at = pick.randrange(len(data) or 1)
            what = pick.randrange(4)
            if what == 0:
                data[at : at + 1] = bytes([pick.randrange(256)])
            elif what == 1:
                del data[at : at + pick.randrange(1, 9)]
            elif what == 2:
                data[at:at] = pick.choice([b"null", b"{}", b"[]", b"\\u0000", b"\\ud800", b'"', b"9e999", b"../"])
            else:
                data = data[: at + 1]
        answer = respond("claude-code", bytes(data), here)
        said = json.dumps(answer.out)
        assert '"allow"' not in said
        assert "Error" not in said or "no JSON" in said, said
        assert answer.code == 0


ENDLESS = [
    (bash, "rm " + "{.g*,?}*/" * 40 + "; git commit -n -m x"),
    (bash, "; ".join(["rm " + "{.g*,?}*/" * 30] * 6) + "; git commit -n -m x"),
]


# In a process of its own: whoever else is told of a collection of garbage, as Hypothesis is, may swallow the alarm.
@pytest.mark.parametrize(("asked", "command"), ENDLESS, ids=range(len(ENDLESS)))
def test_what_cannot_be_decided_in_time_is_denied_in_time_where_it_names_the_gate(repo, asked, command):
    _, out, _ = hook(repo, asked(repo, command))
    assert "not decided within" in out["hookSpecificOutput"]["permissionDecisionReason"]


def test_what_cannot_be_decided_in_time_far_from_the_gate_is_told_to_the_person(repo):
    code, out, error = hook(repo, bash(repo, "rm " + "{.a*,?}*/" * 40))
    assert (code, list(out), error) == (0, ["systemMessage"], "")


def test_an_unknown_agent_is_said_aloud(repo):
    answer = respond("nobody", b"{}", str(repo))
    assert (answer.code, answer.out) == (0, {})
    assert "nobody" in answer.error


def test_a_file_that_git_ignores_may_be_written_where_the_rule_says_so(tmp_path):
    repo = repository(tmp_path / "repo", rules.path("env", ".env", ignored=False))
    subprocess.run(["git", "init", "-q", repo], check=True)
    copy = bash(repo, "cp .env.example .env")
    assert "env" in denied(hook(repo, copy))
    (repo / ".gitignore").write_text(".env\n")
    assert not denied(hook(repo, copy))
    (repo / ".env").write_text("A=1\n")
    subprocess.run(["git", "-C", repo, "add", "-f", ".env"], check=True)
    assert "env" in denied(hook(repo, copy))
