"""Verbs in their plain form: "committing" and "committed" are "commit"."""

import re


def base_form(verb: str) -> str:
    """A phrase like "committing" -> "commit", "using" -> "use"."""
    verb = verb.lower().strip("'").replace("-", " ")
    if verb.endswith("ing") and len(verb) > 4:
        stem = verb[:-3]
        if stem[-1] == stem[-2] and stem not in _DOUBLE and stem[-1] not in "lseo":
            return stem[:-1]
        if not re.search("[aeiouy]", stem):  # "bring", "string": no verb with an ending
            return verb
        return stem + "e" if _SILENT.search(stem) else stem
    return _PAST.get(verb, verb)


_DOUBLE = frozenset({"add", "odd", "buzz"})
# Endings of a verb that lost its last e: "mak", "creat", "ignor", "enabl".
_SILENT = re.compile(
    r"[uvcz]$|^[^aeiou]*[aeiou][ktdmlrnpsg]$|(?:[rv]it|mov|delet|creat|[^aeio]at|rang|hang|"
    r"merg|us|as|los|pos|ach|ignor|stor|plor|clar|sum|[^aeiou]id|lud|[bdpt]l|nam|cod|tak|mak|quir|fin|bin|cit|past|"
    r"g[el]n?er|pil|rid)$"
)
_PAST = {
    "killed": "kill",
    "wiped": "wipe",
    "nuked": "nuke",
    "clobbered": "clobber",
    "edited": "edit",
    "touched": "touch",
    "changed": "change",
    "committed": "commit",
    "pushed": "push",
    "modified": "modify",
    "deleted": "delete",
    "removed": "remove",
    "used": "use",
    "created": "create",
    "written": "write",
    "run": "run",
    "called": "call",
}
