"""Typed sentences and corrections -> candidates, with the checks that their words name."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulec.domain.candidate import Candidate, Correction, Draft
from rulec.domain.enforcement import Severity
from rulec.domain.files import globs
from rulec.domain.files.languages import globs_with_covered
from rulec.domain.rule import LONGEST_SLUG, Check, Example, Rule
from rulec.domain.transcript import Action
from rulec.errors import RulecError
from rulec.sentences.drafts import draft_of
from rulec.sentences.literals import is_marked, without_marks, word_table
from rulec.sentences.names import Names
from rulec.sentences.reading import Reading, read_sentence
from rulec.sentences.splitting import split_sentences
from rulec.shell.command_matching import matches
from rulec.shell.parsing.parser import parse_shell

BY_SESSION = "the sentence names it, and the session shows it"
LONGEST = 4_000  # characters of an action's text that an example keeps
_MOST = 4  # accepted actions that become examples
_CHANGES = ("write", "edit", "delete")


def draft_with_session(draft: Draft, before: Sequence[Action], after: Sequence[Action], *, shown: bool) -> Draft | None:
    """The draft with the session's actions as examples; None where it catches what was accepted.

    With ``shown`` the session must show an action that it catches.
    """
    if any(_catches(draft, action) for action in after if not action.rejected):
        return None
    bad = [action for action in before if _catches(draft, action)]
    if shown and not bad:
        return None
    invalid = tuple(one for action in bad[-2:] for one in _examples(action))
    valid = tuple(one for action in after[:_MOST] for one in _examples(action))
    sides = tuple(dict.fromkeys((*invalid, *draft.invalid))), tuple(dict.fromkeys((*valid, *draft.valid)))
    return replace(draft, invalid=sides[0], valid=sides[1], because=BY_SESSION if bad else draft.because)


def _catches(draft: Draft, action: Action) -> bool:
    """Whether an action does what a draft refuses, as far as its parameters tell without running the check."""
    return any(_does(check, draft, action) for check in draft.checks)


def _does(check: Check, draft: Draft, action: Action) -> bool:
    given = check.parameters
    if action.kind == "command" and len(action.command) <= LONGEST:
        return _runs(check, action.command)
    if not action.path or action.kind not in _CHANGES or check.template == "require-before":
        return False
    if check.template in ("protect-path", "forbid-path"):
        spared = _items(given.get("except"))
        held = globs.match(_items(given.get("globs")), action.path) and not globs.match(spared, action.path)
        return held and (action.kind == "delete" or given.get("how") != ["delete"])
    if not globs.match(list(draft.scope.include), action.path) or globs.match(list(draft.scope.exclude), action.path):
        return False
    language = str(given.get("language", ""))
    if language and not globs.match(globs_with_covered(language), action.path):
        return False
    if "globs" in given and not globs.match(_items(given["globs"]), action.path):
        return False
    ways = [
        rf"(?<![\w.]){re.escape(name)}(?!\w)" for key in ("functions", "modules") for name in _items(given.get(key))
    ]
    ways += _items(given.get("patterns"))
    return any(len(re.findall(way, action.new)) > len(re.findall(way, action.old)) for way in ways)


def _runs(check: Check, command: str) -> bool:
    given = check.parameters
    if "push_to" in given:
        wanted, calls = set(_items(given["push_to"])), parse_shell(command).calls
        return any(matches("git push", call) and wanted & {w.rpartition(":")[2] for w in call.argv} for call in calls)
    if check.template not in ("forbid-command", "require-command") or "on_branch" in given:
        return False
    commands, unless = _items(given.get("commands")), _items(given.get("unless"))
    if any(str(prefix) in command for prefix in _items(given.get("prefixes"))):
        return False
    if given.get("inside") or given.get("outside"):
        return False  # where it ran is for the check itself to see
    calls = parse_shell(command).calls if commands else []
    return any(
        matches(one, call) for one in commands for call in calls if not any(matches(other, call) for other in unless)
    )


def _items(value: Any) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list | tuple) else [str(value)] if value else []


def _examples(action: Action) -> Iterator[Example]:
    """An action as an example, where it can be one."""
    if action.kind == "command" and len(action.command) <= LONGEST:
        yield Example(kind="command", text=action.command, source="transcript")
    elif action.kind in ("write", "edit") and action.path and not action.path.startswith(("/", "~", "..")):
        if len(action.new) + len(action.old) > 4 * LONGEST:
            return
        if action.kind == "write" or not action.old:
            yield Example(kind="file", path=action.path, text=action.new, source="transcript")
        else:
            yield Example(kind="edit", path=action.path, old=action.old, text=action.new, source="transcript")


NO_CHECK = "no check was read from its words"
_LEAST_WORDS = 2
_MOST_SLUG_WORDS = 5
_LEAVES_OUT = word_table("a an the that this these those it is are be been our your my we you i please")
_JOINS = word_table("to of in on at for from by with and or but before after when if")  # ends no slug
_LASTING = re.compile(r"\b(?:never|always|from now on|every time|in future|must)\b", re.IGNORECASE)
_STRICT = re.compile(
    r"\b(?:never|always|must|do not|don'?t|no|avoid|stop|forbidden|not allowed|banned)\b", re.IGNORECASE
)
# What another sentence may take back of one that was understood.
_TAKES_BACK = re.compile(
    r"\b(?:except\w*|unless|only|fine|ok|okay|allowed|may|exempt\w*|excluded|permitted|acceptable|you can|"
    r"appl(?:y|ies))\b",
    re.IGNORECASE,
)
_CATEGORIES = {
    "edit": "scope", "delete": "scope", "commit": "security", "commit-on": "git", "push": "git", "import": "code-style",
    "write": "code-style", "comment": "code-style", "message": "git", "trailer": "git", "depend": "tooling",
    "before": "process", "after": "process",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence, what it says for certain, and the check of that."""

    text: str
    read: Reading | None
    draft: Draft | None


