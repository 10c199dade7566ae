"""What one-liners of interpreters and formatters do to files, as far as the command line shows it for certain."""

import pytest

from rulec.shell.parsing.parser import parse_shell
from rulec.shell.writes import file_effects


def sure(command):
    """The paths that are certainly written, and those that are certainly deleted, after a minus."""
    return ["-" * one.delete + one.path for one in file_effects(parse_shell(command)) if one.sure]


@pytest.mark.parametrize(
    ("code", "paths"),
    [
        ('p = "gen/a.ts"\ns = open(p).read()\nopen(p, "w").write(s + "x")', ["gen/a.ts"]),
        ('with open("a.py", mode="a") as file:\n    file.write("x")', ["a.py"]),
        ('from pathlib import Path\nPath("lib", "a.c").write_text("x")', ["lib/a.c"]),
        (
            'import pathlib\nd = pathlib.Path("gen")\n(d / "a").touch()\n(d / "b").unlink()',
            ["gen/a", "-gen/b"],
        ),
        ('for p in ["a.py", "b.py"]:\n    text = open(p).read()\n    open(p, "w").write(text)', ["a.py", "b.py"]),
        (
            'import os, shutil\nshutil.copy("a", "gen/a")\nos.remove("b")\nos.rename("c", "d")',
            ["gen/a", "-b", "d", "-c"],
        ),
        ('import os\nopen(os.path.join("gen", "a"), "x")', ["gen/a"]),
        (
            'from pathlib import Path as P\nimport shutil as s\nP("gen").joinpath("a").touch()\ns.move("c", "d")',
            ["gen/a", "d", "-c"],
        ),
        ('from os import remove\nd = "gen"\nremove(f"{d}/a")\nopen(str("gen") + "/b", "w")', ["-gen/a", "gen/b"]),
        ('import os\nopen(os.path.abspath(os.path.join(os.getcwd(), "a")), "w")', ["a"]),
        (
            'import numpy as np\nnp.save("a.npy", x)\ndf.to_csv("b.csv")\nplt.savefig("c.png")',
            ["a.npy", "b.csv", "c.png"],
        ),
        ('import zipfile\nzipfile.ZipFile("a.zip", "w")\nzipfile.ZipFile("b.zip")', ["a.zip"]),
        ('print(open("gen/a").read())\nopen("b", "rb")', []),
        ('box.remove("a")\nqueue.save("b")\n"x".join(["a", "b"])', []),
        ('text = "a.b".replace("a", "gen/a")', []),
        ('p = "a"\np = "b"\nopen(p, "w")', []),
        ('def f(p):\n    open(p, "w")\np = "a"', []),
        ('import os\nos.chdir("gen")\nopen("a", "w")', []),
        ('open("a", "w"', []),
    ],
)
def test_python_is_read_by_its_syntax(code, paths):
    assert sure(f"python3 - <<'PY'\n{code}\nPY") == paths


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        ("node -e \"require('fs').writeFileSync('gen/a.js', 'x')\"", ["gen/a.js"]),
        ("node -e \"require('fs').readFileSync('gen/a.js')\"", []),
        ("node -e \"const p = path.join('gen', 'a.js'); fs.writeFileSync(p, 1)\"", ["gen/a.js"]),
        ("node -e \"const d = 'gen'; fs.unlinkSync(path.join(process.cwd(), d, 'a'))\"", ["-gen/a"]),
        ("node -e \"fs.writeFileSync(d + '/a.js', 1); fs.writeFileSync('gen' + '/b.js', 1)\"", ["gen/b.js"]),
        ('ruby -e \'File.write(File.join("gen", "a.rb"), 1)\'', ["gen/a.rb"]),
        ("vercel env pull", [".env.local"]),
        ("vercel env pull .env --yes", [".env"]),
        ("vercel env ls", []),
        ("npx tsc --init", ["tsconfig.json"]),
        ("ruby -e 'File.write(\"gen/a.rb\", 1)'", ["gen/a.rb"]),
        ("php -r \"file_put_contents('gen/a.php', 1); unlink('b');\"", ["gen/a.php", "-b"]),
        ("python3 tool.py <<'E'\nopen('a', 'w')\nE", []),
        ("python3 - <<E\nopen('$HOME/a', 'w')\nE", []),
        ("clang-format -i -style=file gen/a.c", ["gen/a.c"]),
        ("npx prettier --config .prettierrc --write src/a.js", ["src/a.js"]),
        ("prettier --check src/a.js", []),
        ("ruff format a.py", ["a.py"]),
        ("ruff check --fix a.py b.py", ["a.py", "b.py"]),
        ("ruff check a.py", []),
        ("isort --profile black a.py", ["a.py"]),
        ("black --diff a.py", []),
        ("git clone --depth 1 -b v1 https://x.io/a.git lib/a", ["lib/a"]),
        ("git clone https://x.io/a.git", []),
        ("git clone https://x.io/a.git .", []),
        ("npx jsdoc -d site/api src", ["site/api/*"]),
        ("openapi-generator-cli generate -i a.yaml --output=gen/api", ["gen/api/*"]),
        ("openapi-generator-cli generate -i gen/a.yaml -o .", []),
        ("protoc -I gen --go_out=lib gen/a.proto", ["lib/*"]),
        ("split -b 1m big.log logs/part-", ["logs/part-*"]),
        ("split -b 1m logs/big.log", []),
        ("duckdb a.db '.once out/a.csv' 'select 1'", ["out/a.csv"]),
        ("duckdb a.db '.read out/a.sql' '.output stdout'", []),
        ("psql -o out/a.txt -c 'select 1'", ["out/a.txt"]),
        ("node -e \"var fs = require('fs'), p = 'a.json', q; fs.writeFileSync(p, 1)\"", ["a.json"]),
        ("php -r 'function f($p = \"a\", $q) { unlink($p); }'", []),
    ],
)
def test_what_a_command_line_names_is_known(command, paths):
    assert sure(command) == paths


def test_code_that_is_hard_to_read_costs_no_time_and_says_nothing():
    assert sure("python3 -c '" + "(" * 5_000 + 'open("a", "w")\'') == []
