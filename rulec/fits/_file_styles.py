"""How new files are to be spelled."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._code_rules import named_languages, place_of
from rulec.fits._pair import draft_from_pair
from rulec.fits._words import LANGUAGES, kin
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, CheckKind, Example
from rulec.model.transcript import Action

_FILES = re.compile(
    r"(?<![\w/.-])(?:(?:all|every|each|any|the|our|new|source|code|component|react|vue|python|typescript|javascript|go|ruby|"
    r"rust|ts|js|tsx|css|module|script|service|hook) )*(?:files?(?: ?names?| naming)?|components?|modules?)(?![\w/.-])",
    re.IGNORECASE,
)
_SAYS_FILES = re.compile(r"\b(?:files?|file ?names?|filenames?)\b", re.IGNORECASE)
_COMPONENTS = re.compile(r"(?<![\w/.-])(?:components?|tsx)(?![\w/.-])", re.IGNORECASE)
_WEB = ("ts", "tsx", "js", "jsx", "mjs", "css", "scss", "vue", "svelte", "html")
_ENDINGS = {
    "kebab-case": _WEB,
    "snake_case": ("py", "rb", "rs", "go", "c", "h", "cpp", "sh"),
    "PascalCase": ("tsx", "jsx", "vue"),
    "camelCase": ("ts", "tsx", "js", "jsx"),
    "lowercase": (*_WEB, "py", "rb", "rs", "go", "c", "h", "cpp", "sh"),
}
_SPELLED = {
    "kebab-case": ("price-table", "PriceTable"),
    "snake_case": ("price_table", "PriceTable"),
    "PascalCase": ("PriceTable", "price-table"),
    "camelCase": ("priceTable", "price_table"),
    "lowercase": ("pricetable", "PriceTable"),
}
_WRONG = {
    "kebab-case": r"[A-Z_ ]",
    "snake_case": r"[A-Z -]",
    "PascalCase": r"^[a-z]|[_ -]",
    "camelCase": r"^[A-Z]|[_ -]",
    "lowercase": r"[A-Z_ -]",
}


def file_drafts(clause: Clause, style: str, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of name-files, where the words are about files and a style of their names."""
    if style not in _ENDINGS or not _SAYS_FILES.search(clause.text) or not _FILES.search(clause.text):
        return
    places = place_of(clause)
    if places is None:
        return
    endings = _endings(clause.text, style)
    inside = [glob for glob in places if glob.endswith("/")]
    given = {"style": style, "endings": endings, **({"inside": inside} if inside else {})}
    kinds: tuple[CheckKind, ...] = ("guard", "shell")
    checks = tuple(Check(kind=kind, template="name-files", parameters=given) for kind in kinds)
    because = f"the words want file names in {style}"

    def caught(action: Action) -> bool:
        name = action.path.rpartition("/")[2]
        stem, _, ending = name.partition(".")
        named = ending.rpartition(".")[2] in endings and stem[:1].isalnum()
        there = not inside or any(action.path.startswith(folder) for folder in inside)
        return there and named and bool(re.search(_WRONG[style], stem))

    if before:
        yield from draft_from_pair(checks, caught, before, after, kinds=("write",), because=because)
        return
    good, bad = _SPELLED[style]
    folder = inside[0] if inside else "src/"
    yield Draft(
        checks=checks,
        invalid=(Example(kind="file", path=f"{folder}{bad}.{endings[0]}", text="\n"),),
        valid=(
            Example(kind="file", path=f"{folder}{good}.{endings[0]}", text="\n"),
            Example(kind="file", path="README.md", text="\n"),
        ),
        because=because,
    )


def _endings(text: str, style: str) -> list[str]:
    """The files that are meant: those of the languages that are named, of components, or where the style is usual."""
    languages = [one for language in named_languages(text) for one in kin(language)]
    if _COMPONENTS.search(text):
        return ["tsx", "jsx", "vue"]
    return [ending for one in languages for ending in LANGUAGES[one]] or list(_ENDINGS[style])
