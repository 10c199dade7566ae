"""The compiled words of a rulebook -> records to rank, each with the time when its rule last mattered."""

from __future__ import annotations

import json
import os
import re

from rulec.checkout import record_cache
from rulec.checkout.rules_layout import CONFIG, WORDS
from rulec.checkout.worktree import open_regular
from rulec.domain.confidence import base_confidence
from rulec.domain.enforcement import LEVELS, level_at_steps
from rulec.guard.precedence import timestamp
from rulec.reminders import rule_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any


EVIDENCE = os.path.join(".rules", "evidence")
RULES = ".rules"
EXTENDS = os.path.join(".rules", "extends")
HEAD = 4_000  # bytes of a file: what is read of it stands before anybody's words
FOR, AGAINST = ("correction", "accepted"), ("counterexample",)
_EXAMPLES = r"(?m)^examples:((?:.*\n)(?:[ \t-].*\n)*)"
_KEYS = r"source: \w+|\b[a-z]+:(?=\s)"
_LINE = rb"(?m)^(kind|weight|at): *[\"']?([\w:.+-]+)"


def standing(seen: Iterable[tuple[str, float, str]]) -> dict[str, Any]:
    """What orders a rule among others, from the kind, weight and time of each observation.

    Confidence here counts each observation in full, and only tells apart what is alike in all else.
    """
    found = list(seen)
    at = max((one[2] for one in found), key=lambda at: (timestamp(at), at), default="")
    pro = sum(weight for kind, weight, _ in found if kind in FOR)
    against = sum(weight for kind, weight, _ in found if kind in AGAINST)
    prior = _team_prior(found)
    known = {"at": at, "time": timestamp(at), "confidence": round(base_confidence(pro, against), 6)}
    return {**known, "prior": prior} if prior else known


# What the team's committed counts add to a rule's log-probability: at most so much, and how many counts make half of it
MOST_PRIOR, HALF_PRIOR = 0.2, 4.0


def _team_prior(found: list[tuple[str, float, str]]) -> float:
    """What counts that the team has committed add to a rule's score: rules are found broken, and found wrong.

    One observation is one person's month (`rulec report --commit`), so that nobody's busy week outweighs the others,
    and nothing of anybody's own weights is in it.
    """
    pro = sum(kind == "fired" for kind, _, _ in found)
    against = sum(kind in ("excepted", *AGAINST) for kind, _, _ in found)
    return round(MOST_PRIOR * (pro - against) / (pro + against + HALF_PRIOR), 6)


def evidence_folders(root: str) -> list[str]:
    """Every folder with evidence for one rule, those of vendored rulebooks among them."""
    places = [os.path.join(root, EVIDENCE)]
    places += [os.path.join(root, EXTENDS, name, "evidence") for name in folder_names(os.path.join(root, EXTENDS))]
    return [f"{place}{os.sep}{name}" for place in places for name in folder_names(place)]


def observations_of(root: str, slug: str, layer: str) -> Iterator[tuple[str, float, str]]:
    """The observations about one rule: kind, weight and time of each."""
    kind, _, name = layer.partition(" ")
    vendored = [os.path.join(root, EXTENDS, name, "evidence", slug)] if kind == "extends" and name else []
    for folder in [os.path.join(root, EVIDENCE, slug), *vendored]:
        for file in folder_names(folder):
            if file.endswith(".yaml"):
                yield _observation(os.path.join(folder, file))


def _observation(path: str) -> tuple[str, float, str]:
    try:
        with open(path, "rb") as file:
            lines = re.findall(_LINE, file.read(HEAD))
        said = {key: value.decode("ascii") for key, value in reversed(lines)}
        return said.get(b"kind", ""), float(said.get(b"weight", "0")), said.get(b"at", "")
    except (OSError, ValueError):
        return "", 0.0, ""