def _said(text: str, names: Names) -> _Said:
    read = read_sentence(text, names)
    draft = draft_of(read, names) if read else None
    return _Said(text, read if draft else None, draft)


def typed_candidates(text: str, names: Names) -> tuple[Candidate, ...]:
    """A candidate for each wish of a typed text; RulecError where it says none.

    What is understood is a candidate with its check, and the sentences behind it on the line are listed as what nothing
    checks. A line of which nothing is understood is one candidate.
    """
    lines = [line for line in text.splitlines() if re.search(r"\w", line)]
    found = [one for line in lines for one in _candidates_of_line(line.strip(), names)]
    if not found:
        raise RulecError("says no wish", hint='say what to do or not to do: rulec add "Use pnpm, not npm"')
    return tuple(found)


def typed_candidate(text: str, names: Names) -> Candidate:
    """The one candidate of a text that is one wish, whatever its sentences."""
    found = typed_candidates(text, names)
    if len(found) == 1:
        return found[0]
    return _candidate(_Said(" ".join(text.split()), None, None))


def _candidates_of_line(line: str, names: Names) -> Iterator[Candidate]:
    whole = _said(line, names)
    sentences = split_sentences(line)
    if whole.draft or len(sentences) <= 1:
        if whole.draft or _is_wish(line):
            yield _candidate(whole)
        return
    parts = [_said(one, names) for one in sentences]
    if not any(one.draft for one in parts) or any(_TAKES_BACK.search(one.text) for one in parts if not one.draft):
        yield _candidate(replace(whole, draft=None, read=None))
        return
    groups: list[list[_Said]] = [[]]
    for part in parts:
        if part.draft and any(one.draft for one in groups[-1]):
            groups.append([])
        groups[-1].append(part)
    for group in groups:
        yield _candidate_of_group(group)


def _candidate_of_group(group: Sequence[_Said]) -> Candidate:
    (known,) = (one for one in group if one.draft)
    rest = tuple(without_marks(one.text).rstrip(" .") for one in group if one is not known)
    made = _candidate(known)
    drafts = tuple(replace(draft, not_checked=(*draft.not_checked, *rest)) for draft in made.drafts)
    statement = statement_of(" ".join(one.text for one in group))
    return replace(made, rule=replace(made.rule, statement=statement), drafts=drafts)


def _is_wish(text: str) -> bool:
    return not text.rstrip().endswith("?") and len(re.findall(r"[^\W_]+", text)) >= _LEAST_WORDS


def _candidate(said: _Said) -> Candidate:
    rationale = "" if said.draft else NO_CHECK
    rule = replace(_rule(statement_of(said.text), said.read), rationale=rationale)
    return Candidate(rule=rule, drafts=(said.draft,) if said.draft else ())


def rule_in_words(statement: str) -> Rule:
    """The rule of a statement without a check: its slug, category and severity, as far as its words tell."""
    return _rule(statement, _said(statement, Names()).read)


def draft_in_words(statement: str) -> Draft | None:
    """The check that a statement names in so many words, whatever the repository; None where it names none."""
    return _said(statement, Names()).draft


def _rule(statement: str, read: Reading | None) -> Rule:
    return Rule(
        slug=slug_of(statement, read),
        statement=statement,
        category=_category(read),
        severity=severity_of(statement),
        do=_instead(read),
    )


