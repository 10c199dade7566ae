"""Words like "the e2e tests" -> the commands that run tests of that kind, by every runner of tests and tasks."""

import re

from rulec.fits._demands import Demand, check
from rulec.language import Clause

KINDS = {
    "e2e": "e2e|end[-_]?to[-_]?end",
    "end-to-end": "e2e|end[-_]?to[-_]?end",
    "end to end": "e2e|end[-_]?to[-_]?end",
    "integration": "integration",
    "acceptance": "acceptance",
    "functional": "functional",
    "system": "system",
    "smoke": "smoke",
    "load": "load",
    "stress": "stress",
    "performance": "perf(?:ormance)?",
    "benchmark": "bench(?:mark)?s?",
    "browser": "browser|e2e",
    "visual": "visual",
    "slow": "slow",
    "fuzz": "fuzz",
    "ci": "ci",
}
_KIND = re.compile(rf"\b(?:{'|'.join(KINDS)})\b", re.IGNORECASE)
_TESTS = re.compile(r"\btests?\b|\bsuites?\b", re.IGNORECASE)
_DOING = ("run", "execute", "start", "launch", "trigger", "use", "do", "kick", "")
RUNNERS = [
    *("go test", "pytest", "tox", "nox", "cargo test|nextest", "dotnet test", "vitest", "jest", "mocha", "rspec"),
    *("phpunit", "mix test", "rails test", "ctest", "gotestsum", "mvn", "mvnw", "bazel test"),
]
TASKS = [
    *("npm run|run-script|test", "pnpm", "yarn", "bun run|test", "deno task", "make", "just", "task", "mise run|r"),
    *("rake", "gradle", "gradlew", "nx", "turbo run", "composer run", "mix", "invoke", "poe", "hatch run"),
]
_NO_TASK = ["pnpm add|install|remove|update|why|list|dlx", "yarn add|install|remove|why|info"]
_LEFT_OUT = r"(?i)\bnot\b|no-|ignore|exclude|skip|^!"
_BROWSERS = ["playwright test", "cypress run|open", "wdio run", "testcafe", "nightwatch", "detox test"]


def kinds_of_tests(clause: Clause, subject: str) -> Demand | None:
    """The demand of "don't run KIND tests", or None where no such kind is named."""
    named = [found.lower() for found in _KIND.findall(subject)]
    if not named or not _TESTS.search(subject) or clause.verb not in _DOING:
        return None
    plain = "|".join(dict.fromkeys(KINDS[name] for name in named))
    tags = "|".join(dict.fromkeys(KINDS[name] for name in named if name != "ci"))
    sep = r"[:_.-]"
    task = (
        rf"(?i)^(?:run{sep})?(?:[\w-]+{sep})?(?:tests?{sep}?(?:{plain})(?:{sep}[\w:.-]*)?|"
        rf"(?:{plain}){sep}?tests?(?:{sep}[\w:.-]*)?)$|^(?:run{sep})?(?:{plain})$"
    )
    first = next(iter(named)).replace(" ", "-")
    checks = [check("require-argument", commands=TASKS, each=task, must=_LEFT_OUT, unless=_NO_TASK)]
    bad = [f"npm run test:{first}"]
    if tags:
        tag = rf"(?i)(?:^|[/=:_,.\s-])(?:{tags})(?:[/_:,.\s-]|tests?\b|$)|^-[PD]\w*(?:{tags})"
        checks.append(check("require-argument", commands=RUNNERS, each=tag, must=_LEFT_OUT, unless=["pytest --ignore"]))
        bad.append(f"pytest tests/{next(name for name in named if name != 'ci').replace(' ', '-')}")
    if {"e2e", "end-to-end", "end to end", "browser"} & set(named):
        checks.append(check("forbid-command", commands=_BROWSERS))
        bad.append("npx playwright test")
    good = ("npm test", "pytest -q", f"ls tests/{first}", f"grep -rn 'test:{first}' docs", f"pytest -m 'not {first}'")
    return Demand(tuple(checks), tuple(bad), good)
