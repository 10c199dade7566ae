"""Decorators, annotations and attributes that are not wanted, or that definitions of a kind are to carry."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulec.fits._code_files import said_languages
from rulec.fits._code_rules import Asked, Sample, drafts
from rulec.fits._decorator_samples import CARRIERS, carried, forbidden
from rulec.fits._words import conditional, things
from rulec.language import Clause
from rulec.language.terms import table
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.ports import Fit

_MARK = re.compile(
    r"^(?:(?:the|a|an|any) )?[`'\"]*(?:(?P<rust>#!?\[)(?P<attribute>[\w:\\]+)(?:\((?P<inner>[\w:, \"=]*)\))?\]|"
    r"@(?P<name>[A-Za-z_][\w.]*)(?:\((?P<given>[^()]*)\))?|(?P<bare>[A-Za-z_][\w.:]*)(?= (?:decorator|attribute)))"
    r"[`'\"]*(?: (?:decorators?|annotations?|attributes?|markers?))?(?: from \w+)?$"
)
# They begin with the same sign and are none: directives of tools, of comments and of style sheets, and scopes.
_OTHERS = table(
    "ts deprecated todo param params return returns throws see example private public import apply media layer use "
    "include extend mixin tailwind charset page supports keyframes everyone here channel types babel angular"
)
_PYTHON = table(
    "staticmethod classmethod property dataclass dataclasses pytest unittest mock patch lru_cache cache "
    "cached_property functools abstractmethod contextmanager app router login_required override final overload "
    "singledispatch attr fixture"
)
_JAVA = table(
    "Autowired SuppressWarnings Data Transactional Nullable NonNull Slf4j Service Repository Value Bean Entity "
    "RestController Lombok Builder Getter Setter AllArgsConstructor Ignore Disabled MockBean Async Lazy"
)
_SCRIPT = table("Injectable Input Output UseGuards NgModule HostListener ViewChild Pipe Prop Watch IsOptional Field")
_NEED = r"(?:must|should|needs?(?: to)?|has to|have to|shall|always|gets?)(?: always)?(?: be)?"
_VERB = r"(?: (?:have|has|use|carry|bear|get|derive|implement|marked|annotated|decorated|tagged|wrapped))?"
_HAS = rf"{_NEED}{_VERB}(?: (?:with|as|by|in))?"
_OURS = r"(?:(?:all|every|each|any|our|the|your|new|public|async) )*"
_SUBJECT = rf"{_OURS}(?P<kind>[a-z]+(?: (?:functions?|methods?|class(?:es)?))?)"
_KIND = r"(?: (?:decorators?|annotations?|attributes?|markers?|mark))?"
_WHAT = rf"(?:the |an? )?[`'\"]?(?P<what>#?\[?@?[\w.:\\]+(?:\([\w:, \"=]*\))?\]?)[`'\"]?{_KIND}"
_END = r"(?: in [\w+ ]+)?(?:,? (?:all of them|always|everywhere|please|too|as well))*\W*$"
_OPENING = r"^\W*(?:please |always |you must )*"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"^\W*{_SUBJECT} {_HAS} {_WHAT}{_END}",
        rf"{_OPENING}(?:mark|annotate|decorate|tag) {_SUBJECT} (?:with|as|using) {_WHAT}{_END}",
        rf"{_OPENING}(?:use|add|put) {_WHAT} (?:on|to|for|above) {_SUBJECT}{_END}",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """A decorator by its name, and the languages that it may be one of."""

    name: str
    arguments: str
    languages: tuple[str, ...]


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-decorator and require-decorator."""
    if conditional(clause):
        return
    if asked := _required(clause):
        yield from drafts([asked], clause, before, after)
    elif clause.polarity == "forbid" or clause.forbidden:
        for thing in things(clause):
            if named := _named(thing, clause.text):
                yield from drafts([_forbidden(named)], clause, before, after)


def _named(thing: str, text: str) -> _Named | None:
    match = _MARK.match(thing.strip())
    if match is None:
        return None
    if match["rust"]:
        linted = match["attribute"] in ("allow", "expect", "warn", "derive") and match["inner"]
        name = (match["inner"].split(",")[0].strip() if linted else "") or match["attribute"]
        said = said_languages(text)
        return _Named(name=name, arguments="", languages=("php",) if "php" in said else ("rust",))
    name = match["name"] or match["bare"]
    if name.partition(".")[0] in _OTHERS or name[-1:] == ".":
        return None
    languages = tuple(one for one in said_languages(text) if one in ("python", "javascript", "typescript", "java"))
    known = ("javascript" if one == "typescript" else one for one in languages)
    arguments = re.escape(match["given"]) if match["given"] else ""
    return _Named(name=name, arguments=arguments, languages=tuple(dict.fromkeys(known)) or _homes(name))


def _homes(name: str) -> tuple[str, ...]:
    """The languages of a decorator: a known name tells it, or else how it is spelled."""
    root = name.partition(".")[0]
    if root in _PYTHON or (name == name.lower() and ("_" in name or "." in name)):
        return ("python",)
    if root in _JAVA:
        return ("java",)
    return ("javascript",) if root in _SCRIPT else ("java", "javascript") if name[:1].isupper() else ("python",)


def _forbidden(named: _Named) -> Asked:
    arguments = {"arguments": named.arguments} if named.arguments else {}
    return Asked(
        template="forbid-decorator",
        samples={one: forbidden(one, named.name, named.arguments) for one in named.languages},
        because=f"the words name the decorator {named.name}",
        homes=named.languages,
        given={"names": [named.name], **arguments},
    )


def _required(clause: Clause) -> Asked | None:
    if clause.polarity == "forbid" or clause.forbidden:
        return None
    match = next((found for form in _FORMS if (found := form.match(clause.text))), None)
    carrier = CARRIERS.get(match["kind"].lower()) if match else None
    if match is None or carrier is None:
        return None
    text = match["what"] if match["what"][:1] in "@#" else ""
    text = text or (f"#[{match['what']}]" if carrier.languages == ("rust",) else f"@{match['what']}")
    told = match["what"][:1] in "@#" or re.search(r"\b(?:decorat|annotat|attribute|marker|derive)", clause.text)
    named = _named(text, clause.text) if told else None
    languages = [one for one in named.languages if one in carrier.languages] if named else []
    if named is None or not languages or named.name.lower() == "override":
        return None
    public = {"public": True} if re.search(r"\b(?:public|exported)\b", clause.text, re.IGNORECASE) else {}
    samples: dict[str, Sample] = {one: carried(one, carrier, named.name) for one in languages}
    narrow = {"names": carrier.names, "of": carrier.of}
    return Asked(
        template="require-decorator",
        samples=samples,
        because=f"the words ask for the decorator {named.name}",
        homes=tuple(languages),
        given={"decorator": named.name, "what": carrier.what, **{k: v for k, v in narrow.items() if v}, **public},
        inside=carrier.inside,
    )


PLUG = Fit(name="decorators", fit=fit)
