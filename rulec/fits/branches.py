"""How branches are named, whether they are made, and which are not to be pushed to."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._demands import Demand, check, drafts
from rulec.fits._words import conditional
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.ports import Fit

_ABOUT = re.compile(r"\bbranch(?:es|name)?s?\b", re.IGNORECASE)
_PREFIX = re.compile(
    r"\bprefix(?:ed|es)?\b|\b(?:start|starts|starting|begin|begins|beginning|named?|called|naming) (?:with|like|as)?",
    re.IGNORECASE,
)
_STEM = re.compile(r"^[\w.-]+[/-]$")
_SHAPE = re.compile(
    r"^(?P<prefix>[\w.-]+/)(?:<[\w-]+>|\{[\w-]+\}|[A-Z#*]\S*|\.\.\.|xxx?|foo|bar|something|name|topic|description)$"
)
_TICKET = re.compile(r"\b(?P<key>[A-Z]{2,10})-(?:\d+|#+|X+|N+|123)\b")
_MAKING = re.compile(
    r"^(?:create|make|cut|start|open|add)(?: (?:any|new|a|another|more|feature|git|your|own|extra))* branch(?:es)?$",
    re.IGNORECASE,
)
_SHARED = r"(?:main|master|develop|dev|trunk|production|prod|release|staging|stable)"
_ONTO = re.compile(
    rf"\b(?:to|on|onto|into) (?:the )?[`'\"]?(?P<first>{_SHARED})[`'\"]?"
    rf"(?:(?:,| or| and|/)+ ?(?:the )?[`'\"]?(?P<second>{_SHARED})\b)?",
    re.IGNORECASE,
)

_PUSHES = re.compile(
    r"^(?:(?:direct|straight|more|further|any) )*push(?:es|ing)?(?: (?:directly|straight))?$", re.IGNORECASE
)


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of branch-name and forbid-push-to."""
    if conditional(clause):
        return
    for demand in (*_named(clause), *_made(clause), *_pushed(clause)):
        yield from drafts(demand, before, after, "the words say it of branches")


def _named(clause: Clause) -> Iterator[Demand]:
    """A phrase like "use prefix x/ for branch names"."""
    if clause.polarity == "forbid" or not _ABOUT.search(clause.text):
        return
    marked = [term.text for term in clause.terms if term.kind in ("code", "path")]
    marked += [word for text in clause.text.split() if "/" in (word := text.strip("`'\",.;:()"))]
    shapes = [found["prefix"] for text in marked if (found := _SHAPE.match(text))]
    starts = [text for text in marked if _STEM.match(text)]
    prefixes = tuple(dict.fromkeys(starts or shapes))
    ticket = _TICKET.search(clause.text)
    if prefixes and _PREFIX.search(clause.text):
        some = "|".join(map(re.escape, prefixes))
        yield _demand(f"^(?:{some})", f"{prefixes[0]}sample")
    elif ticket and re.search(r"\b(?:ticket|issue|start|prefix|include|contain|name)", clause.text, re.IGNORECASE):
        yield _demand(rf"(?:^|/){ticket['key']}-\d+", f"{ticket['key']}-12-sample")


def _demand(pattern: str, good: str) -> Demand:
    passed = (f"git checkout -b {good}", f"git switch -c {good}", "git checkout main", "git branch --list sample")
    return Demand((check("branch-name", pattern=pattern),), ("git checkout -b sample-branch",), passed)


def _made(clause: Clause) -> Iterator[Demand]:
    """A phrase like "don't create branches"."""
    said = f"{clause.verb} {' '.join(clause.objects)}".strip(" .,!`")
    if clause.polarity == "forbid" and _MAKING.match(said) and not clause.when:
        passed = ("git checkout main", "git branch --list", "git status")
        yield Demand((check("branch-name", pattern="^$"),), ("git checkout -b sample-branch",), passed)


def _pushed(clause: Clause) -> Iterator[Demand]:
    """A phrase like "never push to main or master"."""
    onto = _ONTO.search(clause.text)
    pushes = clause.verb == "push" or bool(clause.forbidden and _PUSHES.match(clause.forbidden[0]))
    if clause.polarity != "forbid" or not pushes or not onto or "force" in clause.text.lower():
        return
    branches = [name.lower() for name in (onto["first"], onto["second"]) if name]
    passed = ("git push origin sample-branch", "git push -u origin HEAD", f"echo 'git push origin {branches[0]}'")
    yield Demand((check("forbid-push-to", branches=branches),), (f"git push origin {branches[0]}",), passed)


PLUG = Fit(name="branches", fit=fit)
