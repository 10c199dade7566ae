"""Words, signs, file names and forms of sentences that check templates name by one word."""

import re
from collections.abc import Iterable

CLICHES = {
    "marketing": (
        r"\b(?:blazing(?:ly)?[ -]fast|seamless(?:ly)?|cutting[ -]edge|state[ -]of[ -]the[ -]art|revolutionary"
        r"|effortless(?:ly)?|game[ -]chang(?:er|ing)|supercharged?|next[ -]gen(?:eration)?|best[ -]in[ -]class"
        r"|world[ -]class|delightful"
        r"|lightning[ -]fast|turbocharged?|unleash(?:es)?|elevate your|unlock the power|hassle[ -]free"
        r"|enterprise[ -]grade|industry[ -]leading|unparalleled|one[ -]stop)\b"
    ),
    "ai": (
        r"\b(?:delv(?:e|es|ed|ing)|tapestry|plethora|pivotal|meticulous(?:ly)?|seamless(?:ly)?|holistic(?:ally)?"
        r"|synerg\w+|paradigm shift|game[ -]chang(?:er|ing)|cutting[ -]edge|leverag(?:e|es|ed|ing)"
        r"|supercharged?|effortless(?:ly)?"
        r"|(?:it is|it's) (?:important|worth|crucial|essential)"
        r" (?:to note|noting|to understand|to remember|to mention)"
        r"|in today's (?:[\w-]+ ){1,3}(?:world|landscape|age|era)|ever[ -](?:evolving|changing)"
        r"|navigat(?:e|es|ing) the (?:complexit\w+|landscape|intricac\w+|world)|(?:is|stands as|as) a testament to"
        r"|harness(?:es|ing)? the (?:power|potential)"
        r"|unlock(?:s|ing)? (?:the|its|your|their) (?:full )?(?:power|potential)"
        r"|(?:deep dive|dive deep|dive) into|let's dive in|a myriad of|in the realm of|embark(?:s|ing)? on"
        r"|underscor(?:e|es|ing) the|elevat(?:e|es|ing) your|empower(?:s|ing)? (?:you|users|developers|teams)"
        r"|whether you're an? |not just [\w -]{1,40}, (?:it's|but)|as an ai(?: language)? model|i hope this helps"
        r"|in conclusion,|look no further)"
    ),
}

# Python's escapes, so that an artifact shows which signs it means; skin tones and flags' letters are parts, not emojis.
EMOJI_PICTURES = (
    r"\u231A\u231B\u23E9-\u23EC\u23F0\u23F3\u25FD\u25FE\u2614\u2615\u2648-\u2653\u267F\u2693\u26A1\u26AA\u26AB\u26BD"
    r"\u26BE\u26C4\u26C5\u26CE\u26D4\u26EA\u26F2\u26F3\u26F5\u26FA\u26FD\u2705\u270A\u270B\u2728\u274C\u274E"
    r"\u2753-\u2755\u2757\u2795-\u2797\u27B0\u27BF\u2B1B\u2B1C\u2B50\u2B55"
    r"\U0001F004\U0001F0CF\U0001F18E\U0001F191-\U0001F19A\U0001F201\U0001F21A\U0001F22F\U0001F232-\U0001F236"
    r"\U0001F238-\U0001F23A\U0001F250\U0001F251\U0001F300-\U0001F3FA\U0001F400-\U0001F53D\U0001F546-\U0001F64F"
    r"\U0001F680-\U0001F6FF\U0001F7E0-\U0001F7EB\U0001F7F0\U0001F90C-\U0001F93A\U0001F93C-\U0001F945"
    r"\U0001F947-\U0001F9FF\U0001FA70-\U0001FAFF"
)
EMOJI = rf"(?:[{EMOJI_PICTURES}]|.\uFE0F|[\U0001F1E6-\U0001F1FF][\U0001F1E6-\U0001F1FF]|[0-9#*]\uFE0F?\u20E3)"

