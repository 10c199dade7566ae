"""One rule: its file and artifacts, its examples tried now, its quotes, its past, and what a person does about it."""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rulec.checkout.rules_layout import GATE_SLUG
from rulec.domain.enforcement import PINS
from rulec.domain.outcome import Outcome
from rulec.errors import RulecError
from rulec.gates import personal_rules
from rulec.infra.git import git_session
from rulec.rulebook.rule_file import SLUG_PATTERN
from rulec.services.browsing import rule_past, rule_trial, rule_view
from rulec.services.evolving import note as noting
from rulec.services.evolving.noted_case import CaseOptions
from rulec.services.history import rollback
from rulec.services.rulebook_commit import ChangeTarget
from rulec.services.rules import change_rule, exceptions
from rulec.services.rules.exceptions import ExceptionBounds
from rulec.web import work
from rulec.web.rendering import render
from rulec.web.views.rules import cards_of

Fields = Mapping[str, str]
NEAR = 3  # names that are proposed for an unknown one


async def rule(request: Request) -> Response:
    """The page of one rule."""
    return await _page(request, _slug(request), "web/rule.html.j2")


async def _page(request: Request, slug: str, template: str, acted: "Acted | None" = None) -> Response:
    """The rule as it is now, after an act with what the act came to."""
    top = request.app.state.top
    details = await work.read(rule_view.rule_view, top, slug)
    if details is None and acted is None:
        return await _missing(request, slug, f"There is no rule {slug}.")
    if details and details.slug != slug:
        return RedirectResponse(f"/rules/{details.slug}", status_code=303)
    told: dict[str, Any] = {"text": acted.text, "local": not acted.committed} if acted else {}
    told["acted"] = acted is not None
    return render(request, template, title=slug, slug=slug, rule=details, pins=PINS, refused=False, **told)


def _slug(request: Request) -> str:
    """The rule's name in the address; a page that says so where no rule can have it."""
    slug: str = request.path_params["slug"]
    if not SLUG_PATTERN.fullmatch(slug):
        raise HTTPException(404, f"No rule can be named {slug!r}; the page Rules lists those that there are.")
    return slug


async def _missing(request: Request, slug: str, detail: str) -> Response:
    index = await cards_of(request.app)
    near = difflib.get_close_matches(slug, [card.slug for card in index.cards], NEAR)
    own = GATE_SLUG if slug == GATE_SLUG else ""
    given = {"title": "Not here", "detail": detail, "near": near, "own": own}
    return render(request, "web/rule_missing.html.j2", status=404, **given)


async def seen(request: Request) -> Response:
    """Whether the rule is still as a page shows it: a notice where it is not."""
    slug, state = _slug(request), request.path_params["state"]
    same = await work.read(rule_view.is_as_seen, request.app.state.top, slug, state)
    return render(request, "web/rule_seen.html.j2", title=slug, slug=slug, same=same)


async def examples(request: Request) -> Response:
    """The examples of a rule, decided now by its checks."""
    slug = _slug(request)
    tried = await work.read(rule_trial.try_examples, request.app.state.top, slug)
    return render(request, "web/rule_examples.html.j2", title=f"Examples of {slug}", slug=slug, tried=tried)


async def trial(request: Request) -> Response:
    """What the rule says of what somebody typed; nothing of it is run or written."""
    slug, form = _slug(request), await _fields(request)
    given = (form.get("kind", ""), form.get("text", ""), form.get("path", ""))
    verdict, unseen = await work.read(rule_trial.try_typed, request.app.state.top, slug, *given)
    return render(
        request, "web/rule_trial.html.j2", title=f"A trial of {slug}", slug=slug, verdict=verdict, unseen=unseen
    )


async def past(request: Request) -> Response:
    """The commits that changed the rule."""
    slug = _slug(request)
    found = await work.read(rule_past.rule_past, request.app.state.top, slug)
    return render(request, "web/rule_past.html.j2", title=f"The past of {slug}", slug=slug, past=found)


async def act(request: Request) -> Response:
    """One decision of a person about the rule, on the state of it that the form was made from."""
    slug, name = _slug(request), request.path_params["act"]
    acted = await work.act(perform, request.app.state.top, slug, name, await _fields(request))
    return await _page(request, slug, "web/rule_acted.html.j2", acted)


async def _fields(request: Request) -> Fields:
    return {name: value for name, value in (await request.form()).items() if isinstance(value, str)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """What an act came to."""

    text: str
    committed: bool  # else it is on this machine alone, or nothing had to be written


def perform(top: Path, slug: str, name: str, form: Fields) -> Acted:
    """What the command of that name does; RulecError where the rule is not as the form says that it was."""
    if name not in ACTS:
        raise RulecError(f"there is no act {name!r}", hint=f"known are {', '.join(ACTS)}")
    if not form.get("state"):
        raise RulecError("the form does not say which state of the rule it is about", hint="load the page again")
    here = personal_rules.holding_repository(top, slug)
    before = git_session.head_commit(here)
    outcome = ACTS[name](here, slug, form, ChangeTarget(seen=((slug, form["state"]),)))
    return Acted(text=outcome.text, committed=git_session.head_commit(here) != before)


def _pin(top: Path, slug: str, form: Fields, onto: ChangeTarget) -> Outcome:
    level = form.get("to", "")
    if level not in PINS:
        raise RulecError(f"no enforcement {level!r}", hint=f"known are {', '.join(PINS)}")
    return change_rule.pin_enforcement(top, slug, level, onto, because=form.get("because", ""))


def _except(top: Path, slug: str, form: Fields, onto: ChangeTarget) -> Outcome:
    given = {name: form.get(name, "").strip() for name in ("path", "command", "agent", "arguments", "until")}
    until, path = given.pop("until"), given.pop("path")
    where = ExceptionBounds(paths=(path,) if path else (), **given)
    return exceptions.add_exception(top, slug, where, form.get("because", ""), onto, until=until)


def _note(top: Path, slug: str, form: Fields, onto: ChangeTarget) -> Outcome:
    case, should = form.get("case", ""), form.get("should", "")
    if case not in ("", *CaseOptions.__dataclass_fields__):
        raise RulecError(f"no kind of case {case!r}", hint="load the page again")
    named = CaseOptions(**({case: form.get("what", "")} if case else {}))
    options = noting.NoteOptions(case=named, should="catch" if should == "catch" else "pass" if should else "")
    return noting.note_rule(top, slug, form.get("because", ""), options, onto)


def _retire(top: Path, slug: str, form: Fields, onto: ChangeTarget) -> Outcome:
    return change_rule.retire_rule(top, slug, onto, because=form.get("because", ""))


def _roll_back(top: Path, slug: str, form: Fields, onto: ChangeTarget) -> Outcome:
    return rollback.roll_back(top, slug, " ".join(form.get("to", "").split()), onto, because=form.get("because", ""))


_Act = Callable[[Path, str, Fields, ChangeTarget], Outcome]
ACTS: Mapping[str, _Act] = {
    "set": _pin,
    "except": _except,
    "note": _note,
    "retire": _retire,
    "rollback": _roll_back,
}

ROUTES = [
    Route("/rules/{slug}", rule),
    Route("/rules/{slug}/seen/{state}", seen),
    Route("/rules/{slug}/examples", examples),
    Route("/rules/{slug}/try", trial, methods=["POST"]),
    Route("/rules/{slug}/past", past),
    Route("/rules/{slug}/acts/{act}", act, methods=["POST"]),
]
