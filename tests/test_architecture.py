"""The house as tests: what import-linter cannot say, and that it is content."""

import ast
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "rulec").rglob("*.py"))
PLUG_ROOMS = (
    "transcripts.formats",
    "checks",
    "integrations.targets",
    "llm.backends",
    "reports.formats",
)


def test_every_import_contract_is_kept() -> None:
    tool = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([tool, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_plugs_do_not_know_each_other() -> None:
    graph = grimp.build_graph("rulec", cache_dir=None)
    for room in PLUG_ROOMS:
        children = {m for m in graph.find_children(f"rulec.{room}") if not m.rpartition(".")[2].startswith("_")}
        plugs = {f"{m}.checker" for m in children if f"{m}.checker" in graph.modules} or children  # a room each
        for plug in plugs:
            assert not graph.find_modules_directly_imported_by(plug) & plugs, f"{plug} imports another plug"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_in_one_sentence_what_it_is(path: Path) -> None:
    doc = ast.get_docstring(ast.parse(path.read_text()))
    assert doc, "no docstring"
    assert doc.splitlines()[0].endswith((".", "::")), doc.splitlines()[0]


def test_the_help_imports_nothing_heavy() -> None:
    code = "import sys, rulec.cli.main; print(*sorted(m for m in sys.modules if '.' not in m))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"jinja2", "ruamel", "semgrep", "pre_commit", "rich", "yaml", "anthropic", "git", "starlette", "uvicorn"}
    assert not heavy & set(loaded)
