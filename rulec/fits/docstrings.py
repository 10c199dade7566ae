"""Documentation that functions, classes and modules are to have."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._code_rules import Asked, drafts, named_languages
from rulec.fits._docstring_samples import SAMPLES
from rulec.fits._words import conditional
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.ports import Fit

_DOCS = (
    r"(?:(?:python|google|numpy|rest|proper|short|one[- ]line)[- ](?:style )?)*(?:doc ?strings?|doc(?:umentation)?[- ]"
    r"comments?|doc ?blocks?|[jt]s ?docs?(?: (?:comments?|blocks?))?|java ?docs?(?: comments?)?|"
    r"php ?docs?(?: blocks?)?|go ?docs?(?: comments?)?|rust ?docs?(?: comments?)?|"
    r"doxygen(?: comments?)?|yard(?: docs?| comments?)?)"
)
_THING = (
    r"(?:(?:(?:every|each|all|any|the|our|your|new|public|exported|top[- ]level|single|python|typescript|"
    r"javascript|java|go|rust|ruby|php|c\+\+|c|non[- ]private|package|pub)\s+)*"
    r"(?:functions?|methods?|classes|class|structs?|types?|"
    r"modules?|packages?|python files?|apis?|components?|exports?|definitions?|everything|symbols?|items?|members?)"
    r"(?: and (?:the )?(?:public |exported )?(?:functions?|methods?|classes|class|structs?|modules?|types?))*)"
)
_NEED = r"(?:must|should|needs?(?: to)?|has to|have to|shall|ought to|gets?|requires?|wants?|always)"
_OPENING = r"^\W*(?:please |always |you (?:must|should) |we |must |do )*"
_USES = rf"{_OPENING}(?:use|add|write|put|include|provide|give|want|require|keep)\b[^,;]{{0,25}}?\b{_DOCS}\s*"
_EVERY = r"(?:all|every|each|any|public|exported)"
_BARE = rf"(?:{_THING} (?:without|that lacks?) (?:an? |any )?{_DOCS}|undocumented {_THING})"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b{_THING}\b[^,;]{{0,40}}?\b{_NEED}\b[^,;]{{0,25}}?\b(?:{_DOCS}|documented)\b",
        rf"\b{_THING}\b[^,;]{{0,20}}? (?:with|having|have|has) (?:a |an |their |its )?{_DOCS}\b",
        rf"{_USES}(?:(?:comments? )?(?:to|for|on|in|above|over|at)\b[^,;]{{0,30}}?\b{_THING}\b|everywhere|always|$)",
        rf"^\W*{_DOCS} (?:everywhere|please|pls|always|are (?:required|mandatory))\W*$",
        rf"{_OPENING}(?:give|document) [^,;]{{0,20}}?\b{_THING}(?: (?:a|with) (?:a )?{_DOCS})?(?: in \w+)?\W*$",
        rf"^\W*{_DOCS} (?:are |is )?(?:required |mandatory |needed )?(?:on|for|in) {_EVERY}\b[^,;]{{0,30}}?\b{_THING}",
        rf"(?:\b(?:no|never|not)|n't)\b[^,;]{{0,30}}?\b{_BARE}",
    )
)
_AGAINST = re.compile(
    rf"(?:n't|\b(?:no|never|not|stop|avoid|remove|drop|skip|fewer|less|shorten))\b(?!.*\bwithout\b)[^,;]*\b{_DOCS}|"
    r"\b(?:test|example|private|script)s? (?:functions?|methods?|modules?)\b|"
    r"\b(?:with|has|have|and|gets?|contain\w*|includ\w*) (?:an? |at least one |usage )*@?examples?\b|\bexamples? in\b",
    re.IGNORECASE,
)
_HOMES = (
    (r"doc ?strings?|\bpython\b|pydocstyle", ("python",)),
    (r"[jt]s ?docs?", ("javascript",)),
    (r"java ?docs?", ("java",)),
    (r"php ?docs?|doc ?blocks?", ("php",)),
    (r"rust ?docs?", ("rust",)),
    (r"go ?docs?", ("go",)),
    (r"doxygen", ("cpp", "c")),
    (r"\byard\b", ("ruby",)),
)
_CLASSES = re.compile(r"\b(?:class(?:es)?|structs?|types?)\b", re.IGNORECASE)
_MODULES = re.compile(r"\b(?:modules?|packages?|python files?)\b", re.IGNORECASE)
_FUNCTIONS = re.compile(r"\b(?:functions?|methods?|components?)\b", re.IGNORECASE)
_ALL_OF_THEM = re.compile(r"\b(?:including private|private (?:ones|too)|internal ones)\b", re.IGNORECASE)


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of require-docstring."""
    if conditional(clause) or _AGAINST.search(clause.text) or not any(form.search(clause.text) for form in _FORMS):
        return
    named = tuple(one for pattern, homes in _HOMES if re.search(pattern, clause.text, re.IGNORECASE) for one in homes)
    public = {} if _ALL_OF_THEM.search(clause.text) else {"public": True}
    asked = [
        Asked(
            template="require-docstring",
            samples=SAMPLES[what],
            because="the words ask for documentation",
            said=tuple(dict.fromkeys((*named_languages(clause.text), *named))),
            given={"what": what, **({} if what == "module" else public)},
            tests=False,
        )
        for what in _what(clause.text)
    ]
    yield from drafts(asked, clause, before, after)


def _what(text: str) -> tuple[str, ...]:
    """What the words want documented: what they name, or else what others call."""
    signs = (("function", _FUNCTIONS), ("class", _CLASSES), ("module", _MODULES))
    return tuple(what for what, sign in signs if sign.search(text)) or ("function", "class")


PLUG = Fit(name="docstrings", fit=fit, any_clause=True)
