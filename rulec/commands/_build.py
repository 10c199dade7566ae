"""Rulebook -> every file that rulec owns or has a part in."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from rulec import registry
from rulec.errors import RulecError
from rulec.host import runtime_files, templates, worktree
from rulec.model.artifact import COMPILED, Artifact
from rulec.model.plan import Plan, Step
from rulec.model.rule import Check, Rule
from rulec.model.rulebook import Rulebook
from rulec.ports import Emitter
from rulec.stages.assemble import assemble
from rulec.stages.plan import plan

Present = Callable[[Iterable[str]], Mapping[str, str]]  # paths -> the texts of those that exist
IGNORE = f"{worktree.RULES}/.gitignore"


def library(top: Path) -> templates.Library:
    """The team's templates before ours."""
    return templates.library(top / worktree.RULES / "templates")


def checks(book: Rulebook, top: Path) -> list[Artifact]:
    """The compiled checks of every rule; RulecError that names rule and template where one cannot be built."""
    return list(_assembled(plan(book), library(top)))


def of_rule(book: Rulebook, rule: Rule, top: Path) -> list[Artifact]:
    """The compiled checks of one rule as the rulebook's evidence bears it."""
    alone = Rulebook(rules=(rule,), evidence={rule.slug: book.observed(rule.slug)}, config=book.config)
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

    return assemble(wanted, body, registry.checkers())


def emitters(book: Rulebook) -> list[Emitter]:
    """The emitters that the team's settings name."""
    known = registry.emitters()
    for name in book.config.emitters:
        if name not in known:
            raise RulecError(f"no emitter {name!r}", where=worktree.CONFIG, hint=f"known are {', '.join(known)}")
    return [known[name] for name in book.config.emitters]


def generated(top: Path, built: list[Artifact]) -> list[Artifact]:
    """Everything that rulec owns alone: compiled checks, the runtime, the launcher."""
    launcher = Artifact(
        path=f"{COMPILED}/runtime/rulec.sh", text=library(top).render("emit/rulec.sh.j2", {}), executable=True
    )
    return [*built, *runtime_files.artifacts(), launcher, Artifact(path=IGNORE, text=".cache/\n")]


def emitted(book: Rulebook, top: Path, present: Present) -> list[Artifact]:
    """The files of other tools with our part in them."""
    wanted, shelf = plan(book), library(top)
    return [file for emitter in emitters(book) for file in emitter.emit(wanted, shelf.render, present(emitter.files))]


def stale(wanted: list[Artifact], there: Mapping[str, str], present: Present) -> list[Artifact]:
    """What has to be written or removed so that compiled files are as wanted."""
    names = {artifact.path for artifact in wanted}
    gone = [Artifact(path=path, text=None) for path in there if path not in names]
    texts = {**present([artifact.path for artifact in wanted if artifact.path not in there]), **there}
    return [artifact for artifact in wanted if not same(texts.get(artifact.path), artifact.text)] + gone


def same(here: str | None, wanted: str | None) -> bool:
    """Whether two texts differ in nothing but line ends, which git may have changed (core.autocrlf)."""
    return here == wanted or (here is not None and wanted is not None and here.replace("\r\n", "\n") == wanted)
