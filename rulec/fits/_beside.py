"""A whole statement -> the companion that each new file has beside itself, told by the name that they share."""

import re
from collections.abc import Iterator
from typing import Any

from rulec.fits import _asked_files as files
from rulec.fits._file_kinds import endings

_BESIDE = re.compile(
    r"\b(?:next to|beside|alongside|side by side with|along with|right by) (?:it|them|the \w+)\b"
    r"|\bin the same (?:folder|directory|place)\b|\bco-?located\b|\b(?:its|their) own\b|\bsame[- ]name",
    re.IGNORECASE,
)
_ENDING = re.compile(r"(?:\b(?:an?|its|own|matching|corresponding) |\*)(?P<ending>\.[a-z]\w*\.[a-z]{1,5})\b")
_TEST = re.compile(r"\b(?:tests?|specs?)\b", re.IGNORECASE)
_FAMILIES = ("tsx|jsx|ts|js|vue|svelte", "py", "go", "rs", "java|kt", "rb", "php", "cs", "swift", "scss|css|less")
_ANY = "tsx|jsx|ts|js|vue|svelte|py|go|rb|php|java|kt|cs|swift"
_TESTS = "{\\1\\2.test.\\3,\\1\\2.spec.\\3,\\1\\2_test.\\3,\\1test_\\2.\\3,\\1\\2Test.\\3,\\1__tests__/\\2.test.\\3}"
_NO_CALLERS = ["@tests", "*.stories.*", "*.d.ts", "*.config.*", "index.*", "__init__.*"]


def beside(calls: str, needs: str) -> Iterator[dict[str, Any]]:
    """Parameters of require-companion: the same name beside, with the ending that was said or that tests have."""
    ending = _ENDING.search(needs)
    if not ending and not (_BESIDE.search(needs) and _TEST.search(needs)):
        return
    last = ending["ending"].rpartition(".")[2] if ending else ""
    family = endings(calls) or next((one for one in _FAMILIES if last in one.split("|")), last or _ANY)
    known = endings(calls) or ending
    if not known and not files.named(calls) and files.words_of(calls, files.GENERIC | files.UNITS):
        return
    folders = "|".join(re.escape(path) for path in files.named(calls) if path.endswith("/"))
    where = rf"(?:{folders})(?:.*/)?" if folders else "(?:.*/)?"
    pattern = rf"({where})([^/.]+)\.({family})"
    need = f"\\1\\2{ending['ending']}" if ending else _TESTS
    yield {"pattern": pattern, "when": [], "unless": _NO_CALLERS, "how": ["create"], "needs": [need]}
