"""Licence headers: how people ask for them, and how the accepted file shows which one."""

from typing import Any

import pytest

from rulec.fits.licences import PLUG
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action

SPDX = "SPDX-License-Identifier:"

# A statement, the text that it asks for ("": any notice), and the files that it names (none: all code).
SAID: tuple[tuple[str, str, list[str]], ...] = (
    ("every file needs the licence header", "", []),
    ("Every source file must have a license header.", "", []),
    ("don't forget the licence header in new files", "", []),
    ("Never create a source file without the copyright header.", "", []),
    ("All new files must start with SPDX-License-Identifier: MIT", f"{SPDX} MIT", []),
    ("put `SPDX-License-Identifier: Apache-2.0` at the top of every .ts file", f"{SPDX} Apache-2.0", ["*.ts"]),
    ("add the license header to new files", "", []),
    ("new files need a copyright notice", "", []),
    ("you forgot the license header", "", []),
    ("each Java file has to begin with the copyright notice", "", ["*.java"]),
    ("all Rust files have an SPDX header", SPDX, ["*.rs"]),
    ('Every source file starts with the licence header "Copyright Acme"', "Copyright Acme", []),
    ("every new file must carry the `Copyright 2026 Acme Ltd` header comment with the licence line",
     "Copyright 2026 Acme Ltd", []),
)  # fmt: skip
QUIET = (
    "no license headers please",
    "don't add copyright headers",
    "remove the licence headers",
    "update the copyright header",
    "where is the SPDX header?",
    "license files under MIT",
    "every request needs the auth header",
    "every file must have a docstring",
    "fix the license header parser",
    "which licence do all files have?",
    "add a header to the table",
)

WRONG = Action(kind="write", path="src/a.py", new="import os\n")
HEADER = (
    "#!/usr/bin/env python3\n# Copyright 2026 Acme Ltd.\n# SPDX-License-Identifier: MIT\n\n# Reads it.\nimport os\n"
)
RIGHT = Action(kind="write", path="src/a.py", new=HEADER)


def _all(text: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> list[Draft]:
    return [draft for clause in clauses(text) for draft in PLUG.fit(clause, before, after)]


def _given(draft: Draft) -> dict[str, Any]:
    return dict(draft.checks[0].parameters)


@pytest.mark.parametrize(("text", "header", "files"), SAID)
def test_words_tell_the_header_and_the_files(text: str, header: str, files: list[str]) -> None:
    draft = _all(text)[0]
    assert {check.template for check in draft.checks} == {"licence-header"}
    assert _given(draft).get("text", "") == header
    assert set(files) <= set(_given(draft).get("globs", files))


@pytest.mark.parametrize("text", QUIET)
def test_other_talk_of_headers_and_licences_asks_for_nothing(text: str) -> None:
    assert _all(text) == []


def test_the_accepted_file_shows_the_header_without_its_signs() -> None:
    wide, narrow = _all("every file must have the licence header", (WRONG,), (RIGHT,))
    assert _given(wide) == {"text": "Copyright 2026 Acme Ltd. SPDX-License-Identifier: MIT"}
    assert _given(narrow)["globs"] == ["*.py", "*.pyi"]
    assert wide.invalid[0].text == WRONG.new


def test_an_edit_that_puts_it_there_counts_as_well() -> None:
    edit = Action(kind="edit", path="src/a.py", old="import os", new="# SPDX-License-Identifier: MIT\nimport os")
    draft = _all("you forgot the licence header", (WRONG,), (edit,))[0]
    assert _given(draft)["text"] == "SPDX-License-Identifier: MIT"


def test_nothing_is_required_that_the_pair_does_not_show() -> None:
    assert _all("every file needs the licence header", (WRONG,), ()) == []
    assert _all("every file needs the licence header", (WRONG,), (WRONG,)) == []
    assert _all("every file needs the licence header", (RIGHT,), (RIGHT,)) == []
