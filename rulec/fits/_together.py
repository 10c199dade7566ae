"""A person's words -> what is to be changed together: what calls, and what it calls for."""

import re
from dataclasses import dataclass, replace

from rulec.fits._together_forms import FORMS
from rulec.language import Clause

SHORT = 40  # characters of a question that asks after what is not there
LONGEST = 420  # characters of a clause that are read
_COMPILED = tuple((form, re.compile(pattern, re.IGNORECASE)) for form, pattern in FORMS)
_NOT = re.compile(r"\b(?:do ?n[o']?t|do not|never|no need|not|stop|avoid|no)\b", re.IGNORECASE)
_LACK = re.compile(
    r"\bwithout\b|\bforg[eo]t\w*|\b(?:not|\w+n'?t|never|stop) (?:been |be )?(?:add|writ|updat|creat|includ|cover|"
    r"document|skip|merg)\w*",
    re.IGNORECASE,
)
# What is said of running, ending or putting off tests and docs asks for no file.
_OTHERWISE = re.compile(
    r"\btests? only\b|\btests?\b[^,;]{0,16}\b(?:pass|fail|succeed|green|red|broken|run|first)"
    r"|\b(?:later|yet|for now|unnecessary|at the end)\b|\b(?:rather than|instead of)\b"
    r"|\b(?:not|n't) (?:be )?(?:need|necessary|require|bother)\w*|\bno need\b"
    r"|(?<!bug )\b(?:fix|pass|delet|remov|skip|disabl|mock|revert|renam|mov|read|check|see|look|follow|"
    r"review|us|simplif|clean)"
    r"(?:e|ed|ing|ping|y|s)?(?: at| up)? (?:\w+ ){0,3}(?:tests?|docs?|readme|changelog|documentation)\b"
    r"|^(?:can|could|did|do|does|is|are|should|would|shall|what|how|why)\b"
    r"(?! (?:you|we|are you|did you|do you) (?:also |please |just |always |not |never ))[^?]*\?$",
    re.IGNORECASE,
)
# Work that was just spoken of: "put it in a.md", "tests for this", "with what changed since the last update".
_ONCE = re.compile(r"(?:it|them|this|that|these|those|me|us|sure|what)\b", re.IGNORECASE)
_NOW = re.compile(
    r"\b(?:this|these|those|since|so far|discuss\w*|above|recent\w*|just|\d+\.\d+)\b|^(?:it|them|me|us|now)\b"
    r"|^the (?:new|last|latest|next)\b",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(
    r"[\s,]+(?:(?:in|with|as part of) the same (?:commit|change|pr|pull request)|too|as well|also|"
    r"accordingly|with it)\W*$",
    re.IGNORECASE,
)
_IT_TO = re.compile(r"^(?:it|them) (?:to|in|into|on|from|under) ", re.IGNORECASE)
_TOLD = re.compile(
    r"(?:i|we) (?:also |just |already |have |had |then )*(?:(?!need)\w+ed|made|wrote|did|ran|put)\b", re.IGNORECASE
)
_REST = re.compile(r"\s+(?:or even|but|because|since|otherwise|so that|instead|e\.g\.)\b.*$", re.IGNORECASE)
_BEFORE = re.compile(
    r",? (?:before|when(?:ever)?|prior to|with|in|for|on|after) (?:you |we )?(?:each |every |the |any |a |your )*"
    r"(?:commit|push|merg|pr\b|pull request|releas)\w*\W*$",
    re.IGNORECASE,
)


# Where new files are put is no pair of changes.
_PUT = re.compile(
    r"(?:(?:always|all|only) )*(?:put|place|store|keep|creat\w*|mov\w*) [^.;,:]{2,60}? "
    r"(?:in|into|under|inside) (?:the )?"
    r"(?:(?:[\w-]+/)+[\w-]*|[\w-]+(?= folder| directory))(?: folder| directory)?\W*$",
    re.IGNORECASE,
)
_NEW = re.compile(r"(?:(?:every|each|all|any|an?|the) )?(?:new|added)\b", re.IGNORECASE)
_CHANGED = re.compile(r"\b(?:chang|edit|modif|updat|touch)\w*", re.IGNORECASE)
_EVERY = re.compile(r"(?:every|each|any|all) (?:\w+ )?(?:changes?|edits?|commits?|time)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Together:
    """What belongs together, in the person's words."""

    calls: str
    needs: str
    both: bool = False  # each side calls for the other
    bare: bool = False  # nothing says what calls
    sure: bool = False  # the words say when
    each: bool = False  # each new thing of a kind calls, not each change of one

    def turned(self) -> "Together":
        """The same with its sides changed: "keep the docs in sync with the code"."""
        return replace(self, calls=self.needs, needs=self.calls, sure=True)


def _asks_after(clause: Clause) -> bool:
    """Whether the words only ask where something is; the verb is then none of theirs."""
    return clause.verb == "add" and "add" not in clause.text.lower() and len(clause.text) <= SHORT


def together(clause: Clause) -> Together | None:
    """What a clause wants changed together; None where it speaks of anything else."""
    if clause.polarity == "require" and clause.text.endswith("?") and _asks_after(clause):
        return Together("", clause.preferred[0], bare=True) if len(clause.preferred) == 1 else None  # "and the tests?"
    text = re.sub(r"^[\s/#*\-\[\].\u2026>]+", "", clause.text[:LONGEST]).replace("\u2019", "'")
    text = re.sub(r"\bpull requests?\b", "pr", " ".join(text.replace("`", "").split()), flags=re.IGNORECASE)
    text = re.sub(r"^(?:(?:but|and|so|ok(?:ay)?|then|please|well)\b[,. ]*)+", "", text, flags=re.IGNORECASE)
    habit = _BEFORE.search(text)
    text = text[: habit.start()] if habit and not text.lower().startswith(("when", "if", "after")) else text
    words = re.sub(r"[\w./-]*[./][\w./-]+", " ", text)
    if _TOLD.match(text) or _OTHERWISE.search(words) or (_NOT.search(words) and not _LACK.search(words)):
        return None
    if _PUT.match(text):
        return None
    for form, pattern in _COMPILED:
        if found := pattern.search(text):
            parts = {name: (said or "").strip(" ,:;!?()").rstrip(".") for name, said in found.groupdict().items()}
            calls = _REST.sub("", parts.get("s", "")) or (
                "every change" if habit or text.lower().startswith("keep") else ""
            )
            needs = _AT_ONCE.sub("", parts.get("n", ""))
            if form == "with":  # the one that is kept follows the other
                calls, needs = needs, calls
            if form == "when":
                needs = _IT_TO.sub("", needs)
            if _ONCE.match(needs) or (form != "when" and _NOW.search(parts.get("s", ""))):
                return None
            each = (form == "each" and not _CHANGED.search(calls)) or (form == "one" and bool(_NEW.match(calls)))
            sure = form in ("when", "each") or each or bool(_EVERY.match(calls))
            return Together(calls, needs, both=form in ("same", "with"), bare=not calls, sure=sure, each=each)
    return None
