"""How people say that keys and passwords do not belong in files."""

import re

from rulec.fits._words import conditional
from rulec.language import Clause

_NAMED = (
    r"(?:secrets?|api[- ]?keys?|credentials?|passwords?|passwörter|(?:access |auth |api )?tokens?|private keys?"
    r"|access keys?|signing keys?|sensitive (?:data|values|info\w*)|geheimnisse|schlüssel|mots de passe"
    r"|clés? (?:d')?api)"
)
_ACT = (
    r"(?:commit|check(?:ing|s)? in|push|hard[- ]?cod|put|stor|leak|writ|expos|includ|embed|past|add|sav|plac|ship|leav"
    r"|keep|stick|inline|bak)\w*"
)
_NO = (
    r"\b(?:don'?t|dont|do not|never|no|not|stop|quit|avoid|without|must ?n[o']t|should ?n[o']t|nie|keine?|jamais"
    r"|nunca)\b"
)
_SAFE = r"\b(?:env\b|\.env\b|environment|vault|secret manager|key ?chain)"
_SHORT, _LONG = r"[^.;!?\n]{0,20}?", r"[^.;!?\n]{0,40}?"
_UNWANTED = re.compile(
    rf"{_NO}{_LONG}\b{_ACT}{_LONG}\b{_NAMED}\b"
    rf"|\bno (?:\w+ ){{0,2}}?{_NAMED}\b(?=[^.;]*\b(?:in|into|inside|to|committed|ever|anywhere)\b|\W*$)"
    rf"|\b{_NAMED}\b{_LONG}\b(?:must|should|may|do|can)(?: ?n[o']t| never)\b{_SHORT}\b{_ACT}"
    rf"|\b{_NAMED}\b{_LONG}\b(?:belongs?|goes?|comes?|live|read|load\w*|must be|should be|stay)\b{_LONG}{_SAFE}"
    rf"|\b(?:read|load|take|get|fetch)\b{_SHORT}\b{_NAMED}\b{_LONG}\bfrom\b{_LONG}{_SAFE}"
    rf"|\b(?:use|read|from|through|via|load)\b{_SHORT}{_SAFE}{_LONG}\b(?:for|not|never|instead of)\b{_LONG}"
    rf"\b{_NAMED}\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\b(?:log|print|echo|read|cat|open|display|show|ask|return|rotate|refresh|count|limit)(?:s|ing|ged|ed)?\b"
    rf"[^.;]{{0,30}}?{_NAMED}\b(?![^.;]*\b(?:env|environment|vault)\b)"
    r"|\b(?:design|csrf|jwt|lexer|parser|session|max|input|output|context|reset|bearer|cancellation|css) tokens?\b"
    r"|\btokens? (?:count|limit|usage|budget|stream|class|type|validation)"
    r"|\bpassword (?:field|reset|form|input|column|check|hash\w*)|\bsecret (?:santa|manager api)"
    r"|\b(?:secrets?|credentials?) files?\b"
    r"|\b(?:local ?storage|session ?storage|cookies?|redis|memory|cache|database|(?:url|query) (?:param\w*|string)s?)\b"
    r"|\b(?:if|unless)\b|\?\s*$",
    re.IGNORECASE,
)


def unwanted(clause: Clause) -> bool:
    """Whether the clause says that secrets may not be written down or committed."""
    return bool(_UNWANTED.search(clause.text)) and not _OTHER.search(clause.text) and not conditional(clause)
