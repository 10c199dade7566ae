"""The start of a session and a person's message -> the rules that the agent should have in mind."""

import json
import os

from rulec.agents.protocol.agent_spec import HookResponse
from rulec.checkout import ledger, personal_scope
from rulec.checkout.worktree import open_regular
from rulec.domain.rules_layout import personal_rulebook_path
from rulec.reminders import rule_records, selection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.agents.protocol.agent_spec import AgentSpec, HookRequest


STATE = "said.json"  # in the git folder: what each of the last sessions was told
MOST_SESSIONS = 30
LONGEST = 200  # characters of a session's name
MOST_RULES = 3  # at a message
MOST_TOKENS = 300
LEAD = "rulec: what the people of this repository have decided about this:"


def remind_at_start(agent: "AgentSpec", asked: "HookRequest", root: str) -> "HookResponse":
    """The rules worth knowing before any task is known; nothing where there are none."""
    said = selection.rank_rules(_rules(root, wait=True), _asked(agent, root))
    _remember(root, asked.session, _keys(said), anew=True)
    text = said.text()
    told: HookResponse = agent.tell(asked, text) if text else HookResponse()
    return told


def remind_at_prompt(agent: "AgentSpec", asked: "HookRequest", root: str, text: str) -> str:
    """The few rules that match the words of the message and that this session has not got yet."""
    rules = _rules(root, wait=False)
    if not rules:
        return ""
    wanted = _asked(agent, root)
    wanted.task, wanted.only, wanted.said = text, True, frozenset(_told(root, asked.session))
    wanted.max_rules, wanted.max_tokens = MOST_RULES, MOST_TOKENS
    said = selection.rank_rules(rules, wanted)
    _remember(root, asked.session, _keys(said), anew=False)
    return "\n".join([LEAD, *said.lines]) if said.lines else ""


def _asked(agent: "AgentSpec", root: str) -> selection.Audience:
    return selection.Audience(agent=agent.name, projects=personal_scope.repository_names(root))


def _rules(root: str, *, wait: bool) -> "list[dict[str, Any]]":
    """The team's rules and the personal ones that do not contradict them."""
    rules, home = rule_records.gather_rules(root), personal_rulebook_path()
    own = rule_records.gather_rules(home, "personal") if home != root else []
    if not own:
        return rules
    from rulec.checkout import personal_scope  # noqa: PLC0415 (few people have rules of their own)

    if wait:
        overruled = personal_scope.overruled_rules(root, home)
    else:
        place = ledger.worktree_file(root, personal_scope.OVERRULED)
        overruled = personal_scope.load_overruled(place, personal_scope.rulebooks_stamp(root, home))[1]
    return rules + [rule for rule in own if overruled is not None and rule["slug"] not in overruled]


def _keys(said: selection.RankedRules) -> "list[str]":
    return [selection.rule_key(rule) for rule in said.rules]


def _told(root: str, session: str) -> "list[str]":
    known = _sessions(root).get(session[:LONGEST])
    return [str(one) for one in known] if isinstance(known, list) else []


def _sessions(root: str) -> "dict[str, Any]":
    try:
        with open(ledger.worktree_file(root, STATE), encoding="utf-8", opener=open_regular) as file:
            known = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return known if isinstance(known, dict) else {}


def _remember(root: str, session: str, keys: "list[str]", *, anew: bool) -> None:
    """Note which rules a session got; one that starts anew has got none."""
    path = ledger.worktree_file(root, STATE)
    if not path or not session or not (keys or anew):
        return
    known = _sessions(root)
    before = [] if anew else _told(root, session)
    known.pop(session[:LONGEST], None)
    known[session[:LONGEST]] = [*before, *keys]
    last = dict(list(known.items())[-MOST_SESSIONS:])
    scratch = f"{path}.{os.getpid()}"
    try:
        handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(last, file)
        os.replace(scratch, path)
    except OSError:
        return
