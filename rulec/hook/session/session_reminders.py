"""The start of a session and a person's message -> the rules that the agent should have in mind."""

from __future__ import annotations

import os
import re
import sys

from rulec.agents.protocol.agent_spec import PROMPT, HookResponse
from rulec.checkout import contrary_rules, personal_scope
from rulec.checkout.rules_layout import WORDS, personal_rulebook_path
from rulec.checkout.worktree import plan_file
from rulec.hook import permission, session_state
from rulec.reminders import rule_records, selection
from rulec.shell.parsing.call import quote_word
from rulec.transcripts.human_text import typed_text
from rulec.weights import person_bonus, weight_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from rulec.agents.protocol.agent_spec import AgentSpec, HookRequest


TOLD = "told"  # part of what is remembered of a session: the rules that it got
MOST_RULES = 3  # at a message
MOST_TOKENS = 300
PERSONAL = selection.PERSONAL
LEAD = "rulec: what the people of this repository have decided about this:"
PROPOSE = (
    "rulec: when the person corrects you for good, put it right, then propose a rule of it, on which they decide: pipe"
    ' {"statement": "Use …, never …", "when": "…", "quote": "their words", "offence": {"command": "…"},'
    ' "fix": {"command": "…"}} into `%s propose` (an edit is {"edit": "PATH", "old": "…", "new": "…"}).'
)


def remind_at_start(agent: AgentSpec, asked: HookRequest, root: str) -> HookResponse:
    """The rules that hold, as far as there is room, and how the agent proposes one where it can start rulec."""
    weight_store.begin_session(root, asked.session)
    said = rules_at_start(agent.name, root)
    _remember(root, asked.session, _keys(said), anew=True)
    told = [text for text in (said.text(), _how_to_propose()) if text]
    answer: HookResponse = agent.tell(asked, "\n".join(told)) if told else HookResponse()
    return answer


def rules_at_start(agent: str, root: str) -> selection.RankedRules:
    """The rules with which a session of the agent starts."""
    rules, wanted = _rules(root), _audience(agent, root)
    wanted.bonus = person_bonus.bonuses(root, rules)
    return selection.rank_rules(rules, wanted)


def _how_to_propose() -> str:
    """What an agent does with a lasting correction: it notices one better than any detector does."""
    on_path = any(os.access(os.path.join(place, "rulec"), os.X_OK) for place in os.get_exec_path())
    return PROPOSE % ("rulec" if on_path else f"{quote_word(sys.executable)} -m rulec")


def remind_at_prompt(agent: AgentSpec, asked: HookRequest, root: str, text: str) -> str:
    """The few rules that match the words of the message and that this session has not got yet."""
    from rulec.weights import learning  # noqa: PLC0415 (a session starts without a message)

    rules, index = indexed_rules(root)
    if not rules:
        return ""
    wanted = audience_at_prompt(agent.name, root, text)
    wanted.said = frozenset(_told(root, asked.session))
    wanted.bonus = person_bonus.bonuses(root, rules, asked.session)
    said = selection.rank_rules(rules, wanted, index)
    if not person_bonus.is_off(root):
        learning.note_candidates(root, asked.session, rules, said.matches, wanted.bonus)
    _remember(root, asked.session, _keys(said), anew=False)
    return "\n".join([LEAD, *said.lines]) if said.lines else ""


def audience_at_prompt(agent: str, root: str, text: str) -> selection.Audience:
    """For whom and how many of the rules are that a message has to do with."""
    wanted = _audience(agent, root)
    wanted.task, wanted.only, wanted.max_rules, wanted.max_tokens = text, True, MOST_RULES, MOST_TOKENS
    return wanted


def _audience(agent: str, root: str) -> selection.Audience:
    asked = selection.Audience(agent=agent, projects=personal_scope.repository_names(root))
    asked.contrary = contrary_rules.contrary_keys(root)
    return asked


def _rules(root: str) -> list[dict[str, Any]]:
    """The team's rules and the personal ones that do not contradict them."""
    rules, home = rule_records.gather_rules(root), personal_rulebook_path()
    own = rule_records.gather_rules(home, PERSONAL) if home != root else []
    return rules + _uncontradicted(own, personal_scope.overruled_rules(root, home)) if own else rules


