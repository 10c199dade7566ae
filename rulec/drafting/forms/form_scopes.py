"""Where a sentence says that a check holds and what it excepts by name, in the template's own parameters or as a scope."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rulec.domain.rule import Scope
from rulec.domain.template import Template
from rulec.drafting.forms.instantiations import looks_into_files
from rulec.drafting.forms.language_files import TESTS, UNSHIPPED
from rulec.drafting.forms.sentence_shape import Sentence
from rulec.drafting.forms.slot_values import LITERAL_SIGN, as_folder, list_items, value_of


def spare_specimens(given: dict[str, Any], template: Template) -> None:
    """Spare .env.example and the like, which show what such a file looks like, where only a pattern covers them."""
    names = [re.fullmatch(r"\*?(\.[\w-]+)\.?\*", glob.rpartition("/")[2]) for glob in given.get("globs", ())]
    if any(one.name == "except" and one.type == "list[glob]" for one in template.parameters) and any(names):
        spared = [f"{found[1]}*.{{example,sample,template,dist}}" for found in names if found]
        given["except"] = [*given.get("except", ()), *spared]


def join_folder_to_names(
    given: dict[str, Any], around: Mapping[str, str], sentence: Sentence, template: Template
) -> Mapping[str, str]:
    """Put the folder that stands around a form before the file names in it, where the template's globs are the place."""
    part = around.get("within") or around.get("before") or ""
    names = given.get("globs", [])
    if not part or "globs" not in {one.name for one in template.parameters if one.required} or template.unit != "file":
        return around
    folders = [as_folder(one.text, one) for sign in re.findall(LITERAL_SIGN, part) if (one := sentence.literal(sign))]
    if not all(folders) or any("/" in str(name) for name in names) or any("*" in str(one) for one in folders):
        return around
    given["globs"] = [f"{str(folder).rstrip('/')}/**/{name}" for folder in folders for name in names]
    return {key: value for key, value in around.items() if key not in ("within", "before")}


def scope_of_form(
    given: dict[str, Any], around: Mapping[str, str], sentence: Sentence, template: Template
) -> Scope | None:
    """Where the sentence says that it holds, in the template's own parameters where it has such; None where it cannot."""
    places = {name: _places(around.get(name, ""), sentence) for name in ("before", "within", "outside")}
    if any(around.get(name) and not places[name] for name in places):
        return None
    inside, outside = [*places["before"], *places["within"]], places["outside"]
    outside += UNSHIPPED if "shipped" in around else ()
    if looks_into_files(template):
        return Scope(include=tuple(inside) or ("**",), exclude=tuple(outside))
    declared = {one.name: one.type for one in template.parameters if not one.required}
    ways = (
        {"inside": inside, "outside": outside} if template.unit == "command" else {"except": outside, "inside": inside}
    )
    for name, globs in ((name, globs) for name, globs in ways.items() if globs):
        folders = all(glob.endswith("/") and "*" not in glob for glob in globs)
        if declared.get(name) != "list[glob]" or not (
            folders if template.unit == "command" else _lies_in_globs(globs, given)
        ):
            return None
        given[name] = [*given.get(name, ()), *globs]
    if given.get("outside") and "unless" in declared:  # who names the place to a command need not stand in it
        mine = [*given.get("commands", ()), *given.get("from", ())]
        own = [f"{command} *{folder.rstrip('/')}*" for command in mine for folder in given["outside"]]
        given["unless"] = [*given.get("unless", ()), *own]
    return Scope()


def _lies_in_globs(globs: Sequence[str], given: Mapping[str, Any]) -> bool:
    """Whether the places may lie in what a check of paths names, so that they say something of it."""
    named = [str(one).removeprefix("./") for one in given.get("globs", ())]
    floats = not any(one.startswith("/") or "/" in one.rstrip("/") for one in named)
    return bool(named) and all(floats or "/" not in glob or glob.startswith(tuple(named)) for glob in globs)


def _places(part: str, sentence: Sentence) -> list[str]:
    """The globs of the places that stand there, [] where one is not known."""
    found: list[str] = []
    for item in list_items(part):
        literals = [one for sign in re.findall(LITERAL_SIGN, item) if (one := sentence.literal(sign))]
        named = [as_folder(one.text, one) for one in literals if one.kind == "path" or "." not in one.text]
        if not all(named) or len(named) < len(literals):
            return []
        found += named or TESTS
    return found


def spare_what_is_named(given: dict[str, Any], around: dict[str, str], sentence: Sentence, template: Template) -> bool:
    """Put what the sentence excepts by its name where the template takes it; False where it takes no such thing."""
    named = {str(one) for value in given.values() for one in (value if isinstance(value, list) else [value])}
    for item in list_items(around.get("beside", "")):
        literal, text = sentence.literal(item.strip()), sentence.spelled(item)
        for key, kind in ((one.name, one.type) for one in template.parameters if one.name in ("unless", "except")):
            value = value_of(item, {"list[glob]": "glob", "list[command]": "command"}.get(kind, "package"), sentence)
            known = kind != "list[str]" or any(
                one in ("*", text) or re.match(rf"{re.escape(one)}\W", text) or text.endswith(one) for one in named
            )
            if value and known and (kind != "list[glob]" or "globs" in given):
                given[key] = [*given.get(key, ()), value]
                break
        else:
            if not (literal and literal.kind == "path" and looks_into_files(template)):
                return False
            around["outside"] = f"{around.get('outside', '')} , {item}".strip(" ,")
    return True
