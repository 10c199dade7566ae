"""Scripts of this session, recipes and SQL files are judged when the agent runs them, as if it typed them."""

import json
import os
import subprocess

import pytest

from rulec.agents.protocol.agent_spec import HookRequest
from rulec.checkout.worktree import Worktree
from rulec.hook.script_rules import judge_scripts
from rulec.shell.action_events import Event
from tests.support import guard_rules as rules

RULES = [
    rules.command("npm", "npm"),
    rules.command("push", "git push", pushes=["main"]),
    rules.path("gen", "gen/"),
]
MAKEFILE = "test:\n\tpytest\nship:\n\tgit push origin main\n"
PACKAGE = {"scripts": {"test": "jest", "deploy": "git push origin main"}}
SHELL = "#!/bin/sh\nset -e\nnpm ci\n"


@pytest.fixture
def top(tmp_path):
    repo = tmp_path / "repo"
    subprocess.run(["git", "init", "-qb", "topic", repo], check=True)
    (repo / "Makefile").write_text(MAKEFILE)
    (repo / "package.json").write_text(json.dumps(PACKAGE))
    subprocess.run("git add -A && git commit -qm x", shell=True, cwd=repo, check=True)
    return repo


def slugs(top, files, command, tool="Write", judged=RULES):
    """The rules that mind the command after the session wrote these files with that tool.

    "" stands for a person, None for a session of which there is no record.
    """
    uses = []
    for number, (name, text) in enumerate(files.items()):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)
        given = {"file_path": str(top / name), "content": text, "old_string": "a", "new_string": "b"}
        given = {"command": f"cat > {name} <<'EOF'\n{text}EOF"} if tool == "Bash" else given
        uses.append({"type": "tool_use", "id": f"u{number}", "name": tool, "input": given})
    asked, world = HookRequest(""), Worktree(str(top))
    path = top.parent / "session.jsonl"
    record = {"type": "assistant", "cwd": str(top), "message": {"role": "assistant", "content": uses if tool else []}}
    path.write_text(json.dumps(record) + "\n")
    asked.transcript = "" if tool is None else str(path)
    event = Event(kind="command", command=command, root=world.root, world=world)
    found = judge_scripts(event, asked, lambda inner: rules.findings(judged, inner))
    return sorted({one.slug for one in found})


