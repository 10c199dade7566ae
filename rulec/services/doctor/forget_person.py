"""rulec doctor --forget: delete what rulec has learned of how much each rule matters to the person."""

import os
import shutil
from pathlib import Path

from rulec.checkout import rules_layout
from rulec.domain.outcome import Outcome
from rulec.errors import RulecError


def forget_person() -> Outcome:
    """Delete the weights of all repositories, with whatever lies beside them: half-written files, too."""
    folder = Path(rules_layout.personal_weights_path())
    if not os.path.lexists(folder):
        return Outcome("nothing is kept of you", data={"forgotten": 0})
    try:
        if folder.is_symlink() or not folder.is_dir():
            folder.unlink()
            return Outcome(f"{folder}, which was no folder of weights, is gone", data={"forgotten": 0})
        count = sum(1 for one in folder.iterdir() if one.is_dir())
        shutil.rmtree(folder)
    except OSError as error:
        hint = "delete the folder yourself"
        raise RulecError(f"cannot be deleted: {error.strerror}", where=str(folder), hint=hint) from error
    many = "repository" if count == 1 else "repositories"
    return Outcome(
        f"forgot the weights of {count} {many}; the next session starts without any", data={"forgotten": count}
    )
