"""The rulebook on disk: rule files, evidence, settings and artifacts, as the work tree or a commit holds them."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from rulec import configfile, evidencefile, rulefile, suppressionfile
from rulec.errors import RulecError
from rulec.host import git, journal, layers, parsed, rulefiles
from rulec.model.artifact import COMPILED, Artifact
from rulec.model.evidence import Evidence
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook
from rulec.model.suppression import Suppression
from rulec.runtime import layout

RULES = ".rules"
CONFIG = f"{RULES}/config.yaml"
SHAPES = (  # of the files that make up a rulebook
    "*.yaml", "archive/*.yaml", "evidence/*/*.yaml", "suppressions/*.yaml", "extends/*/*.yaml",
    "extends/*/evidence/*/*.yaml",
)  # fmt: skip
_OVER = ("superseded_by:", "retired:")


def texts(top: Path) -> dict[str, str]:
    """Every YAML file of the rulebook by its path: rules, archive, evidence, settings."""
    folder = top / RULES
    paths = [path for shape in SHAPES for path in folder.glob(shape)]
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


def load(top: Path, *, anew: bool = False) -> Rulebook:
    """The rulebook of the work tree; RulecError with file:line where a file of it is wrong."""
    if not exists(top):
        raise RulecError("has no rulebook", where=str(top), hint="run rulec init")
    journal.mend(top)
    files = texts(top)
    with parsed.kept(top, 0 if anew else len(files)):
        return book(files, own=is_own(top))


def is_own(top: Path) -> bool:
    """Whether it is the person's own rulebook, among their settings."""
    return top.resolve() == Path(layout.settled()).resolve()


def book(files: Mapping[str, str], *, own: bool = True) -> Rulebook:
    """A rulebook from its files' texts; one that is not the person's ``own`` may not say where keys are sent."""
    rules: list[Rule] = []
    archived: set[str] = set()
    evidence: dict[str, list[Evidence]] = {}
    suppressions: list[Suppression] = []
    for path, content in files.items():
        parts = path.split("/")
        if path == CONFIG or layers.owner(path):
            continue
        if parts[1] == "archive":
            archived.add(rulefile.slug_of(parts[2].removesuffix(".yaml"), path))
            continue
        if parts[1] == "suppressions":
            suppressions.append(suppressionfile.loads(content, source=path))
        elif parts[1] == "evidence":
            item = _observed(path, content)
            evidence.setdefault(item.slug, []).append(item)
        else:
            rules.append(_rule(path, content))
    for rule in rules:
        if rule.slug in archived:
            hint = "remove one of the two; rulec log says which is the later"
            raise RulecError(f"is in force too, as {rule.source}", where=archive_path(rule.slug), hint=hint)
    flat = Rulebook(
        rules=tuple(sorted(rules, key=lambda rule: rule.slug)),
        archived=frozenset(archived),
        evidence={slug: tuple(items) for slug, items in sorted(evidence.items())},
        config=configfile.loads(files.get(CONFIG, ""), source=CONFIG, own=own),
        suppressions=tuple(sorted(suppressions, key=lambda one: one.source)),
    )
    return layers.stacked(flat, files)


@cache
def _observed(path: str, content: str) -> Evidence:
    item = parsed.read(path, content, evidencefile.loads)
    if item.slug != path.split("/")[2]:
        hint = f"move it to {RULES}/evidence/{item.slug}/"
        raise RulecError(f"is evidence for {item.slug}", where=path, hint=hint)
    return item


@cache  # one verb reads the rulebook of the work tree, of HEAD and of what becomes of each
def _rule(path: str, content: str) -> Rule:
    rule = parsed.read(path, content, rulefiles.loads)
    if path != rule_path(rule.slug):
        raise RulecError(f"holds the rule {rule.slug}", where=path, hint=f"name the file {rule.slug}.yaml")
    if over := rule.superseded_by or rule.retired:
        line = next((n for n, line in enumerate(content.splitlines(), 1) if line.startswith(_OVER)), 1)
        hint = f"move the file to {RULES}/archive/, or take that line out"
        raise RulecError(f"is not in force any more ({over[:80]})", where=f"{path}:{line}", hint=hint)
    return rule


def archive(files: Mapping[str, str]) -> dict[str, Rule]:
    """The rules that are no longer in force, by slug, as some files of the rulebook have them."""
    found = {}
    for path, content in files.items():
        if path.startswith(f"{RULES}/archive/"):
            rule = rulefiles.loads(content, source=path)
            if path != archive_path(rule.slug):
                raise RulecError(f"holds the rule {rule.slug}", where=path, hint=f"name the file {rule.slug}.yaml")
            found[rule.slug] = rule
    return found


def rule_path(slug: str) -> str:
    """Where a rule's file stands."""
    return f"{RULES}/{rulefile.slug_of(slug)}.yaml"


def archive_path(slug: str) -> str:
    """Where the file of a rule that is no longer in force stands."""
    return f"{RULES}/archive/{rulefile.slug_of(slug)}.yaml"


def evidence_path(item: Evidence) -> str:
    """Where an observation's file stands."""
    return f"{evidence_folder(item.slug)}/{evidencefile.identity(item)}.yaml"


def evidence_folder(slug: str) -> str:
    """Where the files of a rule's observations stand."""
    return f"{RULES}/evidence/{rulefile.slug_of(slug)}"


def compiled(files: Mapping[str, str]) -> list[Artifact]:
    """Compiled checks among some files, sorted by path; the runtime is not among them."""
    kinds = tuple(f"{COMPILED}/{kind}/" for kind in ("guard", "semgrep", "shell", "judge"))
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
