"""Words that name one module or call instead of another -> prefer-import and prefer-call."""

from typing import Any

import pytest

from rulec.fits.calls import PLUG as CALLS
from rulec.fits.imports import PLUG as IMPORTS
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.ports import Fit


def _drafts(fit: Fit, text: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> list[Draft]:
    return [draft for clause in clauses(text) for draft in fit.fit(clause, before, after)]


IMPORTED = [
    ("Use httpx instead of requests.", "requests", "httpx"),
    ("use dayjs rather than moment", "moment", "dayjs"),
    ("Use Axios instead of Superagent", "superagent", "axios"),
    ("Don't use requests, use httpx.", "requests", "httpx"),
    ("Use zod, not yup for validation", "yup", "zod"),
    ("Prefer pathlib over os.path", "os.path", "pathlib"),
    ("Use `lodash/debounce`, not lodash", "lodash", "lodash/debounce"),
    ("Use collections.abc instead of collections in Python imports", "collections", "collections.abc"),
    ("we use polars here, not pandas", "pandas", "polars"),
    ("Use vitest instead of the jest library in TypeScript", "jest", "vitest"),
    ("use date-fns instead of moment everywhere", "moment", "date-fns"),
]


@pytest.mark.parametrize(("text", "old", "new"), IMPORTED, ids=[text for text, _, _ in IMPORTED])
def test_the_module_to_use_is_named_by_the_finding(text: str, old: str, new: str) -> None:
    check = _drafts(IMPORTS, text)[0].checks[0]
    assert (check.template, check.parameters["from"], check.parameters["to"]) == ("prefer-import", [old], new)


CALLED = [
    ("Use `log.info` instead of `print`.", "print", "log.info"),
    ("Use logger.debug(), not console.log.", "console.log", "logger.debug"),
    ("Don't call datetime.now(), use clock.now().", "datetime.now", "clock.now"),
    ("use slog.Info rather than fmt.Println", "fmt.Println", "slog.Info"),
    ("always use logger.error instead of console.error", "console.error", "logger.error"),
    ("Avoid time.time(), use time.monotonic()", "time.time", "time.monotonic"),
    ("don't use os.system(), use subprocess.run()", "os.system", "subprocess.run"),
    ("Use run_safely() instead of eval()", "eval", "run_safely"),
    ("never call time.sleep(), use wait_for()", "time.sleep", "wait_for"),
    ("Use Path instead of os.path.join.", "os.path.join", "Path"),
    ("use `showDialog` instead of alert()", "alert", "showDialog"),
]


@pytest.mark.parametrize(("text", "old", "new"), CALLED, ids=[text for text, _, _ in CALLED])
def test_the_call_to_write_is_named_by_the_finding(text: str, old: str, new: str) -> None:
    check = _drafts(CALLS, text)[0].checks[0]
    assert (check.template, check.parameters["from"], check.parameters["to"]) == ("prefer-call", [old], new)


@pytest.mark.parametrize(
    ("text", "template"),
    [
        ("Use our http client instead of axios", "forbid-import"),
        ("Use native fetch, not axios.", "forbid-import"),
        ("Never use urllib3", "forbid-import"),
        ("Use the logger instead of print statements", "forbid-call"),
        ("never call eval()", "forbid-call"),
    ],
)
def test_words_that_name_no_module_or_call_only_forbid(text: str, template: str) -> None:
    drafts = [*_drafts(IMPORTS, text), *_drafts(CALLS, text)]
    assert drafts[0].checks[0].template == template


def _packages(text: str) -> list[dict[str, Any]]:
    checks = [check for draft in _drafts(IMPORTS, text) for check in draft.checks]
    return [dict(check.parameters) for check in checks if check.template == "forbid-dependency"]


def test_a_library_that_is_not_used_at_all_is_not_installed_either() -> None:
    assert _packages("Use httpx instead of requests.") == [{"names": ["requests"], "instead": "httpx"}]


@pytest.mark.parametrize(
    "text",
    [
        "Use `lodash/debounce`, not lodash",
        "don't use lodash in src/legacy",
        "never import moment",
        "Prefer pathlib over os.path",
    ],
)
def test_a_library_of_which_something_may_be_used_may_be_installed(text: str) -> None:
    assert _packages(text) == []


def test_the_module_that_was_imported_afterwards_is_the_one_to_use() -> None:
    before = Action(kind="write", path="src/a.ts", new="import yup from 'yup';\n")
    after = Action(kind="write", path="src/a.ts", new="import { z } from '@acme/zed';\n")
    check = _drafts(IMPORTS, "use @acme/zed instead of yup", (before,), (after,))[0].checks[0]
    assert check.parameters == {"from": ["yup"], "to": "@acme/zed", "language": "javascript"}


def test_a_refused_import_keeps_the_library_from_being_installed_too() -> None:
    before = Action(kind="write", path="src/a.ts", new="import moment from 'moment';\n")
    after = Action(kind="write", path="src/a.ts", new="import dayjs from 'dayjs';\n")
    both, alone = _drafts(IMPORTS, "use dayjs, not moment", (before,), (after,))
    assert [check.template for check in both.checks] == ["prefer-import", "forbid-dependency"]
    assert [example.text for example in both.invalid[1:]] == ["npm install moment"]
    assert [check.template for check in alone.checks] == ["prefer-import"]
