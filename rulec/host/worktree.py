"""The rulebook on disk: rule files, evidence, settings and artifacts, as the work tree or a commit holds them."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from rulec import configfile, evidencefile, rulefile
from rulec.errors import RulecError
from rulec.host import git
from rulec.model.artifact import COMPILED, Artifact
from rulec.model.evidence import Evidence
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook

RULES = ".rules"
CONFIG = f"{RULES}/config.yaml"


def texts(top: Path) -> dict[str, str]:
    """Every YAML file of the rulebook by its path: rules, archive, evidence, settings."""
    folder = top / RULES
    paths = [*folder.glob("*.yaml"), *folder.glob("archive/*.yaml"), *folder.glob("evidence/*/*.yaml")]
    for path in paths:
        if path.is_symlink() or not path.is_file():
            raise RulecError(
                "is no regular file", where=path.relative_to(top).as_posix(), hint="put the rule's text there"
            )
    return {path.relative_to(top).as_posix(): text(path) for path in sorted(paths)}


def text(path: Path) -> str:
    """A file's text; RulecError where it is no UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise RulecError("is not UTF-8", where=str(path), hint="save it as UTF-8") from None
    except OSError as error:
        raise RulecError(
            f"cannot be read: {error.strerror}", where=str(path), hint="see the path and its rights"
        ) from None


def exists(top: Path) -> bool:
    """Whether the repository has a rulebook."""
    return (top / CONFIG).is_file()


def load(top: Path) -> Rulebook:
    """The rulebook of the work tree; RulecError with file:line where a file of it is wrong."""
    if not exists(top):
        raise RulecError("has no rulebook", where=str(top), hint="run rulec init")
    return book(texts(top))


def book(files: Mapping[str, str]) -> Rulebook:
    """A rulebook from its files' texts."""
    rules: list[Rule] = []
    archived: set[str] = set()
    evidence: dict[str, list[Evidence]] = {}
    for path, content in files.items():
        parts = path.split("/")
        if path == CONFIG:
            continue
        if parts[1] == "archive":
            archived.add(parts[2].removesuffix(".yaml"))
            continue
        if parts[1] == "evidence":
            item = evidencefile.loads(content, source=path)
            if item.slug != parts[2]:
                raise RulecError(
                    f"is evidence for {item.slug}", where=path, hint=f"move it to {RULES}/evidence/{item.slug}/"
                )
            evidence.setdefault(item.slug, []).append(item)
        else:
            rules.append(_rule(path, content))
    return Rulebook(
        rules=tuple(sorted(rules, key=lambda rule: rule.slug)),
        archived=frozenset(archived),
        evidence={slug: tuple(items) for slug, items in sorted(evidence.items())},
        config=configfile.loads(files.get(CONFIG, ""), source=CONFIG),
    )


def _rule(path: str, content: str) -> Rule:
    rule = rulefile.loads(content, source=path)
    if path != rule_path(rule.slug):
        raise RulecError(f"holds the rule {rule.slug}", where=path, hint=f"name the file {rule.slug}.yaml")
    return rule


def rule_path(slug: str) -> str:
    """Where a rule's file stands."""
    return f"{RULES}/{rulefile.slug_of(slug)}.yaml"


def archive_path(slug: str) -> str:
    """Where the file of a rule that is no longer in force stands."""
    return f"{RULES}/archive/{rulefile.slug_of(slug)}.yaml"


def evidence_path(item: Evidence) -> str:
    """Where an observation's file stands."""
    return f"{RULES}/evidence/{rulefile.slug_of(item.slug)}/{evidencefile.identity(item)}.yaml"


def compiled(files: Mapping[str, str]) -> list[Artifact]:
    """Compiled checks among some files, sorted by path; the runtime is not among them."""
    kinds = tuple(f"{COMPILED}/{kind}/" for kind in ("guard", "semgrep", "shell"))
    return [Artifact(path=path, text=files[path]) for path in sorted(files) if path.startswith(kinds)]


def compiled_at_hand(top: Path) -> dict[str, str]:
    """Every compiled file in the work tree."""
    folder = top / COMPILED
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(top).as_posix(): text(path) for path in paths}


def compiled_at(top: Path, revision: str) -> dict[str, str]:
    """Every compiled file that a commit holds: what a change is judged by."""
    return git.files_at(top, revision, COMPILED)


def present(top: Path, paths: Iterable[str]) -> dict[str, str]:
    """The texts of those of some files that exist, their line ends and all."""
    found = {}
    for path in paths:
        if (top / path).is_file():
            try:
                found[path] = (top / path).read_bytes().decode("utf-8")
            except UnicodeDecodeError:
                raise RulecError("is not UTF-8", where=path, hint="save it as UTF-8") from None
    return found
