"""Which runs choose a part of what the command would run, for each runner by its own options."""

import shlex

from rulec.guard import acts
from rulec.shell.parsing.parser import parse_shell

ROWS = [  # the command of the rule, what ran, whether it ran the whole
    ("pytest", "pytest -q -n 4 -p no:randomly", True),
    ("pytest", "python -m pytest -x --maxfail=2", True),
    ("pytest", "python -m pytest -m 'not slow'", False),
    ("pytest", "pytest -ksum", False),
    ("pytest", "PYTEST_ADDOPTS='-k sum' pytest", False),
    ("pytest", "pytest tests/a/test_b.py::test_c", False),
    ("go test", "go test ./... -race -count=1", True),
    ("go test", "go test ./... -run=TestSum", False),
    ("go test", "go test -short ./...", False),
    ("cargo test", "cargo test --all-features", True),
    ("cargo test", "cargo test -p core", False),
    ("cargo test", "cargo test sums", False),
    ("npm test", "npm test -- --coverage --watch=false", True),
    ("npm test", "npm test -- --grep sum", False),
    ("npm test", "npm test -- -x --bail", True),
    ("npm test", "npm -w web test", False),
    ("pnpm test", "pnpm test --filter web", False),
    ("make test", "make -k -j 4 test", True),
    ("make test", "make test ARGS='-k sum'", False),
    ("vitest run", "npx vitest run -t sum", False),
    ("mvn verify", "mvn -q -Dmaven.color=1 verify", True),
    ("mvn test", "mvn test -Dtest=SumTest", False),
    ("./gradlew test", "./gradlew test --tests '*Sum*'", False),
    ("rspec", "bundle exec rspec --tag ~slow", False),
    ("mix test", "mix test --stale", False),
    ("ctest", "ctest -R sum", False),
    ("ctest", "ctest --output-on-failure", True),
    ("dotnet test", "dotnet test --filter Sum", False),
]


def test_a_part_is_told_from_the_whole():
    wrong = []
    for pattern, command, whole in ROWS:
        call = parse_shell(command).calls[-1]
        found = acts.runs_whole(pattern, call)
        wrong += [] if found is whole else [(pattern, shlex.join(call.argv), found)]
    assert wrong == []
