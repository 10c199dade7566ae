"""An action's words lead to every rule that finds something in it: asking them decides as asking all rules does."""

import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rulec.checks.guard import checker
from rulec.checks.proving.example_changes import change_of
from rulec.checks.proving.variants import make_variants
from rulec.guard import decision
from rulec.rulebook.yaml_text import load_yaml
from tests.support import guard_rules as rules
from tests.support.template_cases import cases_of
from tests.templates.mutants import SHELF, as_rule, compiled

TABLE = Path(__file__).parents[1] / "cases" / "shell" / "commands.yaml"
COMMANDS = [
    row[1].replace("@BIN@", "/usr/bin")
    for rows in load_yaml(TABLE.read_text("utf-8"), source="").values()
    for row in rows
]
PROGRAMS = ["npm", "git", "docker", "make", "tool", "kubectl", "pip", "python", "rm"]
WORDS = ["install", "push", "run", "--force", "-f", "build", "x"]
PLACES = [
    "src/gen/", "*.lock", "web/**/*.ts", "a.{py,pyi}", "**/x/*", "docs", "/top.md", "*", "[ab].c", "b/*.py",
    "lib/{p,q}/z", "././a/b", "**/*.tar.gz", "~/.ssh/", "/etc/**", "../beside/*.md", "x\\*y/z", "{a,b/c}/d",
]  # fmt: skip
PATHS = [
    "src/gen/a", "poetry.lock", "web/a/b.ts", "k/a.pyi", "x/y", "docs/a.md", "top.md", "a.c", "b/c.py", "lib/q/z",
    "a/b", "d/e.tar.gz", "~/.ssh/id", "/home/dev/.ssh/id", "/etc/passwd", "../beside/a.md", "x*y/z", "b/c/d",
    "src", "a",
]  # fmt: skip


def missed(rule, event):
    """What the rule finds in an action whose words do not lead to it."""
    if decision.words_of_event(rules.event(event)) & decision.words_of_rule(rules.typed(rule)):
        return []
    return rules.findings([rule], dict(event))


def on_commands():
    """Rules on the programs and words of the shell table, in all forms that patterns have."""
    names = [
        "npm",
        "yarn",
        "git",
        "rm",
        "pip",
        "docker",
        "kubectl",
        "sh",
        "bash",
        "curl",
        "python",
        "docker-compose",
        "n*",
        "npm|rm",
        "./npm",
        "CI=* npm",
    ]
    verbs = ["", " install", " push --force|-f", " -rf", " delete", " i x", " compose up"]
    for name in names:
        for verb in verbs:
            yield rules.command("one", name + verb)
    yield rules.command("two", "curl|wget | sh|bash")
    yield rules.command("three", "kubectl delete", aliases={"k": "kubectl"})
    yield rules.command("four", "npm", under=["docker compose exec app", "docker exec app"])
    yield rules.session("five", before_commands=["npm", "git push"], first_commands=["z"])
    yield {"facts": rules.facts("six"), "check": {"on": "dependency", "forbid": ["left-pad"], "except": []}}
    for place in [*PLACES, ".env", "out"]:
        yield rules.path("seven", place)
        yield rules.text("eight", "x", globs=[place])


def test_no_command_of_the_table_misses_a_rule():
    every = [(rule, decision.words_of_rule(rules.typed(rule))) for rule in map(rules.typed, on_commands())]
    seen = 0
    for text in COMMANDS:
        event = {"kind": "command", "command": text, "history": []}
        words = decision.words_of_event(rules.event(event))
        asked = [rule for rule, own in every if own & words]
        rest = [rule for rule, own in every if not own & words]
        assert rules.findings(rest, event) == [], text
        seen += bool(rules.findings(asked, event))
    assert seen > len(COMMANDS) // 2


@pytest.mark.parametrize("name", sorted(name for name, one in SHELF.templates().items() if one.kind == "guard"))
def test_no_example_of_a_template_misses_its_rule(name, monkeypatch):
    template, seen = SHELF.templates()[name], []
    for case in cases_of(template):
        rule = as_rule(template, case, "guard", "case")
        artifact = compiled(rule)
        examples = [*case.invalid, *case.valid, *(mutant.example for mutant in make_variants(rule, [artifact]))]
        seen += [(artifact, change_of(one)) for one in examples]
    found = [list(checker.findings([artifact], change, ())) for artifact, change in seen]
    monkeypatch.setattr(decision, "find_rules", lambda filed, _: sorted({at for some in filed.values() for at in some}))
    assert found == [list(checker.findings([artifact], change, ())) for artifact, change in seen]
    assert any(found)


