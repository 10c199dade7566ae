"""Made developers, each with the rules that their agents stumble over, as personas for evaluation."""

from random import Random
from typing import Any

# Of each theme the words of its rules, and what people type about it.
THEMES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "tests": (
        ("fixtures", "mocks", "coverage", "snapshots", "flaky tests"),
        ("the suite is red again", "prove that the importer works", "cover the new parser"),
    ),
    "commits": (
        ("commit subjects", "squashing", "branch names", "sign-off", "force push"),
        ("wrap this up and hand it over", "get this onto the main line", "tidy the history before review"),
    ),
    "sql": (
        ("migrations", "indexes", "transactions", "raw queries", "foreign keys"),
        ("the orders report is slow", "store the new customer field", "load the prices of last year"),
    ),
    "styling": (
        ("design tokens", "spacing", "breakpoints", "dark mode", "icons"),
        ("the settings screen looks off", "make the header nicer", "the button does not fit on a phone"),
    ),
    "errors": (
        ("bare except", "retries", "error codes", "stack traces", "timeouts"),
        ("it falls over when the service is away", "users see a blank page", "the nightly job dies silently"),
    ),
    "docs": (
        ("docstrings", "changelog", "screenshots", "glossary", "examples"),
        ("explain the new option", "the guide is out of date", "write down how to release"),
    ),
    "logging": (
        ("log levels", "print calls", "secrets in logs", "request ids", "structured fields"),
        ("we cannot see what happened at night", "find out why the order got lost", "too much noise in the console"),
    ),
    "dependencies": (
        ("lockfiles", "version pins", "new packages", "licences", "vendored code"),
        ("we need something to read spreadsheets", "the build broke after an upgrade", "parse those dates properly"),
    ),
    "security": (
        ("tokens", "escaping", "password hashing", "file permissions", "redirects"),
        ("let people sign in with their mail", "show the comment that they typed", "share the export by a link"),
    ),
    "ops": (
        ("health checks", "feature flags", "rollbacks", "cron jobs", "resource limits"),
        ("bring the new worker up", "switch the beta on for one client", "the box runs out of memory"),
    ),
    "api": (
        ("pagination", "status codes", "versioned routes", "rate limits", "field names"),
        ("give the app the list of invoices", "the partner wants another endpoint", "return less to the client"),
    ),
    "types": (
        ("Any annotations", "casts", "optional values", "enums", "dataclasses"),
        ("pass the price along as well", "clean up the helper module", "it breaks when there is no value"),
    ),
}
FORMS = ("Keep to the team's way with {}.", "Never leave {} to chance.", "Settle {} before anything is handed over.")
TAILS = ("", " please", ", and be quick", ", as we said yesterday", ", then tell me what you did", " for the demo")
SESSIONS = 10


def made_rules() -> list[dict[str, Any]]:
    """Sixty rules, five of each theme."""
    found = []
    for theme, (subjects, _) in THEMES.items():
        for number, subject in enumerate(subjects):
            found.append(
                {
                    "slug": f"{theme}-{subject.replace(' ', '-')}".lower(),
                    "statement": FORMS[number % len(FORMS)].format(subject),
                    "when": f"working on {theme}" if number % 2 else "",
                    "category": theme,
                    "severity": ("should", "must", "style")[number % 3],
                    "tags": [theme],
                }
            )
    return found


def made_persona(seed: int) -> dict[str, Any]:
    """One developer: a few themes that recur, and of each one or two rules that matter again and again."""
    chance = Random(seed)
    rules = made_rules()
    themes = chance.sample(sorted(THEMES), 3)
    habits = {
        theme: chance.sample([rule["slug"] for rule in rules if rule["category"] == theme], 2) for theme in themes
    }
    sessions = []
    for _ in range(SESSIONS):
        tasks = []
        for _ in range(chance.randint(4, 6)):
            theme = chance.choice(themes) if chance.random() < 0.8 else chance.choice(sorted(THEMES))
            said = f"{chance.choice(THEMES[theme][1])}{chance.choice(TAILS)}"
            if chance.random() < 0.3:
                said += f" ({theme})"
            held = habits.get(theme, [])
            tasks.append({"task": said, "matter": chance.sample(held, chance.randint(1, len(held))) if held else []})
        sessions.append({"tasks": tasks})
    return {"persona": f"works on {', '.join(themes)}", "sessions": sessions}
