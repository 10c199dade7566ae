"""The exceptions that some actions share, the narrowest first, and offences made within one. Nothing is run here."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from rulec.domain.files import globs
from rulec.domain.rule import Example, Exemption, Rule, Scope
from rulec.guard.exceptions import argument_paths
from rulec.shell import action_events, writes
from rulec.shell.command_matching import matches, words_and_flags
from rulec.shell.parsing.call import Call
from rulec.shell.parsing.parser import parse_shell

COUNTEREXAMPLES_NEEDED = 3  # counterexamples of like scope that make a case (LexSona 4.5)
MOST_BOUNDS = 16  # that are tried for some actions
_MOST_PATHS = 8  # of one action
_MOST_OF_A_KIND = 4  # places of one kind that are tried

_PLAIN = re.compile(r"[\w.@:+][\w.@:+-]*")  # a word of a command that says what it does, and no path, text or pattern
_FLAG = re.compile(r"--?[A-Za-z][\w-]*(?:=[\w.@:+-]+)?")
_MOVES = ("cd", "pushd", "popd")  # which say where the others run
_WILD = re.compile(r"[*?\[\]{}\\,]")


def search_exceptions(
    rule: Rule, must_pass: Sequence[Example], *, agent: str = "", because: str = "", places: Sequence[str] = ()
) -> tuple[Exemption, ...]:
    """The exceptions within whose bounds all these actions lie, the narrowest first; which of them holds is not tried.

    For commands: their common form with the common place of what they are given, with the folder that they run in,
    the form alone, each place alone. For files: the one file, their folder, what their paths have in common further
    up. Last the agent, where all are one's. ``places`` has for each action the place from which it was made up, which
    is all that is known of it then, and "" for the others. Whether accepting one is refused is decided by ``rule_with_exception`` in services.
    """
    found: dict[Exemption, None] = {}
    known = [one.bounds for one in rule.exceptions]
    for one in chain(_bounds(must_pass, places), _of_agent(agent)):
        if one.bounded and one.bounds not in known:
            found[replace(one, because=because)] = None
    return tuple(found)[:MOST_BOUNDS]


def groups_of_like_scope(must_pass: Sequence[Example], places: Sequence[str] = ()) -> Iterator[tuple[int, ...]]:
    """The numbers of at least three actions that a place, a form of a command or both hold; the narrowest first.

    ``places`` is what ``search_exceptions`` is given.
    """
    holding: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for number, example in enumerate(must_pass):
        place = places[number] if places else ""
        for rank, key in enumerate(dict.fromkeys(_keys(example, place))):
            holding.setdefault(key, []).append((rank, number))
    some = [(max(rank for rank, _ in members), sorted(n for _, n in members)) for members in holding.values()]
    enough = [(rank, numbers) for rank, numbers in some if len(numbers) >= COUNTEREXAMPLES_NEEDED]
    yield from dict.fromkeys(tuple(numbers) for _, numbers in sorted(enough))


def _keys(example: Example, place: str) -> Iterator[tuple[str, str]]:
    """What may hold an action together with others."""
    if place:
        yield from (("place", glob) for glob in _globs_above(place))
        return
    acted = acted_last(example)
    calls = _calls(acted) if acted.kind == "command" else []
    for path in [path for call in calls for path in _given(call)][:_MOST_PATHS]:
        yield from ((call.program, glob) for call in calls for glob in _globs_above(path))
    for call in calls:
        words = _form_words(call)
        yield from ((call.program, " ".join(words[:count])) for count in range(len(words), -1, -1))
    yield from (("place", glob) for path in _places_of(acted)[:_MOST_PATHS] for glob in _globs_above(path))


def acted_last(example: Example) -> Example:
    """What is judged of an example: the last step of a session, else the example itself."""
    return example.steps[-1] if example.kind == "session" and example.steps else example


def _bounds(must_pass: Sequence[Example], places: Sequence[str]) -> Iterator[Exemption]:
    acted = [acted_last(example) for example in must_pass]
    if acted and not any(places) and all(one.kind == "command" for one in acted):
        yield from _of_commands([_calls(one) for one in acted])
    made = places or [""] * len(acted)
    known = [[place] if place else _places_of(one) for place, one in zip(made, acted, strict=True)]
    yield from (_in_place(glob) for glob in common_places(known))


def _of_agent(agent: str) -> Iterator[Exemption]:
    if agent:
        yield Exemption(because="", scope=Scope(agents=(agent,)))


def _in_place(glob: str, form: str = "") -> Exemption:
    return Exemption(because="", scope=Scope(include=(glob,)), commands=(form,) if form else ())


def _of_commands(texts: Sequence[Sequence[Call]]) -> Iterator[Exemption]:
    """Bounds of a program that runs in each of the commands."""
    shared = [name for name in dict.fromkeys(call.program for call in texts[0]) if all(_of(name, one) for one in texts)]
    tiers = [list(_of_program([_of(name, one)[0] for one in texts])) for name in shared]
    for tier in range(max(map(len, tiers), default=0)):
        yield from (one for some in tiers if tier < len(some) for one in some[tier])


def _of(name: str, calls: Sequence[Call]) -> list[Call]:
    return [call for call in calls if call.program == name]


def _of_program(calls: Sequence[Call]) -> Iterator[list[Exemption]]:
    """For one program, from what is narrow to what is wide."""
    form = _common_form(calls)
    given = [_given(call, form) for call in calls]
    arguments = list(common_places(given, every=True))[:_MOST_OF_A_KIND] if all(given) else []
    folders = [[] if call.adrift or not call.cwd else [f"{call.cwd}/."] for call in calls]
    runs_in = [glob for glob in common_places(folders) if glob.endswith("/**")][:_MOST_OF_A_KIND]
    forms = [form] if form else []
    on_files = [Exemption(because="", commands=(one,), arguments=(glob,)) for one in forms for glob in arguments]
    inside = [_in_place(glob, one) for one in forms for glob in runs_in]
    # what a program of which that is not known takes for a path need not be one; where it runs is known
    yield from (on_files, inside) if all(map(writes.effects_of_call, calls)) else (inside, on_files)
    yield [Exemption(because="", commands=(one,)) for one in forms]
    yield [Exemption(because="", arguments=(glob,)) for glob in arguments]
    yield [_in_place(glob) for glob in runs_in]


def _common_form(calls: Sequence[Call]) -> str:
    """The program with the plain words and flags that all calls have, "" where it is not called by its name."""
    views = [words_and_flags(call.program, call.argv[1:]) for call in calls]
    words = [word for word in views[0][0] if _PLAIN.fullmatch(word)]
    for bare, _ in views[1:]:
        words = _in_common(words, bare)
    flags = [one for flag in views[0][1] if (one := _common_flag(flag, [own for _, own in views]))]
    form = " ".join([calls[0].program, *words, *dict.fromkeys(flags)])
    plain = _PLAIN.fullmatch(calls[0].program) and all(matches(form, call) for call in calls)
    return form if plain else ""


def _common_flag(flag: str, others: Sequence[Sequence[str]]) -> str:
    """The flag with its value, else its name, that all calls have; "" where they have neither."""
    name = flag.partition("=")[0]
    if _FLAG.fullmatch(flag) and all(flag in own for own in others):
        return flag
    named = all(any(one.partition("=")[0] == name for one in own) for own in others)
    return name if named and _FLAG.fullmatch(name) else ""


def _in_common(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """The words of the first that stand in the other as well, in that order; each as early as can be."""
    kept, at = list[str](), 0
    for word in one:
        if word in other[at:]:
            at = other.index(word, at) + 1
            kept.append(word)
    return kept


def _form_words(call: Call) -> list[str]:
    return [word for word in words_and_flags(call.program, call.argv[1:])[0] if _PLAIN.fullmatch(word)]


def _calls(example: Example) -> list[Call]:
    return [call for call in parse_shell(example.text).calls if call.program not in _MOVES]


def _given(call: Call, form: str = "") -> list[str]:
    """The paths that a command is given or changes; [] where they are not all of this repository."""
    found = argument_paths(call, [form] if form else [])
    return [] if any(path.startswith(globs.OUTSIDE_PREFIXES) for path in found) else found


def _paths(example: Example) -> list[str]:
    """The files that an action is about."""
    if example.kind == "command":
        effects = writes.file_effects(parse_shell(example.text))
        found = [effect.path for effect in effects]
    else:
        moved = (path for pair in example.moved for path in pair)
        old = [example.old] if example.kind == "rename" else []
        found = [example.path, *old, *(path for path, _ in example.files), *example.gone, *moved]
    return [path for path in dict.fromkeys(found) if path and not path.startswith(globs.OUTSIDE_PREFIXES)]


def _places_of(example: Example) -> list[str]:
    """The files that an action is about, and the folders that it runs in."""
    calls = _calls(example) if example.kind == "command" else []
    return [*_paths(example), *(f"{call.cwd}/." for call in calls if call.cwd and not call.adrift)]


def common_places(paths: Sequence[Sequence[str]], *, every: bool = False) -> Iterator[str]:
    """The globs that hold a path of each action, or ``every`` path of it, the narrowest first."""
    if not paths or not all(paths):
        return
    quantified = all if every else any
    made = dict.fromkeys(glob for path in paths[0][:_MOST_PATHS] for glob in _globs_above(path))
    for glob in made:
        if all(quantified(globs.match((glob,), path) for path in some) for some in paths):
            yield glob


def _globs_above(path: str) -> Iterator[str]:
    """Globs that hold the path: itself, its folder, and from there up what its name and its folders tell of it."""
    *folders, name = [_WILD.sub("?", part) for part in path.removeprefix("./").split("/")]
    if name:
        yield "/".join([*(folders or ["."]), name])
    if folders:
        yield "/".join([*folders, "**"])
        yield from ("/".join([*folders, "**", one]) for one in _name_globs(name))
    else:
        yield from (f"./{one}" for one in _name_globs(name))
    for count in range(len(folders) - 1, -1, -1):
        above = folders[:count]
        if name:
            yield "/".join([*above, "**", name])
        yield from ("/".join([*above, "**", one, "**"]) for one in reversed(folders[count:]))
        yield from ("/".join([*above, "**", one]) for one in _name_globs(name))
        if above:
            yield "/".join([*above, "**"])


def _name_globs(name: str) -> Iterator[str]:
    """What the name may have in common with others: its beginning, its end, its endings."""
    stem, dot, ending = name.partition(".")
    if not dot or not stem:
        return
    first, last = re.match(r"[^_-]+[_-]", stem), re.search(r"[_-][^_-]+$", stem)
    yield from (f"{first[0]}*.{ending}",) if first else ()
    yield from (f"*{last[0]}.{ending}",) if last else ()
    endings = ending.split(".")
    yield from (f"*.{'.'.join(endings[at:])}" for at in range(len(endings)))


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
