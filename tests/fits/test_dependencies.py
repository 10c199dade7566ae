"""Words about packages and their versions -> the check that a person meant, or none."""

from typing import Any

import pytest

from rulec.fits._libraries import spelled
from rulec.fits.dependencies import PLUG
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.runtime.dependencies import concerns


def _drafts(text: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> list[Draft]:
    return [draft for clause in clauses(text) for draft in PLUG.fit(clause, before, after)]


def _told(draft: Draft) -> dict[str, Any]:
    check = next(one for one in draft.checks if one.kind == "guard")
    return {"template": check.template, **check.parameters}


UNWANTED = [
    ("Don't add lodash as a dependency.", ["lodash"]),
    ("Never install moment.", ["moment"]),
    ("never add axios to package.json", ["axios"]),
    ("We don't use lodash as a dependency here", ["lodash"]),
    ("Do not depend on left-pad.", ["left-pad"]),
    ("Never depend on `left-pad`.", ["left-pad"]),
    ("don't introduce `got`, use fetch", ["got"]),
    ("never add the chalk package", ["chalk"]),
    ("never use the requests library in Python", ["requests"]),
    ("Don't add new dependencies.", ["*"]),
    ("No new dependencies.", ["*"]),
    ("Don't add any npm packages.", ["*"]),
    ("don't pull in new libraries", ["*"]),
    ("no third-party libs please", ["*"]),
    ("zero dependencies, stdlib only", ["*"]),
    ("Avoid adding dependencies", ["*"]),
    ("Use only the standard library, no third-party packages.", ["*"]),
]


@pytest.mark.parametrize(("text", "names"), UNWANTED, ids=[text for text, _ in UNWANTED])
def test_a_package_that_is_not_wanted_is_named_or_is_any(text: str, names: list[str]) -> None:
    told = _told(_drafts(text)[0])
    assert (told["template"], told["names"]) == ("forbid-dependency", names)


FIXED: list[tuple[str, dict[str, Any]]] = [
    ("Pin exact versions in package.json.", {}),
    ("Pin all dependencies to exact versions.", {}),
    ("Always use exact versions when installing packages.", {}),
    ("Dependencies must be pinned.", {}),
    ("pin the versions in requirements.txt please", {}),
    ("Use exact versions, not ranges.", {}),
    ("never use ^ in package.json", {}),
    ("No unpinned dependencies.", {}),
    ("Never use version ranges.", {}),
    ("No caret or tilde ranges in package.json.", {}),
    ("Pin Docker images by digest.", {"of": ["images"], "digest": True}),
    ("Never use the latest tag for Docker images.", {"of": ["images"]}),
    ("Pin GitHub Actions to a full commit SHA.", {"of": ["actions"], "digest": True}),
    ("Never use @main for GitHub actions, pin a version", {"of": ["actions"]}),
]


@pytest.mark.parametrize(("text", "given"), FIXED, ids=[text for text, _ in FIXED])
def test_versions_that_are_to_be_fixed_are_known_by_their_words(text: str, given: dict[str, Any]) -> None:
    assert _told(_drafts(text)[0]) == {"template": "pin-dependency", **given}


@pytest.mark.parametrize(
    "text",
    [
        "No new dependencies without asking me.",
        "Ask before adding a package.",
        "don't pin versions",
        "I pinned the versions",
        "Don't use the latest version of node",
        "pin the header to the top",
        "use the latest versions of all packages",
        "stop adding heavy dependencies",
        "Don't update dependencies.",
        "Don't remove packages without asking",
        "Don't add comments.",
        "don't add tests to the package",
        "don't install anything globally",
        "Never add a dependency on the core package from utils",
        "Don't touch the dependencies section",
        "don't add new packages to the monorepo packages/ folder",
        "don't add emojis to the package readme",
        "no dependency injection here",
        "use pnpm, not npm",
        "don't install docker",
    ],
)
def test_words_that_only_sound_alike_give_no_draft(text: str) -> None:
    assert _drafts(text) == []


LIST = '{{\n  "dependencies": {{\n    "react": "18.2.0"{}\n  }}\n}}\n'
PAIRS: list[tuple[str, Action, Action, dict[str, Any]]] = [
    (
        "we don't want that dependency, do it by hand",
        Action(kind="command", command="npm install is-odd"),
        Action(kind="write", path="src/odd.ts", new="export const odd = (n: number) => n % 2 === 1;\n"),
        {"names": ["is-odd"]},
    ),
    (
        "no, never use moment here, use dayjs",
        Action(kind="edit", path="package.json", old='"react": "18.2.0"', new='"moment": "^2",\n"react": "18.2.0"'),
        Action(kind="edit", path="package.json", old='"react": "18.2.0"', new='"dayjs": "^1",\n"react": "18.2.0"'),
        {"names": ["moment"], "instead": "dayjs"},
    ),
    (
        "stop adding new dependencies",
        Action(kind="command", command="uv add tenacity"),
        Action(kind="edit", path="app/retry.py", old="", new="for _ in range(3): ...\n"),
        {"names": ["*"]},
    ),
    (
        "pin exact versions please",
        Action(kind="write", path="package.json", new=LIST.format(',\n    "zod": "^3.22.0"')),
        Action(kind="write", path="package.json", new=LIST.format(',\n    "zod": "3.22.4"')),
        {},
    ),
]


@pytest.mark.parametrize(("text", "offence", "fixed", "given"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_a_pair_tells_which_package_or_version_is_meant(
    text: str, offence: Action, fixed: Action, given: dict[str, Any]
) -> None:
    told = _told(_drafts(text, (offence,), (fixed,))[0])
    assert {key: value for key, value in told.items() if key != "template"} == given


def test_what_was_accepted_afterwards_is_never_forbidden() -> None:
    did = Action(kind="command", command="npm install zod")
    assert _drafts("we don't want that dependency", (did,), (did,)) == []


def test_a_draft_catches_its_own_examples() -> None:
    for text, _ in UNWANTED:
        draft = _drafts(text)[0]
        rule = {"forbid": _told(draft)["names"]}
        commands = [example.text for example in draft.invalid if example.kind == "command"]
        assert commands
        assert all(concerns(rule, {"kind": "command", "command": command}) for command in commands)


@pytest.mark.parametrize(
    ("said", "written"), [("Redux", "redux"), ("Moment.js", "moment"), ("NumPy", "numpy"), ("PIL", "PIL")]
)
def test_a_library_is_written_as_code_imports_it(said: str, written: str) -> None:
    assert spelled(said) == written
