"""Commands that are to be run by another one: "bundle exec in front of rspec", "never bare pytest, always uv run"."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._demands import Demand, check, drafts
from rulec.fits._pair import calls_of, offences
from rulec.fits._programs import PROGRAMS
from rulec.fits._words import stem, stems
from rulec.language import Clause
from rulec.language.terms import table
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime.match import plain

Named = tuple[tuple[str, ...], tuple[str, ...]]  # programs, and what must run them
_PYTHON = ("uv run", "poetry run", "pipenv run", "pdm run", "hatch run", "rye run")
_RUBY = ("bundle exec",)
_OTHER = ("pnpm exec", "yarn exec", "npx", "bunx", "mise exec", "conda run", "direnv exec", "doppler run")
_TOOLS = {  # what a project's own environment runs, by what starts it
    **dict.fromkeys(_PYTHON, table("python pytest mypy ruff black isort flake8 pylint alembic celery uvicorn flask")),
    **dict.fromkeys(_RUBY, table("rspec rails rake rubocop cucumber sidekiq puma jekyll guard")),
}
_KNOWN = "|".join((*_PYTHON, *_RUBY, *_OTHER))
_PREFIX = re.compile(
    rf"(?<![\w-])(?P<prefix>{_KNOWN}|docker[ -]compose (?:exec|run)(?: -\w+)* \w+)(?![\w-])",
)
_ITSELF = re.compile(r"\b(?:directly|bare|plain|raw|naked|by itself|on its own|without)\b", re.IGNORECASE)
_SPLIT = re.compile(r"[^\w.+-]+")
_EVERYTHING = re.compile(
    r"\b(?:everything|anything|all (?:the )?(?:commands?|tools?)|any (?:python |ruby )?(?:command|tool)s?|"
    r"(?:python|ruby|dev) (?:commands?|tools?|scripts?))\b",
    re.IGNORECASE,
)
_ORDER = ("before", "after", "once", "until", "at the end", "each time", "every time")  # it is asked for as a step
_WHETHER = re.compile(r"\W*(?:if|when|unless|in case) (?:you|it|we|there|i)\b", re.IGNORECASE)


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of require-prefix."""
    if clause.polarity == "none" or _WHETHER.match(clause.text) or clause.when.lower().startswith(_ORDER):
        return
    prefixes = _wanted(clause)
    programs = _programs(clause, prefixes) if prefixes else ()
    if not prefixes:
        programs, prefixes = _by_itself(clause) if clause.polarity == "forbid" else _shown(clause, before, after)
    if programs:
        offended = [call for action in offences(before) for call in calls_of(action)]
        by_path = any("/" in call.argv[0] for call in offended if call.argv and plain(call.program) in programs)
        yield from drafts(_demand(programs, prefixes, by_path=by_path), before, after, "the words name what runs it")


def _wanted(clause: Clause) -> tuple[str, ...]:
    """The prefixes that the words ask for; none where they speak against one."""
    found: list[str] = []
    for match in _PREFIX.finditer(clause.text):
        prefix = match["prefix"]
        ahead = clause.text[: match.start()].rstrip(" `'\"").lower()
        refused = any(thing.strip("`'\" ").startswith(prefix) for thing in clause.forbidden)
        against = clause.polarity == "forbid" and not ahead.endswith(("without", "without a", "without using"))
        if not refused and not against:
            found.append(prefix)
    return tuple(dict.fromkeys(found))


def _shown(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Named:
    """What runs the same program in the accepted command, where the words name it: "use uv here!"."""
    mine = {plain(call.program) for action in offences(before)[:3] for call in calls_of(action) if not call.via}
    said = stems(clause.text)
    for call in (call for action in after for call in calls_of(action)):
        program = plain(call.program)
        prefix = next((via for via in call.via if via in _TOOLS and stem(via.split()[0]) in said), "")
        if prefix and program in mine:
            return (program,), (prefix,)
    return (), ()


def _programs(clause: Clause, prefixes: tuple[str, ...]) -> tuple[str, ...]:
    """The programs that are to be run so: those that are named, else all that the project's environment runs."""
    tools = _TOOLS.get(prefixes[0], frozenset())
    words = [plain(word.strip(".")) for word in _SPLIT.split(_PREFIX.sub(" ", clause.text)) if word]
    own = {part for prefix in prefixes for part in prefix.split()}
    named = [word for word in words if (word in tools or word in PROGRAMS) and word not in own and word not in _TALK]
    if _EVERYTHING.search(clause.text) or (not named and _alone(clause)):
        return tuple(sorted({*tools, *named}))
    return tuple(dict.fromkeys(named))


_TALK = table("make run test go act find just node")  # words of any sentence


def _alone(clause: Clause) -> bool:
    """Whether the prefix is all that is asked for: "always use uv run"."""
    return len(_SPLIT.split(_PREFIX.sub("", clause.text).strip(" .!`"))) <= 3


def _by_itself(clause: Clause) -> Named:
    """A phrase like "never call pytest directly": by any of those that run such programs."""
    if not _ITSELF.search(f"{clause.verb} {' '.join(clause.forbidden)}"):
        return (), ()
    words = {plain(word) for thing in clause.forbidden for word in _SPLIT.split(thing)}
    for prefixes in (_PYTHON, _RUBY):
        programs = tuple(sorted(words & _TOOLS[prefixes[0]]))
        if programs:
            return programs, prefixes
    return (), ()


def _demand(programs: tuple[str, ...], prefixes: tuple[str, ...], *, by_path: bool) -> Demand:
    asked = check("require-prefix", commands=list(programs), prefixes=list(prefixes), by_path=by_path)
    first = programs[0]
    good = (f"{prefixes[0]} {first}", f"grep -rn '{first}' docs", f"echo '{first}'")
    return Demand((asked,), (first,), good, f"run {prefixes[0]} {first}")


PLUG = Fit(name="prefixes", fit=fit)
