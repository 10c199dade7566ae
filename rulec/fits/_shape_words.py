"""Constructs of code by the words that people use for them."""

import re
from dataclasses import dataclass
from typing import Any

from rulec.language.terms import table


@dataclass(frozen=True, slots=True)
class Shape:
    """A construct: how it is spoken of, how a text shows it, and the languages that its check reads.

    ``unwanted`` is looked for in what a person does not want, ``wanted`` in what is to stand in its place.
    """

    name: str
    unwanted: str
    wanted: str
    sign: str
    languages: frozenset[str]
    excluded: tuple[str, ...] = ()  # where it belongs
    template: str = ""  # its own one; else it is a choice of forbid-shape
    types: tuple[tuple[str, tuple[str, ...]], ...] = ()  # what that template asks for, by language

    def given(self, language: str) -> tuple[str, dict[str, Any]]:
        """The template that looks for it in a language, and what that is given."""
        if not self.template:
            return "forbid-shape", {"shape": self.name}
        types = dict(self.types).get(language, ())
        return self.template, {"types": list(types)} if types else {}

    def seen(self, text: str) -> bool:
        """Whether a text shows the construct; comments are not looked at."""
        return bool(re.search(self.sign, COMMENT.sub("", text), re.MULTILINE))


COMMENT = re.compile(r"^\s*(?:#(?!\[)|//|/?\*).*$|(?<=\s)(?://|#)\s.*$", re.MULTILINE)
_LOGS = ("log/", "logs/", "logger/", "logging/", "log.*", "logger.*", "logging.*", "scripts/", "cli/", "bin/")
_TESTS = ("test_*.py", "*_test.py", "tests/", "conftest.py")
_JS = table("javascript")
_TS = table("typescript")
_LOGGER = (
    r"logg(?:er|ing)\b(?!\.\w)|\blog (?:framework|library|package|module|system)|structured log|"
    r"\b(?:slog|winston|pino|bunyan|loguru|structlog|zap|zerolog|logrus|slf4j|log4j|logback|tracing|monolog)\b"
)
_PRINTING = (  # the whole of what is not wanted: "sync with print" is about something else
    r"^(?:(?:any|all|debug(?:ging)?|raw|bare|plain|stray|leftover|using|calling|the|direct|simple) )*"
    r"(?:prints?|print(?:ing|f|ln)|fmt\.print\w*|println!?|system\.out\S*|console[. ](?:log|info|debug)s?)(?:\(\))?"
    r"(?: (?:statements?|calls?|debugging|lines?|functions?|out|directly|anything|for \w+|in \w+"
    r"|to (?:the )?(?:console|stdout|terminal|screen|stderr)))*$"
)
_PRINTED = (
    r"(?<![\w.])print\(|console\.(?:log|info|debug)|fmt\.Print|System\.out\.|^\s*puts\b|println!|print!|dbg!|"
    r"var_dump|print_r|std::cout|(?<!\w)printf\("
)
_PRINTED_ASIDE = (
    r"file=sys\.stderr|sys\.stderr\.write|console\.(?:error|warn)|process\.stderr|os\.Stderr|System\.err\.|\$stderr|"
    r"^\s*warn\b|eprint"
)

