"""How people speak of packages: which one is not wanted, that none may be added, that versions are to be fixed."""

import re

from rulec.fits._libraries import installable, spelled
from rulec.fits._programs import PROGRAMS
from rulec.fits._words import things
from rulec.language import Clause
from rulec.language.terms import table

_NOUN = r"(?:dependenc(?:y|ies)|deps?|(?:npm |pip |python |node |ruby )?packages?|librar(?:y|ies)|libs?|crates?|gems?)"
_ONE = r"(?:dependency|(?:npm |pip |python |node |ruby )?package|library|lib|crate|gem)"
_SPOKEN = re.compile(rf"\b{_NOUN}\b", re.IGNORECASE)
_ADDS = table("add install introduce use depend require include pull bring need want put allow have")
_PHRASAL = table("pull bring depend rely")
_ADDING = table("add install introduce pull bring")
_MORE = r"(?:any|new|more|extra|additional|further|other|external|third[- ]party|outside|runtime|production|prod|dev)"
_NEW = r"(?:new|more|extra|additional|further|external|third[- ]party|outside)"
_ANY = re.compile(rf"^(?:(?:the|a|an) )?(?P<how>(?:{_MORE}(?:,? (?:or )?)?)*){_NOUN}\b(?P<rest>.*)$", re.IGNORECASE)
_FREE_OF = re.compile(
    r"\b(?:only|nothing but|exclusively|stick to|just)\b.{0,20}\b(?:the )?(?:standard library|stdlib|built-?ins?)\b|"
    r"\b(?:standard library|stdlib) only\b|\bzero[- ](?:external |runtime )?dependenc",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"^\W*(?:(?:(?:to|in|into|for|from) (?:the |this |our |my )?(?:project|repo\w*|code ?base|build|python|"
    r"manifest|package\.json|pyproject\.toml|Cargo\.toml|go\.mod|Gemfile)|here|for (?:this|that|it)|in here|at all|"
    r"please)\b\W*)*$",
    re.IGNORECASE,
)
_AS = re.compile(
    rf"\s+(?:as (?:an? )?(?:new |dev |direct |runtime )?{_NOUN}|{_ONE}|in (?:the |our )?(?:project|repo|dependencies)|"
    r"(?:to|in|into) (?:the |our )?(?:package\.json|pyproject\.toml|requirements[\w.-]*|Cargo\.toml|go\.mod|Gemfile|"
    r"composer\.json|pom\.xml|dependencies))$",
    re.IGNORECASE,
)
_AS_NEXT = re.compile(_AS.pattern.removesuffix("$") + r"\b", re.IGNORECASE)
_ON = re.compile(
    r"\b(?:depend(?:s|ing)? (?:up)?on|dependenc(?:y|ies) (?:on|like|such as|called|named))\s*$", re.IGNORECASE
)
_INTO = re.compile(r"^(?:in|on|up)\s+(?:the )?", re.IGNORECASE)
_OF_ITS_OWN = re.compile(
    rf"\b{_NOUN} (?:on|between|from|injection|arrays?|lists?|updates?|upgrades?|bumps?)\b", re.IGNORECASE
)
_NAME = re.compile(r"@?[A-Za-z0-9][\w.-]*(?:[/:][\w.-]+)*\*?$")
_MANIFEST = re.compile(
    r"\b(?:package\.json|pyproject\.toml|requirements[\w-]*\.txt|setup\.cfg|Pipfile|go\.mod|Cargo\.toml|Gemfile|"
    r"composer\.json|pom\.xml|build\.gradle(?:\.kts)?)"
)
_POINTS = re.compile(
    rf"\b(?:that|this|the|those|these|such an?|another|a(?: new| whole| third[- ]party)?) {_NOUN}\b", re.IGNORECASE
)
_UNPIN = re.compile(
    r"\b(?:n't|not|never|no need to|stop|without|avoid)\s+(?:\w+ ){0,2}pin|\bunpin\b|\bpinned\b.{0,20}\bby\b",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"^\W*(?:(?:please|always|and|also|just|ok|hey) )*pin\b|"
    r"\b(?:must|should|need to|has to|have to|to) (?:always )?be pinned\b",
    re.IGNORECASE,
)
_PINS = re.compile(r"\bpin(?:s|ned|ning)?\b", re.IGNORECASE)
_EXACT = re.compile(r"\bexact (?:pinned )?(?:semver )?versions?\b|\bexact version numbers?\b", re.IGNORECASE)
_RANGES = re.compile(
    r"\b(?:version|semver|caret|tilde) ranges?\b|\bcarets?\b|\btildes?\b|"
    rf"\b(?:floating|loose|unpinned|wildcard|open[- ]ended) (?:{_NOUN}|versions?)\b|[`'\"][\^~][`'\"]|(?<!\S)\^(?= )",
    re.IGNORECASE,
)
_VERSIONS = re.compile(r"\bversions\b", re.IGNORECASE)
_LATEST = re.compile(r"(?:\b|:)latest\b|@(?:main|master)\b", re.IGNORECASE)
_IMAGES = re.compile(
    r"\b(?:docker|container|base) ?images?\b|\bdocker tags?\b|\bDockerfiles?\b|\bimage tags?\b", re.IGNORECASE
)
_ACTIONS = re.compile(r"\b(?:github )?actions\b|\bworkflow steps?\b|\b(?:github|ci) workflows?\b", re.IGNORECASE)
_DIGEST = re.compile(r"\b(?:sha(?:256|s)?|digests?|commit hash(?:es)?|full commits?|commits?)\b", re.IGNORECASE)


