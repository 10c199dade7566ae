"""What pull requests and issues may not say of who wrote them, and commit messages where both are named."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._message_forms import forms
from rulec.fits._pair import MOST_INNOCENT, calls_of, example_of, offences
from rulec.fits._words import conditional
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime.match import matches

_POSTS = re.compile(r"\b(?:prs?|pull[- ]requests?|merge[- ]requests?|mrs?|issues?|issue comments?)\b", re.IGNORECASE)
_ANYWHERE = re.compile(r"\b(?:anywhere|everywhere)\b", re.IGNORECASE)
_COMMITS = re.compile(r"\bcommit(?:s|ting)?\b", re.IGNORECASE)
_NO = re.compile(r"\b(?:no|not|never|don'?t|dont|without|remove|drop|omit|skip|stop|leave out)\b", re.IGNORECASE)
_WHO = r"(?:claude|anthropic|codex|openai|copilot|cursor|gemini|chatgpt|aider|ai|llm)"
_SIGNED = re.compile(
    rf"\b(?:generated|written|created|made) (?:with|by)\b|\b{_WHO}(?:'s)? (?:code )?(?:attributions?|credits?|mentions?"
    rf"|signatures?|footers?|taglines?|adverts?|ads?)\b|\battributions?\b|\bco-?author\w*"
    rf"|\b(?:mention|credit|advertis\w*|reference|sign)\w*\b[^.;]{{0,30}}?\b(?:{_WHO}|yourself)\b",
    re.IGNORECASE,
)
_MADE = (
    rf"(?i)\b(?:generated|written|created|made|built) (?:with|by|using) \W{{0,5}}{_WHO}\b"
    rf"|\bco-authored-by: [^\n]{{0,60}}\b{_WHO}\b"
)
_COMMANDS = [
    "gh pr create|edit|comment|review|merge", "gh issue create|edit|comment", "glab mr create|update|note",
    "glab issue create|update|note",
]  # fmt: skip
_BAD = Example(kind="command", text="gh pr create --title 'Read it once' --body 'Generated with Claude Code'")
_GOOD = (
    Example(kind="command", text="gh pr create --title 'Read it once' --body 'It was generated twice, with a loop.'"),
    Example(kind="command", text="grep -rn 'Generated with Claude' docs"),
)


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-command for what is posted, and of commit-message beside it."""
    text = clause.text
    posts, everywhere = _POSTS.search(text), _ANYWHERE.search(text)
    if not (posts or everywhere) or not _NO.search(text) or not _SIGNED.search(text):
        return
    if conditional(clause) or re.match(r"\W*(?:if|unless|when)\b", text, re.IGNORECASE) or text.rstrip().endswith("?"):
        return
    posted = Check(kind="guard", template="forbid-command", parameters={"commands": _COMMANDS, "arguments": _MADE})
    checks, bad, good = [posted], [_BAD], list(_GOOD)
    message = next(forms(clause), None) if everywhere or _COMMITS.search(text) else None
    if message and set(message[0]) <= {"forbid", "forbid_trailers"}:
        checks.append(Check(kind="shell", template="commit-message", parameters=message[0]))
        bad.append(Example(kind="message", text=message[1]))
        good.append(Example(kind="message", text=message[2]))
    if before:
        shown = next(
            (example for action in offences(before) if _signs(action) and (example := example_of(action))), None
        )
        if shown is None or any(map(_signs, after)):
            return
        bad.insert(0, shown)
        good += [example for action in after if (example := example_of(action))][:MOST_INNOCENT]
    yield Draft(
        checks=tuple(checks),
        invalid=tuple(bad),
        valid=tuple(dict.fromkeys(good)),
        because="the words say what posts may not say of who wrote them",
    )


def _signs(action: Action) -> bool:
    """Whether the action posts such a line."""
    called = [call for call in calls_of(action) if any(matches(one, call) for one in _COMMANDS)]
    return any(re.search(_MADE, word) for call in called for word in call.argv[1:])


PLUG = Fit(name="posts", fit=fit, any_clause=True)
