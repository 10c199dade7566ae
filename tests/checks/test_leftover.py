"""Names of files that stay behind, and the like names of those that belong there."""

import pytest

from rulec.checks.template_words import LEFTOVER_NAMES, LEFTOVER_SPARED
from rulec.domain.files import globs

LEFT = {
    "temporary": ("a.tmp", "src/tmp_x.py", "temp_x.py", "web/x.tmp.json"),
    "debug": ("debug_x.py", "scripts/debug.sh", "x_debug.log"),
    "scratch": ("scratch.py", "notes/scratch-2.md", "scratch/a.go"),
    "backup": ("a.py.orig", "src/a.bak", "a.py~", "src/a_backup.py"),
    "log": ("x.log", "web/npm-debug.log"),
    "editor": (".a.py.swp", "a/.DS_Store"),
    "output": ("test_output.txt", "out.txt", "core.123"),
}
STAYING = ("src/debug_bar.py", "src/temp_sensor.py", "src/backup.py", "tmpl/a.html", "docs/output.txt", "catalog.py")
BELONGING = ("tests/fixtures/a.log", "tests/test_debug.py", "bin/db_backup.sh", "tests/tmp_path_test.py")


@pytest.mark.parametrize(("kind", "path"), [(kind, path) for kind, paths in LEFT.items() for path in paths])
def test_each_kind_knows_its_names(kind: str, path: str) -> None:
    assert globs.match(LEFTOVER_NAMES[kind], path)
    assert not globs.match(LEFTOVER_SPARED, path)


@pytest.mark.parametrize("path", STAYING)
def test_among_the_sources_such_words_mean_something_else(path: str) -> None:
    assert not any(globs.match(names, path) for names in LEFTOVER_NAMES.values())


@pytest.mark.parametrize("path", BELONGING)
def test_names_that_belong_there_are_spared(path: str) -> None:
    assert globs.match(LEFTOVER_SPARED, path)
