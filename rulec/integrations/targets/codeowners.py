"""CODEOWNERS: who has to approve a change of the rules and of what holds them up."""

from collections.abc import Iterator, Mapping, Sequence

from rulec.agents.protocol.agent_spec import all_agents
from rulec.domain.artifact import Artifact, CompilePlan
from rulec.domain.plugs import Integration
from rulec.domain.template import Render
from rulec.integrations import code_owners, marked_block

_AGENTS = (sign for spec in all_agents() for sign in spec.signs if spec.hook_file.startswith(sign))
OWNED = (  # the gate's own files, seen from the top of the repository
    "/.rules/",
    "/.pre-commit-config.yaml",
    "/.github/workflows/rules.yml",
    "/.gitlab-ci.yml",
    "/.gitlab/rules.yml",
    *(f"/{folder}" for folder in sorted(_AGENTS, key=lambda folder: (folder.count("/"), folder))),
    ".gitattributes",
    "CODEOWNERS",
)


def emit(plan: CompilePlan, render: Render, current: Mapping[str, str]) -> Iterator[Artifact]:
    """The file with our block at its end, where the last word is; without owners in the settings, without it."""
    path = next((one for one in code_owners.CODEOWNERS_PATHS if one in current), code_owners.CODEOWNERS_PATHS[0])
    present = current.get(path)
    found = marked_block.find_block(present or "", marked_block.HASH, path)
    if not plan.owners:
        if found:
            yield Artifact(path=path, text=marked_block.cut_block(found, appended=True))
        return
    theirs = found.before + found.after if found else present or ""
    section = any(code_owners.SECTION_LINE.match(line) for line in theirs.splitlines())  # GitLab: each has a last word
    context = {"note": marked_block.NOTE, "paths": OWNED, "owners": plan.owners, "section": section}
    block = render("emit/codeowners.j2", context)
    if found and not code_owners.owner_lines(found.after):
        yield Artifact(path=path, text=marked_block.replace_block(found, block))
        return
    rest = marked_block.cut_block(found, appended=True) if found else present
    yield Artifact(path=path, text=block if rest is None else marked_block.append_block(rest, block))


def remove(path: str, text: str) -> str | None:
    """The file without our block."""
    found = marked_block.find_block(text, marked_block.HASH, path)
    return marked_block.cut_block(found, appended=True) if found else text


def _wanted_at_init(paths: Sequence[str]) -> bool:
    """Where a team names owners already; without `owners` in the settings it writes nothing even then."""
    return any(path in code_owners.CODEOWNERS_PATHS for path in paths)


PLUG = Integration(
    name="codeowners", files=code_owners.CODEOWNERS_PATHS, emit=emit, remove=remove, when_init=_wanted_at_init
)
