"""What doctor sees of the rulebook: that it loads, that its artifacts are current, and what its rules do."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rulec.commands import _build, _driver, _judges, _write
from rulec.commands._sign import Sign
from rulec.commands._verdicts import facts_of
from rulec.model.rulebook import Rulebook
from rulec.runtime import index

SHOWN = 5  # of many names


def signs(top: Path, book: Rulebook) -> Iterator[Sign]:
    """The rulebook of the work tree; RulecError where a check of it cannot be built."""
    stale = [file.path for file in _write.sync(top, book)]
    facts = facts_of(_build.checks(book, top))
    yield Sign(f"{len(book.rules)} rules load")
    if stale:
        yield Sign(f"artifacts: {len(stale)} stale ({_some(stale)})", "run rulec compile", "compile")
    else:
        yield Sign("artifacts are current")
    if index.forged(str(top)):
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
        there = _driver.installed(top)
        yield Sign(
            f"git's merge driver {'is' if there else 'is not'} set up", *([] if there else ["run rulec init", "init"])
        )


def _judged(top: Path, book: Rulebook) -> Iterator[Sign]:
    """How many rules a model judges, and which of them may not do what a person pinned."""
    judged = [rule for rule in book.rules if _judges.has(rule)]
    bare = [rule for rule in judged if _judges.standing(book, rule, top) is None]
    if judged:
        many = "1 rule is" if len(judged) == 1 else f"{len(judged)} rules are"
        told = f"{many} judged by a model, {_judges.asked(top, book)}"
        yield Sign(told + f"; {len(bare)} not measured and warn at most ({_some([r.slug for r in bare])})" * bool(bare))
    for rule in (rule for rule in bare if rule.enforcement == "block"):
        told = f"{rule.slug} is pinned to block, but its judge is {_judges.UNMEASURED}"
        yield Sign(told, f"run rulec test {rule.slug} --record, or pin it to warn: rulec demote {rule.slug}")


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + ", …" * (len(names) > SHOWN)
