"""CLAUDE.md: the rules in words, unless it takes in AGENTS.md, where they stand already."""

from rulec.emitters._document import document

PATH = "CLAUDE.md"

PLUG = document("claude-md", PATH, wanted=lambda paths: PATH in paths, agent="claude-code", imports=True)