_CODE = "{py,js,mjs,cjs,ts,tsx,jsx,sh,rb,go,php,pl,rs,java,c,cpp,sql,html,txt,json,csv,log,png,patch,diff}"
_NEAR = "{/,scripts/,script/,test/,tests/,tools/}"  # among the sources, debug and temp are also words of the trade

LEFTOVER_NAMES = {
    "temporary": (
        "*.{tmp,temp}",
        "tmp[-_0-9]*",
        f"{_NEAR}tmp.*",
        "*[-_.]tmp.*",
        f"{_NEAR}temp[-_]*.{_CODE}",
        f"{_NEAR}temp.{_CODE}",
        f"{_NEAR}temporary[-_.]*",
    ),
    "debug": (f"{_NEAR}debug[-_]*.{_CODE}", f"{_NEAR}debug.{_CODE}", f"{_NEAR}*[-_]debug.{_CODE}"),
    "scratch": ("scratch[-_.]*", "*[-_]scratch.*", "/scratch/", "throwaway[-_.]*", f"/playground.{_CODE}"),
    "backup": ("*.{orig,rej,bak,bkp,backup,old}", "*~", "*[_.]{backup,bak,orig}.*"),
    "log": ("*.log", "nohup.out", "{npm,yarn,pnpm}-debug.log*"),
    "editor": ("*.{swp,swo,swn}", ".#*", "#*#", ".DS_Store", "Thumbs.db", "desktop.ini"),
    "output": (
        "/test[-_]{output,results,result}*.{txt,log,json,xml}",
        "/{out,output,result,results,stdout,stderr}.{txt,log}",
        "/*[-_]output.{txt,log}",
        ".coverage",
        "/core.[0-9]*",
    ),
}
LEFTOVER_SPARED = (
    "**/{fixtures,fixture,testdata,golden,goldens,__snapshots__}/**",
    "test[-_]debug.*",
    "tmp_path*",
    "{db,database,pg,mysql,s3,cloud,system,data}[-_]backup.*",
    "{create,run,make,do,perform,restore,test,auto,full,daily,weekly,enable,schedule}[-_]backup.*",
)

_BEFORE = (
    r"^(?:[a-z]+(?:\([^()]*\))?!?: |:[a-z0-9_+-]+: |[A-Z][A-Z0-9]{1,9}-[0-9]+:? |"
    r"#[0-9]+:? |\[[^][]*\] |[A-Za-z/]+: )*"
)
_THIRD = (
    "[Aa]dds|[Ff]ixes|[Uu]pdates|[Cc]hanges|[Rr]emoves|[Rr]efactors|[Ii]mproves|[Ii]mplements|[Cc]reates|[Mm]oves"
    "|[Rr]enames|[Mm]akes|[Uu]ses|[Aa]llows|[Ii]ntroduces|[Ee]nables|[Dd]isables|[Dd]eletes|[Rr]eplaces|[Ss]implifies"
    "|[Cc]leans|[Ee]xtracts|[Hh]andles|[Ss]upports|[Ee]nsures|[Pp]revents|[Cc]orrects|"
    "[Aa]djusts|[Cc]onverts|[Ww]rites"
    "|[Mm]erges|[Ss]plits|[Ss]ets|[Rr]eturns|[Ss]hows|[Hh]ides|[Dd]rops|[Bb]umps|[Uu]pgrades|[Dd]ocuments|[Rr]esolves"
)
_PAST = (
    "[Mm]ade|[Bb]uilt|[Ww]rote|[Rr]ewrote|[Rr]an|[Kk]ept|[Ss]ent|[Dd]id|[Gg]ot|[Gg]ave|[Tt]ook|[Bb]rought|[Bb]roke"
    "|[Cc]hose|[Hh]eld|[Bb]egan|[Ww]ent|[Hh]id|[Tt]hrew|[Ss]ped"
)
PAST_SUBJECTS = rf"{_BEFORE}(?:{_THIRD}|{_PAST}|[A-Za-z]+(?:ed|ing))(?:[ :,.]|$)"
# Orders that only look like it.
IMPERATIVE_SUBJECTS = (
    rf"{_BEFORE}(?:[A-Za-z]*(?:[Ee]mbed|[Ss]eed|[Ff]eed|[Ss]peed|[Ss]hred|[Pp]roceed|[Ee]xceed|[Ss]ucceed|[Bb]leed)"
    "|[Nn]eed|[Ss]hed|[Ww]eed|[Hh]eed|[Bb]reed|[Bb]ring|[Pp]ing|[Rr]ing|[Ss]tring|[Ss]wing|[Ss]ling|[Ss]ing)"
    "(?:[ :,.]|$)"
)


