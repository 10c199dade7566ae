"""Instruction documents of a repository (CLAUDE.md, AGENTS.md, ...) -> rules."""
