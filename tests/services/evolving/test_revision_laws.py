"""Laws of the search for revisions, over rules, notes and actions of any shape."""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulec.domain.evidence import WantedVerdict
from rulec.domain.rule import Check, Example, Rule
from rulec.rulebook.rulebook import Rulebook
from rulec.services.evolving.comparison import all_examples, compare_rules
from rulec.services.evolving.revision_search import search_revision
from rulec.services.evolving.rule_trials import decide_examples

PROGRAMS = st.sampled_from(["npm", "yarn", "pnpm", "pip", "uv", "terraform", "kubectl", "make"])
WORDS = st.sampled_from(["install", "add", "delete", "apply", "-g", "--force", "left-pad", "src/a.py", "build/"])
COMMANDS = st.builds(
    lambda program, words: Example(kind="command", text=" ".join([program, *words])),
    PROGRAMS,
    st.lists(WORDS, max_size=3),
)
SAID = st.lists(
    st.one_of(PROGRAMS, WORDS, st.sampled_from(["this", "is fine", "is wrong too", "except", "no", "!!", "(", "\\"])),
    max_size=6,
).map(" ".join)


@pytest.fixture(scope="module")
def top() -> Iterator[Path]:
    """A repository with one commit."""
    with tempfile.TemporaryDirectory() as folder:
        for argv in (["init", "-q", "-b", "main"], ["commit", "-qm", "Begin", "--allow-empty"]):
            subprocess.run(["git", *argv], cwd=folder, check=True)
        yield Path(folder)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(bad=PROGRAMS, good=PROGRAMS, wanted=st.builds(WantedVerdict, example=COMMANDS, caught=st.booleans(), words=SAID))
def test_no_other_example_turns_and_the_noted_one_is_kept_or_said_to_be_unmet(
    top: Path, bad: str, good: str, wanted: WantedVerdict
) -> None:
    if bad == good:
        return
    case, caught = wanted.example, wanted.caught
    invalid, valid = (Example(kind="command", text=f"{name} install left-pad") for name in (bad, good))
    checks = (Check(kind="guard", template="forbid-command", parameters={"commands": [bad]}),)
    old = Rule(slug="one", statement=f"Use {good}, never {bad}.", checks=checks, invalid=(invalid,), valid=(valid,))
    book = Rulebook(rules=(old,))
    found = search_revision(top, book, old, [wanted])
    known = [one for one in all_examples(old) if one != case]
    before, after = decide_examples(top, book, [old, found.rule], [*known, case])
    assert after[: len(known)] == before[: len(known)]
    kept = case in (found.rule.invalid if caught else found.rule.valid) or any(
        case in one.valid for one in found.rule.exceptions
    )
    assert kept is not bool(found.unmet)
    if not found.unmet:
        assert after[-1] is caught
        assert case not in (found.rule.valid if caught else found.rule.invalid)
    assert found.proof
    assert found.proof.holds or found.unmet
    turned = [one for one in compare_rules(top, book, [old], found.rule, [wanted]).flips if one.where == "example"]
    assert len(turned) == (before[-1] is not after[-1])
    assert all(one.wanted for one in turned)
