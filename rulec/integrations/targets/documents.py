"""AGENTS.md for every agent that reads it, the documents that single agents read, and the skill that agents work by."""

from collections.abc import Sequence
from functools import partial

from rulec.agents.protocol.agent_spec import InstructionFile, all_agents
from rulec.integrations.rule_documents import AGENTS_MD, document_integration, skill_integration


def _wanted(document: InstructionFile, paths: Sequence[str]) -> bool:
    return any(path == document.path or path.startswith(document.signs) for path in paths)


_SKILL_FOLDERS = sorted({spec.skills for spec in all_agents()})

PLUGS = (
    document_integration("agents-md", AGENTS_MD, wanted=lambda _: True),
    *(
        document_integration(
            document.name,
            document.path,
            wanted=partial(_wanted, document),
            agent=spec.name,
            head=document.head,
            imports=document.imports,
        )
        for spec in all_agents()
        for document in spec.documents
    ),
    *(
        skill_integration(
            f"{folder.lstrip('.')}-skill", folder, tuple(spec.name for spec in all_agents() if spec.skills == folder)
        )
        for folder in _SKILL_FOLDERS
    ),
)
