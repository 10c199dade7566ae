"""Text -> clauses: what each stretch of a person's words forbids, prefers or requires."""

import re
from dataclasses import replace

from rulec.language._cues import FORCE, LASTING_RE, PRODUCT
from rulec.language._forms import FORMS
from rulec.language._split import stretches
from rulec.language._verbs import base_form
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
    r"(?:asking|permission|my|first)|(?:except|other than) in|in|inside|under"
    r"|within|for|on|outside|at the end|each time|every time|to)\b\s.+|first|everywhere|here))$",
    re.IGNORECASE,
)
_REASON = re.compile(
    (
        r"[,;]?\s+(?:because|since|as it|as they|as the|cause|cuz|coz|so that|so we|so i|"
        r"otherwise|due to|it'?s|it is|they'?re|they are|we (?:don'?t|have (?:a|an|the|our|one)\b)"
        r"|that'?s|this is|it messes|it breaks|we already)\b.*$|\s+\([^()]*\)$|"
        r"\s[-\u2013\u2014]+\s.*$|,\s+(?:too|it|they|that|this|which|you(?:'re| are| keep| just)|"
        r"i (?:do ?n[o']t|can'?t|hate)|if (?:something|anything|you (?:need|think|want))|"
        r"the \w+ (?:is|are|was|failed|breaks))\b.*$"
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
    own, _, _ = text[match.end() :].partition("\n>")  # a mark is the person's: it says nothing of what they quote
    return (match["slug"] or "").lower().replace("_", "-"), True, own if own.strip() else text[match.end() :]


SHORT = 40  # characters of a name; two longer things are two wishes
LONGEST_NOTE = 300  # a longer text behind "# " is a document with a heading


def _read(stretch: str) -> Clause:
    plain, body = _straight(stretch), wish_of(stretch)
    lasting = tuple(name for name, cue in LASTING_RE.items() if cue.search(plain))
    shared = Clause(
        text=stretch,
        cues=lasting,
        forceful=bool(FORCE.search(plain)),
        terms=terms(stretch),
        addressed="product" if PRODUCT.search(body) else "work",
    )
    if stretch.rstrip().endswith("?") and (missing := _MISSING.fullmatch(plain.rstrip("?! "))):
        return _filled(shared, "require", {"v": "add", "p": missing["p"]})
    head = _ASIDE.sub("", body)
    for part in (body, head) if head != body and len(head) > LEAST_HEAD else (body,):
        for polarity, form in _COMPILED:
            match = form.match(part)
            if match and not (polarity in ("require", "prefer") and _NOT_A_WISH.match(part)):
                return _filled(shared, polarity, {k: v for k, v in match.groupdict().items() if v})
    return shared


# "and the tests?": what the work should have brought along.
_MISSING = re.compile(
    r"(?:(?:and|but|so|ok|also|hm+|hey|no|again)\W+)*"
    r"(?:(?:where(?:'s| is| are| did you (?:put|leave))|what about|how about|any|did you forget) )?"
    r"(?:(?:the|my|your|our|some|any|a|all) )*"
    r"(?P<p>(?:(?:unit|integration|regression|new) )?"
    r"(?:tests?|specs?|docs?|documentation|docstrings?|changelog(?: entry)?|migrations?|readme|translations?))"
    r"(?: for (?:this|that|it|them|these))?",
    re.IGNORECASE,
)
LEAST_HEAD = 8  # characters of a wish before what is said about it
# ", I only want it in staging": what is said of a wish once it is voiced.
_ASIDE = re.compile(
    r",\s+(?:i|we|you|they|he|she|it|there|that|this|nobody|no one|everyone|everybody|others?|people|someone)\b.*$",
    re.IGNORECASE | re.DOTALL,
)


def wish_of(stretch: str) -> str:
    """The stretch without address, reason and politeness."""
    plain = _straight(stretch)
    bare = _SMILEY.sub("", plain)
    plain = bare if len(bare.split()) >= LEAST_WORDS else plain
    plain = plain[1:-1] if plain.startswith("(") and plain.endswith(")") else plain
    body = _LEAD.sub("", plain) or plain
    for cut in (_TRIM, _REASON, _TRIM, _TRIM):
        shorter = cut.sub("", body)
        if shorter and shorter != body and not _DANGLING.search(shorter):
            body = shorter
    return body


LEAST_WORDS = 3  # "no \U0001f680" is about the sign itself
_SMILEY = re.compile(r"[\s\u2600-\u27bf\U0001f300-\U0001faff\u200d\ufe0f]+$")
_DANGLING = re.compile(
    r"\b(?:and|or|but|not|of|to|the|an?|with|than|for|until|before|after|when|if|that|say|saying|claim|claiming|think"
    r"|(?:tell|telling) (?:me|us))$",
    re.IGNORECASE,
)


def _straight(text: str) -> str:
    return text.replace("\u2019", "'").replace("\u2018", "'")


def _filled(clause: Clause, polarity: Polarity, parts: dict[str, str]) -> Clause:
    unwanted, wanted = parts.get("f") or parts.get("g") or "", parts.get("p") or parts.get("q") or ""
    when = _WHEN.search(" " + (unwanted or wanted)) if not {"w", "only"} & parts.keys() else None
    cut = max(0, when.start() - 1) if when else None
    unwanted, kept = (unwanted[:cut], wanted) if unwanted else (unwanted, wanted[:cut] if cut is not None else wanted)
    kept = _HERE.sub("", kept)
    subject = _WITHIN.search(parts.get("s", ""))
    if "only" in parts:  # it holds everywhere else
        parts = {**parts, "w": f"outside {parts['only']}"}
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
        when=_AFTERWARDS.sub("", when["when"]).strip(" .,!?")
        if when
        else subject["place"]
        if subject
        else parts.get("w", "without being told to" if "untold" in parts else ""),
    )


# "in the library, return an error": what is to be done there is no part of the place.
_AFTERWARDS = re.compile(r",\s+[a-z]+ (?:an?|the|it|them|that|this|my|our|your|what)\b.*$", re.IGNORECASE | re.DOTALL)
_INSTEAD = re.compile(r"^(?:please |just |rather |instead,? )*(?:use|prefer|call|run|go with) ", re.IGNORECASE)
_HERE = re.compile(
    r"\s+(?:here|everywhere|for (?:that|this|everything)|in this \w+|"
    r"(?:like|as) (?:we|you|they|everyone|elsewhere)\b.*)$",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"\s(?P<place>(?:in|under|inside|within|below) .+)$", re.IGNORECASE
)  # "every file in src must ..."


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
                when=no.when or yes.when,
                terms=terms(whole),
                cues=tuple(dict.fromkeys(last.cues + clause.cues)),
                forceful=last.forceful or clause.forceful,
            )
        else:
            joined.append(clause)
    return joined


def _pointed(last: Clause, clause: Clause, text: str) -> Clause | None:
    """A sentence like "gen/ is generated, don't edit it": the pointing word stands for the place just named."""
    doing = clause.verb in ("do", "use", "want", "like", "write", "have")
    paths = [term.text for term in last.terms if term.kind == "path" or (doing and term.kind in ("code", "symbol"))]
    named = last.forbidden if _IS_SO.search(last.text) and last.polarity == "forbid" else tuple(paths)
    if (
        clause.polarity != "forbid"
        or len(named) != 1
        or last.preferred
        or (last.polarity != "none" and not last.forbidden)
    ):
        return None
    if last.polarity == "forbid" and not (_IS_SO.search(last.text) or (doing and not last.verb)):
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
    r"(?:here|there|it|them|that|this|in (?:it|there)|those|these)$|^(?:files?|anything|things?)$",
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
