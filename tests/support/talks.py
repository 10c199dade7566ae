"""Prompts of no real step, and a backend that replays answers."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulec.checks.template_library import open_library
from rulec.domain.outcome import no_progress
from rulec.domain.prompt import DataBlock, ModelRequest, ModelSettings, Prompt
from rulec.domain.rule import Rule
from rulec.infra.rulebooks import rulebook_files
from rulec.llm.conversation import Conversation
from tests.support.world import act

SCHEMA = {
    "type": "object",
    "properties": {"wishes": {"type": "array", "items": {"type": "string"}}},
    "required": ["wishes"],
    "additionalProperties": False,
}


def prompt(text: str, *, step: str = "mine", most: int = 100) -> Prompt:
    """A question about one text."""
    data = (DataBlock(name="turn 1", text=text),)
    return Prompt(step=step, version=1, instructions="List the wishes.", data=data, schema=SCHEMA, most=most)


def request(text: str, *, step: str = "mine") -> ModelRequest:
    """As a backend gets it."""
    asked = prompt(text, step=step)
    return ModelRequest(key=asked.key, step=step, system=asked.instructions, text=text, schema=SCHEMA, most=100)


def record(top: Path, entries: Sequence[dict[str, Any]]) -> None:
    """The answers that the backend ``recorded`` gives in a repository."""
    folder = top / ".rulec" / "recorded"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "answers.json").write_text(json.dumps(entries))


def talk(top: Path | None, told: list[str] | None = None, backend: str = "recorded", **settings: Any) -> Conversation:
    """A run that talks to it."""
    say = (told if told is not None else []).append
    return Conversation(top, ModelSettings(backend=backend, **settings), open_library().render, say, no_progress)


NO_CHECK = {"alternatives": [], "not_checked": ["how somebody thinks"]}
NO_CHALLENGE = {"none": "no action shows how somebody thinks"}


def answer(
    top: Path, *wishes: dict[str, Any], draft: dict[str, Any] | None = None, challenge: dict[str, Any] | None = None
) -> list[Path]:
    """Answer every question that waits in files as its step asks: with those wishes whose quote stands in it.

    Each wish of a question for checks gets the same ``draft``, by default that no machine can check it, and of one for
    a challenge the same ``challenge``, by default that no action shows it.
    """
    prompts = sorted((top / ".rulec" / "exchange").glob("*.prompt.md"))
    for prompt in prompts:
        text = prompt.read_text("utf-8")
        step = prompt.name.split("-")[1]
        if step == "mine":
            told = [one for one in wishes if one["quote"] in text]
        else:
            many = sum(line.endswith(" wish") and line.startswith("rulec-") for line in text.splitlines())
            own = (challenge or NO_CHALLENGE) if step == "challenge" else (draft or NO_CHECK)
            told = [{"wish": number, **own} for number in range(1, many + 1)]
        place = prompt.with_name(prompt.name.replace(".prompt.md", ".answer.json"))
        place.write_text(json.dumps({"wishes": told}), "utf-8")
    return prompts


def through(
    top: Path, *wishes: dict[str, Any], draft: dict[str, Any] | None = None, challenge: dict[str, Any] | None = None,
    options: Sequence[str] = ("--yes",),
) -> str:  # fmt: skip
    """Answer what waits, and what is asked then, until nothing waits; the last that the run says."""
    said = ""
    for _ in range(6):
        if not answer(top, *wishes, draft=draft, challenge=challenge):
            break
        said = act(top, "ingest", "--continue", *options).out
    return said


def open_steps(top: Path) -> list[str]:
    """The steps whose questions wait in the exchange."""
    return [path.name.split("-")[1] for path in sorted((top / ".rulec/exchange").glob("*.prompt.md"))]


def only_prompt(top: Path) -> str:
    """The text of the one question that waits."""
    (path,) = (top / ".rulec/exchange").glob("*.prompt.md")
    return path.read_text("utf-8")


def only_rule(top: Path) -> Rule:
    """The one rule in force."""
    (rule,) = rulebook_files.load_rulebook(top).rules
    return rule
