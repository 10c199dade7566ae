"""Counterexamples into proposed exceptions, and the examples by which an exception can be proved."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rulec.domain.evidence import Evidence
from rulec.domain.files import globs
from rulec.domain.rule import Example, Exemption, Rule, Scope
from rulec.shell import action_events
from rulec.shell.parsing.parser import parse_shell

COUNTEREXAMPLES_NEEDED = 3  # counterexamples of like scope that make a case (LexSona 4.5)


def propose_exceptions(rule: Rule, evidence: Iterable[Evidence]) -> tuple[Exemption, ...]:
    """An exception for each folder, form of a command or agent that enough counterexamples share, the narrowest first.

    What an exception of the rule leaves alone already is no case for another one.
    """
    found: dict[Exemption, None] = {}
    left = [item for item in evidence if item.kind == "counterexample" and not _is_spared(rule, item)]
    for bound in (_exception_by_folder, _exception_by_command, _exception_by_agent):
        groups: dict[Exemption, list[Evidence]] = {}
        for item in left:
            if (one := bound(item)) is not None:
                groups.setdefault(one, []).append(item)
        for one, items in sorted(groups.items(), key=lambda pair: repr(pair[0])):
            if len(items) >= COUNTEREXAMPLES_NEEDED:
                left = [item for item in left if item not in items]
                if not any(_bounds(one) == _bounds(known) for known in rule.exceptions):
                    found[replace(one, because=_reasons(items))] = None
    return tuple(found)


def _is_spared(rule: Rule, item: Evidence) -> bool:
    plain = (one.scope for one in rule.exceptions if not (one.commands or one.scope.agents or one.scope.environments))
    return bool(item.path) and any(
        globs.match(scope.include, item.path) and not globs.match(scope.exclude, item.path) for scope in plain
    )


def _exception_by_folder(item: Evidence) -> Exemption | None:
    folder = item.path if item.path.endswith("/") else item.path.rpartition("/")[0]
    folder = globs.literal_folder(f"{folder}/x") and folder.rstrip("/")
    return Exemption(because="", scope=Scope(include=(f"{folder}/**",))) if folder and "*" not in folder else None


def _exception_by_command(item: Evidence) -> Exemption | None:
    words = next((call.argv for call in parse_shell(item.accepted).calls), []) if item.accepted else []
    head = [word for word in words[:2] if word and not word.startswith("-")]
    plain = head and head[0] == words[0] and all(word.replace("-", "").replace("_", "").isalnum() for word in head)
    return Exemption(because="", commands=(" ".join(head),)) if plain else None


def _exception_by_agent(item: Evidence) -> Exemption | None:
    return Exemption(because="", scope=Scope(agents=(item.agent,))) if item.agent else None


def _bounds(one: Exemption) -> tuple[Scope, tuple[str, ...]]:
    return one.scope, one.commands


def _reasons(items: Sequence[Evidence]) -> str:
    """The quotes of the evidence, each once, the oldest first."""
    said = sorted(items, key=lambda item: (item.at, item.quote))
    words = dict.fromkeys(" ".join(item.quote.split()).rstrip(".") for item in said if item.quote)
    return "; ".join(words) or f"it did not hold there {len(items)} times"


def command_form(text: str) -> str:
    """A command that a person typed as the form that an exception names; "" where it is not one plain command."""
    reading = parse_shell(text)
    calls = [call for call in reading.calls if not call.via]
    if reading.unsure or len(calls) != 1 or calls[0].redirects or calls[0].feeds:
        return ""
    argv = [calls[0].program, *calls[0].argv[1:]]
    return "" if any(len(word.split()) != 1 or "|" in word for word in argv) else " ".join(argv)


def offences_within(rule: Rule, one: Exemption) -> Iterator[Example]:
    """The rule's offences within the bounds of an exception, the likeliest first."""
    place = next((glob for glob in one.scope.include if glob != "**"), "")
    command = next(iter(one.commands), "")
    for example in rule.invalid:
        for other in _with_command(example, command) if command else (example,):
            yield from _moved_into(other, place) if place else (other,)


def _with_command(example: Example, command: str) -> Iterator[Example]:
    """The command in place of what the example does."""
    if example.kind == "session":
        yield replace(example, steps=(*example.steps[:-1], Example(kind="command", text=command)))
    else:
        yield Example(kind="command", text=command)


def _moved_into(example: Example, place: str) -> Iterator[Example]:
    match example.kind:
        case "file" | "edit" | "read":
            yield from (replace(example, path=path) for path in _paths_in_glob(place, example.path))
        case "commit":
            files = [next(_paths_in_glob(place, path), "") for path, _ in example.files]
            if all(files):
                texts = (text for _, text in example.files)
                yield replace(example, files=tuple(zip(files, texts, strict=True)))
        case "command":
            if folder := _folder_of_glob(place):
                yield replace(example, text=f"cd {action_events.command_line([folder])} && {example.text}")
        case "session":
            steps = [next(_moved_into(step, place), step) if step.path else step for step in example.steps]
            yield replace(example, steps=tuple(steps))
            yield from (replace(example, steps=(*steps[:-1], last)) for last in _moved_into(steps[-1], place))


def _paths_in_glob(place: str, path: str) -> Iterator[str]:
    """Paths that the glob names, as near to the one that is given as can be."""
    stem, dot, ending = path.rpartition("/")[2].rpartition(".")
    name = f"{stem}{dot}{ending}"
    for glob in globs.expand_braces(place):
        body = _glob_body(glob)
        head, last = globs.literal_folder(f"./{body}"), body.rpartition("/")[2]
        filled = last.replace("**", "*").replace("*", stem or ending).replace("?", "x")
        folder = f"{head}/" if head and head != body else ""
        below = [f"{body}/{name}"] if "." not in last else []
        made = [*below, f"{folder}{name}", f"{folder}{filled}", body]
        yield from dict.fromkeys(one for one in made if _is_plain_path(one) and globs.match([place], one))


def _folder_of_glob(place: str) -> str:
    """A folder that the glob names, as far as it names folders."""
    body = _glob_body(globs.expand_braces(place)[0]).removesuffix("/**")
    return body if _is_plain_path(body) and globs.match([place], f"{body}/.") else ""


def _glob_body(glob: str) -> str:
    return glob.removeprefix("./").removeprefix("**/").strip("/")


def _is_plain_path(path: str) -> bool:
    return bool(path) and not any(sign in path for sign in "*?[{\\") and not path.startswith(("/", "~", ".."))
