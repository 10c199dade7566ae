"""What may stand around any form: where it holds, what is spared, what to do instead, and the reason behind it."""

import re
from collections.abc import Iterator

from rulec.drafting.forms.slot_values import BARE_WORDS, LITERAL_SIGN

_TESTS = r"(?:(?:unit |integration )?tests?(?: (?:code|files?|suites?))?|specs)"
_HOLDER = r"(?:files?|folders?|code|director(?:y|ies)|package|module)"
_PLACE = rf"(?:(?:files? |folders? |code )?(?:in |under |inside |within )?{LITERAL_SIGN}(?: {_HOLDER})?|{_TESTS})"
_AND = r"(?: ?, (?:and |or )?| and | or )"
_IN = r"(?:in|inside|under|within)"
_SCOPED = rf"{_PLACE}(?:{_AND}{_PLACE})*"
_BESIDE = rf"(?:{LITERAL_SIGN}|{BARE_WORDS['command']})"
# What may stand around any form: where it holds, where it does not, what of it is spared, and what to do instead.
_AROUND = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf" ?[,;.-] (?:but |and )?(?P<do>(?:use|prefer|run|fix|call) (?:{LITERAL_SIGN}|{BARE_WORDS['words']}| ){{1,6}}?)(?: instead)?$",
        r" (?:on|in|from|within) new (?:code|files?)$",
        r" (?:in|from|within) (?P<shipped>(?:production|application|app|source)) (?:code|files?)$",
        rf" ?[,(;-]? ?(?:outside(?: of)?|except in) (?P<outside>{_SCOPED})(?: \))?$",
        rf"^(?:outside(?: of)?|except in) (?P<outside>{_SCOPED}) ?,? ",
        rf" ?[,(;-]? ?except (?P<beside>{_BESIDE}(?:{_AND}{_BESIDE})*)(?: \))?$",
        rf" (?:{_IN}|for|of|from|to) (?P<within>{_SCOPED})$",
        r" (?:in|for) (?P<lang>[A-Za-z+#]{1,10})(?: (?:code|files?|sources?|projects?|modules?))?$",
        rf"^(?:{_IN}|for) (?P<before>{_SCOPED})(?: ?[,:] | (?=(?:we|use|run|prefer|never|no|must)\b))",
        rf"^(?:code|files?|modules?|anything|nothing|components?|tests) (?:{_IN}|from) (?P<before>{_SCOPED}) (?=never|must)",
        r"^(?P<lead>[A-Za-z+#]{1,10}) (?:code|files?|scripts?|modules?|sources?) (?=never|must)",
        rf"^(?P<before>{_TESTS}) (?=never|must)",
        r"^(?:in|for) (?P<lead>[A-Za-z+#]{1,10})(?: code| files?)? ?[,:] ",
    )
)