def emoji_pattern(allowed: Iterable[str]) -> str:
    """A pattern of every emoji but the allowed ones."""
    kept = "|".join(map(re.escape, allowed))
    return (rf"(?<!\u200D)(?!{kept})" if kept else "") + EMOJI


_FILLER = (
    "(?i:example|sample|placeholder|your|dummy|fake|mock|redacted|insert|replace|change_?me|xxxx|0000|"
    "123456|abcdef|test|todo|notreal|foobar|pass(?:word|wd)|secret|admin|default|"
    "eyJzdWIiOiIxMjM0NTY3ODkw)"
)
_STUB = "(?i:example|placeholder|your_|dummy|redacted|change_?me|xxxx|0{6}|1234567|abcdefg|eyJzdWIiOiIxMjM0NTY3ODkw)"
_STRONG_NAME = (
    "(?i:(?:api|access|secret|private|auth|client|signing|encryption|account|master|shared|storage)"
    "[_-]?(?:key|token|secret)|passw(?:or)?d|passphrase|secret|token)"
)
_NAME_ABOUT_IT = (
    r"(?![\w-]{0,30}(?i:url|uri|path|file|name|type|hash|header|field|prefix|_id|ref|version|regex|"
    r"pattern|label|param|class|store|length|count|limit|ttl|expir|policy|format|template))[\w-]{0,20}"
)
_GIVEN = "[\"'\\]]{0,2}[ \\t]{0,4}(?::=|=>|[:=])[ \\t]{0,4}"
_RANDOM = (
    "(?=(?:[^\"'`\\s\\d]{0,30}\\d){3})(?=[^\"'`\\sA-Z]{0,30}[A-Z])(?=[^\"'`\\sa-z]{0,30}[a-z])"
    "[A-Za-z0-9+/_=~.-]{20,200}"
)
_HEX = r"(?=[a-f]{0,20}\d)[0-9a-f]{32,128}"
_QUOTED_VALUE = "(?=[^\"'`\\s\\d]{0,30}\\d)(?=[^\"'`\\sA-Za-z]{0,30}[A-Za-z])[^\"'`\\s${}<>()\\[\\]]{8,32}"
# A value without quotes: capital, small letter, digit, and a sign or three numbers, which no name of a thing has.
_BARE_VALUE = (
    r"(?=[^\s\d]{0,30}\d)(?=[^\sA-Z]{0,30}[A-Z])(?=[^\sa-z]{0,30}[a-z])(?=[^\s!#%^&*@~?]{1,30}[!#%^&*@~?]|"
    "[^\\s\\d]{0,20}(?:\\d{1,9}[^\\s\\d]{1,20}){2}\\d)[A-Za-z0-9][^\\s\"'`${}<>()\\[\\]/.:,;|\\\\]{7,31}"
)
_LINE = r"^[ \t]*(?:(?:export|ENV|ARG|-)[ \t]+)?"
_NO_FILLER = rf"(?![^\"'`\s]{{0,30}}?{_FILLER})"
_PRIVATE_KEY = (
    "-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?:\\\\[nr]){1,4}|[ \\t]*[\"']?\\s{1,4})[A-Za-z0-9+/=]{40}"
)
_PUBLIC = ["pk_", "A(?:IDA|ROA|GPA|NPA|NVA)", "AC[0-9a-f]"]  # what is given to the public or names an account


