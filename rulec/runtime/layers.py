"""The person's own rules under the team's: they may make the agent stricter, and lose where the two contradict."""

import json
import os

from rulec.runtime.index import Index, state_of
from rulec.runtime.world import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STATE = "overruled.json"  # in the git folder: which of the person's rules contradict which of the team's
SECONDS = 10.0  # that weighing the two rulebooks may take; that is once after either has changed


class Layered:
    """An index over the team's rules, and the person's wherever those do not say otherwise."""

    def __init__(self, team: Index, home: str) -> None:
        self.team, self.home = team, home
        self.root, self.strict, self.present = team.root, team.strict, team.present
        self.own: "Index | None" = None

    @property
    def tools(self) -> bool:
        """Whether some rule judges tools by their names; the person's own are only known once they are asked."""
        return self.team.tools or self._opened().tools

    def find(self, words: "list[str]") -> "tuple[list[dict[str, Any]], list[dict[str, Any]]]":
        """The rules filed under the words, and what is wrong with artifacts: (rules, faults)."""
        rules, faults = self.team.find(words)
        taken = {rule["facts"]["slug"] for rule in rules}
        try:
            return [*rules, *(rule for rule in self._own(words) if rule["facts"]["slug"] not in taken)], faults
        except Exception as error:  # noqa: BLE001 - whatever breaks here must not keep the team's rules from acting
            what = f"the personal rulebook in {self.home} cannot be asked ({type(error).__name__}: {error})"
            facts = {"slug": "personal", "on_error": "warn", "home": self.home, "scope": {}}
            return rules, [*faults, {"fault": what, "facts": facts}]

    def _own(self, words: "list[str]") -> "list[dict[str, Any]]":
        found = self._opened().find(words)[0]
        if not found:
            return []
        lost = weighed(self.root, self.home)
        kept = [rule for rule in found if rule["facts"]["slug"] not in (lost or ())]
        return [{**rule, "facts": _marked(rule["facts"], self.home, sure=lost is not None)} for rule in kept]

    def _opened(self) -> Index:
        if self.own is None:
            self.own = Index(self.home, of=self.root)
            self.own.open()
        return self.own


def _marked(facts: "dict[str, Any]", home: str, *, sure: bool) -> "dict[str, Any]":
    """The rule's facts as the person's own; what nobody has held against the team's rules yet does not block."""
    act = facts.get("enforcement", "audit")
    told = "(personal) " + str(facts.get("statement", ""))
    return {**facts, "statement": told, "home": home, "enforcement": act if sure or act != "block" else "warn"}


def weighed(root: str, home: str) -> "dict[str, str] | None":
    """Which of the person's rules lose to the team's, and why; None where nobody can say."""
    from rulec.runtime import ledger  # noqa: PLC0415 (only where a word of an action leads to a personal rule)

    path, wanted = ledger.place(root, STATE), stamps(root, home)
    if not path:
        return None
    current, lost = stored(path, wanted)
    if not current:
        from rulec.runtime import installed  # noqa: PLC0415 (only after either rulebook has changed)

        installed.answer(root, ["rules"], SECONDS)  # it holds the two against each other before it lists them
        current, lost = stored(path, wanted)
        if not current:  # once is enough, until either rulebook changes
            store(path, wanted, None)
    return lost


def stamps(root: str, home: str) -> str:
    """What changes when either rulebook does."""
    seen = []
    for folder in (os.path.join(root, ".rules"), os.path.join(home, ".rules")):
        try:
            found = os.stat(folder)
            seen.append(f"{found.st_mtime_ns}.{found.st_ctime_ns}.{found.st_ino}")
        except OSError:
            seen.append("")
    return " ".join([*seen, state_of(root), state_of(home)])


def stored(path: str, wanted: str) -> "tuple[bool, dict[str, str] | None]":
    """Whether what is kept is of the two rulebooks as they are now, and what it is."""
    try:
        with open(path, encoding="utf-8", opener=plain) as file:
            known = json.load(file)
        slugs = known["slugs"]
        return known["stamp"] == wanted, slugs if isinstance(slugs, dict) and known["stamp"] == wanted else None
    except (OSError, ValueError, KeyError, TypeError):
        return False, None


def store(path: str, wanted: str, slugs: "dict[str, str] | None") -> None:
    """Keep what was weighed; None says that nobody could."""
    scratch = f"{path}.{os.getpid()}"
    try:
        handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"stamp": wanted, "slugs": slugs}, file)
        os.replace(scratch, path)
    except OSError:
        return
