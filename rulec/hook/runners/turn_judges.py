"""At the end of a turn: what judges say of it, where the team wants that, rulec is installed and a model is quick."""

import json
import os

from rulec.checkout import installed_rulec
from rulec.domain import rules_layout
from rulec.shell.action_events import finding_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.checkout.pending_change import PendingChange


MARK = os.path.join(".rules", "compiled", "judges.json")  # stands where the settings say that judges are asked here
SECONDS = 30.0  # that an agent waits; what takes longer is left to CI
MOST = 200  # files
LEFT = "rulec: judges have not answered in time; CI will ask them"


def judge_by_model(pending: "PendingChange") -> "tuple[list[tuple[dict[str, Any], dict[str, Any]]], bool]":
    """Findings of judges that block, each with its rule's facts, and whether some have not answered in time."""
    root = pending.world.root
    if (
        os.environ.get(rules_layout.BELOW_MODEL)
        or not os.path.exists(os.path.join(root, MARK))
        or not installed_rulec.interpreter(root)
    ):
        return [], False
    paths = [file["path"] for file in pending.recent() if file["kind"] != "delete"]
    paths = [path for path in paths if not path.startswith(".rules/")]
    if not paths or len(paths) > MOST:
        return [], bool(paths)
    told = installed_rulec.ask(root, ["hook", "ended"], SECONDS, json.dumps(paths).encode())
    try:
        answer = json.loads(told or b'{"found": [], "left": true}')
        return [_pair(one) for one in answer["found"]], bool(answer["left"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return [], True


def _pair(one: "dict[str, Any]") -> "tuple[dict[str, Any], dict[str, Any]]":
    finding, facts = one["finding"], one["facts"]
    known = ("path", "line", "text", "cure", "unsure", "suppressed")
    return finding_of(finding["slug"], **{key: finding[key] for key in known if key in finding}), {**facts}