_PLAIN = r"(?!(?:unless|except|only|if|never|not|no|without|with|in|to)\b)[\w'/-]+"  # a word that bounds nothing
_SUBJECT = rf"(?!\S+ (?:tests?|builds?|scripts?|services?)\b)(?:{_PLAIN} )"  # some of the tests are not all of them
_LISTED = rf"{LITERAL_SIGN}(?: ?(?:,|and|or|, and|, or) {LITERAL_SIGN})*"
_MADE = r"(?:write|produce|generate|build|make|own|maintain|manage|create)[a-z]*"
_ACT = r"(?:use|run|call|import|require|invoke|execute|read|access|touch|catch|create|write|edit|change)"
_MAY = r"(?:(?:is|are|be|may|can|must|to|allowed|permitted|ok|fine|acceptable|legal|belong) )*"
_AT = rf"{_IN} (?=(?:{LITERAL_SIGN}|{_TESTS}))"
_THING = r"((?:(?!(?:only|never|not|no|must|may|except)\b)\S+ )+?)"
_OTHERWISE = (
    r"(?:never|not|nowhere|no)(?: use| do| it| elsewhere| else| outside| in| other| files?| places?| modules?)*"
)
# Other ways to say the same: what a thing is done with, and the thing itself in brackets behind its description; what
# must not be done to a thing; and what is to be done in one place only is to be done nowhere else.
_REWRITES = tuple(
    (re.compile(pattern, re.IGNORECASE), means)
    for pattern, means in (
        (rf"^(?:must )?{_SUBJECT}{{1,5}}(?:is |are |be )?(?:with|via|using|through|by run|by use|by) (?={LITERAL_SIGN})", "run "),
        (rf"(?<= )(?:run|{_PLAIN}) {_SUBJECT}{{1,3}}(?:with|via|using|by run) (?={LITERAL_SIGN})", "run "),
        (rf"^(?:must )?(?:(?:{_PLAIN}|with|in|to) ){{1,6}}\( ({_LISTED}) \)", r"run \1"),
        (rf"\b(never|no) (?:{_PLAIN} ){{1,5}}(?:with |in |to )?\( ({_LISTED}) \)", r"never use \2"),
        (rf"\bnever (?:{_PLAIN} ){{1,4}}with (?={LITERAL_SIGN})", "never use "),
        (rf"^(?:use|go with|stick to) ({_PLAIN}|{LITERAL_SIGN}) (?:for|as|to run) (?:{_PLAIN} ){{1,5}}(?=[,;.(-] )", r"use \1 "),
        (rf"(?<={LITERAL_SIGN})(?: files?)? (?:is|are|be)? ?{_MADE} (?:by|from) (?:{_PLAIN} ?|{LITERAL_SIGN} ?){{1,5}}(?=[,;.-] )", " is generated "),
        (rf"((?:^| )only .*?) ?[,;-] (?:and |but )?{_OTHERWISE}$", r"\1"),
        (rf"^((?:(?!never\b|only\b|must\b)\S+ )+?)(?:is |are )?never (?:to )?be ({_PLAIN})(?: to)?(?=$| )", r"never \2 \1"),
        (rf"^before ((?:(?!never\b)[^,:])+?) ?[,:] ({_LISTED})(?: (?:,|must|have|be|been|to|both|all|run|pass|succeed|green))*$", r"run \2 before \1"),
        (r"^before ((?:(?!never\b)[^,:])+?) ?, (.+)$", r"\2 before \1"),
        (rf"^(?:must )?(?:({_ACT}) )?{_THING}{_MAY}only {_MAY}(?:({_ACT}) )?{_AT}", r"never \1 \3 \2except in "),
        (rf"^(?:must )?only ({_ACT}) {_THING}{_AT}", r"never \1 \2except in "),
        (rf"^only ({_SCOPED}) {_MAY}({_ACT}) (.+)$", r"never \2 \3 except in \1"),
        (r"^(?:restrict|limit|confine|keep) (?:changes?|edits?|work|yourself) (?:to|within|inside|in) ", "stay in "),
    )
)  # fmt: skip
_PURPOSE = re.compile(r" (?:for|to) (?:(?!(?:only|never|not|no|unless|except|instead-of)\b)[\w'/-]+ ?){1,6}$")

_PLACED = re.compile(
    rf"\b(?:{_IN}|on|outside|except) {LITERAL_SIGN}"
)  # a place behind both halves bounds the first as well
_REPLACED = re.compile(r"(?:instead-of|, not|, never|over) (?:\w+ )?\S+ (?:for|to) ")


def ways_to_read(shape: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The shape, and what is left of it with each of what may stand around a form taken off, with what that says."""
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
_BOUND = r"unless|except|only|if|when|whenever|until|without|outside|elsewhere"
_SPARES = r"fine|ok|okay|allowed|permitted|acceptable|exempt|exceptions?|applies to|sometimes|you can|you may|may be"
_LIMIT = re.compile(rf"\b(?:{_BOUND}|but|while|during|before|after|instead|instead-of|never|must|no|not|use|run|and)\b")


def split_off_reason(shape: str) -> tuple[str, str]:
    """A wish and the reason behind it; the reason may hold no condition and no wish of its own."""
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
