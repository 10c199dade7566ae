"""GEMINI.md: the rules in words, unless it takes in AGENTS.md, where they stand already."""

from rulec.integrations.documents import document_integration

PATH = "GEMINI.md"

PLUG = document_integration(
    "gemini-md",
    PATH,
    wanted=lambda paths: PATH in paths or any(path.startswith(".gemini/") for path in paths),
    agent="gemini",
    imports=True,
)
