"""Claude Code's skill: .claude/skills/rulec/SKILL.md."""

from rulec.integrations.documents import skill_integration

PLUG = skill_integration("claude-skill", ".claude", ("claude-code",))
