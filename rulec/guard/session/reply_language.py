"""In which language a text is written: by its script, or by the small words that no text of a language does without."""

import re

LEAST = 6  # small words or signs, below which nothing is said
NAMES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese",
    "nl": "Dutch", "pl": "Polish", "ru": "Russian", "zh": "Chinese", "ja": "Japanese", "ko": "Korean",
}  # fmt: skip
WORDS = {
    "en": "the of and to is was are were that this with it for have has will would should been which not you from but",
    "de": "der die das und ist nicht ein eine mit auf für dem den des im zu werden wird wurde auch sich sind aber oder",
    "fr": "le les des et est une dans que pour pas sur avec vous sont ce cette qui au aux du il nous mais ou été",
    "es": "el los las y es una que para con por se del al como más pero está son este esta fue lo sus hay ya",
    "it": "il di che è una per non con del della sono gli nel alla questo questa più anche ma lo dei ho si stato",
    "pt": "o os e é uma que para com não do da dos das em no na foi mais como mas este esta são ao você também",
    "nl": "de het een en is niet van op voor met dat die zijn wordt ook er maar aan naar bij deze dit worden heeft",
    "pl": "w i nie na jest się z do że to jak ale za od po są dla przez tego już tak oraz ten może było",
}
SCRIPTS = {
    "ru": re.compile(r"[\u0400-\u04FF]"),
    "ja": re.compile(r"[\u3040-\u30FF]"),
    "ko": re.compile(r"[\uAC00-\uD7AF]"),
    "zh": re.compile(r"[\u4E00-\u9FFF]"),
}
_WORD = re.compile(r"[^\W\d_]+")


def foreign_language(text: str, wanted: str) -> str:
    """The name of the language that a text is written in, where it is surely not the one that is wanted; else ""."""
    counts = count_by_language(text)
    best = max(counts, key=lambda code: counts[code])
    sure = counts[best] >= LEAST and counts[best] >= 2 * counts.get(wanted, 0)
    return NAMES[best] if best != wanted and sure else ""


def count_by_language(text: str) -> "dict[str, int]":
    """How much of the text speaks for each language."""
    words = _WORD.findall(text.lower())
    counts = {code: sum(1 for word in words if word in known) for code, known in _SETS.items()}
    counts.update((code, len(pattern.findall(text))) for code, pattern in SCRIPTS.items())
    if counts["ja"]:  # Japanese writes with Chinese signs, too
        counts["ja"], counts["zh"] = counts["ja"] + counts["zh"], 0
    return counts


_SETS = {code: frozenset(words.split()) for code, words in WORDS.items()}
