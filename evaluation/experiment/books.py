"""The rulebooks of an evaluation: a task's own, made from its first session, and all of them in one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evaluation.experiment.first_sessions import TRANSCRIPT, write_first_session
from evaluation.experiment.places import RULEC, SET_UP, Place
from evaluation.experiment.tasks import Task
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra.rulebooks import rulebook_files
from rulec.rulebook import evidence_file, file_paths, rule_file
from rulec.rulebook.rulebook import Rulebook

FORMS = (".json", ".yaml", ".yml")
_SHOWN = 160  # characters of why a rule was not taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """What a task's first session became."""

    slugs: tuple[str, ...] = ()
    checked: tuple[str, ...] = ()  # those of them that a machine checks
    refused: tuple[str, ...] = ()  # why a drafted rule was not taken
    texts: Mapping[str, str] = field(default_factory=dict)  # of the rules and their evidence, by path


def answers_for(task: Task, folder: Path) -> list[Path]:
    """The rule files that a reader wrote for a task: ID.json, and ID.ANYTHING.json for more than one."""
    named = (path for path in folder.iterdir() if path.suffix in FORMS and path.is_file())
    own = (path for path in named if path.name.startswith(f"{task.id}."))
    return sorted(own, key=lambda path: (path.stem != task.id, path.name))


def require_answers(tasks: Sequence[Task], folder: Path) -> None:
    """Refuse a folder without any rule for these tasks."""
    if not folder.is_dir():
        raise RulecError("no such folder", where=str(folder), hint="name the folder with one rule file a task")
    if not any(answers_for(task, folder) for task in tasks):
        raise RulecError("holds no rule for any task", where=str(folder), hint="name its files after tasks: ID.json")


def draft_rules(task: Task, place: Place, answers: Path | None) -> Drafted:
    """Make the rules of a task's first session in its repository: a reader's answers, or what rulec finds offline."""
    refused = []
    if answers is None:
        transcript = write_first_session(task, place.top, place.home / TRANSCRIPT)
        place.must(*RULEC, "ingest", str(transcript), "--yes", "--enforcement", "block")
    for path in answers_for(task, answers) if answers else ():
        done = place.rulec("add", "--rule", str(path.resolve()), "--yes", "--enforcement", "block")
        if done.code or "written:" not in done.text:
            why = done.said if done.code else next((line for line in done.text.splitlines() if "->" in line), "waits")
            refused.append(f"{path.name}: {_short(why)}")
    place.commit_all(SET_UP)
    book = rulebook_files.load_rulebook(place.top, anew=True)
    return Drafted(
        slugs=tuple(rule.slug for rule in book.rules),
        checked=tuple(rule.slug for rule in book.rules if rule.checks),
        refused=tuple(refused),
        texts=_texts(book),
    )


def _short(text: str) -> str:
    line = to_one_line(redact(text)).removeprefix("rulec: ")
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


def _texts(book: Rulebook) -> dict[str, str]:
    found = {}
    for rule in book.rules:
        found[f"{file_paths.RULES}/{rule.slug}.yaml"] = rule_file.dump_rule(rule)
        for one in book.observed(rule.slug):
            name = evidence_file.evidence_id(one)
            found[f"{file_paths.RULES}/evidence/{rule.slug}/{name}.yaml"] = evidence_file.dump_evidence(one)
    return found


def put_rules(place: Place, texts: Mapping[str, str]) -> None:
    """Put rules with their evidence into a rulebook."""
    place.write(texts)
    place.must(*RULEC, "compile")
    place.commit_all(SET_UP)


def gather_rules(place: Place, drafted: Mapping[str, Drafted]) -> dict[str, tuple[str, ...]]:
    """Put the rules of all tasks into one rulebook; the slugs of each task there."""
    slugs: dict[str, tuple[str, ...]] = {}
    texts: dict[str, str] = {}
    times = Counter[str]()  # that a slug was wanted
    for task, one in drafted.items():
        own = rulebook_files.parse_rulebook(dict(one.texts))
        names = {rule.slug: _free_slug(rule.slug, times) for rule in own.rules}
        slugs[task] = tuple(names.values())
        rules = tuple(replace(rule, slug=names[rule.slug]) for rule in own.rules)
        evidence = {new: tuple(evidence_file.under_another_slug(own.observed(old), new)) for old, new in names.items()}
        texts |= _texts(Rulebook(rules=rules, evidence=evidence))
    put_rules(place, texts)
    return slugs


def _free_slug(slug: str, times: Counter[str]) -> str:
    """A name that no earlier rule has."""
    free = slug
    while times[free]:
        times[slug] += 1
        end = f"-{times[slug]}"
        free = slug[: rule_file.LONGEST - len(end)].rstrip("-") + end
    times[free] += 1
    return free
