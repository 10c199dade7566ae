"""Texts without keys, passwords, e-mail addresses and home folders, and stand-ins for secrets in examples."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import cycle, islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    HoldsSecret = Callable[[str], object] | None
    ReplaceSecret = Callable[[str, str, HoldsSecret], str]  # kind, secret, what still has its form -> what replaces it


def without_possessives(pattern: str) -> str:
    """The pattern with plain repetitions in the place of possessive ones, which not every engine knows."""
    return re.sub(r"(?<=[*?}+])\+", "", pattern)


_HEADER = re.compile(r"(-----[A-Z0-9 ]{1,120}-----)")
_SEGMENT = re.compile(r"([^\W_]+)")
_MANY = 40  # segments of a text that is replaced at once, without asking which of its signs must stay
_LONG = 6  # signs of a segment that may be the secret itself
_HEX = 16  # signs from which a text of hex digits alone is taken for hex
# kinds of signs -> a text of them, which holds each of its kinds among the first
_FILL = {
    "U": "SPECIMEN", "L": "specimen", "D": "39472816", "UL": "SpecimenSPECIMEN", "UD": "S3PECIMEN947",
    "LD": "s3pecimen947", "ULD": "Sp3cimen47SPECIMEN928", "hex": "fade39beda47", "HEX": "FADE39BEDA47",
}  # fmt: skip
# kind of a redaction -> beginning and length of what stands for one that was made before we saw it
_MADE = {
    "aws": ("AKIA", "UD", 16), "github": ("ghp_", "ULD", 36), "gitlab": ("glpat-", "ULD", 20),
    "slack": ("xoxb-", "ULD", 24), "stripe": ("sk_live_", "ULD", 24), "anthropic": ("sk-ant-api03-", "ULD", 48),
    "openai": ("sk-proj-", "ULD", 48), "google": ("AIza", "ULD", 35), "npm": ("npm_", "ULD", 36),
    "pypi": ("pypi-", "ULD", 60), "password": ("", "LD", 12), "secret": ("", "ULD", 24), "bearer": ("", "ULD", 32),
    "pem": ("-----BEGIN PRIVATE KEY-----\n", "ULD", 64),
}  # fmt: skip


def standin_of(value: str, holds: HoldsSecret = None) -> str:
    """The look-alike of a secret; ``holds`` tells whether a text still has the form by which the secret was known."""
    formed = holds if holds is not None and holds(value) else None
    parts = [part for piece in _HEADER.split(value) for part in _parts(piece)]
    free = [n for n, part in enumerate(parts) if _SEGMENT.fullmatch(part)]
    if formed:  # what is short before the first long one names the kind
        first = next((n for n in free if len(parts[n]) >= _LONG), 0)
        free = [n for n in free if n >= first]
    if len(free) > _MANY:
        return "".join(_filled(part) if n in set(free) else part for n, part in enumerate(parts))
    for n in free:
        whole = parts[n]
        for kept in range(len(whole) + 1):
            parts[n] = whole[:kept] + _filled(whole[kept:])
            if formed is None or formed("".join(parts)):
                break
    return "".join(parts)


def standin_of_kind(kind: str) -> str:
    """A look-alike for a redacted secret of a kind, "" where the kind has no form."""
    start, signs, length = _MADE.get(kind, ("", "", 0))
    return start + _text(signs, length)


def _parts(piece: str) -> list[str]:
    """A header whole, anything else by its separators."""
    return [piece] if _HEADER.fullmatch(piece) else _SEGMENT.split(piece)


def _filled(text: str) -> str:
    if len(text) >= _HEX and any(map(str.isdigit, text)):
        for case in ("hex", "HEX"):
            if all(sign in "0123456789abcdef" for sign in (text if case == "hex" else text.swapcase())):
                return _text(case, len(text))
    signs = "U" * any(map(str.isupper, text)) + "L" * any(map(str.islower, text)) + "D" * any(map(str.isdigit, text))
    return _text(signs or "L", len(text))


def _text(signs: str, length: int) -> str:
    return "".join(islice(cycle(_FILL[signs]), length)) if length else ""


_PASSES = 5  # what one pass leaves may read like a secret to the next; two are enough for all text we have seen

# Every pattern starts with fixed text or at the edge of a run, and repeats without alternatives: linear time.
_SHAPES: tuple[tuple[str, str], ...] = (
    ("pem", r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----))*+-----END [A-Z0-9 ]{0,60}-----"),
    ("pem", r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[\s\"',]|\\[nr]|[A-Za-z0-9+/=]{16,})*+"),
    ("ssh", r"(?:sk-)?(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\w{1,20})(?:@openssh\.com)? AAAA[A-Za-z0-9+/]{20,}={0,3}"),
    ("ssh", r"PuTTY-User-Key-File-[^\n]*+(?:\n[^\n]++)*+"),
    ("age", r"AGE-SECRET-KEY-1[A-Z0-9]{20,}"),
    ("aws", r"(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|AIDA|AROA|AGPA|ANPA|ANVA)[A-Z0-9]{16,}"),
    ("github", r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}"),
    ("gitlab", r"gl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|oas|soat|ffct)-[\w.-]{16,}|GR1348941[\w-]{16,}"),
    ("slack", r"xox[a-z]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,}|xoxe\.xox[bp]-[A-Za-z0-9-]{10,}"),
    ("slack", r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{10,}"),
    ("discord", r"https://(?:\w{1,8}\.)?discord(?:app)?\.com/api/webhooks/\d{5,}/[\w-]{20,}"),
    ("discord", r"(?<![\w.-])[MNO][\w-]{23,27}+\.[\w-]{6,7}+\.[\w-]{27,}"),
    ("telegram", r"(?<!\d)\d{8,10}:AA[\w-]{30,}"),
    ("stripe", r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,}"),
    ("anthropic", r"sk-ant-[\w-]{16,}"),
    ("openai", r"(?<![A-Za-z0-9_-])sk-(?=[\w-]{0,60}\d)[\w-]{20,}"),
    ("google", r"AIza[\w-]{30,}|ya29\.[\w.-]{20,}|GOCSPX-[\w-]{20,}|(?<![\w/:])1//0[\w-]{30,}"),
    ("npm", r"npm_[A-Za-z0-9]{30,}"),
    ("pypi", r"pypi-[\w-]{40,}"),
    ("jwt", r"(?<![\w-])eyJ[\w-]{8,}+\.[\w-]{8,}+(?:\.[\w-]*)?"),
    ("azure", r"(?<![\w.~-])[\w.~-]{3}\dQ~[\w.~-]{30,}"),
    ("twilio", r"(?<![A-Za-z0-9])(?:SK|AC)[0-9a-f]{32}(?![0-9a-f])"),
    ("sendgrid", r"SG\.[\w-]{16,}+\.[\w-]{16,}"),
    ("mail-service", r"(?<![\w-])key-[0-9a-f]{32}|(?<![0-9a-z])[0-9a-f]{32}-us\d{1,2}(?!\w)"),
    (
        "hash",
        r"\$2[abxy]\$\d\d\$[./A-Za-z0-9]{50,}|\$argon2(?:id|i|d)\$[^\s\"']{20,}|\$[156]\$[^\s\"'$]{1,40}\$[./\w]{20,}",
    ),
    ("atlassian", r"ATATT3[\w=-]{20,}"),
    ("terraform", r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}"),
    ("airtable", r"(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[0-9a-f]{40,}"),
    (
        "vendor",
        r"(?:hf_|gsk_|r8_|ntn_|lin_api_|xai-|pplx-|rubygems_|tvly-|figd_|dckr_pat_|sb[ps]_)[A-Za-z0-9][\w-]{19,}",
    ),
    ("vendor", r"(?:shp(?:at|ca|pa|ss)_|glsa_|glc_|sntry[su]_|NRAK-|PMAK-|HRKU-|do[opr]_v1_)[A-Za-z0-9][\w=+/-]{19,}"),
    (
        "vendor",
        r"(?:dp\.(?:pt|st|ct|sa)\.|hv[sbr]\.|pscale_(?:tkn|pw|oauth)_|tskey-[a-z]{2,10}-|sq0[a-z]{3}-)[\w-]{20,}",
    ),
    ("vendor", r"(?:fm2_|EAACEdEose0cBA|dapi(?=[0-9a-f]{20}))[\w=+/-]{20,}"),
)
_RULED = tuple((re.compile(pattern), kind) for kind, pattern in _SHAPES)
_MARK = re.compile(r"\[redacted:([a-z-]{1,20})\]")
_SOMEONE, _ADDRESS = "someone", "someone@example.com"  # whose home and address stand in an example
_BEFORE_HOST, _LONGEST_LOGIN = re.compile(r"://(?:[^\s/:@]{0,256}:)?$"), 260
_LAST_FOLDER, _LAST_WORD = re.compile(r"[^/\\]+$"), re.compile(r"[^-]+$")

_LOGIN = re.compile(r"://(?!\[redacted)[^\s/:@\"'<>]{0,256}+:(?![${<]|\d+(?:[/\s]|$))[^\s/\"'<>]{1,256}@")
_USER = re.compile(r"://(?!\[redacted)[^\s/:@\"'<>${}]{16,256}+@")
_SCHEME = re.compile(r"\b((?i:bearer|basic|digest|apikey|token|negotiate))([ \t]{1,4})([A-Za-z0-9+/=._~-]{8,})")
_COOKIE = re.compile(r"(?i:\b((?:set-)?cookie[\"']?[ \t]{0,4}:[ \t]{0,4}[\"']?|--cookie[ =][\"']?))([^\r\n\"']{3,})")
_SPOKEN = re.compile(
    r"(?i:\b(pass(?:word|phrase|wd|code))([ \t]{1,4}(?:is|was)(?:[ \t]{0,4}:)?[ \t]{1,4}[\"'`]?|[ \t]{1,4}(?=\S*\d)))"
    r"([^\s\"'`,;]{4,})"
)
_SWITCH = re.compile(
    r"((?:\s-u|--user)[ \t=]{1,4}[\"']?[\w.@\\-]{1,128}:|\bsshpass -p[ \t]{0,4}[\"']?)([^\s\"'${][^\s\"']*)"
)
# Clients that take their password on the command line: "mysql -phunter2", "docker login -p hunter2".
_CLIENT = re.compile(
    r"(\b(?:(?:mysql|mariadb)\w{0,8}[ \t][^\n|;&]{0,200}?(?<=[ \t])-p"
    r"|(?:docker|podman|helm|buildah|skopeo|oc)[ \t][^\n|;&]{0,60}?\blogin[ \t]"
    r"[^\n|;&]{0,200}?(?<=[ \t])-p[ \t]{1,4})"
    r"[\"']?)(?!\[redacted)([^\s\"'${][^\s\"']*)"
)
_EMAIL = re.compile(
    r"(?<![\w.+%-])(?!(?<=\\)[nrt]@|(?:git|no-?reply)@)[\w.+%-]{1,64}+@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w@-]|\.[A-Za-z])",
)
_HOME = re.compile(
    r"(?:(?<![\w.~/\]-])|(?<=file://)|(?<=-[A-Za-z]))"
    r"(?:(?:/var|/usr|/export|/mnt/[a-z]|/cygdrive/[a-z]|/[a-z])?/(?:home|Users)/(?!Shared\b)[\w.@+-]+)"
)
_WINDOWS = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]:(\\{1,4}|/)(?i:users)\1(?!(?i:public|default)\b)"
    r"(?:[\w.-]+(?: [\w.-]+){0,3}(?=\\)|[\w.-]+)"
)
_ENCODED = re.compile(r"(?<=/)-(?:Users|home)-\w+")

_STRONG = (
    r"pass(?:word|wd|phrase|code)|(?<=_)pass|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key"
    r"|connection[_-]?string"
)
_OWNED = (
    r"secret|encryption|signing|account|shared|storage|master|session|service|license|auth|client|webhook|deploy|hmac"
)
_WEAK = r"credentials?|auth(?:orization)?|sig(?:nature)?|salt|otp|cvv|key"
_ASSIGNED = re.compile(
    rf"(?<!redacted:)(?P<name>(?i:{_STRONG}|(?:{_OWNED})[_-]?(?:access)?[_-]?key|{_WEAK}))"
    r"(?P<more>[_.-]\w{1,40}|[A-Z]\w{0,40}|\d{1,4})?+"
    r"(?P<op>\\?[\"'\]]{0,2}[ \t]{0,8}(?::=|=>|==?|:)[ \t]{0,8}|(?<=-)\b|[ \t]{1,4}(?=[A-Za-z0-9+/_-]{32}))"
    r"(?:\"(?P<double>[^\"\n]{1,1000}+)\"|'(?P<single>[^'\n]{1,1000}+)'|\\\"(?P<escaped>[^\"\\\n]{1,1000}+)\\\""
    r"|(?P<bare>[\"'`]?[^\s\"'`,;&|<>(){}\[\]]{1,2000}+))(?P<next>[(\[.,)]?)"
)
_NOT_A_SECRET = re.compile(
    r"[$<{%*]|\[|xxx|\.\.\.|https?://|[.~]{0,2}/|(?:process|os|env|self|this|config|settings|req|request|ctx|args)\."
)
_CODE = re.compile(r"[A-Za-z_$][\w$]*(?:[.:]{1,2}[A-Za-z_$][\w$]*)+|v?\d+(?:\.\d+)+|-+\w[\w-]*")
_PLAIN = re.compile(r"[A-Za-z_-]+")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_DESCRIBES = re.compile(
    r"(?i).*(?:url|uri|path|file|dir|name|type|length|len|count|limit|field|endpoint|expiry|expires|ttl|header|prefix"
    r"|policy|regex|pattern|label|placeholder|hint|env|var|ref|version|size|index|class|store|provider|error|required"
    r"|enabled|fingerprint|usage|budget|status|state|message)s?"
)
_TYPES = re.compile(
    r"(?i)str(?:ing)?|num(?:ber)?|int|bool(?:ean)?|bytes|any|none|null|nil|undefined|true|false|optional|required|text"
    r"|missing|invalid|expired|object|unknown|void|never|yes|no|on|off|char|secretstr|u?int\d+array|buffer"
)
_SHORTEST = 4  # characters of a value worth hiding


_NOT_KEPT_SECRET = ("pem", "ssh", "hash", "mail-service")  # read over several lines, public, or alike to what is


def key_patterns() -> dict[str, str]:
    """Kinds of keys that are known by their form, each with a pattern for one line that any engine reads."""
    found: dict[str, list[str]] = {}
    for kind, pattern in _SHAPES:
        if kind not in _NOT_KEPT_SECRET:
            found.setdefault(kind, []).append(without_possessives(pattern))
    return {kind: "|".join(patterns) for kind, patterns in found.items()}


def redact(text: str) -> str:
    """The text with every secret replaced by ``[redacted:KIND]`` and home folders by ``~``."""
    return _redact_until_stable(text, _mark_secret, "[redacted:email]", "~")


def replace_secrets(text: str) -> str:
    """The text with a look-alike in the place of every secret, for examples: what catches the one catches the other."""
    return _redact_until_stable(text, lambda _, value, holds: standin_of(value, holds), _ADDRESS, "")


def replace_redacted(text: str) -> str:
    """The same, and what ``redact`` made of an earlier secret gets the look-alike of its kind: for what was wrong."""
    return replace_secrets(_MARK.sub(lambda found: standin_of_kind(found[1]) or found[0], text))


def _redact_until_stable(text: str, put: ReplaceSecret, address: str, home: str) -> str:
    for _ in range(_PASSES):
        clean = _redact_once(text, put, address, home)
        if clean == text:
            break
        text = clean
    return text


def _mark_secret(kind: str, value: str, holds: HoldsSecret) -> str:
    """A look-alike is no secret and stays as it is."""
    return value if standin_of(value, holds) == value else f"[redacted:{kind}]"


def _redact_once(text: str, put: ReplaceSecret, address: str, home: str) -> str:
    text = _EMAIL.sub(lambda found: found[0] if _is_nobodys_address(found) else address, without_keys(text, put))
    text = _HOME.sub(_home_folder(_LAST_FOLDER, home), _WINDOWS.sub(_home_folder(_LAST_FOLDER, home), text))
    return _ENCODED.sub(_home_folder(_LAST_WORD, home and f"-{home}"), text)


def _is_nobodys_address(found: re.Match[str]) -> bool:
    """Whether a mail address is the one of examples, or the look-alike of a login before a host."""
    name = found[0].partition("@")[0]
    before = found.string[max(0, found.start() - _LONGEST_LOGIN) : found.start()]
    return found[0] == _ADDRESS or (standin_of(name) == name and _BEFORE_HOST.search(before) is not None)


def _home_folder(last: re.Pattern[str], home: str) -> Callable[[re.Match[str]], str]:
    """A placeholder's home folder stays; any other becomes ``home``, or a placeholder where that is ""."""

    def replace(found: re.Match[str]) -> str:
        theirs = last.sub(_SOMEONE, found[0])
        return theirs if theirs == found[0] or not home else home

    return replace


