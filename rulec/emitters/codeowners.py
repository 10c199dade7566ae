"""CODEOWNERS: who has to approve a change of the rules and of what holds them up."""

from collections.abc import Iterator, Mapping, Sequence

from rulec import ownersfile
from rulec.emitters import _splice
from rulec.model.artifact import Artifact
from rulec.model.plan import Plan
from rulec.ports import Emitter, Render

OWNED = (  # the gate's own files, seen from the top of the repository
    "/.rules/",
    "/.pre-commit-config.yaml",
    "/.github/workflows/rules.yml",
    "/.gitlab-ci.yml",
    "/.gitlab/rules.yml",
    "/.claude/",
    "/.codex/",
    "/.cursor/",
    "/.gemini/",
    "/.opencode/",
    "/.github/hooks/",
    ".gitattributes",
    "CODEOWNERS",
)


def emit(plan: Plan, render: Render, current: Mapping[str, str]) -> Iterator[Artifact]:
    """The file with our block at its end, where the last word is; without owners in the settings, without it."""
    path = next((one for one in ownersfile.PATHS if one in current), ownersfile.PATHS[0])
    present = current.get(path)
    found = _splice.find(present or "", _splice.HASH, path)
    if not plan.owners:
        if found:
            yield Artifact(path=path, text=_splice.cut(found, appended=True))
        return
    theirs = found.before + found.after if found else present or ""
    section = any(ownersfile.SECTION.match(line) for line in theirs.splitlines())  # GitLab: each has a last word
    context = {"note": _splice.NOTE, "paths": OWNED, "owners": plan.owners, "section": section}
    block = render("emit/codeowners.j2", context)
    if found and not ownersfile.lines(found.after):
        yield Artifact(path=path, text=_splice.replace(found, block))
        return
    rest = _splice.cut(found, appended=True) if found else present
    yield Artifact(path=path, text=block if rest is None else _splice.append(rest, block))


def remove(path: str, text: str) -> str | None:
    """The file without our block."""
    found = _splice.find(text, _splice.HASH, path)
    return _splice.cut(found, appended=True) if found else text


def _wanted_at_init(paths: Sequence[str]) -> bool:
    """Where a team names owners already; without `owners` in the settings it writes nothing even then."""
    return any(path in ownersfile.PATHS for path in paths)


PLUG = Emitter(name="codeowners", files=ownersfile.PATHS, emit=emit, remove=remove, when_init=_wanted_at_init)
