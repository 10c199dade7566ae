"""However history is rewritten, a proof holds for the lines that it was made of, or for none: never for others."""

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulec.gates.steps.changed_texts import files_at_hand
from rulec.steps.proofs import proof_store
from rulec.steps.proofs.claimed_files import ChangedFile
from tests.support.world import run

PATHS = ("a.py", "b.py")
WORDS = ("x = 1", "y = 2", "return x", "", "pass")  # few, so that lines of different changes are alike


def _text(chance: random.Random, lines: int) -> list[str]:
    return [chance.choice(WORDS) + f"  # {chance.randrange(6)}" * chance.randrange(2) for _ in range(lines)]


def _changed(chance: random.Random, lines: list[str]) -> list[str]:
    """The lines with a few added, changed, moved or taken out."""
    found = list(lines)
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(found) + 1)
        how = chance.randrange(4)
        if how == 0 or not found:
            found[at:at] = _text(chance, chance.randrange(1, 3))
        elif how == 1:
            del found[at : at + 1]
        elif how == 2:
            found[at : at + 1] = _text(chance, 1)
        else:
            found.insert(chance.randrange(len(found)), found.pop(at - 1))
    return found


def _lines(top: Path, path: str) -> list[str]:
    return (top / path).read_text().split("\n") if (top / path).exists() else []


def _write(top: Path, path: str, lines: list[str]) -> None:
    (top / path).write_text("\n".join(lines))


def _edit(top: Path, chance: random.Random) -> None:
    for path in chance.sample(PATHS, chance.randrange(1, 3)):
        _write(top, path, _changed(chance, _lines(top, path)))


def _commit(top: Path) -> None:
    run(top, "add", "-A")
    run(top, "commit", "-qm", "Change", "--allow-empty")


def _settle(top: Path, chance: random.Random, code: str) -> None:
    """End what git stopped at: by one side, by an edit, or not at all."""
    how = chance.randrange(3)
    if how == 2:
        run(top, code, "--abort", code=None)
        return
    for path in PATHS:
        side = chance.choice(("--ours", "--theirs"))
        run(top, "checkout", side, "--", path, code=None)
        if (top / path).exists() and how == 1:
            _write(top, path, _changed(chance, _lines(top, path)))
    run(top, "add", "-A")
    run(top, "-c", "core.editor=true", code, "--continue", code=None)
    run(top, code, "--abort", code=None)


def _amend(top: Path, chance: random.Random) -> None:
    _edit(top, chance)
    run(top, "add", "-A")
    run(top, "commit", "-q", "--amend", "--no-edit", "--allow-empty")


def _squash(top: Path, chance: random.Random) -> None:
    run(top, "reset", "-q", "--soft", f"HEAD~{chance.randrange(1, 3)}", code=None)
    _commit(top)


def _rebase(top: Path, chance: random.Random) -> None:
    run(top, "rebase", "-q", "other", code=None)
    _settle(top, chance, "rebase")


def _pick(top: Path, chance: random.Random) -> None:
    run(top, "cherry-pick", "--allow-empty", "other", code=None)
    _settle(top, chance, "cherry-pick")


def _revert(top: Path, chance: random.Random) -> None:
    run(top, "revert", "--no-edit", f"HEAD~{chance.randrange(2)}", code=None)
    _settle(top, chance, "revert")


def _split(top: Path, chance: random.Random) -> None:
    run(top, "reset", "-q", "HEAD~1", code=None)
    run(top, "add", "--", chance.choice(PATHS), code=None)
    run(top, "commit", "-qm", "A part", "--allow-empty")
    if chance.randrange(2):
        _commit(top)


def _work(top: Path, chance: random.Random) -> None:
    _edit(top, chance)
    if chance.randrange(2):
        _commit(top)


ACTS: tuple[Callable[[Path, random.Random], None], ...] = (_amend, _squash, _rebase, _pick, _revert, _split, _work)


def _at(top: Path, revision: str) -> dict[str, str | None]:
    texts: dict[str, str | None] = {}
    for path in PATHS:
        there = run(top, "ls-tree", "--name-only", revision, path).strip()
        texts[path] = run(top, "show", f"{revision}:{path}") if there else None
    return texts


def _net(before: str | None, now: str | None) -> tuple[Counter[str], Counter[str]]:
    """Which lines a change brings and takes, however anybody compares them."""
    old, new = (Counter([] if text is None else text.split("\n")) for text in (before, now))
    return new - old, old - new


def _changes(top: Path) -> list[list[ChangedFile]]:
    """What each of the last commits changes, and what the work tree does: a gate may be asked about any of these."""
    names = run(top, "rev-list", "-n5", "HEAD").split()
    found = []
    for name in names[:-1]:
        before, now = _at(top, f"{name}^"), _at(top, name)
        found.append([ChangedFile(path, before[path], now[path]) for path in PATHS if before[path] != now[path]])
    return [*found, files_at_hand(top)]


def _held(top: Path, seed: int) -> int:
    """Rewrite history; how often the proof held. Fails where it held for other lines."""
    chance = random.Random(seed)
    run(top, "init", "-q", "-b", "main", "--template=")
    for path in PATHS:
        _write(top, path, _text(chance, 12))
    _commit(top)
    run(top, "checkout", "-qb", "other")
    _edit(top, chance)
    _commit(top)
    run(top, "checkout", "-q", "main")
    _edit(top, chance)
    _commit(top)
    _edit(top, chance)
    files = files_at_hand(top)
    proof = {
        "pin": {file.path: file.pin for file in files},
        "now": {file.path: proof_store.text_digest(file.now) for file in files},
    }
    nets = {file.path: _net(file.before, file.now) for file in files}
    texts = {file.path: file.now for file in files}
    _commit(top)
    held = 0
    for _ in range(chance.randrange(1, 5)):
        chance.choice(ACTS)(top, chance)
        for change in _changes(top):
            pins = {file.path: file.pin for file in change}
            now = {path: _read(top, path) for path in PATHS}
            if not change or not files or not proof_store.holds(proof, pins, now.get):
                continue
            held += 1
            for file in change:
                if file.path in nets:
                    assert _net(file.before, file.now) == nets[file.path], (seed, file.path)
            left = [path for path in nets if path not in pins]
            assert [now[path] for path in left] == [texts[path] for path in left], seed
    return held


def _read(top: Path, path: str) -> str | None:
    return (top / path).read_text() if (top / path).exists() else None


_MANY = settings.default.max_examples if settings.default else 0
EXAMPLES = 5 if _MANY <= 20 else _MANY  # each is a repository and dozens of commands of git


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(seed=st.integers(0, 1_000_000))
def test_a_proof_never_moves_to_other_lines(seed: int, tmp_path_factory) -> None:
    _held(tmp_path_factory.mktemp("history"), seed)


def test_some_rewritten_histories_keep_the_proof(tmp_path: Path) -> None:
    held = []
    for seed in range(5):
        top = tmp_path / str(seed)
        top.mkdir()
        held.append(_held(top, seed))
    assert any(held)
