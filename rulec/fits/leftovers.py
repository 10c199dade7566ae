"""What only was needed for a moment, and stays behind: debug scripts, backups, logs, editors' files."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._leftover_said import Leftover, leftover_of
from rulec.fits._pair import MOST_INNOCENT, calls_of, example_of, offences
from rulec.known.leftover import NAMES, SPARED
from rulec.language import Clause
from rulec.language.terms import table
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime import globs
from rulec.runtime.effects import effects
from rulec.runtime.shell import parse

_SAMPLES = {
    "temporary": "tmp_sample.py",
    "debug": "debug_sample.py",
    "scratch": "scratch_sample.py",
    "backup": "src/sample.py.bak",
    "log": "sample.log",
    "editor": "src/.sample.py.swp",
    "output": "test_output.txt",
}
_STOP = Example(kind="stop", text="Done.")
_NAME = re.compile(r"(?P<folder>(?:[\w.-]+/)*)(?P<first>[A-Za-z]{3,})[-_][\w.-]*\.(?P<ending>\w{1,5})")
_FOR_A_MOMENT = table(
    "check verify try repro reproduce inspect investigate analyze analyse quick demo test temp tmp debug run"
)
_TEST_FOLDERS = re.compile(r"(?:^|/)(?:tests?|specs?|__tests__|e2e|src|lib|app)/")


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of leftover-files."""
    wish = leftover_of(clause)
    if wish is None:
        return
    if not before:
        yield _draft(wish, [], _SAMPLES[wish.what[0]], (), "the words say what may not stay behind")
        return
    made = [path for action in offences(before) for path in _made(action)]
    gone = [path for action in after for path in _removed(action)]
    known = [glob for what in wish.what for glob in NAMES[what]]
    for path in dict.fromkeys(made):
        if any(path in _made(action) for action in after):
            continue
        more = [] if _named(known, path) else _alike(path, made, gone)
        if more or _named(known, path):
            passed = tuple(example for action in after if (example := example_of(action)) and not _made(action))
            because = "it was written before the person spoke and not afterwards"
            yield _draft(wish, more, path, passed[:MOST_INNOCENT], because)
            return


def _draft(wish: Leftover, more: Sequence[str], path: str, passed: tuple[Example, ...], because: str) -> Draft:
    given = {**({} if wish.anything else {"what": list(wish.what)}), **({"globs": list(more)} if more else {})}
    bad, gone = Example(kind="file", path=path, text="x = 1\n"), Example(kind="command", text=f"rm {path}")
    good = (Example(kind="file", path="src/sample.py", text="x = 1\n"), *passed)
    checks = [Check(kind="shell", template="leftover-files", parameters=given)]
    invalid = [bad]
    if wish.at == "write":
        checks.append(Check(kind="guard", template="leftover-files", parameters={**given, "at": "write"}))
    elif wish.at == "end":
        checks.append(Check(kind="guard", template="leftover-files", parameters=given))
        invalid.append(_session(bad, _STOP))
        good = (*good, _session(bad, gone, _STOP))
    return Draft(checks=tuple(checks), invalid=tuple(invalid), valid=tuple(dict.fromkeys(good)), because=because)


def _session(*steps: Example) -> Example:
    return Example(kind="session", text="", steps=steps)


def _made(action: Action) -> list[str]:
    """Files of the repository that an action may have made."""
    if action.kind == "write":
        paths = [action.path]
    elif action.kind == "command" and calls_of(action):
        paths = [effect.path for effect in effects(parse(action.command)) if effect.sure and not effect.delete]
    else:
        paths = []
    return [path for path in paths if path and not path.startswith(("/", "~", ".."))]


def _removed(action: Action) -> list[str]:
    if action.kind == "delete":
        return [action.path]
    found = effects(parse(action.command)) if action.kind == "command" and calls_of(action) else []
    return [effect.path for effect in found if effect.delete]


def _named(known: Sequence[str], path: str) -> bool:
    return globs.match(list(known), path) and not globs.match(SPARED, path)


def _alike(path: str, made: Sequence[str], gone: Sequence[str]) -> list[str]:
    """Names like that of a file which the agent removed again, or of which it made several."""
    name = _NAME.fullmatch(path)
    if name is None or _TEST_FOLDERS.search(path) or name["first"].lower() not in _FOR_A_MOMENT:
        return []
    pattern = f"{name['folder'] or '/'}{name['first']}[-_]*.{name['ending']}"
    several = len({other for other in made if globs.match([pattern], other)}) > 1
    return [pattern] if several or globs.match(list(gone), path) else []


PLUG = Fit(name="leftovers", fit=fit, any_clause=True)
