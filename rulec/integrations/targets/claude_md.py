"""CLAUDE.md: the rules in words, unless it takes in AGENTS.md, where they stand already."""

from rulec.integrations.documents import document_integration

PATH = "CLAUDE.md"

PLUG = document_integration("claude-md", PATH, wanted=lambda paths: PATH in paths, agent="claude-code", imports=True)
