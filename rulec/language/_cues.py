"""The words that carry a wish, in one table a purpose."""

import re

NOT = (
    r"(?:do ?n[o']?t|do nto|dnot|don[o']?t|do not|dont|never|must ?n[o']t|must not|should ?n'?t|should "
    r"not|shall not|avoid|(?:stop|quit)(?= \w+ing\b)"
    r"|let'?s not|no longer|not supposed to|not allowed to|must never|should never|(?:can|"
    r"could) (?:we|you) (?:please )?not)"
)
USE = r"(?:us(?:e|ing)|run(?:ning)?|call(?:ing)?|prefer|stick (?:to|with)|go(?:ing)? with|choose)"

# Words that say a wish holds for next time too; most lasting wishes have none of them.
LASTING = {
    "always": r"\balways\b",
    "never": r"\bnever\b",
    "from now on": (
        r"\bfrom (?:now|here) on\b|\bgoing forward\b|\bin (?:the )?future\b|\bnext time\b|\bas a "
        r"(?:general )?rule\b"
    ),
    "every time": r"\bevery ?time\b|\bwhenever\b|\beach time\b|\bat all times\b",
    "again": r"\bever again\b|\bnot again\b|\byet again\b|\bonce again\b|\bagain\s*[!.]*$",
    "stop": r"\b(?:stop|quit) (?:\w+ing|it|that)\b",
    "told": r"\b(?:i|we)(?:'ve| have)? (?:already |just )?(?:told|said|asked|mentioned)\b|\bhow many "
    r"times\b|\bremind(?:ed)? you\b"
    r"|\bdid we not\b|\b(?:do not|don'?t) forget\b|\bremember\b",
    "convention": r"\bwe (?:use|do ?n[o']t|never|always|prefer|write|keep|run|put|name|follow)\b|\bour "
    r"(?:convention|standard|rule|policy)\b"
    r"|\bin this (?:repo|repository|project|codebase)\b|\bpattern (?:is|was)\b",
    "why": r"\bwhy (?:are|did|do|would|have|is|was|not|so many|are we|are you)\b[^.]*\?",
    "memory": (
        r"\b(?:claude|agents|gemini|conventions)\.md\b|\bmemor(?:y|ise|ize)\b|\bnote (?:this|"
        r"that) (?:down|also)\b"
    ),
}
LASTING_RE = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in LASTING.items()}

FORCE = re.compile(
    r"\b(?:never|must|always|under no circumstances|ever again|strictly|mandatory|ever)\b|!!|"
    r"\bNEVER\b|\bNOT\b|\bDON'?T\b"
)
PRODUCT = re.compile(
    r"^(?:the |an? |each |every |all |our )?(?:users?|customers?|visitors?|page|button|screen|"
    r"ui|app|form|dialog|modal|sidebar|menu|header|"
    r"footer|icon|player|game|endpoint|response|api|list|table|chart|card|text|title|cli|server|client|tab|panel)s? "
    r"(?:\w+ )?(?:should|must|needs?|has|have|is|are|does|do|can|cannot|can'?t)\b",
    re.IGNORECASE,
)
