"""What the pair shows where the words are few: one program for another, some files in place of all of them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulec.fits._patterns import Pattern
from rulec.fits._programs import EVERYDAY, FAMILIES, KIN, NOUNS, OWN_ACTS, PROGRAMS
from rulec.fits._readings import words_of
from rulec.fits._words import pieces, stem, stems, telling
from rulec.language import Clause
from rulec.language.terms import table
from rulec.runtime.match import plain
from rulec.runtime.shell import Call

_FILLING = table(
    "use using with via not no never please pls instead of over rather than just only the a for this that we our it run"
)
_TERSE = 8  # words
_EVERYTHING = re.compile(
    r"\b(?:everything|all (?:of )?(?:the |your |my )?(?:files?|tests?|code)|whole|entire|"
    r"only (?:the |those |add |stage )*(?:files?|ones|what|changed|relevant))\b",
    re.IGNORECASE,
)
_ALL = ("-A", "--all", ".", "./", "./...", "-a", "*")
_MYSELF = re.compile(
    r"^(?:(?:no|ok(?:ay)?|hey|stop|wait|please)[,.! ]+)*"
    r"(?:i(?:'ll| will| can| do|'d rather|'m going to)?|let me|we(?:'ll| will)?)(?: always| usually)? "
    r"(?P<verb>run|do|start|handle|make|restart|commit|push|deploy|test|merge|open|create|install|take care of) "
    r"(?P<thing>.{2,60}?) (?:myself|by myself|on my own|ourselves|manually)\b",
    re.IGNORECASE,
)
_LACKING = re.compile(
    r"\b(?:you|we) (?:do ?n['o]?t|dont|do not) have (?:any )?(?:access to |permission to (?:use|run) )?"
    r"(?P<thing>[\w.-]+)(?: (?:access|installed|available))?(?: (?:here|there|in this \w+|on this \w+))*\W*$|"
    r"^(?P<named>[\w.-]+) (?:is ?n['o]?t|isnt|is not) (?:available|installed|accessible)\b|"
    r"\b(?:do ?n['o]?t|dont|do not|never|stop) try(?:ing)? to (?:use|run) (?P<tried>[\w.-]+)(?=\W*$| in\b| here|;)",
    re.IGNORECASE,
)
_LEAVE = re.compile(r"^(?:please )?leave (?P<thing>.{2,60}?) (?:up )?to me\b", re.IGNORECASE)


# "while I have the server open" is how things usually are, and no action shows when they are not.
_MEANWHILE = re.compile(
    r"(?:while|when|as long as) (?:i(?:'m| am|'ve| have)|we(?:'re| are|'ve| have)|someone is|others are)\b",
    re.IGNORECASE,
)


def reworded(clause: Clause) -> Clause:
    """A phrase like "I'll run the server myself": the agent is not to run it."""
    if clause.polarity == "forbid" and _MEANWHILE.match(clause.when):
        clause = replace(clause, when="")
    open_to = clause.polarity == "none" or clause.verb in ("have", "try")
    lacking = _LACKING.search(clause.text.replace("\u2019", "'")) if open_to else None
    if lacking and (thing := (lacking["thing"] or lacking["named"] or lacking["tried"]).lower()) in PROGRAMS:
        return replace(clause, polarity="forbid", verb="use", forbidden=(thing,), objects=(thing,), when="")
    found = _MYSELF.match(clause.text.replace("\u2019", "'")) or _LEAVE.match(clause.text)
    if not found:
        return clause
    parts = found.groupdict()
    thing = re.sub(r"^(?:the|a|all|any) ", "", parts["thing"].lower())
    verb = parts.get("verb", "do").lower()
    act = next((OWN_ACTS[one].split()[1] for one in OWN_ACTS if stem(thing) == stem(OWN_ACTS[one].split()[1])), "")
    named = () if act and verb in ("do", "make", "handle", "create", "take care of") else (thing,)
    verb = act if not named else "run" if verb in ("do", "handle", "take care of") else verb
    cues = (*clause.cues, "never")  # whoever does it, the agent does not
    return replace(
        clause, polarity="forbid", verb=verb, forbidden=named, objects=named, preferred=(), when="", cues=cues
    )


def akin(program: str, other: str) -> bool:
    """Whether two programs do the same work."""
    return program != other and any({program, other} <= family for family in (*FAMILIES, *KIN))


def swapped(clause: Clause, call: Call, accepted: Sequence[Call]) -> Iterator[Pattern]:
    """Few words name the program that was accepted: what was run in its place is not wanted."""
    words = [word.strip("`'\".,:;!?()").lower() for word in clause.text.split()]
    if len(words) > _TERSE:
        return
    program, subcommands, _, rest = words_of(call)
    others = {plain(other.program): other for other in accepted if plain(other.program) != program}
    named = [name for name in others if name.lower() in words or f"./{name.lower()}" in words]
    if not named or any(plain(other.program) == program for other in accepted):
        return
    name = named[0]
    bare = all(word.removeprefix("./") in (*_FILLING, name, program) for word in words)
    _, theirs, _, their_rest = words_of(others[name])
    if akin(program, name) and (bare or clause.polarity == "prefer"):
        yield Pattern((program,))
    elif (
        clause.polarity == "prefer"
        and program not in EVERYDAY
        and _same_work((program, *subcommands, *rest), (*theirs, *their_rest))
    ):
        yield Pattern((" ".join([program, *subcommands[:1]]),))


def _same_work(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether a telling word of one stands in the other: "golangci-lint run" and "make lint"."""
    own = {piece for word in mine for piece in pieces(word)}
    return bool({piece for word in theirs for piece in pieces(word) if len(piece) > 2} & own)


def of_everything(clause: Clause, call: Call, accepted: Sequence[Call]) -> Iterator[Pattern]:
    """A phrase like "not everything": the accepted command is the same one on some files."""
    if not _EVERYTHING.search(clause.text):
        return
    program, subcommands, _, _ = words_of(call)
    if not {stem(word) for word in (program, *subcommands)} & stems(f"{clause.verb} {clause.text}"):
        return
    every = [word for word in call.argv[1:] if word in _ALL and (word != "-a" or program == "git")]
    known = subcommands[:1] if program == "git" else []
    for other in accepted:
        same, theirs, _, rest = words_of(other)
        alike = same == program and (not known or theirs[:1] == known)
        if every and alike and rest and not any(word in _ALL for word in other.argv[1:]):
            yield Pattern(tuple(" ".join([program, *known, word]) for word in dict.fromkeys(every)))


def is_noun(program: str, thing: str) -> bool:
    """Whether the thing is only what the program works on: containers for docker."""
    known = stems(NOUNS.get(program.split(maxsplit=1)[0], ""))
    words = telling(thing)
    return bool(words) and set(words) <= known
