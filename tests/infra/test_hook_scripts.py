"""A git hook that takes another's place: at no moment is there none, and a killed command's work is gone on with."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rulec.errors import RulecError
from rulec.infra.git import hook_scripts

THEIRS, OURS = "#!/bin/sh\necho theirs\n", f"#!/bin/sh\n{hook_scripts.HOOK_MARK.decode()}pre-commit\n"


def _hook(top: Path) -> hook_scripts.HookFile:
    return hook_scripts.read_hooks(top)["pre-commit"]


def _killed(monkeypatch: pytest.MonkeyPatch, at: Callable[[], object]) -> None:
    """Nothing is written after the earlier hook was kept."""

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(hook_scripts.text_files, "write_atomically", die)
        with pytest.raises(KeyboardInterrupt):
            at()


def test_a_killed_installation_leaves_the_earlier_hook_and_is_repeated(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = _hook(repo).place
    place.parent.mkdir(exist_ok=True)
    place.write_text(THEIRS)
    _killed(monkeypatch, lambda: hook_scripts.write_hook(_hook(repo), OURS))
    assert place.read_text() == THEIRS
    hook_scripts.write_hook(_hook(repo), OURS)
    assert (place.read_text(), _hook(repo).kept.read_text()) == (OURS, THEIRS)
    assert hook_scripts.restore_hook(_hook(repo))
    assert (place.read_text(), _hook(repo).kept.exists()) == (THEIRS, False)


def test_another_kept_hook_is_never_lost(repo: Path) -> None:
    place = _hook(repo).place
    place.parent.mkdir(exist_ok=True)
    place.write_text(THEIRS)
    shutil.copy(place, _hook(repo).kept)
    _hook(repo).kept.write_text(f"{THEIRS}# an older one\n")
    with pytest.raises(RulecError, match="would be lost"):
        hook_scripts.write_hook(_hook(repo), OURS)
