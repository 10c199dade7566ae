"""How functions, classes, variables, constants, interfaces and files are to be called."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._code_rules import Asked, drafts, named_languages
from rulec.fits._file_styles import file_drafts
from rulec.fits._name_samples import HOMES, PLAIN, TYPED, Names, samples, styled
from rulec.fits._name_words import (
    AFFIXES,
    ASKS,
    DENIED,
    EVERYWHERE,
    HUNGARIAN,
    HUNGARIAN_NAMES,
    KINDS,
    LEADS,
    LETTERS,
    NAMED,
    NO_PREFIX,
    NOT_CODE,
    SINGLE,
    STYLE,
    STYLES,
    SUBJECT,
)
from rulec.fits._words import conditional
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.ports import Fit

FEW = 5  # words that say no more than a thing and its spelling: "file names kebab-case"


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of name-pattern and name-files."""
    if conditional(clause) or not (ASKS.search(clause.text) or len(clause.text.split()) <= FEW):
        return
    style, wanted = style_of(clause)
    if wanted:
        yield from file_drafts(clause, style, before, after)
    asked = [_asked(names, clause.text) for names in _read(clause)]
    if asked:
        yield from drafts(asked, clause, before, after)


def style_of(clause: Clause) -> tuple[str, bool]:
    """The style that the clause speaks of, and whether it is wanted; "" for none."""
    found = [list(STYLES)[int(match.lastgroup[1:])] for match in STYLE.finditer(clause.text) if match.lastgroup]
    unwanted = " ".join((*clause.forbidden, *(clause.objects if clause.polarity == "forbid" else ())))
    refused = {list(STYLES)[int(m.lastgroup[1:])] for m in STYLE.finditer(unwanted) if m.lastgroup}
    wanted = [style for style in found if style not in refused]
    if wanted:
        return wanted[0], True
    denied = re.search(r"\b(?:no|never|not|n't|avoid|stop)\b", clause.text, re.IGNORECASE)
    return (found[0], not (refused or denied)) if found else ("", True)


def _read(clause: Clause) -> Iterator[Names]:
    text = clause.text
    if match := NO_PREFIX.search(text):
        kind = match["kind"] or match["kind2"] or match["kind3"]
        sign = match["sign"] or match["sign2"] or match["sign3"]
        yield Names(what=_kind(kind), never=rf"{sign}[A-Z]\w*", bad=f"{sign}Cart", good="Cart")
    elif match := NAMED.search(text):
        names = re.findall(r"[A-Za-z_]\w*", re.sub(r"\b(?:or|and)\b", " ", match["names"]))
        good = "count_rows" if "function" in (match["kind"] or match["kind2"]) else "rows"
        yield Names(what=_kind(match["kind"] or match["kind2"]), never="|".join(names), bad=names[0], good=good)
    elif LETTERS.search(text):
        yield Names(what="variable", never=SINGLE, bad="q", good="rows")
    elif HUNGARIAN.search(text):
        yield Names(what="variable", never=HUNGARIAN_NAMES, bad="strName", good="name")
    elif (match := _affix(text)) and clause.polarity != "forbid":
        yield from _affixed(match)
    else:
        yield from _styled(clause)


def _affix(text: str) -> re.Match[str] | None:
    """What names of a kind have to begin or end with, where the words speak of all of that kind."""
    found = None if NOT_CODE.search(text) else next((m for form in AFFIXES if (m := form.search(text))), None)
    if found and DENIED.search(found[0]):
        return None
    return found if found and LEADS.search(text[: found.start()]) else None


def _affixed(match: re.Match[str]) -> Iterator[Names]:
    kind = next((kind for kind in KINDS if match[kind]), "")
    sign = match["text"]
    if not match["quote"] and sign.islower() and "_" not in sign:
        return  # "start with a verb" names no prefix
    if match["how"].lower() in ("end", "suffixed", "suffix"):
        yield Names(what=kind, must=rf"\w+{sign}", bad="Cart", good=f"Cart{sign}")
    elif len(sign) > 1 or sign.isupper():
        rest = r"[A-Z]\w*" if sign.isupper() else r"\w+"
        bad = "cart" if kind in ("function", "variable") else "Cart"
        yield Names(what=kind, must=rf"{sign}{rest}", bad=bad, good=f"{sign}{'Cart' if sign.isupper() else 'cart'}")


def _styled(clause: Clause) -> Iterator[Names]:
    style, wanted = style_of(clause)
    if not style or style in ("kebab-case", "lowercase") or NOT_CODE.search(clause.text):
        return
    if re.search(r"\bfile ?names?\b|\bfiles?\b", clause.text, re.IGNORECASE):
        return
    subjects = [match for match in SUBJECT.finditer(clause.text) if LEADS.search(clause.text[: match.start()])]
    kinds = [kind for kind in KINDS for match in subjects if match[kind]]
    everywhere = EVERYWHERE.match(clause.text)
    if not kinds and everywhere and (named_languages(clause.text) or not everywhere["language"]):
        kinds = {"snake_case": ["function", "variable"], "camelCase": ["function", "variable"]}.get(style, [])
        if not named_languages(clause.text):
            return
    for kind in dict.fromkeys(kinds):
        yield styled(kind, style, wanted=wanted)


def _kind(word: str) -> str:
    return next(kind for kind, form in KINDS.items() if re.fullmatch(form, word, re.IGNORECASE))


def _asked(names: Names, text: str) -> Asked:
    given = {"style": names.style, "must": names.must, "never": names.never}
    said = named_languages(text)
    return Asked(
        template="name-pattern",
        samples=samples(names),
        because=f"the words say how {names.what} names are spelled",
        said=said,
        homes=TYPED if names.what in ("interface", "type") else HOMES.get(names.style, PLAIN),
        given={"what": names.what, **{key: value for key, value in given.items() if value}},
        tests=names.what != "function",
    )


PLUG = Fit(name="naming", fit=fit, any_clause=True)
