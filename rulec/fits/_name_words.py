"""The words that people use for names of code and for the ways to spell them."""

import re

STYLES = {
    "snake_case": r"(?<!screaming[_ -])(?<!upper[_ -])snake[_ -]?case",
    "camelCase": r"(?<!upper )(?<!upper-)camel[_ -]?case",
    "PascalCase": r"pascal[_ -]?case|upper[- ]camel[- ]?case|capwords",
    "UPPER_CASE": r"upper[_ ](?:snake[_ ])?case|screaming[_ -]snake[_ -]?case|all[- ]caps|uppercase",
    "kebab-case": r"kebab[_ -]?case|dash[- ]case",
    "lowercase": r"(?:all )?lower[- ]?case",
}
STYLE = re.compile("|".join(f"(?P<s{number}>{form})" for number, form in enumerate(STYLES.values())), re.IGNORECASE)
KINDS = {
    "function": r"(?:functions?|methods?)",
    "class": r"(?:class(?:es)?|structs?)",
    "interface": r"(?:interfaces?|traits?)",
    "type": r"(?:types?|type aliases|enums?)",
    "variable": r"(?:variables?|locals?|local variables?)",
    "constant": r"(?:constants?|consts?)",
}
_QUALIFIERS = (
    r"(?:(?:all|every|each|any|the|our|your|new|public|private|module[- ]level|global|local|python|"
    r"typescript|javascript|java|go|rust|ruby|php|c|c\+\+|bash|shell|react|ts|js|static|final|and|or|,)\s+)*"
)
SUBJECT = re.compile(
    rf"(?<![\w/.-]){_QUALIFIERS}(?:{'|'.join(f'(?P<{kind}>{form})' for kind, form in KINDS.items())})"
    r"(?:'s?)?(?: names?| naming)?(?![\w/-])",
    re.IGNORECASE,
)
ASKS = re.compile(
    r"\b(?:use|name|call|named|called|naming|written|write|spell|must|should|always|never|not|no|need|have|be|in|are|is|"
    r"keep|follow|prefer|avoid|only|prefix|suffix|don't|without)\b",
    re.IGNORECASE,
)
LEADS = re.compile(
    r"(?:^|[^\w\s]|\b(?:use|name|call|for|in|prefix|suffix|with|of|on|to|write|spell|and|or|that|a|an|no|not|never|don't|"
    r"case|snake_case|camelcase|pascalcase|upper_case|always|please|keep|have|must|should))\s*$",
    re.IGNORECASE,
)
NOT_CODE = re.compile(
    r"\b(?:columns?|tables?|fields?|keys?|json|yaml|urls?|routes?|paths?|endpoints?|branch(?:es)?|css|ids?|params?|"
    r"parameters?|query|quer(?:y|ies)|database|db|env|environment|titles?|headings?|labels?|buttons?|props?|tags?|"
    r"selectors?|events?|slugs?|attributes?|folders?|director(?:y|ies)|packages?|commits?|test names?|migrations?|"
    r"graphql|topics?|metrics?|flags?|options?)\b",
    re.IGNORECASE,
)
_OPENING = r"^\W*(?:please |always |we |you must |only )*"
_INSTEAD = r"(?:,? (?:not|never|and not|instead of|rather than) \S+)?"
EVERYWHERE = re.compile(
    rf"{_OPENING}(?:use|prefer|stick to|follow|write) \S+(?: \S+case)?{_INSTEAD}"
    r"(?: (?:everywhere|for (?:all )?names|naming|names|for naming))?(?: in (?P<language>[\w+]+)(?: code)?)?\W*$",
    re.IGNORECASE,
)
_TEXT = r"(?:an? |the )?(?:capital |letter |prefix |suffix )*(?P<quote>[`'\"]?)(?P<text>[A-Za-z_]\w{0,20})[`'\"]?"
_HOW = r"(?P<how>start|begin|prefixed|prefix|end|suffixed|suffix)s?"
AFFIXES = (
    re.compile(
        rf"{SUBJECT.pattern}[^,;]{{0,30}}?\b{_HOW}\b(?: (?:with|by|in))? {_TEXT}(?: prefix| suffix)?\W*$", re.IGNORECASE
    ),
    re.compile(
        rf"^\W*(?:please |always )*(?P<how>prefix|suffix) {SUBJECT.pattern} (?:with|by) {_TEXT}\W*$", re.IGNORECASE
    ),
)
_NO = r"(?:\b(?:no|never|not|avoid|without|drop|stop)|n't)\b"
_TYPES = r"(?:interfaces?|types?|class(?:es)?)"
_THE = r"(?:an? |the )?"
DENIED = re.compile(_NO, re.IGNORECASE)
NO_PREFIX = re.compile(
    rf"(?i:{_NO}[^,;]{{0,25}}?\b(?:prefix(?:ing)?|start(?:ing)?|begin) {_QUALIFIERS}(?P<kind>{_TYPES})(?: names?)? "
    rf"with {_THE})[`'\"]?(?P<sign>[A-Z])\b|"
    rf"(?i:{_NO}[^,;]{{0,25}}?)\b(?P<sign2>[A-Z])[`'\"]?[- ]"
    rf"(?i:prefix(?:es)? (?:on|for|in) {_QUALIFIERS}(?P<kind2>{_TYPES}))|"
    rf"(?i:\b(?P<kind3>{_TYPES})(?: names?)? (?:must|should|may|can|do|does|shall)(?: not|n't| never)(?: ever)? "
    rf"(?:start|begin|be prefixed) with {_THE}(?:capital |letter )*)[`'\"]?(?P<sign3>[A-Z])\b",
)
_CALLED = r"(?:variables?|functions?|methods?|class(?:es)?)"
_NAME = r"[`'\"]?[A-Za-z_]\w*[`'\"]?"
NAMED = re.compile(
    rf"{_NO}[^,;]{{0,15}}?(?:(?:name|call|naming|calling) (?:a |any |the |your )?(?P<kind>{_CALLED})|"
    rf"(?P<kind2>{_CALLED}) (?:named|called|like)) (?P<names>{_NAME}(?:(?:, or|,| or| and) {_NAME}){{0,6}})\W*$",
    re.IGNORECASE,
)
LETTERS = re.compile(
    rf"{_NO}[^,;]{{0,15}}?\b(?:single|one)[- ](?:letter|character|char)\b[^,;]{{0,15}}?\b(?:variables?|names?)\b",
    re.IGNORECASE,
)
HUNGARIAN = re.compile(rf"{_NO}[^,;]{{0,15}}?\bhungarian\b", re.IGNORECASE)
HUNGARIAN_NAMES = r"(?:str|int|bool|arr|obj|dbl|flt|sz|lpsz|lp|fn)[A-Z]\w*"
SINGLE = r"(?![ijkxynetv_]$)[a-zA-Z]"