def folder_names(folder: str) -> list[str]:
    """What is in a folder, sorted; nothing where it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


NAME = "words"
INDEX = "words-index"
LONGEST = 1_000  # characters of one text of a rule; what is compiled stays far below
LARGEST = 100_000  # bytes of one artifact
LONGEST_EXAMPLES = 2_000  # characters of a rule's examples that are read
_TEXT_KEYS = ("slug", "severity", "category", "says", "when", "do", "where", "layer")
_SAID = ("says", "when", "do")
_BOUNDS = ("include", "exclude", "agents", "tags", "projects", "environments")


class RuleWords:
    """The records of a rulebook's rules by name, and what is found out of them once and kept.

    Where no rulebook is checked out they are those of the commit whose rules judge.
    """

    __slots__ = ("_root", "_stamp", "_suffix", "rules")

    def __init__(self, root: str) -> None:
        self._root = root
        self.rules: list[dict[str, Any]] = []
        self._stamp, self._suffix = record_cache.SourceStamp(), ""
        words = os.path.join(root, WORDS)
        if os.path.isdir(words):
            self._stamp = record_cache.stamp_of([words, os.path.join(root, RULES), *evidence_folders(root)])
            self.rules = self._kept(NAME, lambda: list(_read(root)))
        elif os.path.isdir(root) and not os.path.exists(os.path.join(root, CONFIG)):
            from rulec.checkout import remote_base  # noqa: PLC0415 (only where the work tree has no rules)

            self._stamp, self._suffix = remote_base.base_stamp(root), "-of-base"
            self.rules = self._kept(NAME, lambda: list(_read_at_base(root)))

    def index(self) -> dict[str, Any]:
        """What leads from the words of a task to these rules."""
        found = self._kept(INDEX, lambda: [build_index(self._root, self.rules)])[0]
        return found if found.get("count") == len(self.rules) else build_index(self._root, self.rules)

    def _kept(self, name: str, make: Callable[[], list[dict[str, Any]]]) -> list[dict[str, Any]]:
        found = record_cache.load_records(self._root, name + self._suffix, self._stamp)
        if found is None:
            found = make()
            record_cache.save_records(self._root, name + self._suffix, self._stamp, found)
        return found


def gather_rules(root: str, layer: str = "") -> list[dict[str, Any]]:
    """Every rule of a rulebook that holds, by name; a layer that is given is that of all of them."""
    rules = RuleWords(root).rules
    return [{**rule, "layer": layer} for rule in rules] if layer else rules


def build_index(root: str, rules: list[dict[str, Any]]) -> dict[str, Any]:
    """The index of the rules of one rulebook, by the words of their records and of their examples."""
    from rulec.reminders import rule_index  # noqa: PLC0415 (a session starts without a task)

    return rule_index.build_index([{**rule, "shown": examples_of(root, rule)} for rule in rules])


def examples_of(root: str, rule: dict[str, Any]) -> str:
    """The texts of the examples in a rule's file: compiled words have none, so that branches that add some merge."""
    kind, _, name = (rule.get("layer") or "").partition(" ")
    folder = (
        os.path.join(root, EXTENDS, os.path.basename(name)) if kind == "extends" and name else os.path.join(root, RULES)
    )
    try:
        with open(os.path.join(folder, f"{rule['slug']}.yaml"), encoding="utf-8", opener=open_regular) as file:
            found = re.search(_EXAMPLES, file.read(LARGEST))
    except (OSError, ValueError):
        return ""
    return re.sub(_KEYS, " ", found[1][:LONGEST_EXAMPLES]) if found else ""


def _read(root: str) -> Iterator[dict[str, Any]]:
    for name in folder_names(os.path.join(root, WORDS)):
        rule = parse_record(_json(os.path.join(root, WORDS, name)))
        if rule is not None and name == f"{rule['slug']}.json":
            yield ranked_record(rule, observations_of(root, rule["slug"], rule["layer"]))


def _read_at_base(root: str) -> Iterator[dict[str, Any]]:
    from rulec.checkout import remote_base  # noqa: PLC0415 (as above)

    texts = remote_base.texts_at_base(root, WORDS, remote_base.STANDING)[1]
    for name, text in sorted(texts.items()):
        rule = parse_record(_parsed(text))
        if rule is not None and name == f"{rule['slug']}.json":
            yield ranked_record(rule, ())


def ranked_record(rule: dict[str, Any], seen: Iterable[tuple[str, float, str]]) -> dict[str, Any]:
    """The record with what rank would have to find out each time; of each observation its kind, weight and time."""
    return {**rule, **standing(seen)}


def parse_record(data: Any) -> dict[str, Any] | None:
    """An artifact's rule in its expected shape and in words that nothing steers with; None for anything else.

    It is so when it is compiled; a branch may bring artifacts that were not.
    """
    rule = data.get("rule") if isinstance(data, dict) else None
    if not isinstance(rule, dict) or not isinstance(rule.get("slug"), str) or not isinstance(rule.get("says"), str):
        return None
    found: dict[str, Any] = {key: rule_text.one_line(str(rule.get(key) or ""))[:LONGEST] for key in _TEXT_KEYS}
    found = {
        **found,
        **{key: rule_text.plain_text(found[key]) for key in _SAID},
        "where": found["where"].replace("`", ""),
    }
    if found["slug"] != rule["slug"] or "`" in found["slug"]:
        return None
    scope = rule.get("scope")
    scope = scope if isinstance(scope, dict) else {}
    found["scope"] = {key: [str(one) for one in scope[key]] for key in _BOUNDS if isinstance(scope.get(key), list)}
    names = rule.get("names")
    found["names"] = [str(one)[:LONGEST] for one in names] if isinstance(names, list) else []
    level = {"level": rule["level"]} if rule.get("level") in LEVELS else {}
    checked = {"checked": True} if rule.get("checked") is True else {}
    return {**found, "revision": rule.get("revision"), **level, **checked}


def level_of(rule: dict[str, Any]) -> str:
    """The level of a rule at the steps of plans, from its record."""
    return level_at_steps(rule.get("level"), rule.get("severity"))


def level_at_step(rule: dict[str, Any], *, named: bool) -> str:
    """The level of a rule at one step; ``named`` is whether the plan itself names the rule there.

    A rule for all files that no machine checks and whose level nobody set only reminds where rulec alone brought it to
    the step: offline about half of those do not belong there (evaluation/measurements.md), and nobody could prove them.
    """
    narrow = "**" not in (rule.get("scope") or {}).get("include", ("**",))
    firm = named or narrow or rule.get("checked") or rule.get("level") in LEVELS
    return level_of(rule) if firm else LEVELS[0]


def _json(path: str) -> Any:
    try:
        with open(path, encoding="utf-8", opener=open_regular) as file:
            return _parsed(file.read(LARGEST))
    except (OSError, ValueError):
        return None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
