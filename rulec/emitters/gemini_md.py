"""GEMINI.md: the rules in words, unless it takes in AGENTS.md, where they stand already."""

from rulec.emitters._document import document

PATH = "GEMINI.md"

PLUG = document(
    "gemini-md",
    PATH,
    wanted=lambda paths: PATH in paths or any(path.startswith(".gemini/") for path in paths),
    agent="gemini",
    imports=True,
)
