"""Keeps which rules contradict each other, so that agents are never told both; each rule is compared once."""

from collections.abc import Container
from pathlib import Path

from rulec.checkout import contrary_rules, private_files
from rulec.domain.rule import Rule
from rulec.infra import text_files
from rulec.rulebook.rulebook import Rulebook
from rulec.services.proposals import rule_conflicts

MOST = 300  # rules that are compared at once with their neighbours; the others wait for the next time


def refresh_conflicts(top: Path, book: Rulebook, slugs: Container[str] | None = None) -> None:
    """Compare the rules whose checks are new here, or those named, with all others; keep which contradict which."""
    kept = private_files.read_json(contrary_rules.contrary_file(str(top)))
    said = {_key(rule): _digest(rule) for rule in book.rules}
    known = {key: mark for key, mark in _mapping(kept.get("said")).items() if said.get(key) == mark}
    fresh = [rule for rule in book.rules if _key(rule) not in known and (slugs is None or rule.slug in slugs)]
    fresh = fresh[:MOST]
    if not fresh and known == kept.get("said"):
        return
    stood = [pair for pair in kept.get("pairs") or [] if isinstance(pair, list) and all(key in known for key in pair)]
    found = {
        tuple(sorted((_key(rule), _key(other))))
        for rule in fresh
        for other in rule_conflicts.contrary_rules(rule, book)
    }
    pairs = sorted({*map(tuple, stood), *found})
    told = {**known, **{_key(rule): said[_key(rule)] for rule in fresh}}
    contrary_rules.store_pairs(str(top), {"said": told, "pairs": [list(pair) for pair in pairs]})


def _mapping(data: object) -> dict[str, str]:
    return {str(key): str(value) for key, value in data.items()} if isinstance(data, dict) else {}


def _key(rule: Rule) -> str:
    return f"{rule.slug}@{rule.revision}"


def _digest(rule: Rule) -> str:
    return text_files.digest_of_digests({"checks": repr(rule.checks), "scope": repr(rule.scope)})
