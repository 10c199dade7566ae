"""Guard rules as the hook loads them, for tests."""

from rulec.domain.compiled_rule import CompiledRule, read_rule
from rulec.guard import decision
from rulec.shell.action_events import Event, FileOfChange


def decide(rule, told):
    """The findings of a rule on an action, as the hook decides: where the action's words lead to it."""
    known, own = event(told), typed(rule)
    reached = decision.words_of_event(known) & decision.words_of_rule(own)
    return decision.decide([own], known) if reached else []


def typed(rule):
    """The rule that an artifact holds."""
    return rule if isinstance(rule, CompiledRule) else read_rule(rule)


def findings(rules, told):
    """The findings of rules, as artifacts hold them, on an event that is told as a mapping."""
    return decision.decide([typed(rule) for rule in rules], event(told))


def event(told):
    """An event out of a mapping, with the events that came before and the files of a change in it."""
    if isinstance(told, Event):
        return told
    past = {key: [event(one) for one in told[key]] for key in ("history", "past", "files") if _lists_events(told, key)}
    if told["kind"] == "change":
        past = {"changes": [FileOfChange(**file) for file in told["files"]], "files": ()}
    assert told.keys() <= Event.__annotations__.keys()
    return Event(**{**told, **past})


def _lists_events(told, key):
    return told["kind"] != "change" and isinstance(told.get(key), list)


def facts(slug, **more):
    return {
        "slug": slug,
        "revision": 1,
        "statement": f"Keep to {slug}.",
        "do": "",
        "quote": "please",
        "said": "2026-11-20, to claude-code",
        "severity": "must",
        "enforcement": "block",
        "on_error": "warn",
        "scope": {"include": ["**"], "exclude": [], "agents": [], "tags": []},
        **more,
    }


def command(slug, *patterns, **more):
    check = {"on": "command", "patterns": list(patterns), "unless": [], "arguments": "", "instead": "", "rewrite": {}}
    return {"facts": facts(slug), "check": {**check, **more}}


def path(slug, *globs, **more):
    return {"facts": facts(slug), "check": {"on": "path", "globs": list(globs), "except": [], **more}}


def text(slug, *forbid, **more):
    check = {"on": "text", "forbid": list(forbid), "require": [], "globs": [], "except": [], "ignore_case": False}
    return {"facts": facts(slug), "check": {**check, **more}}


def session(slug, **check):
    return {"facts": facts(slug), "check": {"on": "session", **check}}


RULES = [
    command("pnpm", "npm", "yarn", unless=["npm view"]),
    command("no-force", "git push --force|-f", "git reset --hard"),
    command("no-rm-rf", "rm -rf"),
    command("uv", "pip install"),
    command("no-amend", "git commit --amend"),
    command("no-up", "docker compose up -d"),
    command("no-latest", "docker pull", arguments=":latest$"),
    path("gen", "src/gen/", "*.lock", **{"except": ["src/gen/README.md"]}),
]