def named(clause: Clause) -> list[str]:
    """The packages that the clause does not want, where it speaks of them as packages."""
    if clause.polarity not in ("forbid", "prefer") or clause.verb not in _ADDS | {""}:
        return []
    marked = {term.text for term in clause.terms if term.kind in ("code", "symbol")}
    found = []
    for thing in unwanted(clause):
        spoken = _INTO.sub("", thing).strip("`'\" ")
        name = _AS.sub("", spoken)
        if not _NAME.match(name) or name.lower() in _NO_NAMES or _MANIFEST.match(name) or _ANY.match(spoken):
            continue
        told = name != spoken or _is_declared(name, clause.text)
        if told or (clause.verb in _ADDING and (_known(name) or (name in marked and _SPOKEN.search(clause.text)))):
            found.append(spelled(name))
    return found


def unwanted(clause: Clause) -> tuple[str, ...]:
    """What is not wanted; behind "pull in" and "depend on" it stands where a place would."""
    found = tuple(thing for thing in things(clause) if thing not in _PHRASAL)
    return found or ((_INTO.sub("", clause.when),) if _is_phrasal(clause) else ())


def _is_phrasal(clause: Clause) -> bool:
    named = clause.verb in _PHRASAL or any(thing in _PHRASAL for thing in things(clause))
    return named and bool(_INTO.match(clause.when))


def _is_declared(name: str, text: str) -> bool:
    """Whether the words behind the name, or before it, make it a package."""
    start = text.find(name)
    behind = text[start + len(name) :].lstrip("`'\"")
    return start >= 0 and (bool(_AS_NEXT.match(behind)) or bool(_ON.search(text[:start].rstrip("`'\""))))


def _known(name: str) -> bool:
    return installable(name) and name.lower() not in PROGRAMS


_NO_NAMES = table(
    "it that this them those these anything something new any another other package dependency library heavy big "
    "unnecessary unused useless random large huge needless stuff things code"
)


def any_new(clause: Clause) -> bool:
    """Whether nothing may be added at all."""
    free = _FREE_OF.search(clause.text)
    if free and (clause.polarity != "none" or not free.start()):
        return True
    against = clause.polarity == "forbid" or bool(clause.forbidden)
    if not against or clause.verb not in _ADDS | {""} or _OF_ITS_OWN.search(clause.text):
        return False
    if not _PLACE.match(clause.when) and not _is_phrasal(clause):
        return False
    for thing in unwanted(clause):
        found = _ANY.match(_INTO.sub("", thing))
        if found and _PLACE.match(found["rest"]):
            return clause.verb in _ADDING or bool(re.search(_NEW, found["how"], re.IGNORECASE))
    return False


def pointed_at(clause: Clause) -> bool:
    """Whether the words point at what was just added: "we don't need that library"."""
    return clause.polarity in ("forbid", "prefer") and bool(_POINTS.search(clause.text))


def fixed(clause: Clause) -> tuple[str, ...]:
    """What is to be of one version: packages, images, actions."""
    text = clause.text
    if _UNPIN.search(text) or (clause.polarity == "none" and not _ORDERS.search(text)):
        return ()
    pins = bool(_PINS.search(text)) and clause.polarity != "forbid"
    moving = bool(_LATEST.search(text)) and (clause.polarity == "forbid" or bool(clause.forbidden))
    actions = bool(_ACTIONS.search(text)) and (pins or moving)
    images = bool(_IMAGES.search(text)) and (pins or moving)
    if actions or images:
        return (*(("images",) if images else ()), *(("actions",) if actions else ()))
    about = bool(_SPOKEN.search(text) or _MANIFEST.search(text))
    wanted = (
        clause.polarity != "forbid"
        and bool(_EXACT.search(text))
        and all("range" in thing for thing in clause.forbidden)
    )
    against = (clause.polarity == "forbid" or bool(clause.forbidden)) and bool(_RANGES.search(text))
    pinned = pins and (about or bool(_VERSIONS.search(text)))
    return ("packages",) if pinned or wanted or against else ()


def by_digest(clause: Clause) -> bool:
    """Whether a tag is not enough."""
    return bool(_DIGEST.search(clause.text))


def manifests_said(clause: Clause) -> tuple[str, ...]:
    """The manifests that the clause names."""
    return tuple(dict.fromkeys(_MANIFEST.findall(clause.text)))
