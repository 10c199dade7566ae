"""rulec plan enrich: a plan's text in any form comes back with the rules of its steps (ZORO, Enrich)."""

import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulec.checkout import personal_scope
from rulec.checks import template_library
from rulec.domain.outcome import Outcome, Progress, no_progress
from rulec.domain.prompt import AwaitedAnswer, ModelAnswer
from rulec.errors import RulecError
from rulec.infra import text_files
from rulec.infra.git import git_contents
from rulec.infra.rulebooks import rulebook_files
from rulec.llm.conversation import Conversation
from rulec.llm.model_settings import choose_models
from rulec.reminders import rule_text
from rulec.services.asking.doubtful_resolutions import close_conversation
from rulec.services.asking.exchange_run import dropped_line
from rulec.services.setup import snapshot
from rulec.services.steps.plan_questions import read_plan_answer, rules_asked_about, write_plan_prompt
from rulec.steps.forms.plan_text import read_plan, write_plan
from rulec.steps.rule_lines import rule_line, substep_line
from rulec.steps.step import Step
from rulec.steps.step_details import details_of
from rulec.steps.step_ids import steps_of_items
from rulec.steps.step_rules import Attached, StepRuleRanking, rules_by_step

LARGEST = 2_000_000  # bytes of a plan
OFFLINE = "rulec itself chose the rules, by paths, words and kinds of work"
_NAME_ONE = "name the file of a plan"
MOST_FILES = 5  # of the repository that one name in a step may mean

Echo = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrichRequest:
    """The plan's text, and who is asked about it."""

    text: str = ""
    name: str = ""  # of its file, which tells a form by its ending
    agent: str = ""  # who will carry the plan out; "" leaves out no rule
    backend: str = ""  # the model to ask; "" as the settings say
    progress: Progress = no_progress


@dataclass(frozen=True, slots=True)
class EnrichedPlan:
    """The text with the rules, its steps, what was attached, and who chose it."""

    text: str
    steps: Sequence[Step]
    attached: Attached
    reader: str = ""  # "" is rulec itself


