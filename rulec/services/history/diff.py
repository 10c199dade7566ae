"""rulec diff: how rules, their checks, the verdicts on their examples and what they find differ between two commits."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from rulec.checks.proving.example_changes import change_of
from rulec.domain.artifact import COMPILED_FOLDER, Artifact, compiled_checks, slug_of_artifact
from rulec.domain.change import Change
from rulec.domain.enforcement import MODES, in_words
from rulec.domain.finding import Finding
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Example, Rule
from rulec.domain.text.one_line import shorten
from rulec.errors import RulecError
from rulec.gates import trusted_checks
from rulec.gates.findings.check_runs import run_checks_each
from rulec.gates.findings.verdicts import commit_checks, facts_by_slug, verdicts_on, without_rulebook
from rulec.gates.weakening.gate_states import slug_of_path
from rulec.infra import clock
from rulec.infra.git import git_changes, git_contents, git_session
from rulec.infra.git.commit_changes import PastCommits
from rulec.infra.rulebooks import rule_reading, rulebook_files
from rulec.reports.rule_lines import check_line, check_words, example_line, exemption_words, scope_words
from rulec.reports.wording import as_many_as_fit, clip_line, code_span, count_of, path_of
from rulec.rulebook import file_paths
from rulec.rulebook.rule_diff import ComparedRule, RuleDifference, compare_rulebooks
from rulec.services.backtest import past_runs
from rulec.services.backtest.past_refusals import RuleBacktest, refuses_often

FIRST = 5  # findings that are named
_HALF = 0.5  # of the time, for the tree; the rest is for the commits
Compiled = Mapping[str, Sequence[Artifact]]  # slug -> its artifacts


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachLimits:
    """How many commits to look at, and for how many seconds."""

    commits: int = past_runs.COMMITS
    seconds: float = 120


@dataclass(slots=True, kw_only=True)
class RuleReach:
    """What one state of a rule finds in the tree and in the last commits."""

    findings: int = 0
    files: set[str] = field(default_factory=set)
    first: list[Finding] = field(default_factory=list)
    broken: str = ""
    past: RuleBacktest | None = None

    def add(self, finding: Finding) -> None:
        """Count one finding."""
        self.findings += 1
        self.files.add(finding.path)
        if len(self.first) < FIRST:
            self.first.append(finding)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachDiff:
    """What each rule with checks of files found before and finds after."""

    before: Mapping[str, RuleReach]
    after: Mapping[str, RuleReach]
    whole: bool  # False where time was up before the whole tree was looked at
    commits: int  # that there were to look at


def compare_reach(top: Path, revision: str, before: Compiled, after: Compiled, reach: ReachLimits) -> ReachDiff:
    """Run both states on the tree at a revision ("" for the work tree) and on the commits before it."""
    left = clock.countdown(reach.seconds)
    sides = [{slug: RuleReach() for slug in side if commit_checks(side[slug])} for side in (before, after)]
    acting = [
        commit_checks([a for slug in side for a in of[slug]], whole=False)
        for side, of in zip(sides, (before, after), strict=True)
    ]
    whole = True
    for files in git_changes.files_in_parts(top, revision) if any(acting) else ():
        if left() < _HALF * reach.seconds:
            whole = False
            break
        for side, artifacts in zip(sides, acting, strict=True):
            _of_tree(side, artifacts, without_rulebook(Change(files=files)))
    history = PastCommits(top, reach.commits, revision or "HEAD")
    for side, of in zip(reversed(sides), (after, before), strict=True):
        _of_past(side, of, history, left)
    return ReachDiff(before=sides[0], after=sides[1], whole=whole, commits=len(history.made))


def _of_tree(side: Mapping[str, RuleReach], artifacts: Sequence[Artifact], change: Change) -> None:
    """What one state of all rules says of some files; a rule whose check breaks on them says so."""
    if not artifacts:
        return
    try:
        verdicts = verdicts_on(artifacts, change)
    except RulecError as error:  # such as a path that no tool can be given: the rest of the tree is looked at
        for result in side.values():
            result.broken = result.broken or error.message
        return
    for verdict in verdicts:
        result = side[verdict.facts.slug]
        if verdict.finding and verdict.outcome != "old":
            result.add(verdict.finding)
        elif verdict.fault:
            result.broken = verdict.fault.what


def _of_past(side: Mapping[str, RuleReach], of: Compiled, history: PastCommits, left: Callable[[], float]) -> None:
    rules = [past_runs.BacktestedRule(slug=slug, artifacts=list(of[slug])) for slug in side]
    for slug, hindsight in zip(side, past_runs.backtest_commits(history, rules, left), strict=True):
        side[slug].past = hindsight


SHOWN = 10  # examples of one rule; the rest are counted
PLACES = 5  # of one rule, or commits
LARGEST = 60_000  # bytes of a page
_GONE = ("superseded", "retired", "removed")


def render_text(found: Sequence[RuleDifference], blast: ReachDiff | None) -> str:
    """Text for a terminal: a paragraph for each rule, then the counts."""
    lines = []
    for one in found:
        lines.append(f"{one.kind:10} {_difference_words(one)}")
        checks, examples = _check_lines(one, shorten), _example_lines(one, shorten)
        details = (*_said(one, shorten), *checks, *examples, *_reach(one, blast, clip_line))
        lines += [f"{'':10}   {each}" for each in details]
    return "\n".join([*lines, *_unseen(blast), _total(found)])


def render_page(found: Sequence[RuleDifference], blast: ReachDiff | None) -> str:
    """Markdown for a pull request; all text of others is escaped."""
    if not found:
        return "## rulec: no rule changed"
    rules = []
    for one in found:
        held = one.after or one.before
        statement = code_span(held.rule.statement) if held else ""
        checks, examples = _check_lines(one, code_span), _example_lines(one, code_span)
        details = (*_said(one, code_span), *checks, *_reach(one, blast, code_span), *examples)
        head = f"### {one.kind} {code_span(_difference_words(one, brief=True))}\n"
        rules.append("\n".join([head, f"{statement}\n", *(f"- {line}" for line in details), ""]))
    kept = as_many_as_fit(rules, LARGEST, "… and {} more rules\n")
    return "\n".join([f"## rulec: {_total(found)}\n", *kept, *_unseen(blast)]).rstrip("\n")


def encode_differences(found: Sequence[RuleDifference], blast: ReachDiff | None) -> list[dict[str, Any]]:
    """The differences as data."""
    return [_encode_difference(one) | ({"blast": _encode_reach(one, blast)} if blast else {}) for one in found]


def _total(found: Sequence[RuleDifference]) -> str:
    counted = Counter(one.kind for one in found)
    return ", ".join(f"{number} {kind}" for kind, number in counted.items()) or "no rule changed"


def _said(one: RuleDifference, shown: Any) -> Iterator[str]:
    """Whose words a rule comes from, where they are known."""
    held = one.after or one.before
    if held and held.quote and one.kind not in _GONE:
        yield f"said: {shown(held.quote)}" + f" ({shown(held.said)})" * bool(held.said)


def _check_lines(one: RuleDifference, shown: Any) -> Iterator[str]:
    """What checks of a new or changed rule see, where it applies, as far as that changed, and what no check sees."""
    was, now = (side.rule if side else None for side in (one.before, one.after))
    if now is None or one.kind in _GONE:
        return
    old = was or Rule(slug=now.slug, statement="")
    if not now.checks and (was is None or was.checks):
        yield "a reminder: nothing checks it"
    yield from (f"no longer checked by: {shown(check_words(check))}" for check in old.checks if check not in now.checks)
    yield from (f"checked by: {shown(check_words(check))}" for check in now.checks if check not in old.checks)
    if now.scope != old.scope:
        yield f"where: {shown(scope_words(now.scope))}" + f" (before: {shown(scope_words(old.scope))})" * bool(was)
    yield from (f"no longer except: {shown(exemption_words(e))}" for e in old.exceptions if e not in now.exceptions)
    yield from (f"except: {shown(exemption_words(e))}" for e in now.exceptions if e not in old.exceptions)
    yield from (f"not checked: {shown(text)}" for text in now.not_checked)
    gone = (text for text in old.not_checked if text not in now.not_checked)
    yield from (f"no longer listed as not checked: {shown(text)}" for text in gone)


def _example_lines(one: RuleDifference, shown: Any) -> Iterator[str]:
    for example, was, now in one.turned[:SHOWN]:
        yield f"{shown(example_line(example))}: {_decided(was)} -> {_decided(now)}"
    if len(one.turned) > SHOWN:
        yield f"and {len(one.turned) - SHOWN} more examples"


def _decided(outcome: str) -> str:
    return MODES[outcome].did if outcome in MODES else "passes"


def _reach(one: RuleDifference, blast: ReachDiff | None, shown: Any) -> Iterator[str]:
    """What the rule finds now and would have refused, and what it found before."""
    if blast is None:
        return
    was, now = blast.before.get(one.slug), blast.after.get(one.slug)
    result = was if one.kind in _GONE else now
    if result is None:
        checks = one.after.rule.checks if one.after else ()
        if any(check.kind == "judge" for check in checks):
            yield "a model judges it, so the past is not looked at"
        elif any(check.kind == "shell" for check in checks):
            yield "a script checks it, which is not run here"
        elif one.after and one.after.acts != "pass":
            yield "acts at agents' tool calls; for those, run rulec backtest --transcripts"
        return
    earlier = None if one.kind in _GONE else was
    yield f"{'it found' if one.kind in _GONE else 'now'}: {_now(result, earlier, shown)}"
    if result.past and result.past.looked_at:
        yield _past(result.past, earlier.past if earlier else None, shown)
    if result.broken:
        yield f"its check broke: {shown(result.broken)}"


def _now(result: RuleReach, earlier: RuleReach | None, shown: Any) -> str:
    text = f"{count_of(result.findings, 'finding')} in {count_of(len(result.files), 'file')}"
    if earlier:
        text += f" (before: {earlier.findings} in {len(earlier.files)})"
    places = [shown(f"{path_of(f.path)}:{f.line}" if f.line else path_of(f.path)) for f in result.first[:PLACES]]
    if not places:
        return text if earlier else "nothing in the tree"
    return f"{text}: {', '.join(places)}{', …' * (result.findings > len(places))}"


def _past(result: RuleBacktest, earlier: RuleBacktest | None, shown: Any) -> str:
    refused = result.refusals
    text = f"last {count_of(result.looked_at, 'commit')}: {len(refused)} would have been refused"
    if earlier and earlier.looked_at == result.looked_at:
        text += f" (before: {len(earlier.refusals)})"
    text += "; that is many: is the rule too broad?" * refuses_often(result)
    named = [shown(shorten(f"{refusal.past.id[:10]} {refusal.past.what}")) for refusal in refused[:PLACES]]
    return f"{text}: {', '.join(named)}{', …' * (len(refused) > len(named))}" if named else text


def _unseen(blast: ReachDiff | None) -> Iterator[str]:
    """What there was no time to look at."""
    results = [*blast.before.values(), *blast.after.values()] if blast else []
    behind = any(result.past and result.past.looked_at < blast.commits for result in results) if blast else False
    if blast and results and (behind or not blast.whole):
        what = "all files" if not blast.whole else "all commits"
        yield f"time was up before {what} were looked at: give --seconds"


def _difference_words(one: RuleDifference, *, brief: bool = False) -> str:
    was, now = one.before, one.after
    if was is None and now:
        takes = f", in place of {', '.join(now.rule.supersedes)}" * bool(now.rule.supersedes)
        said = "" if brief else f": {shorten(now.rule.statement)}"
        return f"{_named(now)} ({in_words(now.acts)}{takes}){said}"
    if was and (now is None or one.kind in ("superseded", "retired")):
        gone = now.rule if now else None
        how = f" by {gone.superseded_by}" if gone and gone.superseded_by else f": {gone.retired}" if gone else ""
        return f"{_named(was)}{how}"
    if was and now:
        acts = " -> ".join(dict.fromkeys((in_words(was.acts), in_words(now.acts))))
        parts = f": {', '.join(one.parts)}" * bool(one.parts)
        return f"{_named(was)} -> @{now.rule.revision} ({acts}){parts}"
    return one.slug


def _named(held: ComparedRule) -> str:
    return f"{held.rule.slug}@{held.rule.revision}"


def _encode_difference(one: RuleDifference) -> dict[str, Any]:
    ends = {"before": one.before, "after": one.after}
    states = {name: {"revision": h.rule.revision, "acts": h.acts} if h else None for name, h in ends.items()}
    turned = [{"example": example_line(e), "before": was, "after": now} for e, was, now in one.turned]
    left = list(one.after.rule.not_checked) if one.after else []
    checks = [check_line(check) for check in one.after.rule.checks] if one.after else []
    parts = {"parts": list(one.parts), "checks": checks, "not_checked": left}
    return {"slug": one.slug, "kind": one.kind, **states, **parts, "examples": turned}


def _encode_reach(one: RuleDifference, blast: ReachDiff) -> dict[str, Any]:
    sides = {"before": blast.before.get(one.slug), "after": blast.after.get(one.slug)}
    return {"whole": blast.whole, **{name: result and _sight(result) for name, result in sides.items()}}


def _sight(result: RuleReach) -> dict[str, Any]:
    past = result.past
    return {
        "findings": result.findings,
        "files": len(result.files),
        "broken": result.broken,
        "commits": past.looked_at if past else 0,
        "refused": [refusal.past.id for refusal in past.refusals] if past else [],
    }


@dataclass(frozen=True, slots=True)
class _RulebookState:
    """The rulebook at one end of the range: rules, archive and compiled checks."""

    rules: Mapping[str, Rule]
    archive: Mapping[str, Rule]
    artifacts: tuple[Artifact, ...]
    scripts: bool = True  # whether its scripts may be run

    def of(self, slug: str) -> list[Artifact]:
        return [artifact for artifact in self.artifacts if slug_of_artifact(artifact.path) == slug]

    def run_of(self, slug: str) -> list[Artifact]:
        """Those of its checks that may be run."""
        return [artifact for artifact in self.of(slug) if self.scripts or artifact.kind != "shell"]


def diff_rules(
    top: Path, span: str, *, reach: ReachLimits | None = None, page: bool = False, scripts: bool = True
) -> Outcome:
    """The rules that are not at B as they were at A; each example of either is decided by the artifacts of both.

    With a reach it says what each changed rule makes of the tree and of the last commits, too. Without ``scripts``
    nothing is run that a stranger's change brings: checks that are scripts are left out.
    """
    first, dots, last = span.partition("..")
    if last.startswith("."):
        raise RulecError(f"{span!r} has three dots", hint=f"write {first}..{last[1:]}")
    ends = (
        git_session.require_commit(top, first or "HEAD"),
        git_session.require_commit(top, last or "HEAD") * bool(dots),
    )
    slugs = {slug_of_path(path) for path in git_contents.differing_paths(top, *ends, file_paths.RULES)} - {""}
    before = _load_state(top, ends[0], first or "HEAD", slugs, scripts=scripts)
    after = _load_state(top, ends[1], last or "HEAD", slugs, scripts=scripts)
    unlike = [slug for slug in {*before.rules, *after.rules} if _state(before, slug) != _state(after, slug)]
    examples = {slug: _examples(before.rules.get(slug), after.rules.get(slug)) for slug in unlike}
    found = compare_rulebooks(_decided_examples(before, examples), _decided_examples(after, examples), after.archive)
    blast = None
    if reach and found:
        blast = compare_reach(top, ends[1], _checks(before, found), _checks(after, found), reach)
    text = render_page(found, blast) if page else render_text(found, blast)
    return Outcome(text, data=encode_differences(found, blast))


def _checks(side: _RulebookState, found: Sequence[RuleDifference]) -> dict[str, list[Artifact]]:
    return {one.slug: side.run_of(one.slug) for one in found if one.slug in side.rules}


def _load_state(top: Path, commit: str, name: str, slugs: Collection[str], *, scripts: bool) -> _RulebookState:
    """Some rules as a commit that was named so has them, or for "" the work tree."""
    if commit:
        named = [f"{file_paths.RULES}/{folder}{slug}.yaml" for slug in slugs for folder in ("", "archive/")]
        compiled = git_contents.paths_at_commit(top, commit, COMPILED_FOLDER)
        wanted = [*named, *(path for path in compiled if slug_of_path(path) in slugs)]
        files = git_contents.files_at_commit(top, commit, *wanted)
        rules_there = partial(git_contents.files_at_commit, top, commit, file_paths.RULES)
    else:
        files = rulebook_files.rule_texts(top, slugs)
        rules_there = partial(rulebook_files.rulebook_texts, top)
    if scripts:
        files = trusted_checks.trusted_texts(top, files, rules_there)
    where = f"{name}:" * bool(commit)
    own = {path: text for path, text in files.items() if path.endswith(".yaml") and path != file_paths.CONFIG}
    rules = {path: text for path, text in own.items() if path.count("/") == 1}
    archive = {path: text for path, text in own.items() if path.startswith(f"{file_paths.RULES}/archive/")}
    return _RulebookState(_read(rules, where), _read(archive, where), tuple(compiled_checks(files)), scripts)


def _read(files: Mapping[str, str], where: str) -> dict[str, Rule]:
    rules = (rule_reading.read_rule(text, source=f"{where}{path}") for path, text in files.items())
    return {rule.slug: rule for rule in rules}


def _state(side: _RulebookState, slug: str) -> Any:
    rule = side.rules.get(slug)
    return rule and rule_reading.write_rule(rule), [(artifact.path, artifact.text) for artifact in side.of(slug)]


def _examples(*rules: Rule | None) -> tuple[Example, ...]:
    return tuple(dict.fromkeys(example for rule in rules if rule for example in (*rule.invalid, *rule.valid)))


def _decided_examples(side: _RulebookState, examples: Mapping[str, Sequence[Example]]) -> dict[str, ComparedRule]:
    """What each rule does with each of its examples: all of them in one process for each kind of check."""
    artifacts = [artifact for slug in examples for artifact in side.of(slug)]
    facts = facts_by_slug(artifacts)
    pairs = [(slug, example) for slug in sorted(examples) if slug in facts for example in examples[slug]]
    runs = [artifact for slug in examples for artifact in side.run_of(slug)]
    seen = run_checks_each(runs, [change_of(example) for _, example in pairs]) if pairs else []
    acts = {slug: facts[slug].enforcement if slug in facts else "pass" for slug in examples}
    decided: dict[str, dict[Example, str]] = {slug: dict.fromkeys(own, "pass") for slug, own in examples.items()}
    for (slug, example), found in zip(pairs, seen, strict=True):
        if any(isinstance(item, Finding) and item.slug == slug for item in found):
            decided[slug][example] = acts[slug]
    return {
        slug: ComparedRule(
            rule=side.rules[slug],
            acts=acts[slug],
            decided=decided[slug],
            quote=facts[slug].quote if slug in facts else "",
            said=facts[slug].said if slug in facts else "",
        )
        for slug in examples
        if slug in side.rules
    }
