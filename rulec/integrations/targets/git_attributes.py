""".gitattributes: what git merges through rulec, and what forges show as generated."""

from collections.abc import Iterator, Mapping

from rulec.domain.artifact import COMPILED_FOLDER, Artifact
from rulec.domain.compile_plan import CompilePlan
from rulec.domain.plugs import Integration
from rulec.domain.template import Render
from rulec.integrations import marked_block

PATH = ".gitattributes"
MERGED = (
    f"{COMPILED_FOLDER}/**",
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


def emit(_: CompilePlan, render: Render, current: Mapping[str, str]) -> Iterator[Artifact]:
    """The file with our block in it: in its place where it stands already, else at the end."""
    block = render("emit/gitattributes.j2", {"note": marked_block.NOTE, "paths": MERGED})
    present = current.get(PATH)
    found = marked_block.find_block(present or "", marked_block.HASH, PATH)
    if present is not None:
        block = marked_block.replace_block(found, block) if found else marked_block.append_block(present, block)
    yield Artifact(path=PATH, text=block)


def remove(path: str, text: str) -> str | None:
    """The file without our block."""
    found = marked_block.find_block(text, marked_block.HASH, path)
    return marked_block.cut_block(found, appended=True) if found else text


PLUG = Integration(name="git-attributes", files=(PATH,), emit=emit, remove=remove)
