"""A person is asked about a new package; not about what the project has already, and what adds none."""

import subprocess

import pytest

from rulec.checkout.worktree import Worktree
from tests.support import guard_rules as rules

RULE = rules.session("ask", asks=True, before_packages=["*"])
HAS = {
    "package.json": '{\n  "dependencies": {\n    "left-pad": "1.0.0"\n  }\n}\n',
    "pyproject.toml": '[project]\nname = "app"\ndependencies = ["attrs", "python_dateutil"]\n',
}
FILL = {"kind": "says", "text": "Fill the columns from the left."}


def says(text):
    return {"kind": "says", "text": text}


def stop(text):
    return {"kind": "stop", "text": text}


def run(command):
    return {"kind": "command", "command": command, "cwd": ""}


def write(path, old, new):
    return {"kind": "edit", "path": path, "disk": old, "content": new, "old": old, "new": new, "exists": True}


ADDED = HAS["package.json"].replace('"1.0.0"', '"1.0.0",\n    "pad-all": "2"')
ROWS = [  # whether a person is asked, what was said, and the act
    (True, [FILL], run("pnpm add pad-all")),
    (True, [FILL], run("cd web && yarn add -D left-pad pad-all")),
    (True, [FILL], run("python -m pip install 'polars>=1'")),
    (True, [FILL], run("cat > requirements.txt <<'E'\npolars\nE")),
    (True, [FILL], run("uv run --with polars python x.py")),
    (True, [FILL], write("package.json", HAS["package.json"], ADDED)),
    (True, [FILL], write("Dockerfile", "RUN pip install attrs\n", "RUN pip install attrs polars\n")),
    (False, [FILL], run("pnpm install")),
    (False, [FILL], run("pnpm add left-pad@2")),
    (False, [FILL], run("pip install Attrs python-dateutil -e .")),
    (False, [FILL], run("uv remove attrs && npm uninstall left-pad")),
    (False, [FILL], run("npm install -g pnpm")),
    (
        False,
        [FILL],
        write("package.json", HAS["package.json"], HAS["package.json"].replace("{\n", '{\n"license": "MIT",\n', 1)),
    ),
    (False, [FILL], write("package.json", HAS["package.json"], HAS["package.json"].replace("1.0.0", "1.1.0"))),
    (False, [FILL], write("web/package.json", "{}", HAS["package.json"])),
    (False, [FILL], write("docs/a.md", "", "pip install polars\n")),
    (True, [says("use Polars here"), says("go on")], run("uv add polars")),
    (True, [stop("Shall I add `polars`?"), says("sure")], run("uv add polars")),
    (True, [says("add a library for frames")], run("uv add polars")),
    (True, [says("please install react-query")], run("pnpm add @tanstack/react-query")),
]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    top = tmp_path_factory.mktemp("repo")
    for name, text in HAS.items():
        (top / name).write_text(text)
    subprocess.run("git init -q && git add -A && git commit -qm x", shell=True, cwd=top, check=True)
    return Worktree(str(top))


def test_a_person_is_asked_about_a_new_package_alone(world):
    wrong = []
    for asked, history, act in ROWS:
        found = rules.findings([RULE], {**act, "root": world.root, "world": world, "history": history})
        wrong += [(history, act)] if bool(found) is not asked or any(one.fault for one in found) else []
    assert wrong == []
