"""Whether the rulebook loads, its artifacts are current, and what its rules do."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rulec.compiling import artifacts
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.gates.judging import judge_standing
from rulec.hook.index import rule_index
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.doctor.sign import Sign
from rulec.services.setup import merge_driver

SHOWN = 5  # of many names


def signs(top: Path, book: Rulebook) -> Iterator[Sign]:
    """The rulebook of the work tree; RulecError where a check of it cannot be built."""
    stale = [file.path for file in rulebook_commit.stale_files(top, book)]
    facts = facts_by_slug(artifacts.compile_checks(book, top))
    yield Sign(f"{len(book.rules)} rules load")
    if stale:
        yield Sign(f"artifacts: {len(stale)} stale ({_some(stale)})", "run rulec compile", "compile")
    else:
        yield Sign("artifacts are current")
    if rule_index.is_forged(str(top)):
        yield Sign("the hooks' index did not say what the artifacts say", "it is made anew: look who may write to .git")
    checked = [rule for rule in book.rules if rule.checks]
    noting = [rule.slug for rule in checked if facts[rule.slug].enforcement == "audit"]
    if noting:
        yield Sign(f"{len(noting)} only note what they find: too little evidence, or unproved ({_some(noting)})")
    yield from _judged(top, book)
    lenient = [rule.slug for rule in checked if rule.on_error == "warn"]
    if lenient:
        some = _some(lenient)
        yield Sign(f"{len(lenient)} warn when their check breaks (on_error: block would refuse): {some}")
    if "git-attributes" in book.config.emitters:
        there = merge_driver.is_merge_driver_installed(top)
        yield Sign(
            f"git's merge driver {'is' if there else 'is not'} set up", *([] if there else ["run rulec init", "init"])
        )


def _judged(top: Path, book: Rulebook) -> Iterator[Sign]:
    """How many rules a model judges, and which of them may not do what a person pinned."""
    judged = [rule for rule in book.rules if judge_standing.has_judge(rule)]
    bare = [rule for rule in judged if judge_standing.standing_measure(book, rule, top) is None]
    if judged:
        many = "1 rule is" if len(judged) == 1 else f"{len(judged)} rules are"
        told = f"{many} judged by a model, {judge_standing.where_judges_are_asked(top, book)}"
        yield Sign(told + f"; {len(bare)} not measured and warn at most ({_some([r.slug for r in bare])})" * bool(bare))
    for rule in (rule for rule in bare if rule.enforcement == "block"):
        told = f"{rule.slug} is pinned to block, but its judge is {judge_standing.UNMEASURED}"
        yield Sign(told, f"run rulec test {rule.slug} --record, or pin it to warn: rulec demote {rule.slug}")


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + ", …" * (len(names) > SHOWN)
