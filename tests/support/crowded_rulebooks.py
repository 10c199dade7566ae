"""Rulebooks with more rules than are said, and tasks that name some of them: which is known by how they were made."""

from dataclasses import dataclass
from random import Random
from typing import Any

from rulec.compiling.agent_briefing import rule_record
from rulec.domain.rule import Check, Rule, Scope
from rulec.reminders import selection, slots

THEMES = ("parser", "queue", "release", "session", "schema", "login", "invoice", "dashboard")
WAYS = ("slug", "program", "path", "identifier", "file")


@dataclass(frozen=True)
class CrowdedRulebook:
    """Rules, a task, the names of the rules that it names, and of those for every task."""

    records: list[dict[str, Any]]
    task: str
    named: frozenset[str]
    always: frozenset[str]


def crowded_rulebook(random: Random) -> CrowdedRulebook:
    """A rulebook of up to 90 rules, many of them for every task, and a task that names up to eight of them."""
    count = random.randrange(25, 90)
    named = random.sample(range(count), random.randrange(0, 9))
    rules, words = [], [random.choice(THEMES), "and", random.choice(THEMES)]
    for number in range(count):
        way = random.choice(WAYS)
        rules.append(_rule(random, number, way))
        if number in named:
            words.insert(random.randrange(len(words) + 1), _words(number, way))
    always = {rule.slug for rule in rules if rule.severity == "must" and not rule.when and "**" in rule.scope.include}
    records = [rule_record(rule) for rule in random.sample(rules, count)]
    return CrowdedRulebook(records, " ".join(words), frozenset(rules[at].slug for at in named), frozenset(always))


def _rule(random: Random, number: int, way: str) -> Rule:
    theme = random.choice(THEMES)
    check = {
        "program": ("forbid-command", {"commands": [f"prog{number}x frob"]}),
        "path": ("protect-path", {"globs": [f"area{number}x/sub/**"]}),
    }.get(way)
    code = f" with `ident{number}x`" if way == "identifier" else ""
    return Rule(
        slug=f"topic-{number}x",
        statement=f"Keep the {theme} apart{code}{' from all the others' * random.randrange(6)}.",
        severity=random.choice(("must", "must", "should", "style")),
        when=random.choice(("", "", f"changing a {theme}")),
        do=random.choice(("", "put it into a file of its own")),
        scope=Scope(include=(f"src/one{number}x.py",)) if way == "file" else Scope(),
        checks=(Check(kind="guard", template=check[0], parameters=check[1]),) if check else (),
    )


def _words(number: int, way: str) -> str:
    """What a task says that names the rule."""
    return {
        "slug": f"topic-{number}x",
        "program": f"prog{number}x",
        "path": f"area{number}x/sub/new.txt",
        "identifier": f"`ident{number}x`",
        "file": f"src/one{number}x.py",
    }[way]


def displaced(case: CrowdedRulebook, asked: selection.Audience) -> list[str]:
    """What is wrong with what is said: a named rule that lost to another, too many of every task, few that match."""
    asked.task = case.task
    said = selection.rank_rules(case.records, asked)
    told = {rule["slug"] for rule in said.rules}
    left = [slug for slug, kind, _ in said.dropped if slug in case.named and kind != "said"]
    wrong = [f"{slug} is left out for {sorted(told - case.named)}" for slug in left if told - case.named]
    left_out = {slug for slug, kind, _ in said.dropped if kind in ("rules", "tokens")}
    if len(told & case.always - case.named) > slots.MOST_ALWAYS and left_out - case.always:
        wrong.append(f"{len(told & case.always)} rules of every task")
    matching = {one.rule["slug"] for one in said.turns if one.matches}
    if matching - told and 2 * len(told & matching) < len(told):
        wrong.append(f"only {len(told & matching)} of {len(told)} match, and {sorted(matching - told)} do too")
    return wrong
