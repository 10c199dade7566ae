"""Claude Code's skill: .claude/skills/rulec/SKILL.md."""

from rulec.emitters._skill import skill

PLUG = skill("claude-skill", ".claude", ("claude-code",))
