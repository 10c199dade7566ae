"""An agent that is a model behind one of rulec's backends: it answers with actions, which are played."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from evaluation.experiment.acts import Act, checked_act
from evaluation.experiment.books import Drafted
from evaluation.experiment.places import Place
from evaluation.experiment.players import PlayedAct, Player
from evaluation.experiment.plays import JUDGED, STEPS
from evaluation.experiment.scripted import DOCUMENT, NONE
from evaluation.experiment.sessions import RealSession, drop_git_hooks
from evaluation.experiment.tasks import Task
from evaluation.experiment.texts import render
from rulec.domain.outcome import no_progress
from rulec.domain.prompt import DataBlock, ModelAnswer, ModelReply, Prompt
from rulec.errors import RulecError
from rulec.llm import model_settings
from rulec.llm.conversation import Conversation
from rulec.rulebook.rulebook import Rulebook

VERSION = 1
ROUNDS = 3  # how often it may act on one request: a refusal is answered twice at most
MOST_CHARACTERS = 20_000  # of a file that it is shown
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["actions"],
    "properties": {
        "actions": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["kind"],
                "properties": {
                    "kind": {"enum": ["command", "write", "edit", "stop"]},
                    **{name: {"type": "string"} for name in ("command", "path", "content", "old", "new", "say")},
                },
            },
        },
    },
}


@dataclass(slots=True)
class ModelAgent:
    """One backend, and the conditions under which it works."""

    chat: Conversation
    conditions: Sequence[str]
    document: str
    lock: Lock

    def sessions(self, task: Task, place: Place, drafted: Drafted) -> Iterator[RealSession]:
        """Work at each occasion under each condition."""
        with place.saved() as saved:
            for at in range(len(task.occasions)):
                for condition in self.conditions:
                    yield self._session(task, at, condition, saved.restore(), drafted)
            saved.restore()

    def _session(self, task: Task, at: int, condition: str, place: Place, drafted: Drafted) -> RealSession:
        prompt, judged = task.occasions[at].prompt, condition in JUDGED
        player = Player(place, drafted.slugs, f"{task.id}-{at}", prompt, hooked=judged)
        if not judged:
            drop_git_hooks(place)
        told = self._told(condition, player)
        done: list[Act] = []
        pending: list[Act] = []  # what was done since the last commit that passed
        refused: list[PlayedAct] = []
        count, tokens = 0, 0
        for _ in range(ROUNDS):
            answer = self._ask(task, prompt, told, [one.said for one in refused], place)
            tokens += answer.sent + answer.received
            acts = _acts(answer.data)
            played = [player.play(act, last=False) for act in acts]
            pending += [act for act, one in zip(acts, played, strict=True) if not (one.where or one.impossible)]
            ended = player.commit_work() if judged else PlayedAct()
            if not ended.where:
                done, pending = done + pending, []
            elif all(one.where != ended.where for one in played):  # else its own commit was refused before
                played.append(ended)
            refused = [one for one in played if one.where] if judged else []
            count += len(refused)
            if not refused:
                break
        return RealSession(at=at, condition=condition, acts=tuple(done), refused=count, tokens=tokens)

    def _told(self, condition: str, player: Player) -> str:
        if condition in (NONE, DOCUMENT):
            return self.document if condition == DOCUMENT else ""
        asking = Player(player.place, player.slugs, f"{player.name}-told", player.prompt)
        start = asking.session.fire("SessionStart", source="startup").told
        at_prompt = asking.session.fire("UserPromptSubmit", prompt=player.prompt).told
        step = player.lists_step() if condition == STEPS else ""
        return "\n".join(filter(None, (start, at_prompt, step)))

    def _ask(self, task: Task, request: str, told: str, refused: Sequence[str], place: Place) -> ModelAnswer:
        blocks = [DataBlock(name="request", text=request), *([DataBlock(name="told", text=told)] if told else [])]
        blocks += [DataBlock(name=f"refused {number}", text=text) for number, text in enumerate(refused, 1)]
        for path in sorted({"README.md", *task.setup}):
            file = place.top / path
            if file.is_file():
                text = file.read_text("utf-8", "replace")[:MOST_CHARACTERS]
                blocks.append(DataBlock(name=path, text=text, named=True))
        prompt = Prompt(
            step="act", version=VERSION, instructions=render("ask/act.md.j2", {}), data=tuple(blocks),
            schema=SCHEMA,
        )  # fmt: skip
        with self.lock:  # one conversation keeps the budget of all
            reply: ModelReply = self.chat.ask([prompt])[0]
        if isinstance(reply, ModelAnswer):
            return reply
        why = getattr(reply, "line", "") or "the answer waits in a file, and an evaluation cannot wait"
        raise RulecError(why, where="--agent")


def _acts(data: Mapping[str, Any]) -> list[Act]:
    """The actions of an answer in the form of task files; those without what they need are left out."""
    found = []
    for one in data.get("actions", ()):
        kind = one["kind"]
        parts = {
            "command": {"command": one.get("command")},
            "write": {"write": {"path": one.get("path"), "content": one.get("content")}},
            "edit": {"edit": {"path": one.get("path"), "old": one.get("old"), "new": one.get("new")}},
            "stop": {"stop": one.get("say", "")},
        }
        try:
            found.append(checked_act(parts[kind], "action", "the answer", within=kind == "stop"))
        except RulecError:
            continue
    return found


def model_agent(name: str, conditions: Sequence[str], document: str, say: Callable[[str], None]) -> ModelAgent:
    """The agent behind a backend; RulecError where it cannot be asked."""
    models = model_settings.choose_models(None, Rulebook(), name)
    chat = Conversation(None, models, render, say, no_progress)
    if lacks := chat.lacks():
        raise RulecError(lacks, where=f"--agent {name}", hint="or play kept sessions: recorded:FOLDER")
    return ModelAgent(chat, conditions, document, Lock())
