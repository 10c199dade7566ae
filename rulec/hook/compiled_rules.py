"""The compiled guards of a work tree, kept in the git directory as one file until one of them changes."""

from __future__ import annotations

import json
import marshal
import os

from rulec.checkout import record_cache
from rulec.checkout.rules_layout import CONFIG, GUARD
from rulec.domain.compiled_rule import EventFinding, Facts, read_rule
from rulec.domain.enforcement import refuses
from rulec.domain.files import globs
from rulec.domain.patterns import command_patterns
from rulec.guard import decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.domain.compiled_rule import CompiledRule
    from rulec.shell.action_events import Event

    Found = tuple[list[CompiledRule], list[EventFinding]]  # rules, and what is wrong with artifacts
    Kept = tuple[bool, dict[str, list[int]], list[bytes], str]


CACHE = "guards"
SOURCES = [getattr(module, "__file__", "") for module in (decision, command_patterns, globs)]  # what words depend on


class CompiledRules:
    """The rules of the compiled guards by the words of an action that lead to them."""

    def __init__(self, root: str, of: str = "", *, base: bool = False, whose: str = "") -> None:
        self.root = root
        self.base = base  # the rules are those of HEAD or the remote's base, since the work tree has none on its disk
        self.whose = whose  # how a refusal calls the tree or commit that has the rules, "" for the tree at hand
        self.of = of or root  # the repository that the rules are to speak of
        self.strict = False  # some rule says that a check which breaks blocks
        self.filed: dict[str, list[int]] = {}  # word -> positions of rules
        self.rules: list[bytes] = []  # each by itself, since an action needs few

    @property
    def present(self) -> bool:
        """Whether there are compiled guards at all."""
        return bool(self.rules)

    @property
    def tools(self) -> bool:
        """Whether a rule judges tools by their names."""
        return decision.TOOLS in self.filed

    def load(self) -> None:
        """Use what was kept where it is current, else read the artifacts and keep what they say."""
        if not self.base and not os.path.isdir(os.path.join(self.root, GUARD)):
            return
        stamp = self._stamp()
        kept = record_cache.load_records(self.root, self._name(), stamp)
        if kept is None:
            read = self._read()
            record_cache.save_records(self.root, self._name(), stamp, [*read])
            self.strict, self.filed, self.rules, base = read
        else:
            self.strict, self.filed, self.rules, base = kept
        self.whose = base or self.whose

    def differs(self) -> bool:
        """Whether what is kept passes for current but says something else than the artifacts; it is then made anew."""
        stamp = self._stamp()
        kept, read = record_cache.load_records(self.root, self._name(), stamp), [*self._read()]
        if kept in (None, read):
            return False
        record_cache.save_records(self.root, self._name(), stamp, read)
        return True

    def for_event(self, event: Event) -> Found:
        """The rules that may judge an action, and what is wrong with artifacts."""
        return self.find(decision.words_of_event(event))

    def find(self, words: set[str]) -> Found:
        """The rules that the words lead to, as they are in effect here, and what is wrong with artifacts."""
        rules: list[CompiledRule] = []
        faults: list[EventFinding] = []
        for at in decision.find_rules(self.filed, words):
            told = marshal.loads(self.rules[at])  # noqa: S302 (our own)
            if "fault" in told:
                faults.append(
                    EventFinding(facts=Facts(slug=told["slug"], on_error=told["on_error"]), fault=told["fault"])
                )
                continue
            rule = read_rule(told)
            rule.facts.whose = self.whose
            if self._speaks_here(rule.facts):
                rules.append(rule)
        return rules, faults

    def _speaks_here(self, facts: Facts) -> bool:
        if not facts.scope.projects:
            return True
        from rulec.checkout import personal_scope  # noqa: PLC0415 (rules that hold in some repositories only are few)

        return personal_scope.scope_holds(facts.scope.projects, self.of)

    def _name(self) -> str:
        return f"{CACHE}-of-base" if self.base else CACHE

    def _stamp(self) -> record_cache.SourceStamp:
        if not self.base:
            return record_cache.stamp_of([os.path.join(self.root, GUARD, ""), *SOURCES])
        from rulec.checkout import remote_base  # noqa: PLC0415 (only where the work tree has no rules)

        return remote_base.base_stamp(self.root, *SOURCES)

    def _read(self) -> Kept:
        """Whether a broken check blocks, where the rules are filed, each of them, and which commit has them."""
        base, texts = self._texts_at_base() if self.base else ("", _texts_on_disk(self.root))
        rows = [_read_artifact(name, texts[name]) for name in sorted(texts)]
        strict = any(row[0] for row in rows)
        return strict, decision.file_rules(words for _, words, _ in rows), [packed for *_, packed in rows], base

    def _texts_at_base(self) -> tuple[str, dict[str, str]]:
        from rulec.checkout import remote_base  # noqa: PLC0415 (as above)

        base, texts = remote_base.texts_at_base(self.root, GUARD, remote_base.STANDING)
        named = remote_base.name_of_base(self.root, base)
        return named, {name: text for name, text in texts.items() if name.endswith(".json")}