def secret_patterns(keys: Iterable[str], allowed: Iterable[str]) -> list[str]:
    """Patterns of keys of known services, private keys, random values given to names, and passwords in addresses."""
    free = "(?!" + "|".join([*_PUBLIC, *map(re.escape, allowed)]) + ")"
    return [
        "(?<!\\w)(?="
        + "|".join(keys)
        + ")"
        + free
        + "(?![\\w./+=~:-]{0,30}?"
        + _STUB
        + ")(?!(?:[A-Za-z]{2,12}\\d?[_-]){3}[a-z]{3})\\S",
        _PRIVATE_KEY,
        _STRONG_NAME + _NAME_ABOUT_IT + _GIVEN + "[\"'`]" + free + _NO_FILLER + _RANDOM + "[\"'`]",
        _STRONG_NAME + _NAME_ABOUT_IT + _GIVEN + "[\"'`]" + _NO_FILLER + _HEX + "[\"'`]",
        "(?i:passw(?:or)?d|passphrase)[\"'\\]]{0,2}[ \\t]{0,4}(?::=|=>|[:=])[ \\t]{0,4}[\"'`]"
        + _NO_FILLER
        + _QUOTED_VALUE
        + "[\"'`]",
        _LINE
        + "[A-Z][A-Z0-9_]{0,30}(?:KEY|TOKEN|SECRET)[ \\t]{0,4}[=:][ \\t]{0,4}"
        + free
        + _NO_FILLER
        + "(?:"
        + _RANDOM
        + "|"
        + _HEX
        + ")[ \\t]*$",
        _LINE + "[A-Z][A-Z0-9_]{0,30}PASS(?:WORD|WD)?=" + _NO_FILLER + _QUOTED_VALUE + "[ \\t]*$",
        "^[ \\t]*(?:-[ \\t]+)?[\\w.-]{0,40}(?i:passw(?:or)?d|passphrase)(?:=|[ \\t]{0,4}:[ \\t]{1,9})"
        + _NO_FILLER
        + _BARE_VALUE
        + "[ \\t]*(?:[ \\t]#.*)?$",
        "\\b[a-z][a-z0-9+]{2,15}://[^\\s/:@\"'`<>${}]{1,30}:(?![^@\\s]{0,30}?"
        + _FILLER
        + ")(?=[^@\\s\\d]{0,30}\\d)(?=[^@\\sA-Za-z]{0,30}[A-Za-z])"
        "[^\\s/:@\"'`<>${}]{8,100}@(?!localhost|127\\.|0\\.0|host\\b|example|\\[)",
    ]


