"""What belongs together, in people's words: which later commits a draft catches, and which it lets pass."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from rulec.fits.companions import fit
from rulec.host.templates import library
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.change import Change, FileChange, Tree, event_of
from rulec.model.rule import Check
from rulec.model.transcript import Action
from rulec.runtime import companions

CODE = {
    "py": "def load(a):\n    return a + 1\n",
    "ts": "export function load(a: number) {\n  return a + 1;\n}\n",
    "tsx": "export function Load() {\n  return <p>{1 + 1}</p>;\n}\n",
    "go": "package shop\n\nfunc Load(a int) int {\n\treturn a + 1\n}\n",
    "rs": "pub fn load(a: u8) -> u8 {\n    a + 1\n}\n",
    "json": '{\n  "name": "shop",\n  "version": "1.4.0"\n}\n',
    "toml": '[project]\nname = "shop"\nversion = "1.4.0"\n',
}


def written(paths: str) -> dict[str, str]:
    """Paths, each with a text of its sort; "path=text" says another."""
    found = {}
    for word in paths.split():
        path, _, text = word.partition("=")
        found[path] = text.replace("~", " ").replace("^", "\n") or CODE.get(path.rpartition(".")[2], "Some words.\n")
    return found


def actions(paths: str, command: str = "git add -A && git commit -m 'Go on'") -> tuple[Action, ...]:
    made = tuple(Action(kind="write", path=path, new=text) for path, text in written(paths).items())
    return (*made, Action(kind="command", command=command)) if made else ()


def drafts(words: str, before: Sequence[Action] = (), after: Sequence[Action] = ()) -> list[Draft]:
    return [draft for clause in clauses(words) for draft in fit(clause, before, after)]


def body(check: Check) -> dict[str, object]:
    """What the check's template renders."""
    shelf = library()
    text = shelf.render(f"checks/{check.template}.j2", shelf.parameters(check) | {"kind": "guard", "slug": "a"})
    found: dict[str, object] = json.loads(text)
    return found


def blocked(draft: Draft, paths: str, there: str = "") -> bool:
    """Whether a commit of these files is caught, in a repository that holds others beside."""
    texts, base = written(paths), written(there)
    files = tuple(FileChange(path=path, content=text.encode()) for path, text in texts.items())
    whole = {**base, **texts}
    change = event_of(Change(files=files, tree=Tree(lambda: frozenset(whole), whole.get)))
    rules = [{"facts": {"slug": "a"}, "check": body(check)} for check in draft.checks]
    return any(companions.on_change(rule, change) for rule in rules)


CASES = Path(__file__).parent.parent / "cases" / "companions"


def rows(name: str) -> list[list[str]]:
    """The lines of a table, each in its parts; a line that begins with # says what they are."""
    lines = (CASES / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [[part.strip() for part in line.split(" | ")] for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("words", "offence", "fix", "again", "fine"), rows("pairs"))
def test_the_words_and_the_pair_tell_what_belongs_together(
    words: str, offence: str, fix: str, again: str, fine: str
) -> None:
    found = drafts(words, actions(offence), actions(fix))
    assert found
    draft = found[0]
    assert [blocked(draft, one, fix) for one in (offence, again, f"{offence} {fix}")] == [True, True, False]
    assert [one for one in (*fine.split(" ; "), fix) if blocked(draft, one)] == []


@pytest.mark.parametrize(("words", "again", "fine"), rows("stated"))
def test_a_whole_statement_needs_no_pair(words: str, again: str, fine: str) -> None:
    draft = drafts(words)[0]
    assert blocked(draft, again, "README.md")
    assert [one for one in fine.split(" ; ") if blocked(draft, one, "README.md")] == []
    assert draft.invalid
    assert draft.valid


@pytest.mark.parametrize("words", [words for (words,) in rows("alike")])
def test_words_that_only_sound_alike_give_no_draft(words: str) -> None:
    assert drafts(words) == []
    everything = actions("tests/test_cart.py README.md CHANGELOG.md docs/cart.md")
    assert drafts(words, actions("src/cart.py"), everything) == []


def test_a_pair_that_does_not_bear_the_words_out_gives_no_draft() -> None:
    words = "every feature needs tests"
    assert drafts(words, actions("README.md"), actions("tests/test_cart.py")) == []
    assert drafts(words, actions("src/cart.py"), actions("src/tax.py")) == []
    assert drafts(words, (Action(kind="command", command="ls"),), ()) == []


def test_a_vague_need_that_nothing_in_the_repository_could_meet_asks_for_nothing() -> None:
    draft = drafts("When the importer changes, update the README and the wiki pages.")[0]
    assert blocked(draft, "src/importer.py README.md", "wiki/importer.txt")
    assert not blocked(draft, "src/importer.py README.md", "src/other.py")
