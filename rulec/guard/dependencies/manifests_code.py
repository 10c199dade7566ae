"""Declarations in files that are code or markup: Go, Ruby, Maven, Gradle, images and actions."""

import re
from collections.abc import Iterable, Iterator

from rulec.guard.dependencies.declared_package import DeclaredPackage

_GO = re.compile(
    r"^\s*(?:require\s+)?(?P<name>[\w-]+(?:\.[\w-]+)+(?:/[^\s\"]*)?)\s+(?P<spec>v\d\S*)\s*(?P<rest>//.*)?$"
)
_GO_BLOCK = re.compile(r"^\s*(?P<word>\w+)\s*\(\s*$")
_GEM = re.compile(
    r"^\s*(?:\w+\.)?(?:gem|add_(?:runtime_|development_)?dependency)[\s(]+['\"](?P<name>[^'\"\n]+)['\"](?P<rest>[^\n]*)"
)
_GRADLE = re.compile(
    r"\b(?:\w*[iI]mplementation|\w*[aA]pi|\w*[cC]ompileOnly|\w*[rR]untimeOnly|\w*[cC]lasspath|\w*[pP]rocessor|\w*[kK]apt|"
    r"\w*[kK]sp|compile|testCompile|runtime)\b[\s(]*(?:(?:enforcedP|p)latform[\s(]*)?"
    r"['\"](?P<name>[\w.-]+:[\w.-]+)(?::(?P<spec>[^'\"@\n]*))?"
)
_MAPPED = re.compile(
    r"\bgroup\s*[:=]\s*['\"](?P<group>[^'\"\n]+)['\"]\s*,\s*name\s*[:=]\s*['\"](?P<name>[^'\"\n]+)['\"]"
    r"(?:\s*,\s*version\s*[:=]\s*['\"](?P<spec>[^'\"\n]+)['\"])?"
)
_FIELD = re.compile(r"<(groupId|artifactId|version)>\s*([^<\s]*)\s*<")
_FROM = re.compile(r"^\s*FROM\s+(?:--\S+\s+)*(?P<image>[^\s#]+)(?:\s+AS\s+(?P<stage>\S+))?", re.IGNORECASE)
_IMAGE = re.compile(r"^\s*(?:-\s+)?image\s*:\s*[\"']?(?P<image>[^\s\"'#]+)")
_USES = re.compile(r"^\s*(?:-\s+)?uses\s*:\s*[\"']?(?P<name>[\w.-]+/[\w./-]+)@(?P<ref>[^\s\"'#]+)")


def _go(lines: "list[str]") -> "list[DeclaredPackage]":
    """What is required; neither what others bring along nor what is replaced or left out."""
    found, block = [], "require"
    for number, line in enumerate(lines, 1):
        opening = _GO_BLOCK.match(line)
        block = opening["word"] if opening else "require" if line.strip() == ")" else block
        match = _GO.match(line) if block == "require" else None
        if match and "indirect" not in (match["rest"] or ""):
            found.append(DeclaredPackage("go", match["name"], match["spec"], number))
    return found


def _gem(lines: "list[str]") -> "list[DeclaredPackage]":
    found = []
    for number, line in enumerate(lines, 1):
        match = _GEM.match(line)
        if match:
            rest = match["rest"].partition("#")[0]
            elsewhere = re.search(r"\b(?:path|git|github|gist|source)\b\s*(?::|=>)", rest)
            specs = re.findall(r"[\[,]\s*['\"]([^'\"]*)['\"]", rest)
            found.append(DeclaredPackage("gem", match["name"], "elsewhere" if elsewhere else ", ".join(specs), number))
    return found


def _maven(lines: "list[str]") -> "list[DeclaredPackage]":
    text = _uncommented("\n".join(lines))
    found: "list[DeclaredPackage]" = []
    at, line, counted = 0, 1, 0
    while True:
        start = text.find("<dependency>", at)
        at = text.find("</dependency>", start)
        if start < 0 or at < 0:
            return found
        fields: "dict[str, str]" = {}
        for field, value in _FIELD.findall(text[start:at]):  # the first ones: what is left out of it is named below
            fields.setdefault(field, value)
        if "artifactId" in fields:
            shown = text.find("<artifactId>", start)
            line, counted = line + text.count("\n", counted, shown), shown
            name = f"{fields.get('groupId', '')}:{fields['artifactId']}"
            found.append(DeclaredPackage("maven", name, fields.get("version", "managed"), line))


def _uncommented(text: str) -> str:
    """The text without what stands in <!-- -->, its line ends kept."""
    parts = text.split("<!--")
    kept = [parts[0]]
    for part in parts[1:]:
        comment, _, rest = part.partition("-->")
        kept.append("\n" * comment.count("\n") + rest)
    return "".join(kept)


def _gradle(lines: "list[str]") -> "list[DeclaredPackage]":
    found = []
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith(("//", "*", "/*")):
            continue
        match, mapped = _GRADLE.search(line), _MAPPED.search(line)
        if match:
            found.append(DeclaredPackage("gradle", match["name"], match["spec"] or "managed", number))
        elif mapped:
            name = f"{mapped['group']}:{mapped['name']}"
            found.append(DeclaredPackage("gradle", name, mapped["spec"] or "managed", number))
    return found


def _docker(lines: "list[str]") -> "list[DeclaredPackage]":
    found, stages = [], {"scratch"}
    for number, line in enumerate(lines, 1):
        match = _FROM.match(line)
        if match:
            if match["image"].lower() not in stages:
                found += list(_images([(number, match["image"])]))
            stages.add((match["stage"] or "scratch").lower())
    return found


def _compose(lines: "list[str]") -> "list[DeclaredPackage]":
    """Images with a tag; one without may be what the file itself builds."""
    seen = ((number, match["image"]) for number, line in enumerate(lines, 1) if (match := _IMAGE.match(line)))
    return [one for one in _images(seen) if one.spec]


def _images(seen: "Iterable[tuple[int, str]]") -> "Iterator[DeclaredPackage]":
    for number, image in seen:
        name, _, digest = image.partition("@")
        head, slash, last = name.rpartition("/")
        base, _, tag = last.partition(":")
        yield DeclaredPackage("image", head + slash + base, f"@{digest}" if digest else tag, number)


def _actions(lines: "list[str]") -> "list[DeclaredPackage]":
    found = []
    for number, line in enumerate(lines, 1):
        match, image = _USES.match(line), _IMAGE.match(line)
        if match:
            found.append(DeclaredPackage("action", match["name"], match["ref"], number))
        elif image:
            found += [one for one in _images([(number, image["image"])]) if one.spec]
    return found


READS = {
    "go": _go,
    "gem": _gem,
    "maven": _maven,
    "gradle": _gradle,
    "docker": _docker,
    "compose": _compose,
    "actions": _actions,
}