GO = 'package main\nimport "os/exec"\nfunc main() { exec.Command("npm", "ci").Run() }\n'
RUST = """use std::process::Command;
fn of<'a>(word: &'a str) -> &'a str { word }
fn main() {
    Command::new(of("sh"));
    Command::new("npm")
        .current_dir("web")
        .args(["ci", "--force"])
        .status()
        .unwrap();
}
"""
NAMED_RUST = """use std::process;
fn main() {
    let mut push = process::Command::new("git");
    push.arg("push").arg("origin");
    let mut look = process::Command::new("git");
    look.args(&["log", "npm"]).status();
    push.arg("main");
    push.status();
}
"""
TOX = "[tox]\nenvlist = lint\n[testenv]\ncommands = pytest\n[testenv:web]\ncommands =\n    ls\n    npm ci\n"
WORKFLOW = """on: push
jobs:
  test:
    steps:
      - run: echo "npm ci"
  up:
    steps:
      - uses: a/b@v4
      - name: Up
        run: |
          cd web
          npm ci
        env: {A: npm}
"""
RUNS = [
    *((["npm"], {"x.sh": SHELL}, line) for line in (
        "sh x.sh", "bash -x ./x.sh", "chmod +x x.sh && ./x.sh", ". ./x.sh", "sh < x.sh", "cat x.sh | sh",
        "timeout 5 ./x.sh", "nohup ./x.sh &",
    )),
    (["npm"], {"x.sh": "sh y.sh\n", "y.sh": SHELL}, "sh x.sh"),
    (["push"], {"x.sh": "git checkout main\ngit push\n"}, "sh x.sh"),
    (["gen"], {"x.sh": "echo a > gen/a.py\n"}, "sh x.sh"),
    *((["gen"], {"ci/x.sh": f'cd "{top}" && echo a > gen/a.py\n'}, "bash ci/x.sh") for top in (
        '$(dirname "$0")/..', '$(cd "$(dirname "$0")/.." && pwd)', "$(dirname -- $0)/..",
    )),
    (["npm"], {"x.sh": '$1 "$2"\n'}, "sh x.sh npm ci"),
    ([], {"x.sh": 'echo "$1" "$2"\n'}, "sh x.sh npm ci"),
    (["npm"], {"package.json": '{"scripts": {"up": "timeout 60"}}'}, "npm run up -- npm ci"),
    (["npm"], {"package.json": '{"scripts": {"go": "timeout 60"}}'}, "yarn go npm ci"),
    (["push"], {"x.py": "import subprocess\nsubprocess.run(['git', 'push', 'origin', 'main'])\n"}, "python3 x.py"),
    (["npm"], {"x.py": "import os\nos.system('npm ci')\n"}, "uv run python x.py"),
    (["npm"], {"x.js": "const {execSync} = require('child_process'); execSync('npm ci')\n"}, "node x.js"),
    (["npm"], {"x.py": "import subprocess as s\nSTEPS = [['ls'], ['npm', 'ci']]\nfor one in STEPS:\n    s.run(one)\n"},
     "python3 x.py"),
    (["npm"], {"x.mjs": "import {spawnSync} from 'child_process'; const a = ['ci']; spawnSync('npm', a)\n"},
     "node x.mjs"),
    (["npm"], {"x.cmd": "@echo off\r\n@call npm ci\r\n"}, "cmd.exe /c x.cmd"),
    (["npm"], {"x.mk": "P ?= pnpm\nall:\n\t$(P) ci\n"}, "make -f x.mk P=npm"),
    (["npm"], {"x.mk": "P := npm\nall:\n\t@${P} ci\n"}, "make -f x.mk"),
    (["npm"], {"x.just": "p := 'npm'\nall:\n  {{ p }} ci\n"}, "just -f x.just"),
    (["npm"], {"noxfile.py": "import nox\n@nox.session\ndef t(session):\n    session.run('npm', 'ci')\n"},
     "uvx nox -s t"),
    (["npm"], {"Rakefile": "task :up do\n  sh 'npm ci' if true\nend\n"}, "bundle exec rake up"),
    (["npm"], {"up.go": 'import "os/exec"\nfunc main() { exec.Command("npm", "ci").Run() }\n'}, "go run up.go"),
    ([], {"up.go": 'func main() { fmt.Println("npm ci") }\n'}, "go run up.go"),
    ([], {"up.go": 'import "os/exec"\nfunc main() { exec.Command("npm", "ci").Run() }\n'}, "go vet up.go"),
    *((["npm"], {"up/main.go": GO}, line) for line in ("go run ./up", "go run -race ./up x", "cd up && go run .")),
    *(([], {"up/main.go": GO}, line) for line in ("go run ./gen", "go build ./up", "go run . up")),
    *((["npm"], {"tool/src/main.rs": RUST}, line) for line in (
        "cargo run -p tool", "cargo +nightly run --release --package=tool -- x", "cd tool && cargo run",
        "cargo run --manifest-path tool/Cargo.toml",
    )),
    (["npm"], {"src/bin/up.rs": RUST}, "cargo run --bin up"),
    (["push"], {"src/main.rs": NAMED_RUST}, "cargo run"),
    *(([], {"tool/src/main.rs": RUST}, line) for line in (
        "cargo run", "cargo run -- -p tool", "cargo build -p tool", "cargo run -p tools",
    )),
    ([], {"src/main.rs": '// Command::new("npm")\nfn main() { println!("npm ci"); }\n'}, "cargo run"),
    *((["npm"], {"tox.ini": TOX}, line) for line in ("tox -e web", "uvx tox -e lint,web", "tox -e web -- -x")),
    *(([], {"tox.ini": TOX}, line) for line in ("tox", "tox -e lint", "tox -l", "tox -e lint -- -e web")),
    *((["npm"], {".github/workflows/a.yml": WORKFLOW}, line) for line in ("act -j up", "act push --job up")),
    *(([], {".github/workflows/a.yml": WORKFLOW}, line) for line in ("act -j test", "act -n -j up", "act -l")),
    *((["npm"], {".github/workflows/a.yml": WORKFLOW}, line) for line in ("act", "act -v push")),
    *(([], {".github/workflows/a.yml": WORKFLOW}, line) for line in ("act release", "act -n")),
    (["npm"], {"x.mk": "all:\n\t+npm ci\n"}, "make -n -f x.mk"),
    ([], {"x.mk": "all:\n\tnpm ci\n"}, "make --dry-run -f x.mk"),
    (["npm"], {".gitlab-ci.yml": "up:\n  script:\n    - ls\n    - npm ci\n"}, "gitlab-ci-local up"),
    ([], {".gitlab-ci.yml": "up:\n  script:\n    - npm ci\nlint:\n  script: ls\n"}, "gitlab-ci-local lint"),
    (["npm"], {"lefthook.yml": "pre-push:\n  commands:\n    all:\n      run: npm ci\n"}, "lefthook run pre-push"),
    ([], {"lefthook.yml": "pre-push:\n  commands:\n    all:\n      run: npm ci\n"}, "lefthook run pre-commit"),
    ([], {"x.mk": "P := npm\nall:\n\t$(P) ci\n"}, "make -f x.mk P=pnpm"),
    (["npm"], {}, "cat > z.sh <<'E'\nnpm ci\nE\nsh z.sh"),
    ([], {"x.sh": SHELL}, "cat x.sh"),
    ([], {"x.sh": SHELL}, "sh -n x.sh"),
    ([], {"x.sh": SHELL}, "git add x.sh"),
    ([], {"x.sh": "echo npm ci\n# npm ci\ngit push origin topic\n"}, "sh x.sh"),
    ([], {"x.py": "print('npm ci')\nopen('gen/a.py').read()\n"}, "python x.py"),
]  # fmt: skip


