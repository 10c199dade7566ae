"""What the text of an interpreter starts is read from its calls, and what stands in its strings is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.shell.parsing.interpreters import started_commands
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.programs import names_with

STARTS = [
    ("python", "import subprocess\nsubprocess.run(['npm', 'ci'])", [["npm", "ci"]]),
    ("python", "import subprocess\nsubprocess.check_call(('npm', 'ci'), cwd='web')", [["npm", "ci"]]),
    ("python", "import subprocess\nsubprocess.run('npm ci', shell=True)", ["npm ci"]),
    ("python", "import subprocess\nsubprocess.run([\n  'npm',\n  'ci',  # now\n])", [["npm", "ci"]]),
    ("python", "from subprocess import run\nrun(['npm', x, 'ci'])", [["npm", "$_", "ci"]]),
    ("python", "import subprocess\nsubprocess.run([npm, 'ci'])", [["$_", "ci"]]),
    ("python", "import subprocess\nsubprocess.run(f'npm install {name}', shell=True)", ["npm install $_"]),
    ("python", "import subprocess\nsubprocess.run('npm install ' + name, shell=True)", ["npm install $_"]),
    ("python", "import os; os.system('npm ci')", ["npm ci"]),
    ("python", "import os; os.execvp('npm', ['npm', 'ci'])", [["npm", "ci"]]),
    ("python", "import subprocess\nsubprocess.run('npm ci'.split())", ["npm ci"]),
    ("python", "import os\nos.system(r\"npm 'a b'\")", ["npm 'a b'"]),
    ("python", "import os\nos.system('''npm\nci''')", ["npm\nci"]),
    ("python", "from pip._internal.cli.main import main; main(['install', 'x'])", [["pip", "install", "x"]]),
    ("python", "from pip._internal import main as run_pip\nrun_pip(['install', name])", [["pip", "install", "$_"]]),
    ("python", "import pytest\npytest.main(['-q'])", [["pytest", "-q"]]),
    ("node", "require('child_process').execSync('npm ci', {stdio: 'inherit'})", ["npm ci"]),
    ("node", "require('child_process').spawnSync('npm', ['ci'], {cwd: 'web'})", [["npm", "ci"]]),
    ("node", "const cp = require('child_process'); cp.exec(`npm i ${name}`)", ["npm i $_"]),
    ("bun", "Bun.spawn(['npm', 'ci'])", [["npm", "ci"]]),
    ("perl", "system('npm', 'ci'); exec \"npm\", \"ci\"; `npm root`", [["npm", "ci"], ["npm", "ci"], "npm root"]),
    ("ruby", "system 'npm ci'", ["npm ci"]),
    ("php", "shell_exec('npm ci');", ["npm ci"]),
    # libraries whose methods are a program's subcommands
    (
        "python",
        "import git\nr = git.Repo('.')\nr.git.push('--force', 'origin')",
        [["git", "push", "--force", "origin"]],
    ),
    (
        "python",
        "from git import Repo\nRepo('.').remotes.origin.push(force=True)",
        [["git", "push", "origin", "--force"]],
    ),
    (
        "python",
        "from git import Repo\nwith Repo('.') as r:\n r.remote('up').push('a')\n r.git.commit(m='x', no_verify=True)",
        [["git", "remote", "up"], ["git", "push", "up", "a"], ["git", "commit", "-m", "x", "--no-verify"]],
    ),
    ("python", "from sh import git\ngit('push', '-f')\ngit.pull()", [["git", "push", "-f"], ["git", "pull"]]),
    (
        "node",
        "const git = require('simple-git'); const g = git();\ng.add('.').push(['--force']); list.push('x')",
        [["git", "add", "."], ["git", "push", "--force"]],
    ),
    ("ruby", "require 'git'\ng = Git.open('.')\ng.push('origin', 'main')", [["git", "push", "origin", "main"]]),
    # files and modules that a program runs as a part of itself
    ("python", "import runpy\nrunpy.run_path('tools/a.py')", [["python", "tools/a.py"]]),
    ("python", "import runpy\nrunpy.run_module('pip')", [["python", "-m", "pip"]]),
    ("node", "require('./a.js'); require('fs')", [["node", "./a.js"]]),
    ("ruby", "load 'tools/a.rb'", [["ruby", "tools/a.rb"]]),
    ("lua", "dofile('a.lua')", [["lua", "a.lua"]]),
]
SILENT = [
    ("python", "print('os.system(npm)')"),
    ("python", "from shop.cli import main\nmain(['install'])"),
    ("python", "import pytest\npytest.main()"),
    ("python", "# os.system('npm ci')"),
    ("python", "app.run('npm')"),
    ("python", "system = 'npm ci'"),
    ("python", "import os, git_helper\nstack.push('x')\nos.add('y')"),
    ("python", "from .git import push\npush('x')"),
    ("node", "const git = 1; list.push('x')"),
    ("node", "/npm/.exec('npm ci')"),
    ("node", "// execSync('npm ci')"),
    ("node", "console.log(`execSync('npm ci')`)"),
    ("perl", "# system('npm ci')"),
]


@pytest.mark.parametrize(("program", "code", "expected"), STARTS)
def test_a_text_says_what_it_starts(program, code, expected):
    assert started_commands(program, code) == expected


@pytest.mark.parametrize(("program", "code"), SILENT)
def test_what_is_only_written_starts_nothing(program, code):
    assert started_commands(program, code) == []


COMMANDS = [
    "python3.12 -c \"import os; os.system('run-a x')\"",
    "python <<'E'\nimport os\nos.system('run-a x')\nE",
    "echo \"import os; os.system('run-a x')\" | python -",
    "python -Ic \"import os; os.system('run-a x')\"",
    "node --eval=\"require('child_process').execSync('run-a x')\"",
    "uv run python -c \"import os; os.system('run-a x')\"",
    "python -c \"import os; os.system('bash -c \\\\'run-a x\\\\'')\"",
]


@pytest.mark.parametrize("text", COMMANDS)
def test_the_commands_of_an_interpreter_are_commands_of_the_text(text):
    assert [call.argv for call in parse_shell(text).calls if call.program == "run-a"] == [["run-a", "x"]]


def test_data_for_a_script_is_no_program_text():
    assert [call.program for call in parse_shell("python load.py <<'E'\nos.system('run-a')\nE").calls] == ["python"]


SIGNS = [*"[](){},;:'\"`#\\\n/ $a", "run(", "system ", "Popen([", "execv(", "f'{", "${", "#{", "subprocess "]


@given(pieces=st.lists(st.sampled_from(SIGNS), max_size=30))
def test_a_broken_text_is_read_to_its_end(pieces):
    for program in names_with("code"):
        for run in started_commands(program, "".join(pieces)):
            assert len(run) <= 2 * sum(map(len, pieces)) + 2


def test_a_bracket_of_another_kind_ends_a_list():
    assert started_commands("python", "subprocess.run(['a', 'b'}") == [["a", "b"]]
