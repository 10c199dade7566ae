"""Packages that a project is not to depend on, and versions that are to be fixed."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rulec.fits import _dependency_words as words
from rulec.fits._dependency_samples import bringing, manifest, manifests_of, near
from rulec.fits._libraries import home_of, spelled
from rulec.fits._pair import draft_from_pair, offences
from rulec.fits._words import conditional
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example, Scope
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime.dependencies import brought, concerns

MOST_POINTED_AT = 3
_KINDS = ("write", "edit", "command")
_ADDING = re.compile(r"^when(?:ever)? (?:you )?(?:are )?(?:install|add|updat|upgrad|bump)", re.IGNORECASE)


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of pin-dependency and forbid-dependency."""
    pinned = words.fixed(clause)
    if conditional(clause) and not (pinned and _ADDING.match(clause.when)):
        return
    if pinned:
        yield from _pinned(clause, pinned, before, after)
        return
    wanted = next((spelled(one) for one in clause.preferred if " " not in one), "")
    names = words.named(clause)
    if before:
        names = ["*"] if words.any_new(clause) else _added_and_named(clause, before)
        yield from _from_pair(names, wanted, before, after)
    elif words.any_new(clause):
        yield _stated(["*"], "", ())
    elif names:
        yield _stated(names, wanted, tuple(dict.fromkeys(filter(None, map(home_of, names)))))


def _check(template: str, **parameters: Any) -> Check:
    given = {key: value for key, value in parameters.items() if value}
    return Check(kind="guard", template=template, parameters=given)


def _pinned(clause: Clause, of: tuple[str, ...], before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    digest = words.by_digest(clause) and of != ("packages",)
    check = _check("pin-dependency", of=[] if of == ("packages",) else list(of), digest=digest)
    said = words.manifests_said(clause)
    scope = Scope(include=said) if said else Scope()
    if not before:
        files = manifests_of(said, of)
        loose = tuple(manifest(name, "sample", fixed=False) for name in files)
        fixed = tuple(manifest(name, "sample", fixed=True) for name in files)
        prose = Example(kind="file", path="docs/sample.md", text=loose[0].text)
        because = "the statement wants fixed versions"
        yield Draft(checks=(check,), invalid=loose, valid=(*fixed, prose), scope=scope, because=because)
        return
    rule = {"pin": list(of), "digest": digest}
    for draft in draft_from_pair(
        (check,),
        lambda action: concerns(rule, _event(action)),
        before,
        after,
        kinds=_KINDS,
        because="a version was left open before the person spoke and not afterwards",
    ):
        yield Draft(checks=draft.checks, invalid=draft.invalid, valid=draft.valid, because=draft.because, scope=scope)


def _event(action: Action) -> dict[str, Any]:
    return {
        "kind": action.kind,
        "command": action.command,
        "path": action.path,
        "old": action.old,
        "new": action.new,
        "content": action.new if action.kind == "write" else None,
    }


def _added_and_named(clause: Clause, before: Sequence[Action]) -> list[str]:
    """What was added, where the words name it or point at it."""
    if clause.polarity not in ("forbid", "prefer"):
        return []
    said = {thing.lower() for thing in (*words.unwanted(clause), *clause.forbidden, *clause.objects)}
    said |= {term.text.lower() for term in clause.terms} | {word for thing in said for word in thing.split()}
    said -= {one.lower() for one in clause.preferred}
    for action in offences(before):
        names = brought(_event(action))
        hits = [name for name in names if {name.lower(), name.lower().rpartition("/")[2]} & said]
        if hits or (names and words.pointed_at(clause)):
            return hits or names[:MOST_POINTED_AT]
    return []


def _from_pair(names: list[str], wanted: str, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    if names:
        rule = {"forbid": names}
        yield from draft_from_pair(
            (_check("forbid-dependency", names=names, instead=wanted),),
            lambda action: concerns(rule, _event(action)),
            before,
            after,
            kinds=_KINDS,
            near=near(names[0]),
            because=f"{', '.join(names)} was added before the person spoke and not afterwards",
        )


def _stated(names: list[str], wanted: str, homes: tuple[str, ...]) -> Draft:
    name = "sample" if names[0] == "*" else names[0].replace("*", "sample")
    imports = tuple(_import(names, wanted, home) for home in homes)
    return Draft(
        checks=(*imports, _check("forbid-dependency", names=names, instead=wanted)),
        invalid=bringing(name, homes),
        valid=(*near(name), Example(kind="file", path="docs/sample.md", text=f"npm install {name}\n")),
        because="the statement names what is not to be added",
    )


def _import(names: list[str], wanted: str, home: str) -> Check:
    own = [name for name in names if home_of(name) == home]
    if home_of(wanted) == home:
        given = {"from": own, "to": wanted, "language": home}
        return Check(kind="semgrep", template="prefer-import", parameters=given)
    return Check(kind="semgrep", template="forbid-import", parameters={"modules": own, "language": home})


PLUG = Fit(name="dependencies", fit=fit, any_clause=True)
