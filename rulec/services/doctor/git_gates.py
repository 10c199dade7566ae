"""The git hooks: whether they are installed, what they do with a bad and a good commit, and unchecked commits."""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rulec.checkout.rules_layout import LAUNCHER
from rulec.compiling.launcher import git_hook
from rulec.domain.artifact import compiled_checks, slug_of_artifact
from rulec.domain.enforcement import refuses
from rulec.domain.rule import Example, Rule
from rulec.errors import RulecError
from rulec.gates import passed_changes
from rulec.gates.findings.verdicts import commit_checks, facts_by_slug
from rulec.infra import text_files
from rulec.infra.git import git_contents, git_session, hook_scripts
from rulec.infra.git.hook_scripts import HookFile
from rulec.infra.rulebooks import rulebook_files
from rulec.infra.scratch_repositories import ScratchRepository, scratch_repository
from rulec.integrations.targets import pre_commit
from rulec.integrations.targets.pre_commit import PATH
from rulec.reports.wording import count_of
from rulec.rulebook.rulebook import Rulebook
from rulec.services import gates_here, hook_trials
from rulec.services.doctor.diagnosis import Diagnosis
from rulec.services.gates_here import GatesHere

_ALIASES_SHOWN = 60  # characters of what a name stands for
# what leaves git's hooks out: the long flag however short it is written, the short one of a commit, another folder
_AROUND = re.compile(
    r"(?<!\S)--no-ver\w*|\bcommit\b(?:\s+[^\s;&|]+){0,9}?\s+-[aeiopqsv]{0,9}n[a-z]*(?!\S)|(?i:core\.hookspath=)"
)


def examine_aliases(top: Path) -> Iterator[Diagnosis]:
    """Git aliases that make commits without running the hooks, in any configuration."""
    told = git_session.run_git(top, "config", "--show-scope", "-z", "--get-regexp", r"^alias\.").text.split("\0")
    for scope, entry in zip(told[::2], told[1::2], strict=False):
        name, _, value = entry.partition("\n")
        if _AROUND.search(value):
            flag = f"--{scope} " if scope in ("global", "system", "worktree") else ""
            what = f"git {name.removeprefix('alias.')} bypasses the git hooks: {name} is {value[:_ALIASES_SHOWN]!r}"
            yield Diagnosis(what, f"git config {flag}--unset {name}")


_SHOWN = 5  # commits that are named
_THEIRS = frozenset(["pre_commit", "cfgv", "identify", "nodeenv", "virtualenv", "yaml", "platformdirs", "filelock"])
_ODD = re.compile("[\udc80-\udcff]")  # a byte of a name that is no UTF-8


def examine_git_gates(top: Path, book: Rulebook, here: GatesHere) -> Iterator[Diagnosis]:
    """Whether the commit gate works, what gets in its way, and whether it saw every commit of this clone."""
    commit = hook_scripts.read_hooks(top)[hook_scripts.COMMIT]
    if not here.hooks[hook_scripts.COMMIT].lacks:
        yield from examine_commit_gate(top, book, commit)
    yield from examine_own_hooks(top)
    yield from _shadows(top, commit)
    yield from _resting(top)
    yield from _odd_names(top, commit)
    yield from _line_ends(top)
    yield from examine_aliases(top)
    yield from _commits_past_the_gate(top)


def _own_hooks(top: Path) -> list[hook_scripts.HookFile]:
    return [hook for hook in hook_scripts.read_hooks(top).values() if hook.whose == "rulec"]


def examine_own_hooks(top: Path) -> Iterator[Diagnosis]:
    """Which of rulec's own git hooks are not as this rulec writes them."""
    for hook in _own_hooks(top):
        if hook_scripts.read_hook_text(hook) != git_hook(top, hook.name):
            yield Diagnosis(f"git hook {hook.name} was written by another version of rulec", gates_here.HOOK, "hook")


def _shadows(top: Path, hook: hook_scripts.HookFile) -> Iterator[Diagnosis]:
    """Modules of the repository that pre-commit would import instead of its own."""
    if hook.whose != "pre-commit":
        return
    names = _THEIRS | sys.stdlib_module_names
    paths = [*sorted(top.glob("*.py")), *(path.parent for path in sorted(top.glob("*/__init__.py")))]
    for path in paths:
        if path.stem in names:
            cure = "rename it, or let rulec hook install take pre-commit's place"
            yield Diagnosis(f"{path.name} shadows a module of pre-commit, so its hook may do nothing", cure)


def _resting(top: Path) -> Iterator[Diagnosis]:
    """Hooks of pre-commit that were disabled because they only ran rulec, and that now have others to run."""
    text = text_files.read_existing(top, [PATH]).get(PATH, "")
    for kept in (
        one.kept
        for one in _own_hooks(top)
        if one.kept.is_file() and hook_scripts.hook_owner(one.kept) in hook_scripts.FRAMEWORKS
    ):
        if not kept.stat().st_mode & 0o111 and pre_commit.has_other_hooks(text):
            yield Diagnosis(f"{PATH} has hooks that do not run: {kept.name} is disabled", f"chmod +x {kept}")


