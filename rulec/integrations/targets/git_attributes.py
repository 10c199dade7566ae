""".gitattributes: what git merges through rulec, and what forges show as generated."""

from collections.abc import Iterator, Mapping

from rulec import registry
from rulec.domain.artifact import COMPILED_FOLDER, Artifact, CompilePlan
from rulec.domain.plugs import Integration
from rulec.domain.template import Render
from rulec.integrations import marked_block

PATH = ".gitattributes"
RULE_FILES = "/.rules/*.yaml"


def merged_paths() -> list[str]:
    """The patterns of rules and of all files that rulec writes its part into, those at the top anchored there."""
    files = {path for plug in registry.emitters().values() for path in plug.files if path != PATH}
    anchored = {path if path.startswith(".") and "/" in path else f"/{path}" for path in files}
    return [RULE_FILES, f"{COMPILED_FOLDER}/**", *sorted(anchored)]


def emit(_: CompilePlan, render: Render, current: Mapping[str, str]) -> Iterator[Artifact]:
    """The file with rulec's block: in its place where there is one, else at the end."""
    block = render("emit/gitattributes.j2", {"note": marked_block.NOTE, "paths": merged_paths()})
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