def without_keys(text: str, put: ReplaceSecret = _mark_secret) -> str:
    """The text without keys and passwords, for those who know the people and folders that it names."""
    for pattern, kind in _RULED:
        text = pattern.sub(_shaped(pattern, kind, put), text)
    text = _LOGIN.sub(_address(put), text)
    text = _USER.sub(_address(put), text)
    text = _COOKIE.sub(_mark_if_secret(lambda value: "=" in value, "cookie", put), text)
    text = _SCHEME.sub(lambda found: _scheme(found, put), text)
    text = _SWITCH.sub(_mark_if_secret(lambda value: not value.isdigit(), "password", put), text)
    text = _CLIENT.sub(_mark_if_secret(lambda _: True, "password", put), text)
    text = _SPOKEN.sub(lambda found: _spoken(found, put), text)
    return _ASSIGNED.sub(lambda found: _assigned(found, put), text)


def _shaped(pattern: re.Pattern[str], kind: str, put: ReplaceSecret) -> Callable[[re.Match[str]], str]:
    return lambda found: put(kind, found[0], pattern.fullmatch)


def _address(put: ReplaceSecret) -> Callable[[re.Match[str]], str]:
    """A name and a password in front of a host."""
    return lambda found: f"://{put('login', found[0][3:-1], None)}@"