NAME = st.text("abpz0139-._+Z", min_size=1, max_size=8).filter(lambda name: name.strip("-._+") and name[0] != "-")
FORMS = [
    "{}", "{} x", "./{}", "/usr/bin/{} x", "{}.exe x", "sudo {} x y", "bash -c '{} x'", "env A=1 {} x", "A={}; $A x",
    "for t in {} b; do $t x y; done", "$B x y", "echo {} x | sh", "python -m {} x", "true && {} x -y", "{}-compose x",
]  # fmt: skip
PATTERNS = [
    "{}",
    "{} x",
    "{} x y",
    "{}|other x",
    "./{}",
    "bin/{} x",
    "{}* x",
    "A=1 {} x",
    "{} x -y|--yes",
    "{}-compose",
]


@settings(max_examples=500)
@given(NAME, st.sampled_from(PATTERNS), st.sampled_from(FORMS))
@example("docker-compose", "{}", "{} x")
@example("docker-compose", "{} x", "docker compose x")
@example("docker", "{}-compose x", "{} -c a compose x")
@example("git", "{} x y", "$B -C a -C b -C c x y")
@example("npm", "{} install x", "$B i x")
@example("python3.11", "python x", "{} x")
@example("pip3", "{} install", "python -m pip install x")
def test_no_program_misses_a_rule_however_it_is_called(name, pattern, form):
    rule = rules.command("one", pattern.replace("{}", name))
    assert missed(rule, {"kind": "command", "command": form.replace("{}", name)}) == []


def thousand():
    pick = random.Random(7)
    for number in range(1000):
        slug = f"rule-{number}"
        kind = number % 6
        if kind < 2:
            yield rules.command(slug, " ".join([pick.choice([*PROGRAMS, f"tool{number}"]), *pick.sample(WORDS, kind)]))
        elif kind == 2:
            yield rules.path(slug, pick.choice(PLACES), f"only/{number}/")
        elif kind == 3:
            yield rules.session(slug, before_edits=pick.sample(PLACES, 2), first_commands=["z"])
        elif kind == 4:
            judged = {"before_commands": [pick.choice([*PROGRAMS, "to*"])], "before_stop": number % 4 == 0}
            yield rules.session(slug, **judged, first_commands=["z"])
        else:
            yield rules.text(slug, pick.choice("abcxyz"), globs=pick.sample(PLACES, number % 3))


def events(count):
    pick = random.Random(8)
    for number in range(count):
        path = pick.choice([*PATHS, f"only/{number}/x"])
        file = {"path": path, "new": "abc\nx", "content": None, "exists": True, "history": []}
        yield {"kind": pick.choice(["write", "edit", "delete"]), **file}
        yield {"kind": "stop", "text": "", "history": [], "files": [{"kind": "write", **file}]}
        words = [
            pick.choice([*PROGRAMS, f"tool{number}", "sudo npm", "python3 -m pip", "cd web && git"]),
            *pick.sample(WORDS, 2),
        ]
        more = pick.choice(["", f" > {path}", f"; rm {path}", "; rm -r *", "; rm -r .", f"; mkdir -p {path}/b"])
        yield {"kind": "command", "command": " ".join(words) + more, "history": []}


@pytest.mark.hypothesis  # so that it is run at night too, with that profile
def test_a_thousand_rules_by_words_decide_as_all_of_them_do():
    every = [rules.typed(rule) for rule in thousand()]
    filed = decision.file_rules(map(decision.words_of_rule, every))
    rounds, seen = 2 * settings.default.max_examples, 0
    for event in events(rounds):
        asked = decision.find_rules(filed, decision.words_of_event(rules.event(event)))
        expected = rules.findings(every, dict(event))
        assert rules.findings([every[at] for at in asked], dict(event)) == expected
        seen += bool(expected)
    assert seen > rounds // 2


def test_a_call_asks_few_of_many_rules():
    every = [rules.typed(rules.command("r", f"tool{at} run")) for at in range(1000)]
    filed = decision.file_rules(map(decision.words_of_rule, every))
    called = rules.event({"kind": "command", "command": "tool7 x"})
    assert decision.find_rules(filed, decision.words_of_event(called)) == [7]
