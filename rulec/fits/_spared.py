"""Words that turn down the end of a thing, its change, or too much of it: the thing itself stays allowed."""

import re
from collections.abc import Sequence

from rulec.language import Clause
from rulec.model.candidate import Draft

_NO = r"(?:do ?n['\u2019]?t|do not|never|not to|stop|avoid|no)"
# "don't replace npm with pnpm", "don't ban eval", "stop removing emojis", "don't mix npm and pnpm".
_OTHERWISE = re.compile(
    rf"\b{_NO} (?:you )?(?:ever )?(?:stop(?:ping)?|quit(?:ting)?|remov(?:e|ing)|delet(?:e|ing)|drop(?:ping)?|"
    r"strip(?:ping)?|ban(?:ning)?|forbid(?:ding)?|prohibit(?:ing)?|disallow(?:ing)?|chang(?:e|ing)|convert(?:ing)?|"
    r"replac(?:e|ing)|migrat(?:e|ing)|renam(?:e|ing)|rewrit(?:e|ing)|confus(?:e|ing)|mix(?:ing)?|combin(?:e|ing)|"
    r"be (?:afraid|scared|shy))\b",
    re.IGNORECASE,
)
# "don't just use print", "don't use too many mocks", "don't overuse mocks".
_TOO_MUCH = re.compile(
    rf"\b{_NO} (?:(?:just|only|merely|simply|always) \w+|over-?us(?:e|ing)|"
    r"(?:\w+ )?(?:too|so|that) (?:many|much|often))\b",
    re.IGNORECASE,
)
_USES = re.compile(r"forbid-(?:annotation|call|comment|construct|decorator|dependency|emoji|import|shape)|prefer-\w+")


def spared(clause: Clause, drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    """The drafts, without those that refuse any use of what the words leave allowed."""
    said = f"{clause.text} {clause.when}"
    if not (_OTHERWISE.search(said) or _TOO_MUCH.search(said)):
        return tuple(drafts)
    named = set(re.findall(r"\w[\w-]*(?:\.[\w-]+)*", clause.text))
    return tuple(draft for draft in drafts if not _against_use(draft, named))


def _against_use(draft: Draft, named: set[str]) -> bool:
    programs = {example.text.partition(" ")[0] for example in draft.invalid if example.kind == "command"}
    commands = any(check.template == "forbid-command" for check in draft.checks)
    return bool(commands and programs & named) or any(_USES.fullmatch(check.template) for check in draft.checks)
