""".gitattributes: what git merges through rulec: two branches that add a rule each change the same lines."""

from collections.abc import Iterator, Mapping

from rulec.emitters import _splice
from rulec.model.artifact import COMPILED, Artifact
from rulec.model.plan import Plan
from rulec.ports import Emitter, Render

PATH = ".gitattributes"
MERGED = (
    f"{COMPILED}/**",
    ".agents/skills/rulec/SKILL.md",
    ".claude/settings.json",
    ".claude/skills/rulec/SKILL.md",
    ".codex/hooks.json",
    ".cursor/hooks.json",
    ".cursor/rules/rulec.mdc",
    ".gemini/settings.json",
    ".github/CODEOWNERS",
    ".github/copilot-instructions.md",
    ".github/hooks/rulec.json",
    ".github/workflows/rules.yml",
    ".gitlab/CODEOWNERS",
    ".gitlab/rules.yml",
    ".opencode/plugins/rulec.ts",
    "/.gitlab-ci.yml",
    "/.pre-commit-config.yaml",
    "/AGENTS.md",
    "/CLAUDE.md",
    "/CODEOWNERS",
    "/GEMINI.md",
    "/docs/CODEOWNERS",
)


def emit(_: Plan, render: Render, current: Mapping[str, str]) -> Iterator[Artifact]:
    """The file with our block in it: in its place where it stands already, else at the end."""
    block = render("emit/gitattributes.j2", {"note": _splice.NOTE, "paths": MERGED})
    present = current.get(PATH)
    found = _splice.find(present or "", _splice.HASH, PATH)
    if present is not None:
        block = _splice.replace(found, block) if found else _splice.append(present, block)
    yield Artifact(path=PATH, text=block)


def remove(path: str, text: str) -> str | None:
    """The file without our block."""
    found = _splice.find(text, _splice.HASH, path)
    return _splice.cut(found, appended=True) if found else text


PLUG = Emitter(name="git-attributes", files=(PATH,), emit=emit, remove=remove)
