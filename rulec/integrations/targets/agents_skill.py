"""The skill of all agents that look into .agents: .agents/skills/rulec/SKILL.md."""

from rulec.integrations.documents import skill_integration

PLUG = skill_integration("agents-skill", ".agents", ("codex", "copilot", "cursor", "gemini", "opencode"))
