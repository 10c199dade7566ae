"""Keys, passwords and tokens that do not belong in files."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._pair import MOST_INNOCENT, added, example_of, offences
from rulec.fits._prose import written
from rulec.fits._secret_said import unwanted
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, CheckKind, Example
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.redact import without_keys

_SHOWN = re.compile(r"\[redacted:(?!email|login\b)[a-z-]+\]")
_BAD = Example(kind="file", path="src/settings.py", text='API_KEY = "[redacted:secret]"\n')
_GOOD = Example(kind="file", path="src/settings.py", text='API_KEY = os.environ["API_KEY"]\n')
_NAMES = Example(kind="file", path=".env.example", text="API_KEY=\n")
_COMMITTED = re.compile(r"\b(?:commit\w*|check(?:ing|ed)? in|push\w*|track\w*|git)\b", re.IGNORECASE)
_FILES = (".env", "credentials.json", "id_rsa", "id_ed25519", "*.p12", "*.pfx")  # made to hold secrets


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of secrets."""
    if not unwanted(clause):
        return
    kinds: tuple[CheckKind, ...] = ("semgrep", "guard")
    checks = tuple(Check(kind=kind, template="secrets", parameters={}) for kind in kinds)
    more: tuple[Example, ...] = ()
    if _COMMITTED.search(clause.text):
        checks = (*checks, Check(kind="shell", template="forbid-path", parameters={"globs": list(_FILES)}))
        more = (Example(kind="commit", text="Save it", files=((_FILES[0], "PORT=1\n"),)),)
    if not before:
        because = "the words speak of secrets in files"
        yield Draft(checks=checks, invalid=(_BAD, *more), valid=(_GOOD, _NAMES), because=because)
        return
    wrong = [action for action in offences(before) if _holds_key(action)]
    shown = next((example for action in wrong if (example := example_of(action))), None)
    if shown is None or any(_holds_key(action) for action in after):
        return
    # What is stored of the offence is redacted, and so is what the check is proved on.
    passed = tuple(example for action in after if (example := example_of(action)) and _clean(example))[:MOST_INNOCENT]
    bad = (shown, _BAD) if shown.kind in ("file", "edit") else (_BAD,)
    because = "a key was written before the person spoke and not afterwards"
    yield Draft(checks=checks, invalid=(*bad, *more), valid=(*passed, _GOOD), because=because)


def _clean(example: Example) -> bool:
    return without_keys(example.text) == example.text


def _holds_key(action: Action) -> bool:
    """Whether the action writes what would be redacted."""
    texts = written(action) if action.kind == "command" else [(action.path, added(action))]
    return any(path and _SHOWN.search(without_keys(text)) for path, text in texts)


PLUG = Fit(name="secrets", fit=fit, any_clause=True)
