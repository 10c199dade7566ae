"""Rulebooks of other teams below the team's: vendored files, checked against their lock, as rules of a lower layer."""

from collections.abc import Mapping
from dataclasses import replace

from rulec.domain.evidence import Evidence
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.infra.rulebooks import rule_reading
from rulec.rulebook import config, evidence_file, rule_file
from rulec.rulebook.rulebook import Rulebook


def require_locked(files: Mapping[str, str]) -> None:
    """RulecError where a vendored rulebook differs from its lock."""
    for name in tampered_extensions(files):
        hint = f"git checkout {extension_folder(name)} or rulec extend --update {name} brings it back"
        raise RulecError("differs from its lock", where=extension_folder(name), hint=hint)


EXTENSIONS_FOLDER = ".rules/extends"
LOCK_NAME = "lock.yaml"
# What was proved elsewhere is proved again here, and how often gates of other people fired is theirs to know.
_THEIRS = ("proved", "fired", "fixed", "excepted")
_RULE, _ARCHIVE, _EVIDENCE = 1, 2, 3  # parts of a path below the folder of its rulebook


def extension_folder(name: str) -> str:
    """The folder of a vendored rulebook."""
    return f"{EXTENSIONS_FOLDER}/{rule_file.checked_slug(name)}"


def extension_lock_path(name: str) -> str:
    """The path of its lock."""
    return f"{extension_folder(name)}/{LOCK_NAME}"


def extension_of(path: str) -> str:
    """The name of the vendored rulebook that a path belongs to, "" for the team's."""
    return path.split("/")[2] if path.startswith(f"{EXTENSIONS_FOLDER}/") and path.count("/") > 2 else ""


def files_of_extension(files: Mapping[str, str], name: str) -> dict[str, str]:
    """The files of one vendored rulebook by their paths in its folder, without the lock."""
    start = f"{extension_folder(name)}/"
    found = {path.removeprefix(start): text for path, text in files.items() if path.startswith(start)}
    return {path: text for path, text in found.items() if path != LOCK_NAME}


def extension_lock(files: Mapping[str, str], name: str) -> config.RulebookLock | None:
    """The lock of a vendored rulebook, None where it was never vendored."""
    path = extension_lock_path(name)
    return config.parse_lock(files[path], source=path) if path in files else None


def tampered_extensions(files: Mapping[str, str]) -> list[str]:
    """The vendored rulebooks that differ from their lock, lack one, or are not in the settings."""
    names = dict.fromkeys(extension_of(path) for path in sorted(files))
    locks = {name: extension_lock(files, name) for name in names if name}
    return [
        name
        for name, lock in locks.items()
        if not lock or lock.tree != config.files_digest(files_of_extension(files, name))
    ]


def with_extensions(own: Rulebook, files: Mapping[str, str]) -> Rulebook:
    """The team's rules and those of its extensions: for one slug the team's rule wins, then the first extension's."""
    rules = {rule.slug: rule for rule in own.rules}
    evidence = dict(own.evidence)
    heirs = dict(own.heirs)
    overruled: list[str] = []
    for extension in own.config.extends:
        theirs = read_extension(extension.name, files_of_extension(files, extension.name))
        heirs = {name: heir for name, heir in theirs.heirs.items() if name not in own.archived} | heirs
        for rule in theirs.rules:
            winner = rules.get(rule.slug)
            if winner is None and rule.slug not in own.archived:
                rules[rule.slug] = rule
            else:
                overruled.append(_overruled_line(rule, winner))
            if rules.get(rule.slug) is rule or (winner and winner.origin and winner.origin == rule.origin):
                # Also of a copy that the team went on with: the words that it began with still speak for it.
                evidence[rule.slug] = _join_rulebooks(own.observed(rule.slug), theirs.observed(rule.slug))
    return replace(
        own,
        rules=tuple(sorted(rules.values(), key=lambda rule: rule.slug)),
        heirs=heirs,
        evidence=dict(sorted(evidence.items())),
        overruled=tuple(overruled),
    )


def _overruled_line(rule: Rule, winner: Rule | None) -> str:
    where = f"{rule.slug} of {rule.layer}"
    if winner is None:
        return f"{where} is not in force: the team archived its own {rule.slug}"
    whose = "the team has its own" if winner.layer == "team" else f"{winner.layer}, listed first, has one of that name"
    return f"{where} is not in force: {whose}"


def _join_rulebooks(ours: tuple[Evidence, ...], theirs: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    return tuple({evidence_file.evidence_id(item): item for item in (*ours, *theirs)}.values())


def read_extension(name: str, files: Mapping[str, str]) -> Rulebook:
    """The rules and evidence of one vendored rulebook; RulecError with the path of a file that is wrong."""
    rules: list[Rule] = []
    evidence: dict[str, list[Evidence]] = {}
    archived: dict[str, tuple[str, str]] = {}
    for path, text in sorted(files.items()):
        source, parts = f"{extension_folder(name)}/{path}", path.split("/")
        if len(parts) == _RULE:
            rule = rule_reading.read_rule(text, source=source)
            if path != f"{rule.slug}.yaml":
                raise RulecError(f"holds the rule {rule.slug}", where=source, hint=_cure(name))
            rules.append(replace(rule, layer=f"extends {name}"))
        elif len(parts) == _ARCHIVE and parts[0] == "archive":
            archived[parts[1].removesuffix(".yaml")] = (source, text)
        elif len(parts) == _EVIDENCE:
            item = evidence_file.parse_evidence(text, source=source)
            if item.slug != parts[1]:
                raise RulecError(f"is evidence for {item.slug}", where=source, hint=_cure(name))
            if item.kind not in _THEIRS:
                evidence.setdefault(item.slug, []).append(item)
    return Rulebook(
        rules=tuple(rules),
        heirs=rule_reading.read_heirs(rules, archived),
        evidence={slug: tuple(items) for slug, items in evidence.items()},
    )


def _cure(name: str) -> str:
    return f"run rulec extend --update {name}"


def is_rulebook_file(path: str) -> bool:
    """Whether a file below .rules is part of the rulebook."""
    parts = path.split("/")
    depth = {"archive": 3, "exceptions": 3, "evidence": 4}.get(parts[1], 2)
    return path.endswith(".yaml") and (len(parts) == depth or bool(extension_of(path)))
