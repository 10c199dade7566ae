"""The examples by which an exception can be proved, and the form of a command that one names."""

from collections.abc import Iterator
from dataclasses import replace

from rulec.domain.files import globs
from rulec.domain.rule import Example, Exemption, Rule
from rulec.guard.exceptions import argument_paths
from rulec.shell import action_events
from rulec.shell.parsing.parser import parse_shell


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
        given = _with_arguments(example, one) if one.arguments else (example,)
        for other in _with_command(example, command) if command and not one.arguments else given:
            yield from _moved_into(other, place) if place else (other,)


def _with_command(example: Example, command: str) -> Iterator[Example]:
    """The command in place of what the example does."""
    if example.kind == "session":
        yield replace(example, steps=(*example.steps[:-1], Example(kind="command", text=command)))
    else:
        yield Example(kind="command", text=command)


def _with_arguments(example: Example, one: Exemption) -> Iterator[Example]:
    """The command with a path that the exception holds in place of each that it is given, or behind its form."""
    if example.kind == "session":
        steps, last = example.steps[:-1], example.steps[-1]
        yield from (replace(example, steps=(*steps, other)) for other in _with_arguments(last, one))
        return
    glob = one.arguments[0]
    text = example.text if example.kind == "command" else ""
    for call in parse_shell(text).calls:
        for path in argument_paths(call, list(one.commands)):
            if (other := next(_paths_in_glob(glob, path), "")) and path in text:
                text = text.replace(path, other)
    if text and text != example.text:
        yield Example(kind="command", text=text)
    path = next(_paths_in_glob(glob, "x"), "")
    yield from (Example(kind="command", text=f"{form} {path}") for form in one.commands if path)


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