def _odd_names(top: Path, hook: hook_scripts.HookFile) -> Iterator[Diagnosis]:
    """File names that are not UTF-8, on which pre-commit fails."""
    odd = [path for path in git_contents.tracked_paths(top) if not path.isprintable() and _ODD.search(path)]
    if odd and hook.whose == "pre-commit":
        named = ", ".join(repr(os.fsencode(path))[1:] for path in odd[:_SHOWN])
        yield Diagnosis(
            f"pre-commit refuses commits of {named}: the name is not UTF-8",
            "rename it, or run rulec hook install --instead",
        )


def _line_ends(top: Path) -> Iterator[Diagnosis]:
    """Whether git will write the launcher with line ends that a shell cannot read, by what is staged or committed."""
    if git_session.git_config(top, "core.autocrlf") == "true":
        told = git_session.run_git(top, "check-attr", "--cached", "eol", "--", LAUNCHER).text
        if not told.rstrip().endswith(": lf"):
            cure = "commit .gitattributes first and alone, after rulec compile"
            yield Diagnosis(f"core.autocrlf gives {LAUNCHER} line ends that break each commit", cure)


def _commits_past_the_gate(top: Path) -> Iterator[Diagnosis]:
    """Commits of this clone that no gate has checked."""
    if git_session.head_commit(top) is None or not passed_changes.has_record(top):
        return
    made = passed_changes.local_commits(top)
    past = list(passed_changes.unseen_commits(top, made))
    if not past:
        told = "it was checked" if len(made) == 1 else "all were checked"
        yield Diagnosis(f"{count_of(len(made), 'commit')} since rulec was set up here" + f"; {told}" * bool(made))
        return
    named = [one[:10] for one in past[:_SHOWN]]
    more = f" and {len(past) - _SHOWN} more" * (len(past) > _SHOWN)
    first = f"{past[-1][:10]}~"
    cure = f"check them with rulec check --base {first}, or approve them with rulec approve {first}..HEAD"
    yield Diagnosis(f"{count_of(len(past), 'commit')} not checked by any gate: {', '.join(named)}{more}", cure)


@dataclass(frozen=True, slots=True)
class ProbeCommit:
    """A rule with files of its examples: bad ones that it must refuse, good ones that must pass."""

    slug: str
    bad: Mapping[str, str]
    good: Mapping[str, str]


def examine_commit_gate(top: Path, book: Rulebook, hook: HookFile) -> Iterator[Diagnosis]:
    """Whether the hook that git runs here refuses a bad commit and lets a good one pass."""
    try:
        shot = _probe_commit(top, book)
    except RulecError as error:
        yield Diagnosis(f"the commit gate cannot judge: {error.where} {error.message}", error.hint)
        return
    if shot is None:
        yield Diagnosis("no rule blocks a commit by a file yet: so the commit gate was not tested")
        return
    environment = hook_trials.hook_environment(top)
    with scratch_repository(top, holds="rulebook") as scratch:
        scratch.write(text_files.read_existing(top, [LAUNCHER]))
        if not hook_trials.is_as_written(top, hook):
            hook_trials.lay_beside(top, scratch)
        yield _fired(scratch, hook, environment, shot, good=False)
        yield _fired(scratch, hook, environment, shot, good=True)


def _fired(
    scratch: ScratchRepository, hook: HookFile, environment: Mapping[str, str], shot: ProbeCommit, *, good: bool
) -> Diagnosis:
    files = shot.good if good else shot.bad
    scratch.stage_only(files)
    done, spent = scratch.run_gate(hook_trials.hook_command(hook), environment=environment)
    refused = f"refused by {shot.slug}" in done.both and done.code != 0
    broken = done.code != 0 and not refused
    wrong = broken or refused == good
    names = ", ".join(files)
    what = f"git: a commit of {names!r} {'passes' if good else 'is refused'} {shot.slug} ({spent:.0f} ms)"
    cure = f"it {'was broken' if broken else 'was refused' if good else 'was not'}: {done.said}; run rulec compile"
    return Diagnosis(what, cure if wrong else "", "compile" if wrong else "")


def _probe_commit(top: Path, book: Rulebook) -> ProbeCommit | None:
    head = git_session.head_commit(top)
    artifacts = commit_checks(compiled_checks(rulebook_files.compiled_at_commit(top, head))) if head else []
    facts = facts_by_slug(artifacts)
    # scripts first: they answer ten times sooner than Semgrep
    slugs = [slug_of_artifact(a.path) for a in sorted(artifacts, key=lambda a: a.kind == "semgrep")]
    for slug in dict.fromkeys(slugs):
        rule, fact = book.rule(slug), facts[slug]
        if rule and refuses(fact.enforcement) and "local" in (fact.scope.environments or ("local",)):
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
