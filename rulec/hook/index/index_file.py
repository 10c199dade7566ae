"""Guard artifacts -> the bytes of the index: each rule filed under the words that lead to it."""

import json
import os

from rulec.checkout.rules_layout import GUARD, HEADER_SIZE, INDEX_VERSION, SLOT_SIZE, checksum, word_hash
from rulec.domain.files import globs
from rulec.domain.patterns.command_patterns import pattern_programs
from rulec.guard.conflicts import ASKED, prescribed_commands
from rulec.hook.index.index_words import ALWAYS, END, FILES, TOOLS, WHOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


WILD = "*?[{\\"


def texts_on_disk(root: str) -> "dict[str, str]":
    """The artifacts of the work tree by file name; of one that cannot be read, the error in its place."""
    found: "dict[str, str]" = {}
    folder = os.path.join(root, GUARD)
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        return found
    for name in names:
        try:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found[name] = file.read()
        except (OSError, ValueError) as broken:
            found[name] = f"{type(broken).__name__}: {broken}"
    return found


def load_artifacts(texts: "dict[str, str]") -> "dict[str, dict[str, Any]]":
    """Every artifact by file name; one that cannot be used is a record with ``fault``."""
    found: "dict[str, dict[str, Any]]" = {}
    for name, text in texts.items():
        try:
            data = json.loads(text)
            facts, check = data["facts"], data["check"]
            facts["slug"], facts["scope"] = str(facts["slug"]), facts.get("scope") or {}
            rule = {"facts": facts, "check": check}
            found[name] = {**rule, "_filed": words_of_rule(rule)}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as broken:
            strict = "block" if '"on_error": "block"' in text else "warn"
            what = f"{GUARD}/{name} cannot be used ({type(broken).__name__}: {broken}); run `rulec compile`"
            found[name] = {"fault": what, "facts": {"slug": name[:-5], "on_error": strict}}
    return found


def pack_index(records: "dict[str, Any]", stamp: str, flags: str) -> bytes:
    """The bytes of the cache file: header, hash table of buckets, buckets, rules."""
    count = max(1, len(records))
    offset = HEADER_SIZE + SLOT_SIZE * count
    body: "list[bytes]" = []
    places: "dict[str, list[Any]]" = {}
    for rules in records.values():
        for name, rule in rules.items():
            if name not in places:
                data = json.dumps(rule).encode("ascii")
                places[name] = [name, offset, len(data), checksum(data)]
                body.append(data)
                offset += len(data)
    buckets: "list[dict[str, Any]]" = [{} for _ in range(count)]
    for word, rules in records.items():
        buckets[word_hash(word) % count][word] = [places[name] for name in rules]
    slots = []
    for bucket in buckets:
        data = json.dumps(bucket).encode("ascii")
        slots.append(f"{offset} {len(data)} {checksum(data)}".ljust(SLOT_SIZE).encode("ascii"))
        body.append(data)
        offset += len(data)
    head = f"rulec-guard-{INDEX_VERSION} {stamp} {count} {offset} {flags}"
    head = f"{head} {checksum(head.encode())}".ljust(HEADER_SIZE - 1) + "\n"
    return b"".join([head.encode("ascii"), *slots, *body])


def words_of_rule(rule: "dict[str, Any]") -> "list[str]":
    """The words under which a rule is found."""
    check = rule["check"]
    if check["on"] == "command":
        from rulec.shell import possible_matches  # noqa: PLC0415 (only the index needs it)

        other = {word for pattern in check["patterns"] for word in possible_matches.index_words_of_pattern(pattern)}
        aliases = {"c" + name.split()[0] for name in check.get("aliases", {}) if name.strip()}
        asked = {ASKED + name for command in prescribed_commands(check) for name in pattern_programs(command) or ()}
        return sorted(_programs([*check["patterns"], *_containers(check)]) | aliases | other | asked)
    if check["on"] == "dependency":
        return sorted(_of_packages())
    if check["on"] == "tool":
        return [TOOLS]
    if check["on"] in ("change", "reply"):
        return [END]  # no single action tells what a commit will bring along
    if check["on"] == "session":
        words = _programs(check.get("before_commands", [])) | ({END} if check.get("before_stop") else set())
        words |= {TOOLS} if check.get("before_tools") else set()
        words |= _of_packages() if check.get("before_packages") else set()
        return sorted(words | (_places(check["before_edits"]) if check.get("before_edits") else set()))
    if check.get("scripts"):
        from rulec.shell import action_events  # noqa: PLC0415 (as above)

        return sorted({*action_events.code_index_words(), *_places(check.get("globs") or ["**"])})
    wanted = check.get("globs") or rule["facts"].get("scope", {}).get("include") or ["**"]
    return sorted(_places(wanted))


def _of_packages() -> "set[str]":
    """The words of what brings packages in: commands and manifests."""
    from rulec.guard import installs, manifests  # noqa: PLC0415 (few rules are about them)

    return _programs(installs.PATTERNS) | _places(manifests.FILES)


def _containers(check: "dict[str, Any]") -> "list[str]":
    """The prefixes of a check that name a container: what runs in another one is judged as well."""
    if not check.get("under"):
        return []
    from rulec.shell import containers  # noqa: PLC0415 (only the index needs it, and few rules)

    return [prefix for prefix in check["under"] if containers.container_of_prefix(prefix)]


def _programs(patterns: "list[str]") -> "set[str]":
    found = [pattern_programs(pattern) for pattern in patterns]
    return {"c" + name for names in found for name in names or ()} | ({ALWAYS} if None in found else set())


def _places(wanted: "list[str]") -> "set[str]":
    return {_key(one) for glob in wanted for one in globs.expand_braces(glob)} | {WHOLE}


def _key(glob: str) -> str:
    if glob in globs.ROOT:
        return FILES
    body = glob.removeprefix("./")
    parts = [part for part in body.split("/") if part]
    if "/" in body.rstrip("/") and parts and not any(sign in parts[0] for sign in WILD):
        return "p" + parts[0]
    last = parts[-1] if parts else "**"
    if not any(sign in last for sign in WILD):
        return "n" + last
    ending = last.rpartition(".")[2] if "." in last else ""
    return "s" + ending if ending and not any(sign in ending for sign in WILD + "]},") else FILES
