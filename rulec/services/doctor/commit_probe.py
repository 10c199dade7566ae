"""Fires a commit made of a rule's own examples at the commit gate."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.domain.artifact import slug_of_artifact
from rulec.domain.rule import Example, Rule
from rulec.errors import RulecError
from rulec.gates.findings.verdicts import commit_checks, facts_by_slug
from rulec.infra import scratch_repositories
from rulec.infra.git import git_session
from rulec.infra.rulebooks import rulebook_files
from rulec.rulebook.rulebook import Rulebook
from rulec.services.doctor.sign import Sign


@dataclass(frozen=True, slots=True)
class ProbeCommit:
    """A rule, and what its examples say of it."""

    slug: str
    bad: Mapping[str, str]
    good: Mapping[str, str]


def commit_signs(top: Path, book: Rulebook, argv: Sequence[str]) -> Iterator[Sign]:
    """Whether the first is refused and the second is not."""
    try:
        shot = _probe_commit(top, book)
    except RulecError as error:
        yield Sign(f"the commit gate cannot judge: {error.where} {error.message}", error.hint)
        return
    if shot is None:
        yield Sign("no rule blocks a commit by a file yet: nothing was fired at the commit gate")
        return
    with scratch_repositories.rulebook_repository(top) as folder:
        yield _fired(folder, argv, shot, good=False)
        yield _fired(folder, argv, shot, good=True)


def _fired(folder: Path, argv: Sequence[str], shot: ProbeCommit, *, good: bool) -> Sign:
    files = shot.good if good else shot.bad
    scratch_repositories.stage_only(folder, files)
    done, spent = scratch_repositories.run_gate(argv, folder)
    refused = f"refused by {shot.slug}" in done.text and done.code == 1
    broken = done.code not in (0, 1)
    wrong = broken or refused == good
    names = ", ".join(files)
    what = f"git: a commit of {names!r} {'passes' if good else 'is refused'} {shot.slug} ({spent:.0f} ms)"
    cure = f"it {'was broken' if broken else 'was refused' if good else 'was not'}: {done.said}; run rulec compile"
    return Sign(what, cure if wrong else "", "compile" if wrong else "")


def _probe_commit(top: Path, book: Rulebook) -> ProbeCommit | None:
    head = git_session.head_commit(top)
    artifacts = (
        commit_checks(rulebook_files.compiled_checks(rulebook_files.compiled_at_commit(top, head))) if head else []
    )
    facts = facts_by_slug(artifacts)
    # scripts first: they answer ten times sooner than Semgrep
    slugs = [slug_of_artifact(a.path) for a in sorted(artifacts, key=lambda a: "/semgrep/" in a.path)]
    for slug in dict.fromkeys(slugs):
        rule, fact = book.rule(slug), facts[slug]
        if rule and fact.enforcement == "block" and "local" in (fact.scope.environments or ("local",)):
            shot = _of_rule(rule)
            if shot:
                return shot
    return None


def _of_rule(rule: Rule) -> ProbeCommit | None:
    bad, good = (next(filter(None, map(_files, examples)), {}) for examples in (rule.invalid, rule.valid))
    return ProbeCommit(rule.slug, bad, good) if bad and good else None


def _files(example: Example) -> Mapping[str, str]:
    """The files of an example that a commit could hold."""
    files = {example.path: example.text} if example.kind == "file" else dict(example.files)
    if example.gone or example.moved:
        return {}  # what it brings alone would not show it
    plain = all(path and ".." not in path.split("/") and not path.startswith(("/", ".git/")) for path in files)
    return files if plain else {}
