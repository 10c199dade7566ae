"""Another language's words of wishing -> English ones, so that the same forms fit; names and marks stay as they are."""

import re

# In order: longer phrases first. Only words by which a wish is put are here, and a few things that wishes are about.
_TABLE: dict[str, tuple[tuple[str, str], ...]] = {
    "de": (
        (r"nicht nur\b", "not only"),
        (
            r"(?:bitte )?(?:niemals|nie|nicht) (?:direkt )?(?:auf|nach|in) (?:den )?(\S+) (push|commit)(?:t?en)",
            r"never \2 to \1",
        ),
        (
            r"(?:bitte )?(?:kein(?:e|en|er)?|nie(?:mals)?) (\S+) (?:mehr )?(?:benutzen|verwenden|nutzen|nehmen)",
            r"do not use \1",
        ),
        (r"(?:bitte )?(?:niemals|nie|nicht) (\S+) (?:benutzen|verwenden|nutzen|nehmen|ausführen)", r"do not use \1"),
        (r"(?:bitte )?(\S+) (?:benutzen|verwenden|nutzen|nehmen),? (?:und )?(?:nicht|kein) (\S+)", r"use \1, not \2"),
        (
            (
                r"(?:benutze?|verwende?|nutze?|nimm)(?:en|t)?(?: wir)?(?: bitte)? "
                r"(?:kein(?:e|en)?|nicht|niemals|nie)(?: mehr)? "
            ),
            "do not use ",
        ),
        (r"(?:ich (?:will|möchte) )?kein(?:e|en|er)? ", "no "),
        (r"(?:wir )?(?:benutzen|verwenden|nutzen) ", "we use "),
        (r"(?:benutze?|verwende?|nutze?|nimm) ", "use "),
        (r"(?:anstatt|statt|anstelle von) ", "instead of "),
        (r"sondern ", "but "),
        (r"(?:und )?nicht ", "not "),
        (r"(?:niemals|nie) ", "never "),
        (r"immer ", "always "),
        (r"nur ", "only "),
        (r"bitte ", "please "),
        (r"in diesem (?:projekt|repo|repository)\b", "in this project"),
        (r"im code\b", "in the code"),
        (r"benannten? ", "named "),
        (r"kommentaren?\b", "comments"),
        (r"abhängigkeit(?:en)?\b", "dependencies"),
        (r"exporten?\b", "exports"),
        (r"hier\b", "here"),
        (r"(?:und|oder) ", "or "),
    ),
    "fr": (
        (r"(?:ne |n')(\w+) (?:pas|plus|jamais)(?: (?:de|d')\b)?", r"do not \1"),
        (r"arrête(?:z)? (?:de |d')utiliser ", "do not use "),
        (r"(?:on|nous) utilis(?:e|ons) ", "we use "),
        (r"utilise(?:z|r)? ", "use "),
        (r"(?:au lieu d(?:e |')|plutôt qu(?:e |')|à la place d(?:e |'))", "instead of "),
        (r"(?:et )?(?:surtout )?pas (?:de |d')", "no "),
        (r"(?:et )?pas ", "not "),
        (r"jamais (?:de |d')?", "never "),
        (r"toujours ", "always "),
        (r"(?:seulement|uniquement) ", "only "),
        (r"ni ", "or "),
        (r"dans (?:ce|cette) \w+", "in this project"),
        (r"dans ", "in "),
        (r"ici\b", "here"),
        (r"(?:stp|svp|s'il (?:te|vous) pla[iî]t)\b", "please"),
        (r"lance(?:z|r)? ", "run "),
        (r"(?:touche|modifie)(?:z|r)? ", "touch "),
        (r"pousse(?:z|r)? (?:sur|vers) ", "push to "),
        (r"commentaires\b", "comments"),
        (r"(?:les|des|la|le) ", "the "),
    ),
    "es": (
        (r"(?:no|nunca) (?:hagas|hacer|haga) push (?:directo |directamente )?(?:a|en) ", "do not push to "),
        (r"(?:no|nunca) (?:uses|usar|usen|utilices|utilizar) ", "do not use "),
        (r"(?:no|nunca) (?:toques|edites|modifiques|tocar|editar) ", "do not touch "),
        (r"deja de usar ", "do not use "),
        (r"(?:en vez de|en lugar de) ", "instead of "),
        (r"(?:aquí )?usamos ", "we use "),
        (r"(?:(?-i:[Uu]sa)|utiliza|usar) ", "use "),
        (r", (?:y )?no ", ", not "),
        (r"(?:nada|basta) de ", "no "),
        (r"nunca ", "never "),
        (r"siempre ", "always "),
        (r"(?:solo|sólo|solamente) ", "only "),
        (r"por favor\b", "please"),
        (r"en (?:este|esta) \w+", "in this project"),
        (r"comentarios\b", "comments"),
        (r" (?:o|ni) ", " or "),
    ),
    "pt": (
        (r"(?:chega de|nada de|sem) ", "no "),
        (r"pare de usar ", "do not use "),
        (r"nos textos\b", "in the texts"),
        (r"não (?:use|usa|usar|utilize) ", "do not use "),
        (r"não (?:mexa|toque|edite|altere)(?: em)? ", "do not touch "),
        (r"(?:em vez de|ao invés de) ", "instead of "),
        (r"(?:usamos|a gente usa) ", "we use "),
        (r"(?:e )?não ", "not "),
        (r"sempre ", "always "),
        (r"neste \w+", "in this project"),
    ),
    "it": (
        (r"non (?:usare|utilizzare) ", "do not use "),
        (r"invece di ", "instead of "),
        (r"(?:usiamo|utilizziamo) ", "we use "),
        (r"niente ", "no "),
        (r"per favore\b", "please"),
    ),
    "ru": (
        (r"(?:никогда )?не (?:используй(?:те)?|использовать) ", "do not use "),
        (r"(?:никогда )?не (?:пуш(?:ь|и|ить)) (?:прямо )?в ", "do not push to "),
        (r"(?:никогда )?не трогай(?:те)? ", "do not touch "),
        (r"использу(?:й|йте|ем) ", "use "),
        (r"вместо ", "instead of "),
        (r",? \u0430 не ", ", not "),
        (r"пожалуйста\b", "please"),
        (r"только ", "only "),
        (r"без ", "no "),
        (r" или ", " or "),
    ),
    "zh": (
        (r"请?(?:不要|别|不许|禁止|不能)(?:再)?(?:使用|用) ?", "do not use "),
        (r"请?(?:不要|别|禁止)(?:再)?(?:直接)?(?:推送|push) ?到? ?", "do not push to "),
        (r"请?(?:不要|别|禁止)(?:再)?(?:修改|改动|编辑|动) ?", "do not touch "),
        (r"而不是 ?", " instead of "),
        (r"(?:请|要|改)?(?:使用|用) ?(?=[`A-Za-z])", "use "),
        (r"[\uff0c\u3001] ?", ", "),
    ),
    "ja": (
        (r"(\S+?) ?ではなく[\u3001,]? ?(\S+?) ?を使(?:って|う)\S*", r"use \2 instead of \1"),
        (r"(\S+?) ?(?:を|は)使わないで\S*", r"do not use \1"),
    ),
}  # fmt: skip
# What hardly stands in an English sentence; without one of these nothing is looked up.
_MARKS = {
    "de": r"(?:bitte|nicht|kein(?:e|en|er)?|niemals|statt|anstatt|nimm|nutze|nutzen|benutzen?|verwenden?|immer|nie) ",
    "fr": r"(?:utilise[rz]?|utilisons|arrêtez?|jamais|toujours|au lieu de|plutôt que|pas de|stp|svp|dans)\b|"
    r"\bne \w+ pas\b",
    "es": r"(?:(?-i:[Uu]sa)|usamos|utiliza|nunca|siempre|en vez de|en lugar de|"
    r"no (?:uses|usar|toques|hagas)|(?:nada|basta) de|por favor)\b",
    "pt": r"(?:não|sempre|em vez de|ao invés de|chega de|pare de)\b",
    "it": r"(?:non usare|invece di|usiamo|niente|per favore|non utilizzare)\b",
    "ru": r"(?:не|использу\w+|вместо|никогда|только|без)\b",
    "zh": r"(?:不要|别|禁止|使用|用|而不是)",
    "ja": r"(?:使わないで|ではなく)",
}  # fmt: skip
_CJK = ("zh", "ja")
_ANY = {
    name: re.compile(mark if name in _CJK else rf"(?<![\w-]){mark}", re.IGNORECASE)
    for name, mark in reversed(_MARKS.items())
}
_COMPILED = {
    name: tuple(
        (re.compile(words if name in _CJK or words[0] in " ," else rf"(?<![\w-]){words}", re.IGNORECASE), english)
        for words, english in table
    )
    for name, table in _TABLE.items()
}
LONGEST = 240  # characters of a sentence; a longer one is seldom a plain wish


def gloss(text: str) -> str:
    """The sentence with its words of wishing in English; "" where it is English already, or too long."""
    if len(text) > LONGEST:
        return ""
    for name, mark in _ANY.items():
        if mark.search(text):
            said = text
            for words, english in _COMPILED[name]:
                said = words.sub(english, said)
            return " ".join(said.split()) if said != text else ""
    return ""