def _mark_if_secret(holds: Callable[[str], bool], kind: str, put: ReplaceSecret) -> Callable[[re.Match[str]], str]:
    """Keep the first group and mark the second where it holds a secret that is not marked yet."""

    def replace(found: re.Match[str]) -> str:
        marked = found[2].startswith("[redacted") or not holds(found[2])
        return found[0] if marked else f"{found[1]}{put(kind, found[2], None)}"

    return replace


def _scheme(found: re.Match[str], put: ReplaceSecret) -> str:
    scheme, space, value = found.groups()
    long = len(value) >= 20
    random = any(map(str.isdigit, value)) or value.endswith("=") or (long and not _PLAIN.fullmatch(value))
    code = _CODE.fullmatch(value) and not (long and any(map(str.isdigit, value)))
    return f"{scheme}{space}{put(scheme.casefold(), value, None)}" if random and not code else found[0]


def _spoken(found: re.Match[str], put: ReplaceSecret) -> str:
    value = found[3]
    telling = any(map(str.isdigit, value)) or any(sign in value for sign in "!#$%^*")
    fine = value.startswith(("[redacted", "=", ":", "$", "<", "{", "(")) or not any(map(str.isalpha, value))
    return found[0] if fine or not telling else f"{found[1]}{found[2]}{put('password', value, None)}"


