"""Repeated code: "keep it DRY", "don't copy-paste", "that is the same function twice"."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._words import things
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.change import Change, FileChange, event_of
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.runtime import copies

_SAID = re.compile(
    r"\bDRY\b|\b[Dd]on'?t repeat yourself\b|"
    r"(?i:\b(?:duplicat(?:e|es|ed|ing|ion)|repeat(?:s|ed|ing)?|copy[- ]?past\w*|copied and pasted|"
    r"re-?implement\w*|clon(?:e|ed|ing))"
    r"\b[^.;]{0,60}?\b(?:code|functions?|methods?|logic|implementations?|bod(?:y|ies)|blocks?|boilerplate)\b|"
    r"\b(?:code|logic|function) (?:duplication|clones?|repetition)|\b(?:same|identical) (?:code|function|logic|"
    r"implementation)s? "
    r"(?:\w+ ){0,3}(?:twice|again|multiple|in (?:both|two|several|many|every)))"
)
_NAMED = re.compile(r"\b(?:duplicated?|copied|cop(?:y|ies)|cloned?|repeat(?:ed)?|copy[- ]?pasted?)\b", re.IGNORECASE)
_OTHERWISE = re.compile(
    r"\b(?:comments?|docs?|docstrings?|documentation|names?|"
    r"data|rows?|records?|entr(?:y|ies)|keys?|messages?|requests?|events?|tests?|files?|lines? in the "
    r"(?:log|output)|"
    r"questions?|yourself (?:in|when)|what i)\b",
    re.IGNORECASE,
)
_LEAST = 4  # lines of a function
MOST_FILES = 20

_TWO = """\
package a

func cities(form Form) string {{
	var lines []string
	for _, city := range strings.Split(form["cities"], ",") {{
		if text := clean(city, 2); text != "" {{
			lines = append(lines, text)
		}}
	}}
	return strings.Join(lines, "\\n")
}}
{0}"""
_SECOND = """
func streets(form Form) string {
	var parts []string
	for _, street := range strings.Split(form["streets"], ";") {
		if text := clean(street, 3); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\\n")
}
"""
_OTHER = '\nfunc streets(form Form) string { return linesOf(form, "streets") }\n'


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-copies."""
    if clause.addressed == "product" or not _against_copies(clause, before):
        return
    check = Check(kind="guard", template="forbid-copies", parameters={"least": _LEAST})
    wrong, right = _files(before), _files(after)
    shown = _repeats(wrong)
    if _repeats(right):
        return
    pair = (Example(kind="commit", text="Add it", files=shown),) if shown else ()
    fixed = (Example(kind="commit", text="Share it", files=right),) if right else ()
    made = Example(kind="commit", text="Add both", files=(("src/form.go", _TWO.format(_SECOND)),))
    near = Example(kind="commit", text="Add both", files=(("src/form.go", _TWO.format(_OTHER)),))
    yield Draft(
        checks=(check,),
        invalid=(*pair, made),
        valid=(*fixed, near),
        because="the words are against repeated code" + (", and the change held some" if shown else ""),
    )


def _against_copies(clause: Clause, before: Sequence[Action]) -> bool:
    if not _SAID.search(clause.text):
        named = [term.text.removesuffix("()") for term in clause.terms if term.kind == "symbol"]
        defined = any(re.search(rf"\b{re.escape(name)}\b", action.new) for name in named for action in before)
        return bool(_NAMED.search(clause.text)) and defined
    dry = re.search(r"\bDRY\b|repeat yourself", clause.text)
    if clause.polarity == "none" and not before:
        return bool(dry)
    return bool(dry) or not _OTHERWISE.search(" ".join(things(clause)))


def _files(actions: Sequence[Action]) -> tuple[tuple[str, str], ...]:
    """The last content of each file that the actions write, as far as they show it."""
    texts: dict[str, str] = {}
    for action in actions:
        if action.kind in ("write", "edit") and action.path and not action.path.startswith(("/", "..", "~")):
            now = texts.get(action.path, "")
            edited = now.replace(action.old, action.new, 1) if action.old and action.old in now else action.new
            texts[action.path] = action.new if action.kind == "write" else edited
    return tuple(list(texts.items())[-MOST_FILES:])


def _repeats(files: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Those of the files in which, or between which, a function is repeated."""
    change = Change(files=tuple(FileChange(path=path, content=text.encode("utf-8", "replace")) for path, text in files))
    rule = {"facts": {"slug": ""}, "check": {"on": "change", "copies": _LEAST, "unless": ["@tests"]}}
    found = copies.on_change(rule, event_of(change))
    named = {item["path"] for item in found}
    twins = {path for path, _ in files if any(f" of {path}:" in item["text"] for item in found)}
    return tuple((path, text) for path, text in files if path in named | twins)