SHAPES: tuple[Shape, ...] = (
    Shape(
        "else-if-chain",
        r"\belse[- ]?ifs?\b|\bif[-/ ]?else(?:[-/ ]?ifs?)?s?\b(?: chains?| ladders?)?|\bel(?:s)?ifs?\b|"
        r"\b(?:chain(?:ed|s)?|linked|cascad\w+|long|multiple) (?:of )?if",
        r"\bswitch(?:[- /]?(?:case|statement)s?)?\b|\bmatch(?:[- /]?(?:case|statement|expression)s?)\b|^match$|"
        r"\b(?:lookup|dispatch) (?:table|map|dict)",
        r"\belse\s+if\b|\belif\b|\belsif\b|\belseif\b",
        table("python javascript go java c cpp php ruby rust"),
    ),
    Shape(
        "nested-ternary",
        r"\b(?:nested|chained|stacked) (?:ternar|conditional (?:expression|operator))|\bternar\w+ (?:in|inside|"
        r"within) ",
        r"^(?!)",
        r"\?[^:\n]*:[^?\n]*\?|\?[^:\n]*\?|\belse\b[^\n]*\bif\b[^\n]*\belse\b|\?[\s\S]{0,200}:[\s\S]{0,80}\?",
        table("python javascript java c cpp php"),
    ),
    Shape(
        "default-export",
        r"\bdefault exports?\b|\bexport default\b",
        r"\bnamed exports?\b",
        r"\bexport\s+default\b",
        _JS,
    ),
    Shape(
        "star-import",
        r"(?:\b(?:star|wildcard|glob|asterisk)|\*)[ -]?imports?\b|\bimport(?:ing)? \*|\bimport(?:ing)? everything",
        r"\bexplicit imports?\b",
        r"\bimport\s+\*|\bimport\s+[\w.]+\.\*|\buse\s+[\w:]+::\*",
        table("python javascript java rust"),
    ),
    Shape(
        "relative-import",
        r"\brelative (?:imports?|import paths?)\b",
        r"\babsolute (?:imports?|import paths?)\b|\bimport alias|\bpath alias",
        r"^\s*from\s+\.|['\"]\.\.?/",
        table("python javascript"),
    ),
    Shape(
        "bare-except",
        r"\b(?:bare|naked|untyped) (?:except|rescue|catch)|\bexcept:|"
        r"\brescue(?:s|ing)? without (?:an? )?(?:class|type)|\bcatch ?\(\.\.\.\)",
        r"^(?!)",
        r"\bexcept\s*:|^\s*rescue\s*(?:=>.*)?$|\bcatch\s*\(\s*\.\.\.\s*\)",
        table("python ruby cpp"),
        template="bare-except",
    ),
    Shape(
        "broad-except",
        r"(?<!raise )(?<!raise a )(?<!raising )(?<!throw )(?<!throw a )(?<!throwing )"
        r"\b(?:broad|blanket|generic|catch[- ]?all|general)(?:ly)? (?:except|catch|rescue|exceptions?)|"
        r"\b(?:except|(?:catch|rescu)(?:e?s|ing|e)?) (?:the )?(?:base |generic |plain )?`?(?:base)?"
        r"(?:exception|throwable)`?\b|\b(?:catch|rescu)(?:ing|e)? (?:all|every)",
        r"\bspecific (?:exceptions?|errors?)\b|\bnarrow (?:except|catch)",
        r"\bexcept\s*:|\bexcept\s+(?:Base)?Exception\b|catch\s*\(\s*(?:final\s+)?\\?(?:Exception|Throwable)\b|"
        r"^\s*rescue\s+Exception\b|\bcatch\s*\(\s*(?:\.\.\.|(?:const\s+)?std::exception\b)",
        table("python java ruby php cpp"),
        template="bare-except",
        types=(
            ("python", ("Exception", "BaseException")),
            ("ruby", ("Exception",)),
            ("cpp", ("exception",)),
        ),
    ),
    Shape(
        "swallowed-error",
        r"\b(?:swallow|ignor|suppress|silenc|hid|eat|discard|drop)\w*\b[^,;]*\b(?:errors?|exceptions?|failures?|"
        r"errs?)\b|"
        r"\b(?:errors?|exceptions?) (?:(?:must|should|may|can)(?: never| not|n't) )?(?:be |are |is )?"
        r"(?:swallowed|ignored|suppressed|silenced|discarded|dropped)|"
        r"\b(?:silent(?:ly)?|empty) (?:catch|except|fail|rescue)|\bexcept\w*:? ?pass\b",
        r"^(?!)",
        r"\bexcept\b[^\n]*:\s*(?:pass\b|\.\.\.)|catch\s*(?:\([^)]*\))?\s*\{\s*(?:(?://.*|/\*.*?\*/)\s*)*\}|"
        r"catch\s*\(\s*\(?\w*\)?\s*=>\s*\{\s*\}|,\s*_\s*:?=|"
        r"^\s*(?:let\s+)?_\s*=[^=]|!= nil \{\s*\}|\brescue\b[^\n]*\n\s*(?:nil|end)\b|\brescue nil\b|\.ok\(\);",
        table("python javascript java go cpp php ruby rust"),
        template="swallowed-error",
    ),
    Shape(
        "or-true",
        r"\|\| ?(?:true|:)(?!\w)",
        r"^(?!)",
        r"\|\|\s*(?:true|:)(?!\w)",
        table("bash"),
        template="swallowed-error",
    ),
    Shape(
        "mutable-default",
        r"\bmutable (?:default|argument)",
        r"^(?!)",
        r"def [^\n]*=\s*(?:\[|\{|set\(|dict\(|list\()",
        table("python"),
    ),
    Shape(
        "global",
        r"\bglobals?\b(?! (?:css|style|install|config|search))(?: (?:variables?|state|keyword))?$|\bmodule[- "
        r"]level state\b",
        r"^(?!)",
        r"^\s*global\s+\w|\b(?:window|globalThis|global)\.\w+\s*=[^=]",
        table("python javascript"),
    ),
    Shape("inline-style", r"\binline (?:css|styles?|styling)\b", r"^(?!)", r"\bstyle=\{", _JS),
    Shape(
        "arrow-function",
        r"\barrow (?:functions?|fns?|components?)\b|\barrows$",
        r"\bfunction (?:declarations?|keyword|statements?)\b|\b(?:regular|named|normal) functions?\b",
        r"\bconst\s+\w+(?:\s*:[^=\n]+)?\s*=\s*(?:async\s*)?\([^)]*\)[^=\n]*=>",
        _JS,
    ),
    Shape(
        "function-keyword",
        r"\bfunction (?:keyword|declarations?|statements?)\b|\b(?:regular|traditional|classic) functions?\b",
        r"\barrow (?:functions?|fns?|components?)\b",
        r"^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\b",
        _JS,
    ),
    Shape(
        "then-chain",
        r"\.then\b|\bthen[- ]?chains?\b|\bpromise chains?\b|\bthen/catch\b|^then$|\bthens\b",
        r"\basync ?(?:/|and|-| )? ?await\b|^await\b",
        r"\.then\s*\(",
        _JS,
    ),
    Shape(
        "var",
        r"^`?var`?(?: (?:keyword|declarations?|statements?|variables?))?$",
        r"^`?(?:const|let)`?(?:\s*(?:/|and|or)\s*`?(?:const|let)`?)?$",
        r"^\s*(?:export\s+)?var\s",
        _JS,
    ),
    Shape(
        "loose-equality",
        r"(?<![=!])[=!]=(?!=| ?`?(?:[Nn]one|null|nil|undefined|true|false|True|False)\b)|"
        r"\bloose (?:equal|compar)|\bdouble equals?\b",
        r"===|\bstrict (?:equal|compar)|\btriple equals?\b",
        r"(?<![=!<>])[=!]=(?!=)",
        _JS,
    ),
    Shape(
        "class",
        r"^(?:\w+ )?classes$|\bclass(?:-| )?(?:based )?components?\b|\bclass[- ]based\b",
        r"\bfunction(?:al)? components?\b",
        r"^\s*(?:export\s+)?(?:default\s+)?class\s+\w",
        table("python javascript"),
    ),
    Shape(
        "enum",
        r"\b(?:typescript |ts )?enums?$|\benum (?:keyword|types?)\b",
        r"\b(?:string )?(?:literal )?unions?\b|\bas const\b",
        r"\benum\s+\w+\s*\{",
        _TS,
    ),
    Shape(
        "interface", r"^(?:typescript )?interfaces?$", r"^types?$|\btype alias", r"^\s*(?:export\s+)?interface\s", _TS
    ),
    Shape(
        "type-alias",
        r"\btype alias|^types?$",
        r"^(?:typescript )?interfaces?$",
        r"^\s*(?:export\s+)?type\s+\w+.*=\s*\{",
        _TS,
    ),
    Shape(
        "type-assertion",
        r"\btype (?:assertions?|casts?|casting)\b|\b`?as`? casts?\b|^casts?(?:ing)?$|\bas unknown\b",
        r"\btype guards?\b|\b`?satisfies`?\b",
        r"\bas\s+(?!const\b)[A-Za-z]",
        _TS,
    ),
    Shape("non-null-assertion", r"\bnon-?null assertion|\bbang operator|`!`", r"^(?!)", r"\w!(?:\.|\)|;|\[)", _TS),
    Shape("for-each", r"\bfor-?each\b", r"\bfor ?(?:\.\.\.|-| )?of\b", r"\.forEach\s*\(", _JS),
    Shape("lambda", r"\blambdas?\b(?! (?:function url|layer|handler))", r"^(?!)", r"\blambda\b", table("python")),
    Shape("assert", r"^asserts?(?: statements?)?$", r"^(?!)", r"^\s*assert\s", table("python"), _TESTS),
    Shape(
        "string-format",
        r"%[- ]?format|\bpercent[- ]format|\.format\b|\bstr\.format\b",
        r"\bf-?strings?\b",
        r"['\"]\s*%\s*[\w(]|['\"]\.format\(",
        table("python"),
    ),
    Shape("os-path", r"\bos\.path\b", r"\bpathlib\b", r"\bos\.path\.|from os import path", table("python")),
    Shape("unsafe", r"\bunsafe\b(?: (?:blocks?|code|rust))?$", r"^(?!)", r"\bunsafe\s*\{", table("rust")),
    Shape(
        "unwrap",
        r"\bunwraps?\b(?!_)|\.expect\b",
        r"\b(?:the )?`?\?`? operator\b|\bproper error",
        r"\.unwrap\(\)|\.expect\(",
        table("rust"),
        ("tests/", "benches/", "examples/", "build.rs"),
    ),
    Shape(
        "panic", r"\bpanics?\b|\bpanic(?:king|\(\))", r"\breturn(?:ing|ed)? errors?\b", r"\bpanic!?\(", table("go rust")
    ),
    Shape("init-function", r"\binit(?:\(\))? functions?\b|^`?init\(\)`?$", r"^(?!)", r"^func init\(\)", table("go")),
    Shape(
        "print",
        _PRINTING,
        _LOGGER,
        _PRINTED,
        table("python javascript go java ruby php rust c cpp"),
        _LOGS,
    ),
    Shape(
        "print-to-stderr",
        rf"\bstderr\b|\bconsole\.(?:error|warn)|{_PRINTING}",
        _LOGGER,
        _PRINTED_ASIDE,
        table("python javascript go java ruby rust"),
        _LOGS,
    ),
    Shape(
        "sleep-loop",
        r"\bpoll(?:ing|s|ed)?\b|\bbusy[- ]?(?:wait|loop)\w*|\bsleep(?:ing|s)? (?:in (?:a )?)?loops?",
        r"\b(?:fsnotify|inotify|watchdog|chokidar|fsevents|notify)\b|\bfile ?(?:system )?(?:watch|event)\w*|"
        r"\bfs\.watch\b|"
        r"\bevent[- ](?:driven|based)|\bweb ?(?:sockets?|hooks?)\b|\bsubscri(?:be|ption)s?\b|\bpush notifications?\b",
        r"\bsleep\s*\(|setInterval\(|time\.(?:Sleep|NewTicker|Tick|After)\(|Thread\.sleep\(",
        table("python javascript go java"),
    ),
    Shape(
        "contains-assertion",
        r"\b(?:contain(?:s|ing|ed)?|includ(?:e|es|ing)|substrings?|partial (?:match|assert)\w*|toContain|assertIn)\b|"
        r"\bcontains?\b",
        r"\b(?:exact(?:ly)?|literal(?:ly)?|whole|full|complete|single comparison|equal(?:s|ity)?)\b",
        r"\.(?:Not)?Contains(?:Any)?\(|^\s*assert\b.*\s(?:not )?in\s|\.assert(?:Not)?In\(|\.toContain(?:Equal)?\(|"
        r"\.toMatch\(|\.includes\(|assert(?:True|False)\(.*\.contains\(|assertString?Contains|assertContains",
        table("python javascript go java php"),
    ),
    Shape(
        "test-double",
        r"\bmock(?:s|ing|ed|ery)\b|\bstubs\b|\bstubbing\b|\bspies\b|\btest doubles?\b|\bfakes\b",
        r"\breal (?:database|db|service|implementation|instance|object|server|thing|tool|data)s?\b",
        r"\b(?:Magic|Async)?Mock\(|mock\.|mocker\.|\bpatch\(|jest\.(?:mock|fn|spyOn)|vi\.(?:mock|fn|spyOn)|sinon\.|"
        r"Mockito|\bmock\(|gomock|sqlmock|createMock|getMockBuilder",
        table("python javascript java go php"),
    ),
)
