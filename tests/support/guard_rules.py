"""Guard rules as the hook loads them, for tests."""

from rulec.guard import decision


def decide(rule, event):
    """The findings of a rule on an action, as the hook decides: where the action's words lead to it."""
    reached = decision.words_of_event(event) & decision.words_of_rule(rule)
    return decision.decide([rule], event) if reached else []


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
