"""AGENTS.md: the rules in words, for every agent that reads it."""

from rulec.emitters._document import document

PATH = "AGENTS.md"

PLUG = document("agents-md", PATH, wanted=lambda _: True)