_OUR = "behavi|col|fav|flav|hon|hum|lab|neighb|rum|sav|vig|harb|arm|od|splend|endeav|cand|parl|vap|misbehavi"
_OUR_ENDS = "s|ed|ing|al|ally|able|ably|ful|less|ite|ites|hood|hoods|er|ers|ings|y"
_RE_STEMS = "cent|lit|fib|theat|calib|spect|somb|lust|epicent"
_IZE = (
    "agon|alphabet|amort|anonym|antagon|apolog|atom|author|bapt|brutal|canonical|capital|categor|central|"
    "character|civil|colon|commercial|computer|container|contextual|critic|crystall|custom|decentral|"
    "denormal|deserial|digital|dramat|econom|emphas|equal|external|familiar|final|formal|general|global|"
    "harmon|homogen|human|ideal|immun|incentiv|individual|initial|internal|international|jeopard|legal|"
    "lineal|local|material|maxim|mechan|memo|memor|minim|mobil|modern|monet|moral|national|neutral|"
    "normal|optim|organ|parameter|parametr|patron|personal|plagiar|polar|popular|priorit|privat|"
    "pseudonym|random|raster|rational|real|recogn|reinitial|reorgan|revital|revolution|sanit|scrutin|"
    "sensit|serial|social|special|stabil|standard|subsid|summar|symbol|sympath|synchron|synthes|systemat|"
    "tantal|theor|token|trivial|unauthor|union|unorgan|urban|util|vector|verbal|victim|virtual|visual|"
    "western"
)
_EL = (
    "cancel|travel|label|relabel|model|remodel|signal|fuel|level|total|marshal|unmarshal|channel|counsel|"
    "tunnel|panel|dial|funnel|jewel|marvel|quarrel|rival|spiral|swivel|towel|unravel"
)
SPELLINGS = {  # the spellings of either variety which the other one lacks, as grep -E reads them
    "american": (
        "("
        + _OUR
        + ")or("
        + _OUR_ENDS
        + ")?|("
        + _RE_STEMS
        + ")er(s|ed|ing|fold)?|("
        + _IZE
        + ")iz(e|es|ed|er|ers|ing|able|ation|ations|ational)|(analy|paraly|cataly)z(e|es|ed|er|ers|ing)|("
        + _EL
        + ")(ed|ing)|(un)?(label|model|cancel|level|marshal)ed|(travel|model|signal|level|jewel|"
        "marshal)ers?|gray(s|ed|ish|scale)?|catalog(s|ed|ing)?|(de|of|pre)fense(s|less)?|"
        "fulfill(s|ment)?|enroll(s|ment|ments)?|skillful(ly)?|willful(ly)?|skeptic(s|al|ally|"
        "ism)?|aluminum|jewelry|mustaches?|pajamas|plow(s|ed|ing)?|maneuver(s|ed|ing)?|"
        "encyclopedias?"
    ),
    "british": (
        "("
        + _OUR
        + ")our("
        + _OUR_ENDS
        + ")?|("
        + _RE_STEMS
        + ")re(s|d)?|("
        + _RE_STEMS
        + ")ring|("
        + _IZE
        + ")is(e|es|ed|er|ers|ing|able|ation|ations|ational)|(analy|paraly|cataly)s(e|ed|er|ers|ing)|("
        + _EL
        + ")l(ed|ing)|un(label|model|cancel)led|(travel|model|signal|level|jewel|marshal)lers?|"
        "grey(s|ed|ish|scale)?|catalogue(s|d)?|cataloguing|(de|of)fence(s|less)?|pretence(s)?|"
        "fulfil(s|ment)?|enrol(s|ment|ments)?|skilful(ly)?|wilful(ly)?|sceptic(s|al|ally|ism)"
        "?|aluminium|jewellery|moustaches?|pyjamas|plough(s|ed|ing)?|manoeuvr(e|es|ed|ing)|"
        "encyclopaedias?|artefacts?|licence(s|d)?"
    ),
}


def spelling_patterns(variety: str) -> list[str]:
    """Patterns of words in that spelling, where they are no names in code."""
    plain = f"(?:{SPELLINGS[variety].replace('(', '(?:')})"
    ends = r"(?![\w(]|[-/.:=][\w=])"
    first = rf"(?=[A-Z])(?i:{plain}){ends}"
    return [rf"(?<![\w./$@#`'\"-]){plain}{ends}", rf"^\W*{first}", rf"(?<=[.!?] ){first}"]


