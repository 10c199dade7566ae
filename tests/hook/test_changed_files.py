"""What an agent commits or pushes is judged by the files that did change, whatever changed them."""

import shutil
import subprocess

import pytest

from rulec.agents.protocol.agent_spec import TURN_END, HookRequest
from rulec.checkout.worktree import Worktree
from rulec.domain.compiled_rule import read_rule
from rulec.hook import session_state
from rulec.hook.pending_files import PendingChange
from rulec.hook.session import changed_files, charging
from tests.support import guard_rules as rules
from tests.support.session import ClaudeSession

SCHEMA = rules.path("schema", "./schema/")
SCHEMA["facts"]["scope"]["who"] = ["agents"]
FOR_ALL = rules.path("all", "./schema/")
ASK = rules.session("ask", asks=True, before_edits=["./deploy/"])
NEW = rules.session("new", asks=True, before_packages=["*"])
GENERATED = rules.path("gen", "./gen/", generated_by=["make api"])
FILES = {
    "package.json": '{"dependencies": {}}\n',
    "schema/a.sql": "create table a (id int);\n",
    "deploy/prod.yaml": "replicas: 1\n",
    "Makefile": "dump:\n\techo '-- made' >> schema/a.sql\napi:\n\tpython3 tools/gen.py\n",
    "gen/api.py": "A = 1\n",
    "tools/gen.py": "open('gen/api.py', 'w').write('A = 2\\n')\n",
    "tools/dump.py": "open('schema/a.sql', 'a').write('-- made\\n')\n",
}
PATCH = "patch -p1 <<'E'\n--- a/schema/a.sql\n+++ b/schema/a.sql\n@@ -1 +1 @@\n-create table a (id int);\n+x\nE"
FIND = "find schema -name '*.sql' | xargs perl -pi -e 's/int/bigint/'"
CODE = "python3 - <<'E'\nfrom pathlib import Path\nfor p in Path('{}').iterdir():\n    p.write_text('x')\nE"
ADDS = 'sed -i \'s/{}/{"pad-all": "1"}/\' package.json'
SETS = "sed -i 's/^{/{\"private\": true, /' package.json"
AND_PUSH, PERSON = "git push origin topic", "person: "
# rules with a certain finding on the last command, those with one that is only told; what was said and run before
ROWS = [
    ("schema", "", [PATCH, "git add -A", "git commit -m x"]),
    ("schema", "", [PATCH.replace("patch -p1", "git apply"), "git commit -am x"]),
    ("schema", "", [FIND, "git commit -am x"]),
    ("schema", "", [CODE.format("schema"), "git add schema && git commit -m x"]),
    ("schema", "", [CODE.format("schema"), "cd deploy && git add .. && git commit -m x"]),
    ("schema", "", ["cp tools/dump.py t2.py", "python3 t2.py", "git commit -am x"]),
    ("schema", "", [f"{FIND} && git commit -qam x", AND_PUSH]),
    ("schema", "", ["git mv schema/a.sql schema/b.sql", "git commit -m x"]),
    ("ask", "", [CODE.format("deploy"), "git commit -am x"]),
    ("ask", "", [f"{CODE.format('deploy')}\ngit commit -qam x", AND_PUSH]),
    ("new", "", [f"cp package.json /tmp/$$ && {ADDS}", "git commit -am x"]),
    ("new", "", [f"{ADDS} && git commit -qam x", AND_PUSH]),
    ("new", "", ["says: Please use pad-all.", ADDS, "git commit -am x"]),
    ("", "", [f"true || npm install pad-all; {ADDS}", "git commit -am x"]),
    ("", "", [SETS, "git commit -am x"]),
    ("", "schema", ["make dump", "git commit -am x"]),
    ("", "schema", ["python3 tools/dump.py", "git commit -am x"]),
    ("", "schema", [f"{PERSON}{FIND}", "ls", "git commit -am x"]),
    ("", "ask", [f"{PERSON}{CODE.format('deploy')}", "ls", "git commit -am x"]),
    ("ask", "", ["says: Deploy it with two replicas.", CODE.format("deploy"), "git commit -am x"]),
    ("", "", ["make api", "git commit -am x"]),
    ("", "", ["echo '# more' >> tools/gen.py", "make api", "git add -A && git commit -m x"]),
    ("", "", ["cd gen && make -C .. api", "git commit -am x"]),
    ("gen", "", [CODE.format("gen"), "git commit -am x"]),
    ("gen", "", ["make api", CODE.format("gen"), "git commit -am x"]),
    ("gen", "", ["make api && sed -i s/2/3/ gen/api.py", "git commit -am x"]),
    ("gen", "", [f"make api\n{CODE.format('gen')}", "git commit -am x"]),
    ("", "gen", [f"{PERSON}{CODE.format('gen')}", "ls", "git commit -am x"]),
    ("", "", [FIND, "git add Makefile", "git commit -m x"]),
    ("", "", [FIND, "git checkout schema", "git commit -am x"]),
    ("", "", [FIND, "git commit --dry-run -am x"]),
    ("", "", [FIND, "git status"]),
    ("", "", ["echo x > new.txt", "git add -A && git commit -m x"]),
    ("", "", ["echo x > new.txt", "git add -A && git commit -qm x", AND_PUSH]),
]


