"""What rulec/programs.toml says is read: no table twice, no key unexplained, no way to run or write unknown."""

import re
import tomllib
from collections import Counter
from pathlib import Path

from rulec.shell import programs, run_files, writes
from rulec.shell.parsing import runs

TEXT = Path(programs.FILE).read_text("utf-8")
TABLES = {name: facts for name, facts in tomllib.loads(TEXT).items() if name != "words"}
HEAD = set(re.findall(r"[\w]+", TEXT.partition("\n\n")[0]))
IN_CONTAINERS = {"service", "container", "inside"}


def test_each_program_stands_in_one_table():
    names = Counter(name for names in TABLES for name in names.split("|"))
    assert [name for name, count in names.items() if count > 1] == []
    assert set(programs.PROGRAMS) == set(names)


def test_each_key_is_explained():
    assert {key for facts in TABLES.values() for key in facts} <= HEAD


def test_each_way_to_run_and_to_write_has_a_reader():
    said = {(key, facts[key]) for facts in TABLES.values() for key in ("runs", "writes", "from_files") if key in facts}
    known = {
        "runs": {*runs.READERS, *IN_CONTAINERS, "words", "stdin", "table", "sourced"},
        "writes": set(writes.WRITERS),
        "from_files": set(run_files.READERS),
    }
    assert [(key, how) for key, how in sorted(said) if how not in known[key]] == []


def test_what_is_found_in_a_language_is_one_part_of_a_match():
    forms = [form for facts in TABLES.values() for form in facts.get("commands", ())]
    assert [form for form in forms if re.compile(form).groups != 1] == []


def test_a_version_behind_the_name_of_an_interpreter_counts_for_nothing():
    assert [programs.interpreter_of(name) for name in ("python3.12", "lua5.4", "pythonic", "")] == [
        "python", "lua", "", "",
    ]  # fmt: skip
