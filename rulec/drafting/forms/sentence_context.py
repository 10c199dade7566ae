"""What may stand around a form: where it holds, exceptions, what to do instead, the reason."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulec.domain.rule import Scope
from rulec.domain.template import Template
from rulec.drafting.forms.instantiations import TESTS, looks_into_files
from rulec.drafting.forms.sentence_shape import Sentence
from rulec.drafting.forms.slot_values import BARE_WORD, LITERAL_SIGN, as_folder, list_items, value_of
from rulec.language.words import ALLOWING, CONDITIONAL, EXCEPTING, any_of

_TESTS = r"(?:(?:unit |integration )?tests?(?: (?:code|files?|suites?))?|specs)"
_HOLDER = r"(?:files?|folders?|code|director(?:y|ies)|package|module)"
_PLACE = rf"(?:(?:files? |folders? |code )?(?:in |under |inside |within )?{LITERAL_SIGN}(?: {_HOLDER})?|{_TESTS})"
_AND = r"(?: ?, (?:and |or )?| and | or )"
_IN = r"(?:in|inside|under|within)"
_SCOPED = rf"{_PLACE}(?:{_AND}{_PLACE})*"
_BESIDE = rf"(?:{LITERAL_SIGN}|{BARE_WORD})"
_LIMITS = r"(?:never|unless|when|if|except|only|before|after|until)\b"
# What may stand around any form: where it holds, where it does not, what of it is spared, and what to do instead.
_AROUND = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf" ?[,;.-] (?:but |and )?(?P<do>(?:use|prefer|run|fix|call)(?: (?:{LITERAL_SIGN}|(?!{_LIMITS})[\w'/-]+))+?)(?: instead)?$",
        rf" ?[,(;-]? ?(?:outside(?: of)?|except in) (?P<outside>{_SCOPED})(?: \))?$",
        rf" ?[,(;-]? ?except (?P<beside>{_BESIDE}(?: (?:,|and|or|{_BESIDE}))*+)(?: \))?$",
        rf" (?:{_IN}|for|of|from|to) (?P<within>{_SCOPED})$",
        r" (?:in|for) (?P<lang>[A-Za-z+#]{1,10})(?: (?:code|files?|sources?|projects?|modules?))?$",
        rf"^(?:{_IN}|for) (?P<before>{_SCOPED})(?: ?[,:] | (?=(?:we|use|run|prefer|never|no|must)\b))",
    )
)


_PLAIN = r"(?!(?:unless|except|only|if|never|not|no|without|with|in|to)\b)[\w'/-]+"  # a word that bounds nothing
_LISTED = rf"{LITERAL_SIGN}(?: ?(?:,|and|or|, and|, or) {LITERAL_SIGN})*"
# Other ways to say the same: what a thing is done with or wanted for, what must not be done to it, what comes first.
_REWRITES = tuple(
    (re.compile(pattern, re.IGNORECASE), means)
    for pattern, means in (
        (rf"\bnever (?:{_PLAIN} ){{1,4}}with (?={LITERAL_SIGN})", "never use "),
        (rf"^(?:use|go with|stick to) ({_PLAIN}|{LITERAL_SIGN}) (?:for|as|to run) (?:{_PLAIN} ){{1,5}}(?=[,;.(-] )", r"use \1 "),
        (rf"^((?:(?!never\b|only\b|must\b)\S+ )+?)(?:is |are )?never (?:to )?be ({_PLAIN})(?: to)?(?=$| )", r"never \2 \1"),
        (rf"^before ((?:(?!never\b)[^,:])+?) ?[,:] ({_LISTED})(?: (?:,|must|have|be|been|to|both|all|run|pass|succeed|green))*$", r"run \2 before \1"),
    )
)  # fmt: skip
_PURPOSE = re.compile(r" (?:for|to)(?: (?!(?:only|never|not|no|unless|except|instead-of)\b)[\w'/-]+){1,6}$")

_PLACED = re.compile(
    rf"\b(?:{_IN}|on|outside|except) {LITERAL_SIGN}"
)  # a place behind both halves bounds the first as well
_REPLACED = re.compile(r"(?:instead-of|, not|, never|over) (?:\w+ )?\S+ (?:for|to) ")


def ways_to_read(shape: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The shape as it is, and without each surrounding part in turn, with what that part means."""
    ways: list[tuple[str, dict[str, str]]] = [(shape, {})]
    for pattern, means in _REWRITES:
        ways += [(" ".join(way.split()), said) for one, said in tuple(ways) if (way := pattern.sub(means, one)) != one]
    for one, around in tuple(ways):
        # what a thing is wanted for is no limit where it is wanted in the place of another
        if (found := _PURPOSE.search(one)) and _REPLACED.search(one):
            ways.append((one[: found.start()], {**around, "purpose": found[0].strip()}))
    for pattern in _AROUND:
        for left, around in tuple(ways):
            found = pattern.search(left)
            if (
                found
                and not around.keys() & found.groupdict().keys()
                and not _PLACED.search(found.groupdict().get("do") or "")
            ):
                rest = (left[: found.start()] + left[found.end() :]).strip(" ,;:.-")
                ways += [(rest, {**around, **{name: part for name, part in found.groupdict().items() if part}})]
    yield from ways


