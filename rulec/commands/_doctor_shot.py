"""A commit that a rule's own examples make bad, and one that they make good, at the commit gate."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.commands._sign import Sign
from rulec.commands._verdicts import at_commit, facts_of
from rulec.errors import RulecError
from rulec.host import git, probe, worktree
from rulec.model.artifact import compiled_from
from rulec.model.rule import Example, Rule
from rulec.model.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Shot:
    """A rule, and what its examples say of it."""

    slug: str
    bad: Mapping[str, str]
    good: Mapping[str, str]


def signs(top: Path, book: Rulebook, argv: Sequence[str]) -> Iterator[Sign]:
    """Whether the first is refused and the second is not."""
    try:
        shot = _shot(top, book)
    except RulecError as error:
        yield Sign(f"the commit gate cannot judge: {error.where} {error.message}", error.hint)
        return
    if shot is None:
        yield Sign("no rule blocks a commit by a file yet: nothing was fired at the commit gate")
        return
    with probe.repository(top) as folder:
        yield _fired(folder, argv, shot, good=False)
        yield _fired(folder, argv, shot, good=True)


def _fired(folder: Path, argv: Sequence[str], shot: Shot, *, good: bool) -> Sign:
    files = shot.good if good else shot.bad
    probe.stage(folder, files)
    done, spent = probe.fire(argv, folder)
    refused = f"refused by {shot.slug}" in done.text and done.code == 1
    broken = done.code not in (0, 1)
    wrong = broken or refused == good
    names = ", ".join(files)
    what = f"git: a commit of {names!r} {'passes' if good else 'is refused'} {shot.slug} ({spent:.0f} ms)"
    cure = f"it {'was broken' if broken else 'was refused' if good else 'was not'}: {done.said}; run rulec compile"
    return Sign(what, cure if wrong else "", "compile" if wrong else "")


def _shot(top: Path, book: Rulebook) -> Shot | None:
    head = git.head(top)
    artifacts = at_commit(worktree.compiled(worktree.compiled_at(top, head))) if head else []
    facts = facts_of(artifacts)
    # scripts first: they answer ten times sooner than Semgrep
    slugs = [compiled_from(a.path) for a in sorted(artifacts, key=lambda a: "/semgrep/" in a.path)]
    for slug in dict.fromkeys(slugs):
        rule, fact = book.rule(slug), facts[slug]
        if rule and fact.enforcement == "block" and "local" in (fact.scope.environments or ("local",)):
            shot = _of_rule(rule)
            if shot:
                return shot
    return None


def _of_rule(rule: Rule) -> Shot | None:
    bad, good = (next(filter(None, map(_files, examples)), {}) for examples in (rule.invalid, rule.valid))
    return Shot(rule.slug, bad, good) if bad and good else None


def _files(example: Example) -> Mapping[str, str]:
    """The files of an example that a commit could hold."""
    files = {example.path: example.text} if example.kind == "file" else dict(example.files)
    if example.gone or example.moved:
        return {}  # what it brings alone would not show it
    plain = all(path and ".." not in path.split("/") and not path.startswith(("/", ".git/")) for path in files)
    return files if plain else {}
