"""A change -> the team's templates that are other ones now, and what that makes of the rules that use them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from rulec.commands import _build
from rulec.commands._rulebooks import Side
from rulec.host import worktree
from rulec.model.rule import Rule
from rulec.model.weakening import Weakening
from rulec.stages.reshape import firmer

_FOLDER = f"{worktree.RULES}/templates/checks/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Retemplated:
    """Templates by name, and the rules of before that use them."""

    rules: Mapping[str, tuple[Rule, ...]]

    @property
    def slugs(self) -> frozenset[str]:
        """The rules whose checks may be other ones although their files say the same."""
        return frozenset(rule.slug for rules in self.rules.values() for rule in rules)


def retemplated(before: Side, after: Side, slugs: Sequence[str], *, scripts: bool) -> Retemplated:
    """Templates that are new, changed or gone; of those that stand only in the work tree, for the touched rules."""
    here = _here(after) if scripts else {}
    names = dict.fromkeys(p for files in (before.files, after.files, here) for p in files if p.startswith(_FOLDER))
    changed = {p for p in names if before.files.get(p) != after.files.get(p)}
    beside = {p for p in here if here[p] != after.files.get(p)}
    if not changed and not beside:
        return Retemplated(rules={})
    book = before.whole if changed else before.book(slugs)
    used = {
        path: tuple(
            rule
            for rule in book.rules
            if (path in changed or rule.slug in slugs)
            and any(check.template == PurePosixPath(path).stem for check in rule.checks)
        )
        for path in sorted(changed | beside)
    }
    return Retemplated(rules={path: rules for path, rules in used.items() if rules})


def _here(side: Side) -> dict[str, str]:
    """The team's templates in the work tree: what is rendered."""
    found = (side.top / _FOLDER).glob("*.j2")
    return {path.relative_to(side.top).as_posix(): worktree.text(path) for path in found if path.is_file()}


def told(of: Retemplated, before: Side, after: Side, *, rendered: bool) -> Iterator[Weakening]:
    """Each template that makes another check of a rule that stands, unless that one is sure to be firmer."""
    for path, rules in of.rules.items():
        other = [rule.slug for rule in rules if not rendered or _other(before, after, rule)]
        if other:
            more = f" and {len(other) - 3} more" * (len(other) > 3)
            text = f"template {PurePosixPath(path).stem} changed, and what it makes of {', '.join(other[:3])}{more}"
            yield Weakening(subject=f"template {path}", text=text, path=path)


def _other(before: Side, after: Side, rule: Rule) -> bool:
    now = next((one for one in after.book([rule.slug]).rules if one.slug == rule.slug), None)
    if now is None or now.checks != rule.checks:  # told as that
        return False
    was = {artifact.path: artifact.text or "" for artifact in before.artifacts([rule.slug])}
    made = {a.path: a.text or "" for a in _build.of_rule(after.book([rule.slug]), now, after.top)}
    return any(not firmer(text, made.get(path, "")) for path, text in was.items())
