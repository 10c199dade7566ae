"""Every file that rulec generates in a repository or has a part in, and which of them are out of date."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from rulec import registry
from rulec.compiling import hook_sources, protected_paths
from rulec.compiling.artifacts import compile_all_words, compile_checks, template_library
from rulec.compiling.planning import make_plan
from rulec.domain.artifact import COMPILED_FOLDER, LAUNCHER, Artifact
from rulec.domain.plugs import Integration
from rulec.errors import RulecError
from rulec.integrations import conflict_markers
from rulec.rulebook import file_paths, suppression_file
from rulec.rulebook.rulebook import Rulebook

Present = Callable[[Iterable[str]], Mapping[str, str]]  # paths -> the texts of those that exist
IGNORE = f"{file_paths.RULES}/.gitignore"


def wanted_integrations(book: Rulebook) -> list[Integration]:
    """The emitters that the team's settings name."""
    known = registry.emitters()
    for name in book.config.emitters:
        if name not in known:
            raise RulecError(f"no emitter {name!r}", where=file_paths.CONFIG, hint=f"known are {', '.join(known)}")
    return [known[name] for name in book.config.emitters]


def generated_files(top: Path, book: Rulebook) -> list[Artifact]:
    """Everything that rulec owns alone: compiled checks and words, the runtime, the launcher."""
    return [*compile_checks(book, top), *compile_all_words(book), *shared_files(top, book)]


def shared_files(top: Path, book: Rulebook) -> list[Artifact]:
    """What of it is of no rule: the runtime, the launcher, and what the settings and suppressions compile to."""
    launcher = Artifact(path=LAUNCHER, text=template_library(top).render("emit/rulec.sh.j2", {}), executable=True)
    own = [*hook_sources.hook_artifacts(), launcher, Artifact(path=IGNORE, text=".cache/\n__pycache__/\n")]
    told = [
        *protected_paths.protected_paths_guard(book),
        *suppression_file.compile_suppressions(book.suppressions),
        *_judges_at_stop(book),
    ]
    return [*told, *own]


def _judges_at_stop(book: Rulebook) -> list[Artifact]:
    """What tells the runtime that judges are asked at the end of a turn, where there are any and the team says so."""
    judged = any(check.kind == "judge" for rule in book.rules for check in rule.checks)
    wanted = judged and "stop" in book.config.models.judges
    return [Artifact(path=f"{COMPILED_FOLDER}/judges.json", text='{"at": ["stop"]}\n')] if wanted else []


def integration_files(book: Rulebook, top: Path, present: Present) -> list[Artifact]:
    """The files of other tools with our part in them."""
    wanted, shelf = make_plan(book), template_library(top)
    return [
        file
        for emitter in wanted_integrations(book)
        for file in emitter.emit(wanted, shelf.render, _unconflicted(emitter, present(emitter.files)))
    ]


def _unconflicted(emitter: Integration, texts: Mapping[str, str]) -> dict[str, str]:
    """The texts without the conflicts that lie in our own part of them; RulecError at one of people's own lines."""
    return {
        path: conflict_markers.settle_conflicts(text, path, lambda side, path=path: emitter.remove(path, side))  # type: ignore[misc]  # mypy knows no lambda with a default
        for path, text in texts.items()
    }


def outdated_files(wanted: list[Artifact], there: Mapping[str, str], present: Present) -> list[Artifact]:
    """What has to be written or removed so that compiled files are as wanted."""
    names = {artifact.path for artifact in wanted}
    gone = [Artifact(path=path, text=None) for path in there if path not in names]
    texts = {**present([artifact.path for artifact in wanted if artifact.path not in there]), **there}
    return [artifact for artifact in wanted if not same_text(texts.get(artifact.path), artifact.text)] + gone


def same_text(here: str | None, wanted: str | None) -> bool:
    """Whether two texts differ in nothing but line ends, which git may have changed (core.autocrlf)."""
    return here == wanted or (here is not None and wanted is not None and here.replace("\r\n", "\n") == wanted)
