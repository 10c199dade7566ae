"""AGENTS.md: the rules in words, for every agent that reads it."""

from rulec.integrations.documents import document_integration

PATH = "AGENTS.md"

PLUG = document_integration("agents-md", PATH, wanted=lambda _: True)
