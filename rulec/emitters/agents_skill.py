"""The skill of all agents that look into .agents: .agents/skills/rulec/SKILL.md."""

from rulec.emitters._skill import skill

PLUG = skill("agents-skill", ".agents", ("codex", "copilot", "cursor", "gemini", "opencode"))
