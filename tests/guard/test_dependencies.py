"""What actions bring into a project: read as the manifests and installers write it, in a process of the hook too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.guard import manifests, packages
from rulec.guard.packages import COMMANDS, DeclaredPackage, installed_packages, names_package
from rulec.shell.parsing.call import Call
from rulec.shell.parsing.parser import parse_shell
from tests.hook.test_hook import asks, hook, repository
from tests.support import guard_rules as rules
from tests.support.guard_rules import facts
from tests.support.session import unknown_work

NAMES = [
    "package.json", "composer.json", "pyproject.toml", "Pipfile", "Cargo.toml", "gradle/libs.versions.toml",
    "requirements.txt", "setup.cfg", "go.mod", "Gemfile", "pom.xml", "build.gradle", "Dockerfile", "compose.yml",
    ".github/workflows/ci.yml", "setup.py", "tox.ini", "noxfile.py", "environment.yml", "constraints.txt", "pixi.toml",
    ".gitlab-ci.yml", "Makefile", "install.sh", "script.py",
]  # fmt: skip
SIGNS = "\"'[]{}()<>=~^!@#,:;./\\ \n\tabc-_*1"


def rule(**check):
    return {"facts": facts("lean"), "check": {"on": "dependency", **check}}


def told(path, text):
    return [(one.name, one.spec, one.line) for one in manifests.declared_packages(path, text)]


@pytest.mark.parametrize("path", NAMES)
def test_every_manifest_is_known(path):
    assert manifests.kind_of(f"deep/er/{path}" if "workflows" not in path else path)


@pytest.mark.parametrize("path", ["package-lock.json", "src/package.ts", "go.sum", "Cargo.lock", "README.md", "ci.yml"])
def test_other_files_declare_nothing(path):
    assert manifests.kind_of(path) == ""


@given(path=st.sampled_from(NAMES), text=st.text(st.sampled_from(SIGNS), max_size=300))
def test_no_text_breaks_a_reader(path, text):
    for one in manifests.declared_packages(path, text):
        assert 1 <= one.line <= text.count("\n") + 1
        packages.is_unpinned(one)


@given(words=st.lists(st.text(st.sampled_from(SIGNS), max_size=12), max_size=6), row=st.sampled_from(COMMANDS))
def test_no_command_breaks_a_reader(words, row):
    argv = [part.split("|")[0] for part in row[0].split()]
    for one in installed_packages(Call([*argv, *words], "", {}, ())):
        assert not packages.is_unpinned(one) or one.spec


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        (
            "package.json",
            '{"dependencies":{"a":"1","b":{"c":"2"}},"devDependencies":{"d":"^3"}}',
            [("a", "1", 1), ("d", "^3", 1)],
        ),
        ("package.json", '    "a": "^1",\n    "version": "1.0.0",\n    "b": "run"\n', [("a", "^1", 1)]),
        ("pyproject.toml", '[project]\nname = "x"\ndependencies = [\n  "a[b]>=1 ; c",  # "d"\n]\n', [("a", ">=1", 4)]),
        (
            "pom.xml",
            "<dependency>\n<groupId>a</groupId>\n<artifactId>b</artifactId><x><artifactId>d</artifactId></x></dependency>",
            [("a:b", "managed", 3)],
        ),
        (
            "go.mod",
            "replace a.b/c => a.b/d v1.0.0\nrequire (\n\ta.b/e v1.2.3\n)\nexclude (\n\ta.b/f v1.0.0\n)\n",
            [("a.b/e", "v1.2.3", 3)],
        ),
        ("Dockerfile", "FROM host:5000/a/b:1 AS c\nFROM c\nFROM a\n", [("host:5000/a/b", "1", 1), ("a", "", 3)]),
        (
            "requirements.txt",
            "a @ https://b/c.whl\r\n-e .\r\nD.e == 1.0 # f\r\n",
            [("a", "@ https://b/c.whl", 1), ("D.e", "== 1.0", 3)],
        ),
    ],
)  # fmt: skip
def test_what_is_declared_and_where(path, text, found):
    assert told(path, text) == found


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("npm i --save-dev @a/b@1 c", ["@a/b", "c"]),
        ("npm install user/repo ./local https://x/y.tgz", ["repo"]),
        ("npm install -g a", []),
        ("yarn workspace web add a", ["a"]),
        ("deno add npm:a jsr:@b/c", ["a", "@b/c"]),
        ("sudo -H pip3 install -U -r r.txt -c c.txt 'a[b]>=1' c.whl git+https://x/y", ["a"]),
        ("pip install -U pip setuptools a $B", ["a"]),
        ("uv add --group dev a b==1", ["a", "b"]),
        ("poetry add -G dev a@^1", ["a"]),
        ("go get -u ./... a.b/c@v1 tool", ["a.b/c"]),
        ("cargo add a --features b,c", ["a"]),
        ("npm ci && npm run add a", []),
        ("echo npm install a", []),
    ],
)
def test_what_a_command_brings_along(command, names):
    assert [one.name for call in parse_shell(command).calls for one in installed_packages(call)] == names


@pytest.mark.parametrize(
    ("family", "spec", "floats"),
    [
        ("npm", "1.2.3", False), ("npm", "v1.2.3-rc.1", False), ("npm", "1.2", True), ("npm", "", True),
        ("npm", "git+ssh://x/y#semver:^1", True), ("npm", "git+ssh://x/y#v1", False), ("npm", "catalog:", False),
        ("python", "==1.0", False), ("python", "==1.*", True), ("python", ">=1,==1.2.3", False), ("python", "", True),
        ("python", "===1.0", False), ("poetry", "1.2.3", False), ("poetry", "==1.2", False), ("poetry", ">=1", True),
        ("cargo", "=1.2", True), ("cargo", "=1.2.3", False), ("gem", "= 1.2", False), ("gem", "~> 1.2, >= 1.2.1", True),
        ("composer", "dev-main", True), ("composer", "dev-main#0a", False), ("composer", "v1.2", False),
        ("gradle", "latest.release", True), ("maven", "1.0-SNAPSHOT", True), ("maven", "1.0", False), ("go", "", False),
        ("image", "", True), ("image", "latest", True), ("image", "3.12-slim", False), ("action", "main", True),
        ("action", "v4", False),
    ],
)  # fmt: skip
def test_which_versions_may_change_by_themselves(family, spec, floats):
    assert packages.is_unpinned(DeclaredPackage(family, "a", spec)) is floats


def test_names_are_compared_as_their_registry_does():
    assert names_package("Flask_Login", "python", "flask.login")
    assert names_package("a.b/c", "go", "a.b/c/v2")
    assert names_package("b", "maven", "a:b")
    assert not names_package("flask_login", "npm", "flask-login")
    assert not names_package("a.b/c", "go", "a.b/cd")


def test_what_stood_there_before_may_stay_and_change():
    before, after = '{"dependencies":{"a":"1","b":"1"}}', '{"dependencies":{"a":"2","b":"1","c":"1"}}'
    event = {"kind": "write", "path": "package.json", "old": before, "new": after, "content": after}
    assert [found.text for found in rules.findings([rule(forbid=["*"])], event)] == ["c 1"]
    assert [found.text for found in rules.findings([rule(pin=["packages"])], event)] == ["a 2", "c 1"]


def _answer(done):
    _, out, _ = done
    return out.get("hookSpecificOutput", {}).get("permissionDecision", "")


@pytest.mark.parametrize(
    ("tool", "given", "answer"),
    [
        ("Bash", {"command": "bun add odd"}, "deny"),
        ("Bash", {"command": "cd web && pnpm add odd"}, "deny"),
        ("Bash", {"command": "bun add even"}, ""),
        ("Bash", {"command": 'cat > package.json <<\'E\'\n{"dependencies": {"odd": "1"}}\nE'}, "deny"),
        ("Bash", {"command": 'cat > package.json <<\'E\'\n{"dependencies": {"old": "1"}}\nE'}, ""),
        ("Write", {"file_path": "package.json", "content": '{"dependencies": {"odd": "1"}}'}, "deny"),
        ("Write", {"file_path": "package.json", "content": '{"dependencies": {"old": "2"}}'}, ""),
        ("Write", {"file_path": "notes.md", "content": '{"dependencies": {"odd": "1"}}'}, ""),
        ("Edit", {"file_path": "package.json", "old_string": '"old": "1"', "new_string": '"odd": "1"'}, "deny"),
        ("Edit", {"file_path": "package.json", "old_string": '"x": "odd"', "new_string": '"odd": "1"'}, ""),
        ("Edit", {"file_path": "package.json", "old_string": '"old": "1"', "new_string": '"old": "2"'}, ""),
    ],
)
def test_the_hook_refuses_what_is_brought_along_and_nothing_else(tmp_path, tool, given, answer):
    repo = repository(tmp_path / "repo", rule(forbid=["odd", "old"]))
    (repo / "package.json").write_text('{\n  "scripts": {"x": "odd"},\n  "dependencies": {"old": "1"}\n}\n')
    given = {key: str(repo / value) if key == "file_path" else value for key, value in given.items()}
    assert _answer(hook(repo, asks(repo, tool, **given))) == answer


def test_the_end_of_a_turn_sees_what_no_tool_call_showed(tmp_path):
    repo = repository(tmp_path / "repo", rule(forbid=["odd"]))
    (repo / "package.json").write_text('{"dependencies": {"odd": "1"}}\n')
    record = str(unknown_work(repo))
    _, out, _ = hook(repo, {"hook_event_name": "Stop", "session_id": "s", "cwd": str(repo), "transcript_path": record})
    assert "odd 1" in out["reason"]


BRINGING = {  # commands that bring in requests or lodash
    "pip install git+https://github.com/psf/requests.git@v2", "pip install 'x[a]' https://x/psf/requests/archive/main.zip",
    "pip install 'git+https://x/y.git#egg=requests'", "uv add git+ssh://git@github.com/psf/requests",
    "uv run --with requests x.py", "uv run --with=rich,requests x.py", "uvx --with 'requests>2' ruff",
    "npx -p lodash x", "npx --package=lodash x", "npm i github:lodash/lodash", "npm i lodash/lodash#main",
    "npm i https://github.com/lodash/lodash.git", "npm i my@npm:lodash@4", "mamba install requests",
    "conda create -n x requests", "pixi add requests", "rye add requests",
}  # fmt: skip
LEAVING = {
    "uv sync", "uv run requests", "uv run --with rich requests", "uvx --with rich ruff requests",
    "npx -p eslint lodash",
    "pip install git+https://github.com/requests/toolbelt", "npm i github:lodash/babel-plugin", "pixi run requests",
    "conda create -n requests rich", "pip install --find-links requests rich", "npx eslint lodash",
}  # fmt: skip
DECLARING = [
    ("setup.py", "setup(\n  install_requires=[\n    'requests>=2',\n  ],\n)\n"),
    ("setup.py", "DEPS = ['requests>=2']\nsetup(install_requires=DEPS)\n"),
    ("setup.py", "setup(extras_require={'x': ['rich', 'requests']})\n"),
    ("environment.yml", "dependencies:\n  - python=3\n  - conda-forge::requests=2\n"),
    ("environment.yml", "dependencies:\n  - pip:\n    - requests\n"),
    ("environment.yaml", "dependencies: [python, requests]\n"),
    ("x.py", '# /// script\n# dependencies = [\n#   "requests<3",\n# ]\n# ///\nimport x\n'),
    ("tox.ini", "[testenv]\ndeps =\n    pytest\n    requests\n"),
    ("noxfile.py", "def t(session):\n    session.install('rich', 'requests')\n"),
    ("constraints.txt", "requests==2\n"),
    ("requirements.txt", "-e git+https://github.com/psf/requests@v2\n"),
    ("pyproject.toml", "[tool.pixi.dependencies]\nrequests = '*'\n"),
    ("package.json", '{"dependencies": {"l": "npm:lodash@4", "m": "1"}}'),
    ("package.json", '{"dependencies": {"l": "github:lodash/lodash"}}'),
    ("Dockerfile", "FROM python\nRUN apt update && \\\n  pip install \\\n    rich requests\n"),
    (".github/workflows/a.yml", "jobs:\n a:\n  steps:\n   - run: pip install requests\n"),
    (".github/workflows/a.yml", "jobs:\n a:\n  steps:\n   - run: |\n       npm ci\n       npm i lodash\n"),
    (".gitlab-ci.yml", "a:\n  script:\n    - pip install requests\n"),
    ("Makefile", "install:\n\tpip install requests\n"),
    ("scripts/setup.sh", "#!/bin/sh\npip install requests\n"),
]
SILENT = [
    ("setup.py", "setup(name='requests', keywords=['requests'], install_requires=['requests-oauthlib'])\n"),
    ("setup.py", "setup(extras_require={'requests': ['rich']})\n"),
    ("environment.yml", "name: requests\nchannels:\n  - requests\ndependencies:\n  - rich\n"),
    ("x.py", "# dependencies = ['requests']\ndependencies = ['requests']\n"),
    ("tox.ini", "[testenv]\ndeps = rich\ncommands = pytest requests\n"),
    ("noxfile.py", "session.run('requests')\n"),
    ("Dockerfile", "FROM python\nCOPY requests /requests\nRUN python requests\n# pip install requests\n"),
    (
        ".github/workflows/a.yml",
        "a:\n  name: pip install requests\n  run: echo pip install requests\n",
    ),
    ("requirements.txt", "# requests\nrequests-mock\ngit+https://github.com/requests/toolbelt\n"),
    ("install.sh", "# pip install requests\necho 'pip install requests'\n"),
    ("README.md", "pip install requests\n"),
]


def test_each_command_and_file_that_brings_a_package_in_is_found_and_no_other():
    lean = rule(forbid=["requests", "lodash"])
    wrong = []
    for command in [*sorted(BRINGING), *sorted(LEAVING)]:
        found = rules.findings([lean], {"kind": "command", "command": command, "cwd": ""})
        wrong += [(command, found)] * (bool(found) != (command in BRINGING))
    for path, text in [*DECLARING, *SILENT]:
        event = {"kind": "write", "path": path, "new": text, "content": text, "old": "", "exists": False}
        found = rules.findings([lean], event)
        wrong += [(path, text, found)] * (bool(found) != ((path, text) in DECLARING))
        said = [text.split("\n")[one.line - 1] for one in found if one.line]
        wrong += [(path, text, said)] * any(
            "requests" not in line and "lodash" not in line for line in said if "apt" not in line
        )
    assert not wrong
