"""Rulebook -> every file that rulec owns or has a part in."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from rulec import registry, suppressionfile
from rulec.commands import _protected
from rulec.emitters import _conflict
from rulec.errors import RulecError
from rulec.host import runtime_files, templates, worktree
from rulec.model.artifact import COMPILED, LAUNCHER, Artifact
from rulec.model.plan import Plan, Step
from rulec.model.rule import Check, Rule
from rulec.model.rulebook import Rulebook
from rulec.ports import Emitter
from rulec.stages import judge
from rulec.stages.assemble import assemble
from rulec.stages.plan import plan
from rulec.stages.say import say

Present = Callable[[Iterable[str]], Mapping[str, str]]  # paths -> the texts of those that exist
IGNORE = f"{worktree.RULES}/.gitignore"


def library(top: Path) -> templates.Library:
    """The team's templates before ours."""
    folder = top / worktree.RULES / "templates"
    return _library(folder, tuple(sorted((str(path), path.stat().st_mtime_ns) for path in folder.rglob("*.j2"))))


@lru_cache(maxsize=2)  # a verb that writes many rules compiles each template once
def _library(folder: Path, _: tuple[tuple[str, int], ...]) -> templates.Library:
    return templates.library(folder)


def checks(book: Rulebook, top: Path) -> list[Artifact]:
    """The compiled checks of every rule; RulecError that names rule and template where one cannot be built."""
    return list(_assembled(plan(book), library(top)))


def of_rule(book: Rulebook, rule: Rule, top: Path) -> list[Artifact]:
    """The compiled checks of one rule as the rulebook's evidence bears it."""
    alone = Rulebook(rules=(rule,), evidence=book.evidence, config=book.config)
    return checks(alone, top)


def _assembled(wanted: Plan, shelf: templates.Library) -> Iterator[Artifact]:
    def body(step: Step) -> str:
        where = step.place
        check = Check(kind=step.kind, template=step.template, parameters=step.parameters)
        context = shelf.parameters(check, where) | {"kind": step.kind, "slug": step.facts.slug}
        try:
            return shelf.render(f"checks/{step.template}.j2", context)
        except RulecError as error:
            raise RulecError(error.message, where=error.where or where, hint=error.hint) from None

    return assemble(wanted, body, registry.checkers(), judge.VERSION)


def emitters(book: Rulebook) -> list[Emitter]:
    """The emitters that the team's settings name."""
    known = registry.emitters()
    for name in book.config.emitters:
        if name not in known:
            raise RulecError(f"no emitter {name!r}", where=worktree.CONFIG, hint=f"known are {', '.join(known)}")
    return [known[name] for name in book.config.emitters]


def generated(top: Path, book: Rulebook) -> list[Artifact]:
    """Everything that rulec owns alone: compiled checks and words, the runtime, the launcher."""
    return [*checks(book, top), *words(book), *shared(top, book)]


def shared(top: Path, book: Rulebook) -> list[Artifact]:
    """What of it is of no rule: the runtime, the launcher, and what the settings and suppressions compile to."""
    launcher = Artifact(path=LAUNCHER, text=library(top).render("emit/rulec.sh.j2", {}), executable=True)
    own = [*runtime_files.artifacts(), launcher, Artifact(path=IGNORE, text=".cache/\n__pycache__/\n")]
    told = [*_protected.guard(book), *suppressionfile.compiled(book.suppressions), *_at_stop(book)]
    return [*told, *own]


def _at_stop(book: Rulebook) -> list[Artifact]:
    """What tells the runtime that judges are asked at the end of a turn, where there are any and the team says so."""
    judged = any(check.kind == "judge" for rule in book.rules for check in rule.checks)
    wanted = judged and "stop" in book.config.models.judges
    return [Artifact(path=f"{COMPILED}/judges.json", text='{"at": ["stop"]}\n')] if wanted else []


def words(book: Rulebook) -> list[Artifact]:
    """What agents are told of each rule that holds."""
    return [say(rule) for rule in plan(book).rules]


def emitted(book: Rulebook, top: Path, present: Present) -> list[Artifact]:
    """The files of other tools with our part in them."""
    wanted, shelf = plan(book), library(top)
    return [
        file
        for emitter in emitters(book)
        for file in emitter.emit(wanted, shelf.render, _unconflicted(emitter, present(emitter.files)))
    ]


def _unconflicted(emitter: Emitter, texts: Mapping[str, str]) -> dict[str, str]:
    """The texts without the conflicts that lie in our own part of them; RulecError at one of people's own lines."""
    return {
        path: _conflict.settled(text, path, lambda side, path=path: emitter.remove(path, side))  # type: ignore[misc]  # mypy knows no lambda with a default
        for path, text in texts.items()
    }


def stale(wanted: list[Artifact], there: Mapping[str, str], present: Present) -> list[Artifact]:
    """What has to be written or removed so that compiled files are as wanted."""
    names = {artifact.path for artifact in wanted}
    gone = [Artifact(path=path, text=None) for path in there if path not in names]
    texts = {**present([artifact.path for artifact in wanted if artifact.path not in there]), **there}
    return [artifact for artifact in wanted if not same(texts.get(artifact.path), artifact.text)] + gone


def same(here: str | None, wanted: str | None) -> bool:
    """Whether two texts differ in nothing but line ends, which git may have changed (core.autocrlf)."""
    return here == wanted or (here is not None and wanted is not None and here.replace("\r\n", "\n") == wanted)