_LINE_START = r"^[ \t]*(?:>[ \t]*)*"
_SHORT_FORMS = (
    r"e\.?g|i\.?e|etc|vs|cf|ca|approx|resp|incl|excl|mr|mrs|ms|dr|prof|st|no|nos|nr|fig|eq|sec|ch|vol|ed|"
    r"pp?|al|inc|ltd|corp|co|jr|sr|dept|est|max|min|u\.s|a\.m|p\.m|[a-z]"
)
MARKDOWN = {
    "one-sentence-per-line": "^(?![ \\t]*[|#])(?:.*?[\\s(>*_])??(?!(?i:"
    + _SHORT_FORMS
    + ")\\.|\\d+\\.)[^\\s\\x1a]{0,80}[\\w)\\]`'\"*_%\\x1a][.!?][\"')"
    "\\]*_]{0,3}[ \\t]+[\"'(\\[*_]{0,3}(?:[A-Z\u00c0-\u00de\u0410-\u042f]|`x)",
    "dash-bullets": _LINE_START + "[*+][ \\t]+(?![*+ \\t]*$)\\S",
    "star-bullets": _LINE_START + "[-+][ \\t]+(?![-+ \\t]*$)\\S",
    "plus-bullets": _LINE_START + "[-*][ \\t]+(?![-* \\t]*$)\\S",
    "one-space-bullets": _LINE_START + "[-*+](?:[ \\t]{2,}|\\t)(?![-*+ \\t]*$)\\S",
    "numbers-all-one": _LINE_START + "(?!1[.)])\\d{1,3}[.)][ \\t]+\\S",
    "no-trailing-spaces": "\\S[ \\t]+$",
    "no-hard-tabs": "\\t",
    "no-tables": "^[ \\t]*\\|.*\\|",
    "no-bullets": _LINE_START + "[-*+][ \\t]+(?![-*+ \\t]*$)\\S",
    "no-bold": "\\*\\*[^\\s*]|(?<!\\w)__[^\\s_]",
    "no-numbered-headings": "^#{1,6}[ \\t]+\\d+(?:\\.\\d+)*[.):]?[ \\t]",
    "no-heading-punctuation": "^#{1,6}[ \\t].*[.:,;!][ \\t#]*$",
    "no-task-lists": _LINE_START + "(?:[-*+]|\\d+[.)])[ \\t]+\\[[ xX]\\][ \\t]",
    "sentence-case-headings": "^#{1,6}[ \\t]+[A-Z]\\w*(?:[ \\t]+(?:an?|and|as|at|by|for|from|in|of|on|or|the|to|via|"
    "with))*(?:[ \\t]+[A-Z][a-z]+(?:[ \\t]+(?:an?|and|as|at|by|for|from|in|of|on|or|the|"
    "to|via|with))*){3,}[ \\t?!#]*$",
    "hash-headings": "^={3,}[ \\t]*$",
}

# Every comment but directives to tools, licence lines and the first line of a script.
COMMENT = (
    r"^(?![ \t]*(?:#!|(?:#|//|/\*|--|<!--)[ \t]*(?:[\w.-]+:[ \t]*(?:ignore|disable|enable|off|on)\b|noqa|"
    "type:|pragma|pylint|ruff|mypy|eslint|prettier|biome|@ts-|ts-|tslint|istanbul|c8|v8|go:|nolint|"
    r"\+build|rubocop|frozen_string|phpcs|@phpstan|clang-format|NOLINT|shellcheck|yamllint|region|"
    r"endregion|SPDX|Copyright|License|eslint-env|jshint|global|coding[:=]|-\*-|vim?:|!|/)))[ \t]*\S"
)


def small_markers(patterns: Iterable[str]) -> list[str]:
    """Patterns of markers in small letters, which mean the same where they open the comment."""
    found = []
    for pattern in patterns:
        word = re.sub(r"\\b|\(\?:|[()]", "", pattern)
        if word.isupper() and word.replace("|", "").isalpha():
            found.append(rf"^\W*(?i:{word})(?:\([^()]*\))?(?:[:\])!]|[ \t]+-|\W*$)")
    return found


GLOBALS = {  # as templates call them
    "CLICHES": CLICHES,
    "COMMENT": COMMENT,
    "EMOJI": EMOJI,
    "LEFTOVER": LEFTOVER_NAMES,
    "MARKDOWN": MARKDOWN,
    "SPARED": LEFTOVER_SPARED,
    "SPELLINGS": SPELLINGS,
    "TOLD": PAST_SUBJECTS,
    "ORDERED": IMPERATIVE_SUBJECTS,
    "emoji_pattern": emoji_pattern,
    "secret_patterns": secret_patterns,
    "small_markers": small_markers,
    "spelling_patterns": spelling_patterns,
}
