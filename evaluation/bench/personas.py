"""Whether a person's own weights find the rules that their agents stumble over.

``bench personas [FOLDER]`` plays the personas in FOLDER (NN.json, rules.json), or made ones. A persona
has sessions, a session tasks, and a task the rules that matter in it: the agent breaks them unless it is told. At each
task the rules are ranked, the first three are told, and what happened is turned into rewards as in the hook: a rule
that matters is kept where it was told, in one of ten cases broken all the same, and broken where it was not. Printed
are recall of the first three with and without the weights, bootstrapped over personas; the same with each reward given
to another rule at random; and how near the weights come to those of a run without noise where one outcome of five is
seen wrongly: with the gate, which looks at the facts, a rule that was kept counts as broken or one that was broken as
kept; without it there is only a reward, which then has the other sign.
"""

import json
import math
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from rulec.domain.enforcement import SEVERITIES
from rulec.reminders import relevance, rule_index, selection
from rulec.reminders.rule_records import parse_record
from rulec.weights import formulas
from rulec.weights.formulas import RuleWeights, TurnFacts
from rulec.weights.learning import near_rules
from tests.support.made_personas import made_persona, made_rules

FIRST = 3  # rules that are told
UNHEEDED = 0.1  # of the rules that are told and matter are broken all the same
WRONG = 0.2  # of the outcomes are seen wrongly
MADE = 20  # personas where no folder is given
SAMPLES = 2_000  # of the bootstrap
Rewards = dict[str, tuple[float, float]]
Learner = Callable[[dict[str, TurnFacts]], Rewards]


class Rulebook:
    """The rules of the personas' team as records, with what ranking needs of them."""

    def __init__(self, rules: list[dict[str, Any]]) -> None:
        self.records = [_record(rule) for rule in rules]
        self.slugs = [rule["slug"] for rule in self.records]
        self.index = [rule_index.build_index(self.records)]
        self.near = near_rules(self.records, self.slugs)
        order = sorted(self.records, key=lambda rule: (SEVERITIES.index(selection.severity_of(rule)), rule["slug"]))
        self.order = {rule["slug"]: at for at, rule in enumerate(order)}  # where scores are the same

    def rank(self, task: str, weights: RuleWeights | None, *, told: bool = False) -> tuple[list[str], dict[str, float]]:
        """The first rules by their scores, or those that an agent would be told at a message; and the scores of all."""
        long, short = formulas.bonus(weights, self.near) if weights is not None else ({}, {})
        bonus = {slug: long.get(slug, 0.0) + short.get(slug, 0.0) for slug in {**long, **short}}
        matched = rule_index.match_task(self.index, task)
        scores = {
            slug: (matched[at].log_probability() if at in matched else relevance.NOTHING) + bonus.get(slug, 0.0)
            for at, slug in enumerate(self.slugs)
        }
        if told:
            asked = selection.Audience(task=task, max_rules=FIRST, max_tokens=10_000, only=True, bonus=bonus)
            return [rule["slug"] for rule in selection.rank_rules(self.records, asked, self.index).rules], scores
        return sorted(scores, key=lambda slug: (-scores[slug], self.order[slug]))[:FIRST], scores


def _record(rule: dict[str, Any]) -> dict[str, Any]:
    scope = {"include": ["**"], "tags": rule.get("tags") or []}
    known = parse_record({"rule": {**rule, "says": rule["statement"], "scope": scope}})
    if known is None:
        raise SystemExit(f"{rule.get('slug')}: no rule")
    return known


def play(
    book: Rulebook, persona: dict[str, Any], seed: int, learn: Learner | None, *, told: bool = False, swap: bool = False
) -> tuple[float, RuleWeights]:
    """Recall of the first three in all sessions, and the weights at the end."""
    chance, others = Random(seed), Random(seed)
    weights, recalls = RuleWeights(), []
    for session in persona["sessions"]:
        weights.short = {}
        for task in session["tasks"]:
            first, scores = book.rank(task["task"], weights if learn else None, told=told)
            matter = task["matter"]
            if matter:
                recalls.append(len(set(matter) & set(first)) / min(FIRST, len(matter)))
            if learn:
                rewards = learn(_facts(matter, first, chance))
                if swap:
                    rewards = {others.choice(book.slugs): reward for reward in rewards.values()}
                formulas.learn_turn(weights, scores, rewards)
    return sum(recalls) / len(recalls), weights


