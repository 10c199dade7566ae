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


_WHOLE = re.compile(
    r"^(?:(?:always|keep|re-?)?(?:run|execute|start|launch|do|rerun) )?(?:(?:the|all|of|your|our) )*"
    r"(?:(?:whole|entire|full|complete) (?:test ?suite|suite|tests?)(?: suite)?|all (?:of )?(?:the )?(?:unit )?tests)"
    r"(?: (?:every ?time|each time|again|all the time|after (?:every|each) (?:change|edit)|for (?:every|each|a) .+))?$"
)
_ALL = re.compile(r"\ball (?:of )?(?:the |your |our )?tests\b", re.IGNORECASE)
_RUNNING = re.compile(r"^(?:re-?)?(?:run|execute)(?: all)?(?: of)?(?: the)? tests$")
_SUITES = [
    *("pytest", "jest", "vitest|ava", "mocha", "rspec", "phpunit", "tox", "nox", "mix test", "ctest", "dotnet test"),
    *("npm|pnpm|yarn|bun test", "npm|pnpm|yarn|bun run test", "make test|tests|check", "rails test"),
    *("python manage.py test", "cargo test", "gradle|gradlew test|check", "mvn|mvnw test|verify", "go test ./..."),
]
# With a file, a folder, a name or a filter it is a part of them; "test" and "run" are no file.
_PARTLY = [
    *("pytest *", "jest *", "mocha *", "rspec *", "phpunit *", "tox *", "nox *", "ctest -R|-L", "mix test *"),
    *("vitest run|related|watch *", "vitest --project|--changed", "npm|pnpm|yarn|bun test *", "rails test *"),
    *("npm|pnpm|yarn|bun run test *", "make test|tests|check *", "python manage.py test *", "cargo test *"),
    *("pytest -k", "pytest -m", "pytest --lf|--ff|--last-failed|--co|--collect-only|--version|--help|--deselect"),
    *("jest|vitest|mocha -t|--testNamePattern", "jest -o|--onlyChanged|--changedSince|--version|--listTests"),
    *("jest --testPathPattern*", "mocha -g|--grep", "rspec -e|--only-failures", "phpunit --filter|--group"),
    *("cargo test -p|--test|--lib|--package", "gradle|gradlew test --tests", "mvn|mvnw test|verify -D*|-pl|-f"),
    *("dotnet test *", "dotnet test --filter", "go test -run", "tox|nox -e|-s|--session|-l|--list"),
    *("vitest --version", "rspec --version", "npm|pnpm|yarn|bun test --workspace|-w|--filter"),
]


def whole_suite(clause: Clause, subject: str) -> Demand | None:
    """The demand of "don't run the whole test suite": a run of some of the tests passes."""
    every = _ALL.search(clause.text) and _RUNNING.match(subject)
    if not _WHOLE.match(subject) and not every:
        return None
    bad = ("pytest -q", "npm test", "npx vitest run", "go test ./...", "cargo test")
    good = (
        *("pytest tests/test_sample.py", "pytest -k sample", "npm test -- src/sample.test.js", "cargo test sample"),
        *("npx vitest run src/sample.test.ts", "go test ./sample", "grep -rn 'pytest -q' docs", "pytest --version"),
    )
    return Demand((check("forbid-command", commands=_SUITES, unless=_PARTLY),), bad, good)


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