def _assigned(found: re.Match[str], put: ReplaceSecret) -> str:
    group = next(name for name in ("double", "single", "escaped", "bare") if found[name])
    value = found[group].lstrip("\"'`") if group == "bare" else found[group]
    if not value or _NOT_A_SECRET.match(value) or _TYPES.fullmatch(value):
        return found[0]
    if found["more"] and _DESCRIBES.fullmatch(found["more"]):
        return found[0]
    name = found["name"].casefold()
    if re.fullmatch(_WEAK, name) or not re.search("[=:]", found["op"]):
        secret = _random(value, 32 if "key" in name else 16) and not _UUID.fullmatch(value)
    elif group == "bare":
        secret = _bare_assignment(found, value, name)
    else:
        secret = _quoted(found, value, name)
    if not secret:
        return found[0]
    kind = "password" if name.startswith(("pass", "pwd")) else "secret"
    end = found.end(group) - found.start()
    return f"{found[0][: end - len(value)]}{put(kind, value, None)}{found[0][end:]}"


def _quoted(found: re.Match[str], value: str, name: str) -> bool:
    if any(map(str.isspace, value)):
        return "=" in found["op"] and name != "token"
    words = _PLAIN.fullmatch(value) if name == "token" else not value.isascii() and not any(map(str.isdigit, value))
    return len(value) >= _SHORTEST - 1 and not words


def _bare_assignment(found: re.Match[str], value: str, name: str) -> bool:
    value = value.rstrip(".:!?")
    if len(value) < _SHORTEST or found["next"] in ("(", "[") or _CODE.fullmatch(value) or value.casefold() == name:
        return False
    if _PLAIN.fullmatch(value) or value.isdigit():
        return found["op"] == "=" and not found["next"] and name != "token"
    return any(map(str.isalpha, value)) and any(not sign.isalpha() and sign not in "_-./" for sign in value)


def _random(value: str, length: int) -> bool:
    """Whether so long a value is drawn from hex or base64 rather than from words."""
    digits, letters = sum(map(str.isdigit, value)), sum(map(str.isalpha, value))
    mixed = any(map(str.isupper, value)) and any(map(str.islower, value))
    shaped = re.fullmatch(r"[A-Za-z0-9+/_=.~%-]+", value) is not None
    return shaped and len(value) >= length and letters > 0 and digits >= (2 if mixed else _SHORTEST)