def candidates_of(correction: Correction, names: Names) -> tuple[Candidate, ...]:
    """A candidate for each sentence of a correction that says something for certain, or all of it without a check.

    What does not hold for next time by its words must be shown by the session: something done before it is caught, and
    nothing that was accepted after it.
    """
    found: list[Candidate] = []
    sentences = [correction.quote, *split_sentences(correction.quote)]
    parts = list(dict.fromkeys(sentences))
    said = [_said(one, names) for one in parts]
    if said[0].draft:
        said = said[:1]
    elif any(_TAKES_BACK.search(one.text) for one in said[1:] if not one.draft):
        said = []
    for one in said:
        if one.draft is None or one.read is None:
            continue
        draft = draft_with_session(
            one.draft, correction.before, correction.after, shown=not holds_by_words(one.text, correction)
        )
        if draft:
            made = _candidate(replace(one, draft=draft))
            own = replace(correction, quote=one.text) if one.text in correction.quote else correction
            found.append(replace(made, correction=own))
    if not found:
        found = [replace(_candidate(_Said(correction.quote, None, None)), correction=correction)]
    if found and correction.slug:
        found[0] = replace(found[0], rule=replace(found[0].rule, slug=correction.slug))
    return tuple(replace(one, part=(number, len(found))) for number, one in enumerate(found, 1))


def holds_by_words(text: str, correction: Correction) -> bool:
    """Whether the person says that it holds for next time."""
    return correction.marked or is_marked(text) or bool(_LASTING.search(text))


def statement_of(text: str) -> str:
    """The person's sentence, whole, without marks, as a sentence."""
    said = re.sub(
        r"^(?:no|nope|hey|ok|okay|please|wait|actually)\b[,.:!]\s+(?=\S)", "", without_marks(text), flags=re.IGNORECASE
    )
    said = " ".join(said.split())
    said = f"{said[:1].upper()}{said[1:]}" if re.match(r"[a-z]+(?:\s|$)", said) else said
    return said if not said or said.endswith((".", "!", "?")) else f"{said}."


def severity_of(statement: str) -> Severity:
    """How much the words insist."""
    return "must" if _STRICT.search(statement) else "should"


def _category(read: Reading | None) -> str:
    if read is None:
        return "process"
    kind = read.things[0].kind
    if read.act == "use":
        text = read.things[0].text
        return "git" if text.startswith("git ") else "tooling" if kind == "command" else "code-style"
    return _CATEGORIES[read.act]


def _instead(read: Reading | None) -> str:
    if read is None:
        return ""
    return read.do or (f"use {read.wanted.text}" if read.wanted else "")


def slug_of(statement: str, read: Reading | None = None) -> str:
    """A short name in ASCII, five words at most: use-pnpm, no-print, dont-edit-gen."""
    words = _named_words(read) if read else []
    words = words or [
        word
        for word in _words(re.sub(r"\b(do) (not)\b", "dont", statement, flags=re.IGNORECASE))
        if word not in _LEAVES_OUT
    ]
    words = words[:_MOST_SLUG_WORDS]
    while words and words[-1] in _JOINS:
        words.pop()
    slug = "-".join(words)[:LONGEST_SLUG].strip("-")
    known = re.search("[a-z]{2}", slug) and slug not in ("null", "true", "false", "yes", "config")
    return slug if known else f"rule-{hashlib.sha256(statement.encode()).hexdigest()[:8]}"


_NAMING = ("edit", "import", "delete", "commit", "push", "commit-on")  # acts that name themselves in a slug


def _named_words(read: Reading) -> list[str]:
    named = _words(" ".join(one.text.partition("|")[0] for one in read.things))
    where = _words(" ".join((*read.place.include, read.place.language)))
    if read.wanted or read.do:
        wanted = read.wanted.text if read.wanted else read.do.removeprefix("use ")
        return ["use", *(word for word in _words(wanted) if word not in _LEAVES_OUT), *where]
    if read.act in ("before", "after"):
        rest = _words(" ".join(one.text for one in read.behind).removeprefix("git ")) or ["end"]
        return ["run", *named, read.act, *rest]
    verb = read.verb or ("add" if read.act == "depend" else read.act if read.act in _NAMING else "")
    kind = ["comments"] if read.act == "comment" else []
    return ["dont", *verb.split("-"), *named] if verb else ["no", *named, *kind, *where]


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'")).encode("ascii", "ignore").decode().lower()
    return re.findall(r"[a-z0-9]+", plain.replace("'", ""))
