"""Text -> clauses: what each stretch of a person's words forbids, prefers or requires."""

import re
from dataclasses import replace

from rulec.language._cues import FORCE, FOREIGN_RE, LASTING_RE, PRODUCT
from rulec.language._forms import FORMS
from rulec.language._gloss import gloss
from rulec.language._split import stretches
from rulec.language.clause import Clause, Polarity
from rulec.language.terms import terms

_LEAD = re.compile(
    r"^(?:(?:for (?:the |our |all |any )?[\w/-]+(?: [\w/-]+)?:(?=\s)|"
    r"(?:no+|nope|stop|rule)[,.:!]+|(?:hey|hi|yes|yeah|ya|ok(?:ay)?|oh|ah|hm+|ugh|argh|"
    r"wtf|dude|man|bro|buddy|wait|actually|also|and|but|so"
    r"|well|please|pls|just|then|again|instead(?! of)|seriously|look|listen|sorry|for the (?:last|\w+) time|"
    r"from now on|going forward|in (?:the )?future"
    r"|next time|as a (?:general )?rule|remember(?: that| to)?|note(?: that)?|important|"
    r"reminder|fyi|i (?:already )?(?:told|said)(?: to)? you"
    r"(?: \w+ times)?(?: to| that)?|as i said|i repeat|in this (?:repo|repository|project|"
    r"codebase)|here|guys|damn|god|jesus|christ|ffs)\b)"
    r"[,.:!\s\u2014-]*)+(?=\S)",
    re.IGNORECASE,
)
_TRIM = re.compile(
    r"[\s,.!?;]+$|[\s,.;]+(?:like (?:that|this)|please|pls|ok(?:ay)?|thanks|thank you|anymore|any more|again|"
    r"ever|man|dude|right|for me|in the future|next time"
    r"|from now on|going forward)[.!?]*$",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\s(?P<when>(?:(?:before|after|when(?:ever)?|while|if|unless|until|once|during|without "
    r"(?:asking|permission|my|first)|in|inside|under"
    r"|within|for|on|outside|at the end|each time|every time|to)\b\s.+|first|everywhere|here))$",
    re.IGNORECASE,
)
_REASON = re.compile(
    (
        r"[,;]?\s+(?:because|since|as it|as they|as the|cause|cuz|coz|so that|so we|so i|"
        r"otherwise|due to|it'?s|it is|they'?re|they are|we don'?t"
        r"|that'?s|this is|it messes|it breaks|we already)\b.*$|\s+\([^()]*\)$|"
        r"\s[-\u2013\u2014]+\s.*$|,\s+(?:too|it|they|that|this|which|you(?:'re| are| keep| just)|"
        r"i (?:do ?n[o']t|can'?t|hate)|the \w+ (?:is|are|was|failed|breaks))\b.*$"
    ),
    re.IGNORECASE,
)
_COMPILED = tuple((polarity, re.compile(rf"^(?:{form})$", re.IGNORECASE | re.DOTALL)) for polarity, form in FORMS)
_MARK = re.compile(
    r"^\s*(?:CORRECT\[(?P<slug>[A-Za-z0-9_-]{1,60})\]\s*:|(?P<rule>rule)\s*:|(?P<hash>#)\s(?=\S))\s*", re.IGNORECASE
)
_NOT_A_WISH = re.compile(
    (
        r"^(?!i (?:want you|prefer)|i'd (?:like|prefer))(?:i|it|they|this|that|he|she|there)(?:'m|"
        r"'s| am| is| was| did| do| does| have| has| had| see| think| guess| still| just)?\b|"
        r"^\S+ (?:\w+ )?(?:changed|works|passe[sd]|failed|was|were|(?:is|are) (?:fine|ok|okay)),? (?:but|and) not\b"
    ),
    re.IGNORECASE,
)


def clauses(text: str) -> tuple[Clause, ...]:
    """Every stretch that asks for something or points at something, in order."""
    slug, marked, text = _mark(text)
    found = [_read(stretch) for stretch in stretches(text)]
    if marked:
        found = [replace(clause, slug=slug, marked=True) for clause in found]
    return tuple(_joined(found, text))


def _mark(text: str) -> tuple[str, bool, str]:
    match = _MARK.match(text)
    if not match or (match["hash"] and ("\n" in text.strip() or len(text) > LONGEST_NOTE)):
        return "", False, text
    return (match["slug"] or "").lower().replace("_", "-"), True, text[match.end() :]


SHORT = 40  # characters of a name; two longer things are two wishes
LONGEST_NOTE = 300  # a longer text behind "# " is a document with a heading


def _read(stretch: str) -> Clause:
    plain, glossed = _straight(stretch), gloss(_straight(stretch))
    body = wish_of(glossed or stretch)
    lasting = tuple(name for name, cue in LASTING_RE.items() if cue.search(plain))
    lasting = (*lasting, "another language") if glossed else lasting
    shared = Clause(
        text=stretch,
        cues=lasting,
        forceful=bool(FORCE.search(plain)),
        terms=terms(stretch),
        addressed="product" if PRODUCT.search(body) else "work",
    )
    for polarity, form in _COMPILED:
        match = form.match(body)
        if match and not (polarity in ("require", "prefer") and _NOT_A_WISH.match(body)):
            return _filled(shared, polarity, {k: v for k, v in match.groupdict().items() if v})
    return _foreign(shared, plain)


def wish_of(stretch: str) -> str:
    """The stretch without address, reason and politeness."""
    plain = _straight(stretch)
    plain = plain[1:-1] if plain.startswith("(") and plain.endswith(")") else plain
    body = _LEAD.sub("", plain) or plain
    for cut in (_TRIM, _REASON, _TRIM, _TRIM):
        shorter = cut.sub("", body)
        if shorter and shorter != body and not _DANGLING.search(shorter):
            body = shorter
    return body


_DANGLING = re.compile(
    r"\b(?:and|or|but|not|of|to|the|an?|with|than|for|until|before|after|when|if|that|say|saying|claim|claiming|think"
    r"|(?:tell|telling) (?:me|us))$",
    re.IGNORECASE,
)


def _straight(text: str) -> str:
    return text.replace("\u2019", "'").replace("\u2018", "'")


def _filled(clause: Clause, polarity: Polarity, parts: dict[str, str]) -> Clause:
    unwanted, wanted = parts.get("f") or parts.get("g") or "", parts.get("p") or parts.get("q") or ""
    when = _WHEN.search(" " + (unwanted or wanted)) if "w" not in parts else None
    cut = max(0, when.start() - 1) if when else None
    unwanted, kept = (unwanted[:cut], wanted) if unwanted else (unwanted, wanted[:cut] if cut is not None else wanted)
    kept = _HERE.sub("", kept)
    subject = _WITHIN.search(parts.get("s", ""))
    things = split_list(unwanted) if unwanted or polarity == "forbid" else split_list(kept)
    turn = next((index for index, thing in enumerate(things) if index and _INSTEAD.match(thing)), None)
    if polarity == "forbid" and turn:  # "avoid this, use that"
        polarity, kept = "prefer", _INSTEAD.sub("", ", ".join(things[turn:]))
        things = things[:turn]
        unwanted = ", ".join(things)
    return replace(
        clause,
        polarity=polarity,
        forbidden=split_list(unwanted),
        preferred=split_list(kept) if polarity != "forbid" else (),
        verb=base_form(parts.get("v", "")),
        objects=(split_list(parts["s"]) if "s" in parts else ()) or things,
        when=when["when"].strip(" .,!?")
        if when
        else subject["place"]
        if subject
        else parts.get("w", "without being told to" if "untold" in parts else ""),
    )


_INSTEAD = re.compile(r"^(?:please |just |rather |instead,? )*(?:use|prefer|call|run|go with) ", re.IGNORECASE)
_HERE = re.compile(
    r"\s+(?:here|everywhere|for (?:that|this|everything)|in this \w+|"
    r"(?:like|as) (?:we|you|they|everyone|elsewhere)\b.*)$",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"\s(?P<place>(?:in|under|inside|within|below) .+)$", re.IGNORECASE
)  # "every file in src must ..."


def _foreign(clause: Clause, plain: str) -> Clause:
    """Another language that no form fits is only seen, never taken apart."""
    for polarity in ("forbid", "require"):
        if FOREIGN_RE[polarity].search(plain):
            return replace(clause, polarity=polarity, cues=(*dict.fromkeys((*clause.cues, "another language")),))
    return clause


def _joined(found: list[Clause], text: str) -> list[Clause]:
    """Join "don't use X. Use Y." and "X? We use Y here.": one wish in two sentences."""
    joined: list[Clause] = []
    for clause in found:
        last = joined[-1] if joined else None
        if last and (pointed := _pointed(last, clause, text)):
            joined[-1] = pointed
        elif last and _halves(last, clause):
            no, yes = (last, clause) if last.forbidden else (clause, last)
            start, end = text.find(last.text), text.find(clause.text) + len(clause.text)
            whole = text[start:end] if 0 <= start < end else clause.text
            joined[-1] = replace(
                yes,
                text=whole,
                forbidden=no.forbidden,
                objects=no.forbidden,
                terms=terms(whole),
                cues=tuple(dict.fromkeys(last.cues + clause.cues)),
                forceful=last.forceful or clause.forceful,
            )
        else:
            joined.append(clause)
    return joined


def _pointed(last: Clause, clause: Clause, text: str) -> Clause | None:
    """A sentence like "gen/ is generated, don't edit it": the pointing word stands for the place just named."""
    paths = [term.text for term in last.terms if term.kind == "path"]
    named = last.forbidden if _IS_SO.search(last.text) and last.polarity == "forbid" else tuple(paths)
    if (
        clause.polarity != "forbid"
        or len(named) != 1
        or last.preferred
        or (last.polarity != "none" and not last.forbidden)
    ):
        return None
    if last.polarity == "forbid" and not _IS_SO.search(last.text):
        return None
    if clause.terms or not all(_POINTING.search(thing) for thing in (*clause.objects, clause.when) if thing):
        return None
    start, end = text.find(last.text), text.find(clause.text) + len(clause.text)
    whole = text[start:end] if 0 <= start < end else clause.text
    return replace(clause, text=whole, forbidden=named, objects=named, when="", terms=terms(whole))


_IS_SO = re.compile(
    r"\b(?:is|are) (?:\w+ )?(?:(?:auto[ -]?)?generated|read[ -]only|off[ -]limits|frozen|vendored|not ours)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"^(?:(?:in|into|under|inside|to) )?(?:(?:any|the|those|these) )?(?:files? |anything |things? |code |stuff )?"
    r"(?:there|it|them|that|this|in (?:it|there)|those|these)$|^(?:files?|anything|things?)$",
    re.IGNORECASE,
)


def _halves(one: Clause, two: Clause) -> bool:
    no, yes = (one, two) if one.polarity == "forbid" else (two, one)
    using = no.verb in ("use", "run", "call", "", "do", "choose", "prefer")
    return (
        no.polarity == "forbid"
        and yes.polarity == "prefer"
        and using
        and bool(no.forbidden and yes.preferred)
        and not yes.forbidden
        and max(len(no.forbidden[0]), len(yes.preferred[0])) < SHORT
    )


def split_list(text: str) -> tuple[str, ...]:
    """A phrase like "npm, yarn or bun" -> its three things, without articles and trimmings."""
    parts = re.split(r"\s*,\s*(?:and |or )?|\s+(?:and|or|nor)\s+", text.lstrip(" ,:;").rstrip(" .,!?:;"))
    clean = (
        re.sub(
            r"^(?:the|an?|any|our|your|my|some|this|that|these|those|to|such|all|those|via|with)\s+",
            "",
            part.strip(),
            flags=re.IGNORECASE,
        )
        for part in parts
    )
    return tuple(bare for part in clean if (bare := _bare(part)))


_QUOTES = frozenset("`\"'\u201d")


def _bare(part: str) -> str:
    bare = part.lstrip(" `\"'\u201c(").rstrip(" .,!?")
    while bare[-1:] in _QUOTES and bare.count(bare[-1]) % 2:
        bare = bare[:-1].rstrip(" .,!?")
    return bare if "(" in bare else bare.rstrip(")")


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