def enrich_file(top: Path, path: Path, wanted: EnrichRequest, echo: Echo) -> Outcome:
    """Write the rules into a plan's file, in the form that it has."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise RulecError("is no file", where=str(path), hint=_NAME_ONE)
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise RulecError(f"cannot be read: {error.strerror}", where=str(path), hint=_NAME_ONE) from None
    found = enrich_plan(top, replace(wanted, text=decode_plan(data, str(path)), name=str(path)), echo)
    new = found.text.encode("utf-8")
    if new != data:
        text_files.write_atomically(path.resolve(), new, mode=stat.S_IMODE(mode))
    return Outcome(f"{path}: {_summary(found)}" + (", unchanged" if new == data else ""), data=_data(found))


def decode_plan(data: bytes, where: str) -> str:
    """The text of a plan, its line ends and its mark of UTF-8 kept; RulecError where it is none."""
    if len(data) > LARGEST:
        raise RulecError(f"is larger than {LARGEST:,} bytes", where=where, hint=_NAME_ONE)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise RulecError("is not UTF-8", where=where, hint="save the plan as UTF-8") from None


def enrich_plan(top: Path, wanted: EnrichRequest, echo: Echo) -> EnrichedPlan:
    """The plan with the rules of its steps, in the form in which it came; who chose them is told by ``echo``."""
    form, items = read_plan(wanted.text, wanted.name)
    steps = steps_of_items(items)
    if not steps:
        hint = "a list, headings that name work, or JSON that lists steps"
        raise RulecError("no step of a plan was found", where=wanted.name or "standard input", hint=hint)
    _resolve_names(top, steps)
    projects = personal_scope.repository_names(str(top))
    index = StepRuleRanking(_records(top), steps, agent=wanted.agent, projects=projects)
    said = details_of(wanted.text, items[: len(steps)])
    asked = None
    if index.rules:
        chat = _open_reader(top, wanted, echo)
        asked = _ask_reader(chat, index, steps, said, echo)
        close_conversation(top, chat, echo)
    attached, reader = asked or (rules_by_step(index, steps, said[1]), "")
    says = {rule["slug"]: rule for rule in index.rules}
    lines = {
        at: [*_lines(pairs, says), *(substep_line(slug, text) for slug, text in substeps)]
        for at, (pairs, substeps) in enumerate(zip(attached.by_step, attached.substeps, strict=True))
        if pairs
    }
    text = write_plan(wanted.text, form, lines, _lines(attached.always, says))
    return EnrichedPlan(text, steps, attached, reader)


def _records(top: Path) -> list[dict[str, Any]]:
    return snapshot.rule_records(top) if rulebook_files.has_rulebook(top) else []


def _lines(pairs: Sequence[tuple[str, str]], says: dict[str, dict[str, Any]]) -> list[str]:
    return [rule_line(slug, level, rule_text.clip(says[slug]["says"])) for slug, level in pairs]


def _resolve_names(top: Path, steps: Sequence[Step]) -> None:
    """Where a step names a file without its folder, and files of that name lie in folders, it means those."""
    bare = {path for step in steps for path in step.paths if "/" not in path}
    if not bare:
        return
    meant: dict[str, list[str]] = {}
    for path in git_contents.tracked_paths(top):
        name = path.rpartition("/")[2]
        if name in bare:
            meant.setdefault(name, []).append(path)
    for step in steps:
        step.paths = [one for path in step.paths for one in _files_meant(path, meant.get(path, []))]


def _files_meant(path: str, files: Sequence[str]) -> Sequence[str]:
    return [path] if path in files or not 0 < len(files) <= MOST_FILES else files


def _open_reader(top: Path, wanted: EnrichRequest, echo: Echo) -> Conversation:
    """The conversation with the configured model; RulecError where the named one cannot be asked."""
    models = choose_models(top, rulebook_files.load_rulebook(top), wanted.backend)
    chat = Conversation(top, models, template_library.open_library().render, echo, wanted.progress)
    if wanted.backend and (lacks := chat.lacks()):
        raise RulecError(f"{chat.who} cannot be asked: {lacks}")
    return chat


def _ask_reader(
    chat: Conversation, index: StepRuleRanking, steps: Sequence[Step], said: tuple[str, Sequence[str]], echo: Echo
) -> tuple[Attached, str] | None:
    """What a reader says, and who it is; None where none is configured or it gave no answer, which is told."""
    if chat.off:
        echo(f"{OFFLINE}: no model is configured (models.backend, or --backend NAME)")
        return None
    asked = rules_asked_about(index, steps)
    (answer,) = chat.ask([write_plan_prompt(index, asked, steps, chat.render, said)])
    if isinstance(answer, ModelAnswer):
        found = read_plan_answer(answer.data, index, asked, steps)
        if told := dropped_line(found.dropped):
            echo(told)
        return found.attached, chat.who
    if isinstance(answer, AwaitedAnswer):
        echo(f"{OFFLINE}; for a reader's choice answer {answer.place}, then run this again")
    else:
        echo(f"{OFFLINE}: {answer.line}")
    return None


def _summary(found: EnrichedPlan) -> str:
    pairs, above = sum(map(len, found.attached.by_step)), len(found.attached.always)
    at = sum(map(bool, found.attached.by_step))
    rules = "1 rule" if pairs == 1 else f"{pairs} rules"
    return f"{rules} at {at} of {len(found.steps)} steps, {above} above"


def _data(found: EnrichedPlan) -> dict[str, Any]:
    steps = [
        {
            "id": step.id,
            "text": step.text,
            "rules": [list(pair) for pair in pairs],
            "first": [text for _, text in first],
        }
        for step, pairs, first in zip(found.steps, found.attached.by_step, found.attached.substeps, strict=True)
    ]
    return {"always": [list(pair) for pair in found.attached.always], "steps": steps, "reader": found.reader}
