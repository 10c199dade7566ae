"""Types that code is to state, and types that say too little."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._annotation_samples import FORBIDDEN, REQUIRED, Loose
from rulec.fits._code_rules import Asked, Sample, drafts, named_languages
from rulec.fits._words import conditional, things
from rulec.language import Clause
from rulec.language.terms import table
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.ports import Fit

_RETURNS = r"(?:explicit |declared )?return[- ]types?(?: (?:hints?|annotations?|declarations?))?"
_PARAMETERS = (
    r"(?:typed parameters|(?:parameter|param|argument|arg)[- ]types?(?: (?:hints?|annotations?|declarations?))?)"
)
_HINTS = (
    rf"(?:(?:explicit |full |complete |proper |static |python |strict )*(?:type[- ]?(?:hint(?:s|ing)?|annotations?|"
    rf"declarations?)|annotations for types|typing)|{_RETURNS}|{_PARAMETERS})"
)
_THING = (
    r"(?:(?:(?:every|each|all|any|the|our|your|new|public|exported|single|python|typescript|php|its|their)\s+)*"
    r"(?:functions?|methods?|signatures?|definitions?|everything|parameters?|arguments?|code|defs?|apis?|"
    r"functions? signatures?|returns?)(?: and (?:all )?(?:functions?|methods?|parameters?|returns?))?)"
)
_NEED = r"(?:must|should|needs?(?: to)?|has to|have to|shall|gets?|requires?|always)"
_OPENING = r"^\W*(?:please |always |you (?:must|should) |we |must |do )*"
_USES = r"(?:use|add|write|put|include|provide|give|want|require|keep|state|declare|specify|annotate)"
_EVERY = r"(?:all|every|each|any|public|exported)"
_TYPED = rf"(?:{_HINTS}|type[- ]?hinted|annotated with types|(?:be|fully|strictly|properly) typed)"
_WHERE = rf"(?:(?:to|for|on|in|of) [^,;]{{0,30}}?\b{_THING}\b|everywhere|always|in (?:python|typescript|php)\b|$)"
_BARE = rf"(?:{_THING} (?:without|that lacks?) (?:an? |any |its )?{_HINTS}|(?:untyped|unannotated) {_THING})"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b{_THING}\b[^,;]{{0,30}}?\b{_NEED}\b[^,;]{{0,25}}?\b{_TYPED}\b",
        rf"\b{_THING}\b (?:with|having|have|has) (?:a |an |their |its )?{_HINTS}\b",
        rf"{_OPENING}{_USES}\b[^,;]{{0,25}}?\b{_HINTS}\s*{_WHERE}",
        rf"{_OPENING}(?:type[- ]?(?:hint|annotate)|annotate)\b[^,;]{{0,20}}?\b{_THING}\W*$",
        rf"^\W*{_HINTS} (?:are |is )?(?:required |mandatory |needed )?(?:on|for|in) {_EVERY}\b[^,;]{{0,30}}?\b{_THING}",
        rf"^\W*{_HINTS} (?:(?:are|is) (?:required|mandatory|a must)\b|(?:everywhere|please|pls|always)\W*$)",
        rf"(?:\b(?:no|never|not)|n't)\b[^,;]{{0,30}}?\b{_BARE}",
        rf"(?:\b(?:never|not)|n't) (?:leave (?:out|off)|omit|skip|forget)\b[^,;]{{0,20}}?\b{_HINTS}",
    )
)
_AGAINST = re.compile(
    r"\b(?:remove|drop|strip|avoid|fewer|fix|correct|import)\b[^,;]{0,20}\b(?:hints?|annotations?|types?)\b|"
    r"(?:\b(?:no|never|not|stop)|n't) (?:\w+ ){0,2}type[- ]?(?:hints?|annotations?)\b(?! (?:out|off))|"
    r"\b(?:inferred|inference|java|ruby|go|rust|c\+\+)\b",
    re.IGNORECASE,
)
_USING = table("use write add have declare allow introduce put want cast type prefer annotate return") | {""}
_NO_ANY = re.compile(
    r"\W*(?:no|avoid|(?:never|don't|do not) use) [`'\"]?any[`'\"]?(?: please| pls)?\W*(?:$|,)", re.IGNORECASE
)
_POLITE = re.compile(r"\s+(?:please|pls|here|anywhere|ever|at all)$", re.IGNORECASE)
_LEAVING = re.compile(r"\b(?:leave (?:out|off)|omit|skip|forget|without|lacks?)\b", re.IGNORECASE)
_ONLY_RETURNS = re.compile(r"\breturn(?:s|[- ]types?)?\b", re.IGNORECASE)
_ONLY_PARAMETERS = re.compile(r"\b(?:parameters?|params?|arguments?|args?)\b", re.IGNORECASE)
_PUBLIC = re.compile(r"\b(?:public|exported|exposed|pub)\b", re.IGNORECASE)


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of require-annotation and forbid-annotation."""
    if conditional(clause):
        return
    if _asks(clause.text):
        yield from drafts([_required(clause.text)], clause, before, after)
    elif clause.polarity == "forbid" or clause.forbidden:
        for loose in _loose(clause):
            yield from drafts([_forbidden(loose, clause.text)], clause, before, after)


def _asks(text: str) -> bool:
    against = _AGAINST.search(text) and not _LEAVING.search(text)
    return not against and any(form.search(text) for form in _FORMS)


def _required(text: str) -> Asked:
    returns, parameters = _ONLY_RETURNS.search(text), _ONLY_PARAMETERS.search(text)
    what = "returns" if returns and not parameters else "parameters" if parameters and not returns else "both"
    public = {"public": True} if _PUBLIC.search(text) else {}
    exported = re.search(r"\bexported\b", text, re.IGNORECASE)
    return Asked(
        template="require-annotation",
        samples=REQUIRED[what],
        because="the words ask for types that are written down",
        said=tuple(one for one in named_languages(text) if one != "javascript"),
        homes=("typescript",) if exported else ("python",) if what == "both" else ("python", "typescript"),
        given={"what": what, **public},
        tests=False,
    )


def _loose(clause: Clause) -> Iterator[Loose]:
    """The types that the clause does not want, by what everybody knows them from."""
    said = named_languages(clause.text)
    named = ("any",) if _NO_ANY.match(clause.text) else things(clause)  # elsewhere it is but an article
    for thing in named if clause.verb in _USING else ():
        bare = _POLITE.sub("", thing).strip("`'\" ")
        for loose in FORBIDDEN:
            mine = loose.language in said or (not said and (loose.alone or bare.startswith("typing.")))
            if mine and re.fullmatch(loose.said, bare, 0 if loose.exact else re.IGNORECASE):
                yield loose


def _forbidden(loose: Loose, text: str) -> Asked:
    sample = Sample(bad=loose.bad, good=loose.good, sign=loose.sign)
    return Asked(
        template="forbid-annotation",
        samples={loose.language: sample},
        because="the words name a type that is not wanted",
        said=named_languages(text),
        homes=(loose.language,),
        given={"types": list(loose.types)},
    )


PLUG = Fit(name="annotations", fit=fit, any_clause=True)