def test_a_script_of_this_session_is_read_as_if_typed(top):
    wrong = [row for row in RUNS if slugs(top, row[1], row[2]) != row[0]]
    assert wrong == []
    assert slugs(top, {"x.sh": SHELL}, "sh x.sh", tool="Bash") == ["npm"]
    assert slugs(top, {"x.sh": SHELL}, "sh x.sh", tool="") == []
    os.utime(top / "x.sh", (9e9, 9e9))  # after the agent's record, which cannot know who wrote it
    assert slugs(top, {}, "sh x.sh", tool="") == ["npm"]


WRITTEN_BY_THE_LINE = [
    (["npm"], "cat > z.sh <<'E'\nnpm ci\nE\nsh z.sh"),
    (["npm"], "printf 'npm ci\\n' > z.sh && bash z.sh"),
    (["npm"], "echo npm ci | tee z.sh; chmod +x z.sh; ./z.sh"),
    (["npm"], "cat > z.py <<'E'\nimport os\nos.system('npm ci')\nE\npython3 z.py"),
    (["npm"], "bash <(echo npm ci)"),
    (["npm"], ". <(echo npm ci)"),
    (["npm"], "source /dev/stdin <<< 'npm ci'"),
    (["npm"], "cat > committed.sh <<'E'\nnpm ci --force\nE\nsh committed.sh"),
    ([], "cat > z.sh <<'E'\necho npm ci\nE\nsh z.sh"),
    ([], "cat > z.sh <<'E'\nnpm ci\nE\ncat z.sh"),
    ([], "cat <(echo npm ci)"),
    ([], "bash <(echo git push origin topic)"),
    ([], "sh committed.sh"),
    ([], ". ./committed.sh"),
    ([], "echo x > notes.txt; sh committed.sh"),
]


@pytest.mark.parametrize("state", ["clean", "untracked", "changed", "edited"])
def test_what_the_line_itself_writes_and_runs_counts_whatever_the_tree_holds(top, state):
    (top / "committed.sh").write_text(SHELL)
    subprocess.run("git add -A && git commit -qm y", shell=True, cwd=top, check=True)
    if state == "changed":
        (top / "Makefile").write_text(MAKEFILE + "# more\n")
    elif state == "untracked":
        (top / "notes.txt").write_text("x\n")
    files, tool = ({"notes.txt": "x\n"}, "Edit") if state == "edited" else ({}, None)
    wrong = [row for row in WRITTEN_BY_THE_LINE if slugs(top, files, row[1], tool=tool) != row[0]]
    assert wrong == []


def test_what_the_session_changed_of_a_recipe_counts(top):
    more = f"{MAKEFILE}up:\n\techo a > gen/a.py\n"
    assert slugs(top, {"Makefile": more}, "make up", tool="Edit") == ["gen"]
    assert slugs(top, {"Makefile": more}, "make test gen", tool="Edit") == []