def indexed_rules(root: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """These rules without waiting to find out what contradicts, and the index of each rulebook."""
    words, home = rule_records.RuleWords(root), personal_rulebook_path()
    own = rule_records.gather_rules(home, PERSONAL) if home != root else []
    if own:
        own = _uncontradicted(own, personal_scope.load_overruled(root, home)[1])
    return words.rules + own, [words.index(), *([rule_records.build_index(home, own)] if own else [])]


def _uncontradicted(own: list[dict[str, Any]], overruled: Collection[str] | None) -> list[dict[str, Any]]:
    return [rule for rule in own if overruled is not None and rule["slug"] not in overruled]


def _keys(said: selection.RankedRules) -> list[str]:
    return [selection.rule_key(rule) for rule in said.rules]


def told_in_session(root: str, session: str) -> set[str]:
    """The names of the rules that a session got."""
    return {key.partition("@")[0] for key in _told(root, session)}


def _told(root: str, session: str) -> list[str]:
    return _keys_of(session_state.load(root, session).get(TOLD)) if session else []


def _keys_of(known: object) -> list[str]:
    return [str(key) for key in known] if isinstance(known, list) else []


def _remember(root: str, session: str, keys: list[str], *, anew: bool) -> None:
    """Note which rules a session got; one that starts anew has got none."""
    if session and (keys or anew):
        session_state.update(root, session, TOLD, lambda known: [*([] if anew else _keys_of(known)), *keys])


LONGEST_MESSAGE = 4_000  # characters of a message; a longer one is a document or a paste
CORRECTED = r"\bCORRECT\[([\w-]{1,60})\]"  # LexSona 4.3
CORRECTING = "CORRECT["  # how a person names the rule that they correct again
ALLOWED = "rulec: the person allows what was asked about last for the rule {}, once: do that very action again."
_SLASH = re.compile(r"/[\w:-]+(?:\s|$)")  # a command of the agent's program, not a path


def answer_prompt(agent: AgentSpec, asked: HookRequest, root: str) -> HookResponse:
    """What the agent should have in mind with the message: the rules of the plan's next step, and those it touches."""
    slug = permission.allow_by_message(root, asked)
    if PROMPT not in agent.hears:
        return HookResponse()
    text = typed_text(asked.words)
    told = [ALLOWED.format(slug) if slug else "", _of_plan(agent, asked, root)]
    if _worth(text) and not session_state.is_our_reason(text):
        told.append(_touched(agent, asked, root, text))
    known: HookResponse = agent.tell(asked, "\n".join(filter(None, told))) if any(told) else HookResponse()
    return known


def _of_plan(agent: AgentSpec, asked: HookRequest, root: str) -> str:
    """The rules of the step that comes, where the session has a plan."""
    begins = bool(agent.plan_prompt) and str(asked.given or "").startswith(agent.plan_prompt)
    from rulec.transcripts import recent_history  # noqa: PLC0415 (a session starts without a message)

    if not (begins or recent_history.shows_plan(asked) or os.path.exists(plan_file(root, asked.main_session))):
        return ""
    try:
        from rulec.hook.session import plan_calls  # noqa: PLC0415 (few sessions have a plan)

        return plan_calls.words_at_prompt(agent, asked, root)
    except Exception:  # noqa: BLE001 - a plan must not keep the agent from the rest
        return ""


def _touched(agent: AgentSpec, asked: HookRequest, root: str, text: str) -> str:
    """The rules that the message touches."""
    if not any(os.path.isdir(os.path.join(top, WORDS)) for top in (root, personal_rulebook_path())):
        return ""
    if CORRECTING in text:
        _learn_from_words(root, asked.session, text)

    return remind_at_prompt(agent, asked, root, text)


def _worth(text: str) -> bool:
    """Whether the message may be a person's words, by cheap signs."""
    return 0 < len(text) <= LONGEST_MESSAGE and not _SLASH.match(text) and any(map(str.isalpha, text))


def _learn_from_words(root: str, session: str, text: str) -> None:
    """Learn that a person corrects a rule again, which their message names."""
    from rulec.weights import learning  # noqa: PLC0415 (hardly a message names a rule so)
    from rulec.weights.formulas import TurnFacts  # noqa: PLC0415 (as above)

    named = {slug.lower() for slug in re.findall(CORRECTED, text)}
    if named and not person_bonus.is_off(root):
        told = told_in_session(root, session)
        facts = {slug: TurnFacts(corrected=True, told=slug in told) for slug in named}
        learning.learn(root, session, rule_records.gather_rules(root), facts)