class Rules:
    """Rules to which every action leads."""

    def for_event(self, _event):
        return [read_rule(rule) for rule in (SCHEMA, FOR_ALL, ASK, NEW, GENERATED)], []


def play(folder, steps):
    """The findings on the last step."""
    made = folder.with_name("made")
    if not made.exists():
        for name, text in FILES.items():
            (made / "repo" / name).parent.mkdir(parents=True, exist_ok=True)
            (made / "repo" / name).write_text(text)
        start = "git init -qb main && git add -A && git commit -qm x && git init -q --bare ../o.git && "
        run(
            made / "repo", start + "git remote add origin ../o.git && git push -q origin main && git checkout -qb topic"
        )
    shutil.copytree(made, folder, dirs_exist_ok=True)
    top = folder / "repo"
    session, asked, world = (
        ClaudeSession(top, timed=True).person("Go on."),
        HookRequest("PreToolUse"),
        Worktree(str(top)),
    )
    asked.session, asked.transcript = "s", str(folder / "t.jsonl")
    session_state.begin_turn(world.root, asked)
    for step in steps[:-1]:
        if step.startswith("says: "):
            session.person(step[6:])
        elif step.startswith(PERSON):
            run(top, f"sleep 0.3\n{step[len(PERSON) :]}\nsleep 0.3")
        else:
            session.asks("Bash", {"command": step})
            run(top, step)
            session.answered()
    session.asks("Bash", {"command": steps[-1]}).save(folder / "t.jsonl")
    asked.use = session.use
    event = {"kind": "command", "command": steps[-1], "cwd": "", "root": world.root, "world": world, "agent": "claude"}
    return list(changed_files.judge_leaving(rules.event({**event, "environment": "local"}), asked, Rules()))


def run(top, command):
    subprocess.run(command, shell=True, cwd=top, check=True, capture_output=True)


def test_what_leaves_is_judged_by_the_files_that_changed(tmp_path):
    wrong = []
    for number, (sure, told, steps) in enumerate(ROWS):
        found = play(tmp_path / str(number), steps)
        seen = tuple(" ".join({one.slug: 0 for one in found if bool(one.unsure) is unsure}) for unsure in (False, True))
        wrong += [(steps, seen)] if seen != (sure, told) else []
    assert wrong == []


@pytest.mark.parametrize(("words", "found"), [("Done.", True), ("May I deploy with two replicas?", False)])
def test_a_turn_that_ends_with_the_question_may_end(tmp_path, words, found):
    play(tmp_path / "played", [CODE.format("deploy"), "ls"])
    asked, world = HookRequest(TURN_END), Worktree(str(tmp_path / "played/repo"))
    asked.session, asked.transcript, asked.words = "s", str(tmp_path / "played/t.jsonl"), words
    pending = PendingChange(world, "claude", session_state.session_start_time(world.root, asked))
    seen = changed_files.judge_files(pending.recent(), asked, Rules(), charging.OwnWork(asked, pending))
    assert any(one.slug == "ask" for one in seen) is found