def rules_of_tree(root: str, whose: str = "") -> CompiledRules:
    """The rules of a work tree: those on its disk or, where no rulebook is checked out, those of a commit."""
    rules = CompiledRules(root, whose=whose)
    rules.load()
    if rules.present or os.path.exists(os.path.join(root, CONFIG)):
        return rules
    rules = CompiledRules(root, base=True)
    rules.load()
    return rules


def _texts_on_disk(root: str) -> dict[str, str]:
    """The artifacts of the work tree by file name; of one that cannot be read, the error in its place."""
    found: dict[str, str] = {}
    folder = os.path.join(root, GUARD)
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".json")]
    except OSError:
        return found
    for name in names:
        try:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found[name] = file.read()
        except (OSError, ValueError) as broken:
            found[name] = f"{type(broken).__name__}: {broken}"
    return found


def _read_artifact(name: str, text: str) -> tuple[bool, set[str], bytes]:
    """Whether its check blocks where it breaks, its words and its rule; ``fault`` for one that cannot be used."""
    try:
        data = json.loads(text)
        rule = read_rule(data)
        packed = record_cache.to_bytes({"facts": data["facts"], "check": data["check"]})
        return refuses(rule.facts.on_error), decision.words_of_rule(rule), packed
    except (ValueError, RecursionError) as broken:
        strict = "block" if '"on_error": "block"' in text else "warn"
        what = f"{GUARD}/{name} cannot be used ({type(broken).__name__}: {broken}); run `rulec compile`"
        fault = {"fault": what, "slug": name[:-5], "on_error": strict}
        return refuses(strict), {decision.ALWAYS}, record_cache.to_bytes(fault)


class LayeredRules(CompiledRules):
    """The team's rules, and the person's wherever those do not say otherwise."""

    def __init__(self, team: CompiledRules, home: str) -> None:
        super().__init__(team.root)
        self.team, self.home, self.strict = team, home, team.strict
        self.own: CompiledRules | None = None

    @property
    def present(self) -> bool:
        """Whether the team has compiled guards."""
        return self.team.present

    @property
    def tools(self) -> bool:
        """Whether a rule judges tools by name; personal rules are read for it."""
        return self.team.tools or self._loaded().tools

    def find(self, words: set[str]) -> Found:
        """The rules that the words lead to, as they are in effect here, and what is wrong with artifacts."""
        rules, faults = self.team.find(words)
        taken = {rule.facts.slug for rule in rules}
        try:
            return [*rules, *(rule for rule in self._own(words) if rule.facts.slug not in taken)], faults
        except Exception as error:  # noqa: BLE001 - whatever breaks here must not keep the team's rules from acting
            what = f"the personal rulebook in {self.home} cannot be asked ({type(error).__name__}: {error})"
            facts = Facts(slug="personal", home=self.home)
            return rules, [*faults, EventFinding(facts=facts, fault=what)]

    def _own(self, words: set[str]) -> list[CompiledRule]:
        found = self._loaded().find(words)[0]
        if not found:
            return []
        from rulec.checkout import personal_scope  # noqa: PLC0415 (most people have no rules of their own)

        lost = personal_scope.overruled_rules(self.root, self.home)
        kept = [rule for rule in found if rule.facts.slug not in (lost or ())]
        return [rule.but(facts=_marked(rule.facts, self.home, sure=lost is not None)) for rule in kept]

    def _loaded(self) -> CompiledRules:
        if self.own is None:
            self.own = CompiledRules(self.home, of=self.root)
            self.own.load()
        return self.own


def _marked(facts: Facts, home: str, *, sure: bool) -> Facts:
    """The facts of a personal rule; one that was not compared with the team's rules yet warns at most."""
    act = facts.enforcement if sure or not refuses(facts.enforcement) else "warn"
    from rulec.guard.precedence import PERSONAL  # noqa: PLC0415 (as above)

    return facts.but(statement=f"(personal) {facts.statement}", home=home, layer=PERSONAL, enforcement=act)


FIRST_TREE = "the work tree in which the session began"


class TreeRules(CompiledRules):
    """The rules of both: an old commit in a second work tree is no way out of a rule of the first."""

    def __init__(self, own: CompiledRules, first: str) -> None:
        super().__init__(own.root)
        self.own, self.first = own, CompiledRules(first, whose=FIRST_TREE)
        self.first.load()
        self.strict = own.strict or self.first.strict

    @property
    def present(self) -> bool:
        """Whether either has compiled guards."""
        return self.own.present or self.first.present

    @property
    def tools(self) -> bool:
        """Whether a rule of either judges tools by their names."""
        return self.own.tools or self.first.tools

    def find(self, words: set[str]) -> Found:
        """The rules that the words lead to, as they are in effect here, and what is wrong with artifacts."""
        rules, faults = self.own.find(words)
        taken = {rule.facts.slug for rule in rules}
        others = [rule for rule in self.first.find(words)[0] if rule.facts.slug not in taken]
        return [*rules, *(rule for rule in others if self._lacks(rule.facts.slug))], faults

    def _lacks(self, slug: str) -> bool:
        """Whether the work tree does not have the rule in any form."""
        names = (os.path.join(".rules", f"{slug}.yaml"), os.path.join(GUARD, f"{slug}.json"))
        return not any(os.path.lexists(os.path.join(self.root, name)) for name in names)
