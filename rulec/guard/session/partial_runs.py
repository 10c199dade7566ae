"""Options by which programs run only a part of what they would run without them."""

from __future__ import annotations

from rulec.domain.patterns.command_patterns import plain_program
from rulec.shell.command_matching import words_beside_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.parsing.call import Call


SELECTING = {
    runner: frozenset(options.split())
    for runner, options in {
        "pytest": "-k -m --lf --last-failed --sw --stepwise --deselect --ignore --ignore-glob --picked --testmon",
        "unittest": "-k",
        "tox": "-e -f",
        "nox": "-s -k -t -e",
        "jest": "-t -o --testNamePattern --testPathPattern --testPathPatterns --testPathIgnorePatterns --onlyChanged "
        "--lastCommit --changedSince --findRelatedTests --runTestsByPath --selectProjects --shard",
        "vitest": "-t --testNamePattern --changed --project --exclude --shard --dir",
        "mocha": "-g -f --grep --fgrep --ignore --exclude",
        "ava": "-m --match",
        "playwright": "-g -gv --grep --grep-invert --project --shard --last-failed --only-changed",
        "cypress": "-s --spec",
        "node": "--test-name-pattern --test-skip-pattern --test-only --test-shard",
        "bun": "-t --test-name-pattern --filter",
        "deno": "--filter --ignore",
        "go": "-run -skip -short",
        "cargo": "-p --package --lib --bin --bins --test --doc --example --examples --bench --exclude --skip -E",
        "gradle": "--tests -x --exclude-task",
        "gradlew": "--tests -x --exclude-task",
        "mvn": "-Dtest -Dit.test -Dgroups -pl --projects",
        "mvnw": "-Dtest -Dit.test -Dgroups -pl --projects",
        "rspec": "-e -t -n --example --example-matches --tag --only-failures --next-failure",
        "rails": "-n --name",
        "mix": "--only --exclude --failed --stale",
        "phpunit": "--filter --exclude-filter --group --exclude-group --testsuite --exclude-testsuite",
        "pest": "--filter --group --exclude-group --dirty --retry --testsuite",
        "dotnet": "--filter",
        "swift": "--filter --skip",
        "ctest": "-R -E -L -LE -I --tests-regex --exclude-regex --label-regex --rerun-failed",
        "xcodebuild": "-only-testing -skip-testing",
        "bazel": "--test_filter --test_tag_filters",
        "npm": "-w --workspace",
        "pnpm": "-F --filter --changed-files-ignore-pattern",
        "yarn": "--include --exclude --from",
        "lerna": "--scope --ignore --since",
        "nx": "-p --projects --exclude",
        "turbo": "-F --filter --affected",
        "make": "",
        "just": "",
    }.items()
}
SCRIPTED = frozenset(["npm", "pnpm", "yarn", "just", "make"])  # they hand options on to some runner
_USUAL = ("pytest", "jest", "vitest", "mocha", "playwright", "node", "cypress")  # of those that nobody names
_HANDED_ON = frozenset(one for runner in _USUAL for one in SELECTING[runner])
_OPTIONS_OF = {"pytest": "PYTEST_ADDOPTS"}  # runner -> the variable from which it takes options, too


def selects(pattern: str, call: Call) -> bool:
    """Whether an option of the call, beside those that the pattern names, chooses a part."""
    rest = words_beside_pattern(pattern, call)
    program = plain_program(call.program)
    runner = _runner([program, *pattern.split(), *call.argv[1:4]])
    more = call.env.get(_OPTIONS_OF.get(runner, ""), "").split()
    if runner or program not in SCRIPTED:
        return any(_is_one_of(SELECTING.get(runner, _HANDED_ON), word) for word in [*rest, *more])
    own = SELECTING[program]
    at = rest.index("--") if "--" in rest else 0 if own else len(rest)  # make takes no options for what it runs
    return any(_is_one_of(own, word) for word in rest) or any(_is_one_of(_HANDED_ON - own, word) for word in rest[at:])


def is_selecting(word: str, before: list[str]) -> bool:
    """Whether the word is an option by which the command in whose words it stands chooses a part."""
    runner = _runner(before)
    return _is_one_of(SELECTING[runner] if runner else _HANDED_ON | SELECTING.get(before[0], frozenset()), word)


def _runner(words: list[str]) -> str:
    return next((word for word in map(plain_program, words) if word in SELECTING and word not in SCRIPTED), "")


def _is_one_of(options: frozenset[str], word: str) -> bool:
    if not word.startswith("-"):
        return False
    attached = not word.startswith("--") and word[2:].replace("_", "").isalnum()  # -ktotal
    return word.partition("=")[0] in options or (attached and word[:2] in options)
