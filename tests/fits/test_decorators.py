"""Words about decorators -> what may not carry one, and what has to."""

from typing import Any

import pytest

from rulec.fits.decorators import PLUG
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action


def _drafts(text: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> list[Draft]:
    return [draft for clause in clauses(text) for draft in PLUG.fit(clause, before, after)]


FORBIDDEN = [
    ("Don't use @pytest.mark.skip", "pytest.mark.skip", "python"),
    ("Never use @staticmethod", "staticmethod", "python"),
    ("Never use the staticmethod decorator", "staticmethod", "python"),
    ("Don't use @property", "property", "python"),
    ("No @Autowired in Java", "Autowired", "java"),
    ("Avoid the @Data annotation from Lombok", "Data", "java"),
    ("Don't use #[allow(dead_code)]", "dead_code", "rust"),
    ("Never use #[ignore] in Rust", "ignore", "rust"),
    ("No #[Route] attributes in PHP", "Route", "php"),
    ("Don't use @Input in TypeScript", "Input", "javascript"),
    ("Don't use @Injectable", "Injectable", "javascript"),
]


@pytest.mark.parametrize(("text", "name", "language"), FORBIDDEN, ids=[text for text, _, _ in FORBIDDEN])
def test_a_decorator_that_is_not_wanted_is_known_by_its_mark(text: str, name: str, language: str) -> None:
    [draft] = _drafts(text)
    assert draft.checks[0].parameters == {"names": [name], "language": language}


REQUIRED: list[tuple[str, dict[str, Any], str]] = [
    ("All tests must be marked with @pytest.mark.unit", {"what": "function", "names": r"test_\w+"}, "python"),
    ("Controllers must use @UseGuards", {"what": "class", "names": r"\w+Controller"}, "javascript"),
    ("All controllers must be annotated with @UseGuards(AuthGuard)", {"names": r"\w+Controller"}, "javascript"),
    ("Annotate service classes with @Transactional", {"what": "class", "names": r"\w+Service"}, "java"),
    ("Every service method must be annotated with @Transactional", {"of": r"\w*Service"}, "java"),
    ("Put @Trace on all controller methods in TypeScript", {"of": r"\w*Controller"}, "javascript"),
    ("Every event class needs the @dataclass decorator", {"what": "class", "names": r"\w+Event"}, "python"),
    ("All classes must use @dataclass", {"what": "class"}, "python"),
    ("All structs must derive Debug", {"what": "class", "decorator": "Debug"}, "rust"),
    ("All public structs must derive Debug in Rust", {"what": "class", "public": True}, "rust"),
    ("Every view must have the @login_required decorator", {"what": "function"}, "python"),
]


@pytest.mark.parametrize(("text", "given", "language"), REQUIRED, ids=[text for text, _, _ in REQUIRED])
def test_what_has_to_carry_a_decorator_is_read(text: str, given: dict[str, Any], language: str) -> None:
    [draft] = _drafts(text)
    assert draft.checks[0].template == "require-decorator"
    assert given.items() <= draft.checks[0].parameters.items()
    assert draft.checks[0].parameters["language"] == language


@pytest.mark.parametrize(
    "text",
    [
        "Never use @ts-ignore",
        "Don't use @deprecated tags",
        "Don't mention @channel",
        "Don't use @/ imports",
        "no @import in css",
        "No @types/node",
        "Don't email me@example.com",
        "All tests must pass",
        "All functions must have tests",
        "Services must be stateless",
        "Every class must have tests",
        "All controllers should return errors",
        "Use @override on all methods",
    ],
)
def test_look_alikes_say_nothing_about_decorators(text: str) -> None:
    assert _drafts(text) == []


def test_the_pair_shows_which_test_lacked_its_mark() -> None:
    bare = "def test_total():\n    assert total() == 1\n"
    before = (Action(kind="write", path="tests/test_a.py", new=bare),)
    after = (Action(kind="write", path="tests/test_a.py", new=f"import pytest\n\n\n@pytest.mark.unit\n{bare}"),)
    text = "all tests must be marked with @pytest.mark.unit"
    [draft] = _drafts(text, before, after)
    assert (draft.invalid[0].text, draft.valid[0].text) == (bare, after[0].new)
    assert _drafts(text, after, before) == []
