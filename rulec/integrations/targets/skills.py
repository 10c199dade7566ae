"""The skill that tells agents how to work with rulec, once for each folder in which they look for skills."""

from rulec.agents.protocol.agent_spec import all_agents
from rulec.integrations.rule_documents import skill_integration

_FOLDERS = sorted({spec.skills for spec in all_agents()})

PLUGS = tuple(
    skill_integration(
        f"{folder.lstrip('.')}-skill", folder, tuple(spec.name for spec in all_agents() if spec.skills == folder)
    )
    for folder in _FOLDERS
)
