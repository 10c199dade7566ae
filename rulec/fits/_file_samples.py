"""A file that a glob means and a text that a check looks for, for examples that we make ourselves."""

import re
from collections.abc import Mapping
from typing import Any

from rulec.runtime import globs

CODE = "def sample():\n    return load()\n"
_PACKAGE = "import leftpad\n\nleftpad.pad()\n"
_LINES = (
    'version = "1.2.3"\n',
    'load(os.environ["SAMPLE"])\n',
    'parser.add_argument("--sample")\n',
    '@app.get("/sample")\ndef sample():\n    return load()\n',
)
_SAMPLES = {
    "@code": "src/sample.py",
    "@tests": "tests/test_sample.py",
    "@docs": "docs/sample.md",
    "@changelog": "CHANGELOG.md",
    "@lockfile": "uv.lock",
    "@migrations": "migrations/0001_sample.sql",
    "@translations": "locales/en.json",
    "@manifest": "requirements.txt",
}


def sample(glob: str, ending: str = "md") -> str:
    """A path that the glob matches."""
    first = globs.spread(glob)[0]
    if first in _SAMPLES:
        return _SAMPLES[first]
    body = first.rstrip("/").replace("**/", "").replace("**", "sample.py")
    body = re.sub(r"\[(.).*?\]", r"\1", body).replace("?", "s")
    folder, slash, name = body.rpartition("/")
    bare = re.sub(r"\*+", "", name)
    name = bare if re.sub(r"[.]", "", bare.partition(".")[0]) or "*" not in name else f"sample{bare}"
    name += ending if name.endswith(".") else ""
    path = f"{folder.replace('*', 'sample')}{slash}{name}"
    if first.endswith("/"):
        return f"{path}/sample.md"
    return path if "." in name or "*" not in first else f"{path}.py"


def caller(given: Mapping[str, Any]) -> str:
    """A path that a check speaks of."""
    if given["when"]:
        return sample(given["when"][0], "py")
    plain = str(given["pattern"]).replace("(?:.*/)?", "").replace("([^/.]+)", "sample")
    for _ in range(_DEPTH):
        plain = re.sub(r"\((?:\?:)?([^|()]*)[^()]*\)", r"\1", plain)
    return re.sub(r"\\(.)", r"\1", plain)


_DEPTH = 2  # groups within groups


def need(glob: str, given: Mapping[str, Any]) -> str:
    """A path that serves, with the parts of the caller's path where the need repeats them."""
    path = caller(given)
    bound = re.fullmatch(str(given.get("pattern", "")), path)
    filled = re.sub(r"\\([1-9])", lambda group: bound[int(group[1])], glob) if bound else glob
    return sample(filled)


def text_of(given: Mapping[str, Any]) -> str:
    """What a file must newly hold for the check to speak of it."""
    if given.get("imports"):
        return _PACKAGE
    wanted = str(given.get("added") or "")
    return next((text for text in _LINES if wanted and re.search(wanted, text)), CODE)