_REASON = re.compile(
    r" ?[,;:.-]? ?\b(?:because|since|so (?:that|the|we|it|they|you|diff|others?|everyone)\b|as it|as they|as we|to (?:keep|avoid|ensure|catch|prevent|be sure)|otherwise|or else|(?<=[,;:.-] )(?:it|they|this|that|we (?!use|never))\b)(?P<why>.*)$"
    r"| \( (?:(?:it|they|this|that|because|since)\b(?P<because>[^()]*)|(?P<brackets>[^()]*)) \)$| [-:] (?P<dash>.*)$"
)
_BOUND = any_of(EXCEPTING, CONDITIONAL, ("only", "until", "without", "elsewhere"))
_SPARES = any_of(ALLOWING, ("applies to", "sometimes", "you can", "you may", "may be"))
_LIMIT = re.compile(rf"\b(?:{_BOUND}|but|while|during|before|after|instead|instead-of|never|must|no|not|use|run|and)\b")


def split_off_reason(shape: str) -> tuple[str, str]:
    """A wish and its reason; a reason holds neither a condition nor another wish."""
    found = _REASON.search(shape)
    if not found or found.start() < 4:
        return shape, ""
    why = found[0].strip(" ,;:.-")
    if re.search(rf"\b(?:{_BOUND}|{_SPARES})\b", why, re.IGNORECASE) or (
        not (found["why"] or found["because"]) and _LIMIT.search(why)
    ):
        return shape, ""
    return shape[: found.start()].strip(" ,;:.-"), why


def names_literal(text: str) -> bool:
    return bool(re.search(LITERAL_SIGN, text))


def spare_specimens(given: dict[str, Any], template: Template) -> None:
    """Spare .env.example and the like, which show what such a file looks like, where only a pattern covers them."""
    names = [re.fullmatch(r"\*?(\.[\w-]+)\.?\*", glob.rpartition("/")[2]) for glob in given.get("globs", ())]
    if any(one.name == "except" and one.type == "list[glob]" for one in template.parameters) and any(names):
        spared = [f"{found[1]}*.{{example,sample,template,dist}}" for found in names if found]
        given["except"] = [*given.get("except", ()), *spared]


def join_folder_to_names(
    given: dict[str, Any], around: Mapping[str, str], sentence: Sentence, template: Template
) -> Mapping[str, str]:
    """Put the folder around a form before its file names, where the template's globs are the place."""
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
    """The place that the sentence names, as parameters or as a scope; None where neither can express it."""
    places = {name: _places(around.get(name, ""), sentence) for name in ("before", "within", "outside")}
    if any(around.get(name) and not places[name] for name in places):
        return None
    inside, outside = [*places["before"], *places["within"]], places["outside"]
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
    """Whether the places may lie within the paths that a check names, so that they narrow it."""
    named = [str(one).removeprefix("./") for one in given.get("globs", ())]
    floats = not any(one.startswith("/") or "/" in one.rstrip("/") for one in named)
    return bool(named) and all(floats or "/" not in glob or glob.startswith(tuple(named)) for glob in globs)


def _places(part: str, sentence: Sentence) -> list[str]:
    """The globs of the named places, [] where one of them is unknown."""
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