def _facts(matter: list[str], told: list[str], chance: Random) -> dict[str, TurnFacts]:
    """What happened to the rules that mattered."""
    found = {}
    for slug in matter:
        broken = slug not in told or chance.random() < UNHEEDED
        found[slug] = TurnFacts(told=slug in told, broken=broken, kept=not broken)
    return found


def from_facts(facts: dict[str, TurnFacts], chance: Random | None = None) -> Rewards:
    """The rewards as in the hook; with ``chance`` one outcome of five is the other one."""
    for one in facts.values() if chance else ():
        if chance and chance.random() < WRONG:
            one.broken, one.kept = one.kept, one.broken
    found = {slug: formulas.reward_and_gate(one) for slug, one in facts.items()}
    return {slug: reward for slug, reward in found.items() if reward is not None}


def without_gate(facts: dict[str, TurnFacts], chance: Random | None = None) -> Rewards:
    """The bare rewards, each believed alike; with ``chance`` one of five has the other sign."""
    return {
        slug: (-reward if chance and chance.random() < WRONG else reward, 1.0)
        for slug, (reward, _) in from_facts(facts).items()
    }


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The cosine of two weight vectors."""
    length = math.sqrt(sum(w * w for w in one.values()) * sum(w * w for w in other.values()))
    return sum(weight * other.get(slug, 0.0) for slug, weight in one.items()) / length if length else 0.0


def bootstrap(values: list[float]) -> tuple[float, float]:
    """The 95 % interval of the mean."""
    chance = Random(0)
    means = sorted(sum(chance.choices(values, k=len(values))) / len(values) for _ in range(SAMPLES))
    return means[SAMPLES // 40], means[-SAMPLES // 40]


def figures(rules: list[dict[str, Any]], personas: list[dict[str, Any]]) -> str:
    """All figures, a line each."""
    book, lines = Rulebook(rules), []
    for told, what in ((False, f"recall@{FIRST}"), (True, "of what is said at a message, which has a threshold,")):
        bare = [play(book, one, at, None, told=told)[0] for at, one in enumerate(personas)]
        clean = [play(book, one, at, from_facts, told=told) for at, one in enumerate(personas)]
        swapped = [play(book, one, at, from_facts, told=told, swap=True)[0] for at, one in enumerate(personas)]
        gains = [with_state[0] - without for with_state, without in zip(clean, bare, strict=True)]
        low, high = bootstrap(gains)
        lines += [
            f"{what} without weights {_mean(bare):.3f}, with them {_mean([one[0] for one in clean]):.3f}",
            f"  gain {_mean(gains):+.3f}, 95 % of the means of {SAMPLES} bootstraps {low:+.3f} to {high:+.3f}",
            f"  rewards given to other rules at random: {_mean(swapped) - _mean(bare):+.3f}",
        ]
    with_gate, without = (_noisy_cosine(book, personas, learner) for learner in (from_facts, without_gate))
    lines.append(f"one outcome of five wrong: cosine {with_gate:.3f} with the gate, {without:.3f} without")
    return "\n".join(lines)


def _noisy_cosine(book: Rulebook, personas: list[dict[str, Any]], learner: Callable[..., Rewards]) -> float:
    """How near the long weights of a run with wrong outcomes come to those of the run without."""
    found = []
    for at, one in enumerate(personas):
        chance = Random(at + 1)
        pure, noisy = (
            play(book, one, at, learn)[1].long
            for learn in (learner, lambda facts, chance=chance: learner(facts, chance))
        )
        found.append(cosine(pure, noisy))
    return _mean(found)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def main(arguments: list[str]) -> None:
    """Play the personas of a folder, or made ones."""
    if arguments:
        folder = Path(arguments[0])
        rules = json.loads((folder / "rules.json").read_text("utf-8"))
        personas = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("[0-9]*.json"))]
    else:
        rules, personas = made_rules(), [made_persona(seed) for seed in range(MADE)]
    sys.stdout.write(figures(rules, personas) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