STANDING = {
    "Makefile": f"{MAKEFILE}gen:\n\techo a > gen/a.py\ndeps:\n\tcd web && npm ci\nall: deps\nbuild:\n\t@sh ci/x.sh\n"
    "wrapped:\n\tplain npmish\n",
    "justfile": "ship:\n    git push origin main\nsay:\n    echo git push origin main\n",
    "package.json": json.dumps({"scripts": {"test": "jest", "predeploy": "npm ci", "deploy": "vercel"}}),
    "x.sh": SHELL,
    "ci/x.sh": SHELL,
}
CALLED = [
    (["push"], "make ship"), (["push"], "cd web && make -C .. ship"), (["push"], "just ship"),
    (["npm"], "make deps"), (["npm"], "make all"), (["npm"], "make test && make build"), (["npm"], "pnpm deploy"),
    (["npm"], "yarn run deploy"), (["push"], "timeout 60 make test ship"),
    ([], "make test"), ([], "make gen"), ([], "make -n ship"), ([], "just say"), ([], "pnpm test"),
    ([], "cat Makefile"), ([], "grep -n ship Makefile"), ([], "make wrapped"), ([], "sh x.sh"), ([], "pnpm install"),
    ([], "git add Makefile"),
]  # fmt: skip


def test_a_recipe_of_the_repository_is_read_as_if_typed(top):
    """Whoever wrote it, for rules on commands; a generator's files and the team's own scripts are none of theirs."""
    for folder in ("ci", "web"):
        (top / folder).mkdir()
    for name, text in STANDING.items():
        (top / name).write_text(text)
    wrong = [(found, row) for row in CALLED if (found := slugs(top, {}, row[1], tool="")) != row[0]]
    assert wrong == []


def test_a_recipe_that_the_rule_allows_may_run_what_it_forbids(top):
    given = {"instead": "make ship TO=./all"}  # a value as an example
    for wanted in ({"instead": "make ship"}, given, {"unless": ["make ship"]}, {"rewrite": {"git push": "make ship"}}):
        judged = [rules.command("push", "git push", **wanted)]
        assert slugs(top, {}, "make ship", tool="", judged=judged) == [], wanted
    assert slugs(top, {}, "make ship", tool="") == ["push"]
    bare = [rules.command("push", "git push", instead="make TO=./all")]  # names no recipe, so it allows none
    assert slugs(top, {}, "make ship", tool="", judged=bare) == ["push"]


def test_how_a_command_is_typed_is_no_matter_of_recipes(top):
    judged = [rules.command("uv", "pytest", under=["uv run"]), rules.command("quiet", "pytest", flags=["-q"])]
    assert slugs(top, {}, "make test", tool="", judged=judged) == []


DROP = r"(?i)\bdrop\s+(?:table|database)\b"
CLIENTS = ["psql", "mysql", "sqlite3", "sqlcmd"]
SQL = {
    "drop.sql": "-- clean\nDELETE FROM jobs;\nDROP TABLE tmp;\n",
    "select.sql": "SELECT 'a' FROM dropped_tables;\nDROP INDEX a;\n",
    "all.sql": "\\i drop.sql\n",
    "x.sh": "psql app -f drop.sql\n",
}
QUERIES = [
    *((["drop"], line) for line in (
        "psql app -f drop.sql", "psql --file=drop.sql app", "psql app < drop.sql", "cat drop.sql | psql app",
        "mysql -u root app < drop.sql", "mysql app -e 'source drop.sql'", "sqlite3 app.db '.read drop.sql'",
        "sqlite3 app.db < drop.sql", "psql app -c '\\i drop.sql'", "psql -f all.sql", "sqlcmd -i drop.sql",
        "cd db && psql -f ../drop.sql", "sudo -u postgres psql -f drop.sql", "psql -1 -f select.sql -f drop.sql",
        "timeout 9 psql < drop.sql", "docker compose exec -T db psql app < drop.sql",
        "xargs psql < drop.sql; psql < drop.sql", "echo 'DROP TABLE a;' > n.sql && psql -f n.sql",
    )),
    *(([], line) for line in (
        "xargs psql < drop.sql",
        "psql app -f select.sql", "psql app < select.sql", "cat drop.sql", "grep -n DROP drop.sql",
        "git add drop.sql",
        "psql -c 'select 1' > drop.sql", "sqlite3 app.db '.read select.sql'", "psql -f missing.sql", "psql -l",
        "pg_dump app > drop.sql", "psql app -c \"select 'source drop.sql'\"",
    )),
]  # fmt: skip


def test_sql_in_a_file_is_read_as_if_typed(top):
    for name, text in SQL.items():
        (top / name).write_text(text)
    (top / "db").mkdir()
    for how in ("arguments", "code"):
        judged = [rules.command("drop", *CLIENTS, **{how: DROP})]
        wrong = [(found, row) for row in QUERIES if (found := slugs(top, {}, row[1], tool="", judged=judged)) != row[0]]
        assert wrong == [], how
