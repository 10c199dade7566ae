"""What people call a piece of code by, where the name itself stands nowhere in the text: patterns, samples, files."""

from typing import NamedTuple

from rulec.fits._text_said import CODE

_JS = ("*.js", "*.jsx", "*.mjs", "*.ts", "*.tsx", "*.vue", "*.svelte")
_CSS = ("*.css", "*.scss", "*.sass", "*.less", "*.vue", "*.svelte")
_CODE = (*CODE, "*.kt", "*.kts", "*.cs", "*.swift", "*.scala", "*.dart", "*.ex", "*.vue")
_SETTINGS = ("*config*", "*setting*", "*timeout*", "*constant*", "config/", "settings/")
_TESTS = (
    "tests/",
    "test/",
    "__tests__/",
    "spec/",
    "test_*",
    "*_test.*",
    "*.test.*",
    "*.spec.*",
    "*_spec.rb",
    "*Test.*",
)


class Jargon(NamedTuple):
    """How it is spoken of, with its verb before it; what shows it, a line that has it and one that has not; where."""

    said: str
    pattern: str
    bad: str
    good: str
    files: tuple[str, ...]
    spared: tuple[str, ...] = ()
    about: str = ""  # what else the sentence must speak of


_UNSAID = r"(?:use|write|put|add|have|want|do|allow|leave|embed|need|build|execute|run|create)? ?(?:any |the |an? )*"
JARGON: tuple[Jargon, ...] = (
    Jargon(
        r"\bclass(?:[- ]based)? components?\b",
        r"\bclass\s+\w+\s+extends\s+(?:React\.)?(?:Pure)?Component\b",
        "class Clock extends React.Component {}",
        "class NotFound extends Error {}",
        _JS,
    ),
    Jargon(
        rf"^{_UNSAID}`?!!`?(?: operators?| assertions?)?$|\bdouble[- ]bang",
        r'^(?:[^"/]|"[^"]*"|/(?!/))*[\w)\]]!!',
        "val total = cart!!.total",
        'val text = "Done!!"',
        ("*.kt", "*.kts"),
    ),
    Jargon(
        rf"^{_UNSAID}`?select \*`?(?: quer\w+| statements?)?$",
        r"(?i)\bselect\s+\*\s+from\b",
        'rows = run("SELECT * FROM users")',
        'rows = run("SELECT id FROM users")',
        (*_CODE, "*.sql"),
    ),
    Jargon(
        rf"^{_UNSAID}(?:(?:raw|inline|plain|literal|hand-?written|hard-?coded|direct) )+sql(?: quer\w+| "
        rf"strings?| statements?)?$",
        r"[\"'`]\s*(?:(?:SELECT\s[^\"'`]{1,200}\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|(?:ALTER|DROP)\s+TABLE)\b|"
        r"select\s+(?:\*|[\w.]+(?:\s*,\s*[\w.]+)*)\s+from\s+(?!(?:the|an?|this|your)\b)\w|insert\s+into\s+\w+\s*(?:\(|values\b)|"
        r"update\s+\w+\s+set\s+\w+\s*=|delete\s+from\s+\w+\s*(?:;|where\b)|(?:alter|drop)\s+table\s+\w)",
        "rows = db.query('SELECT id FROM users')",
        "rows = users.select('id')",
        _CODE,
    ),
    Jargon(
        r"(?:string|f-?string|percent)[ -](?:format\w*|concatenation|interpolation|building)|concatenat\w+",
        r"(?i)\b(?:execute|query|raw|prepare)\w*\(\s*(?:f[\"']|[\"'][^\"']{1,200}[\"']\s*(?:%|\+|\.format\b))",
        'rows = db.execute(f"SELECT id FROM users WHERE name = {name}")',
        'rows = db.execute("SELECT id FROM users WHERE name = %s", [name])',
        _CODE,
        about=r"\bsql\b|\bquer(?:y|ies)\b",
    ),
    Jargon(
        r"\bpackage[- ]level (?:\w+ )?(?:state|variables?|vars?|globals?)\b|\bglobal (?:mutable "
        r")?(?:state|variables?)$",
        r"^var\s+(?!_\b|[Ee]rr)\w+",
        "var cache = map[string]string{}",
        'var ErrMissing = errors.New("missing")',
        ("*.go",),
        about=r"\bGo\b|\bpackage\b",
    ),
    Jargon(
        rf"^{_UNSAID}`?!important`?(?: rules?| flags?)?$",
        r"!important\b",
        ".a { color: red !important; }",
        "/* not so important */",
        _CSS,
    ),
    Jargon(
        rf"^{_UNSAID}(?:fixed |absolute )?`?(?:px|pixels?)`?(?: values?| units?| sizes?)?$",
        r"\b\d+px\b",
        ".a { margin: 12px; }",
        ".a { margin: 1rem; }",
        _CSS,
    ),
    Jargon(
        r"\bhex (?:colou?rs?|values?|codes?)\b|\bhard-?cod\w+ colou?rs?\b",
        r"[\"':\s(]#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\b",
        ".a { color: #ff0000; }",
        ".a { color: var(--red); }",
        (*_CSS, *_JS),
        ("*theme*", "*token*", "*color*", "*colour*", "*palette*", "tailwind.config.*"),
    ),
    Jargon(
        r"`?:?latest`? (?:docker )?(?:tags?|images?)|\bimages? tagged `?latest",
        r"^\s*(?:FROM|image:)\s+[\"']?[^\s:]+:latest\b",
        "FROM node:latest",
        "FROM node:22.1",
        ("Dockerfile*", "*.dockerfile", "*.yml", "*.yaml"),
    ),
    Jargon(
        rf"^{_UNSAID}(?:raw |inline |plain )?html(?: tags?| elements?)?$",
        r"(?i)<(?:div|span|br|img|p|table|details|summary|center|font|b|i|sub|sup)\b[^<>]{0,200}>",
        "<div>Install it.</div>",
        "Install it.",
        ("*.md", "*.mdx"),
        about=r"\b(?:markdown|md|readme|docs?)\b",
    ),
    Jargon(
        r"^throw (?:plain |raw |bare )?(?:strings?|string literals?)$",
        r"\bthrow\s+[\"'`]",
        "throw 'no such user';",
        "throw new Error('no such user');",
        _JS,
    ),
    Jargon(
        rf"^{_UNSAID}`?goto`?s?(?: statements?)?$",
        r"^\s*goto\s+\w+\s*;?\s*$",
        "goto done;",
        "return go_to(done);",
        ("*.c", "*.h", "*.cc", "*.cpp", "*.hpp", "*.go", "*.php", "*.cs"),
    ),
    Jargon(
        r"^(?:hard-?cod\w* )(?:any |the )?(?:urls?|endpoints?|base urls?|hosts?)|\bhard-?coded (?:base "
        r"|api )?(?:urls?|endpoints?|hosts?)",
        r"[\"'`]https?://(?!localhost|127\.|example\.|www\.w3\.org|schemas?\.)[\w.-]+",
        'fetch("https://api.shop.io/users")',
        "fetch(`${config.base}/users`)",
        _CODE,
        (*_SETTINGS, *_TESTS),
    ),
    Jargon(
        r"\bhard-?coded? (?:(?:user[- ]?(?:facing|visible)|ui|display|english|visible|literal) "
        r")*(?:strings?|texts?|labels?|copy|messages?)\b",
        r"\bText\(\s*[\"'][A-Za-z]|>[^<>{}=;]{0,80}[A-Za-z][^<>{}=;]{1,80}</",
        "return <h1>Welcome back</h1>;",
        "return <h1>{t('welcome')}</h1>;",
        ("*.tsx", "*.jsx", "*.vue", "*.svelte", "*.dart", "*.kt", "*.swift"),
        _TESTS,
        about=r"\b(?:user|ui|screens?|components?|display|labels?|copy|l10n|i18n|locali[sz]\w+|translat\w+|pages?|views?)\b",
    ),
    Jargon(
        r"\bf-?strings?\b",
        r"\blog(?:ger|ging)?\.\w+\(\s*f[\"']",
        'logger.info(f"got {rows}")',
        'logger.info("got %s", rows)',
        ("*.py",),
        ("docs/",),
        about=r"\blog",
    ),
    Jargon(
        r"\b(?:literal|hard-?coded|magic|inline|bare) (?:numbers?|values?|timeouts?|seconds|milliseconds)\b",
        r"(?i)timeout\w{0,20}\s?[=:]\s?\d",
        "client.get(url, timeout=30)",
        "client.get(url, timeout=timeouts.HTTP)",
        _CODE,
        _SETTINGS,
        about=r"\btimeouts?\b",
    ),
    Jargon(
        rf"^{_UNSAID}(?:fixed |hard |raw |arbitrary |manual )*`?sleeps?`?(?:\(\))?(?: calls?| statements?)?$|^sleep$",
        r"\b(?:time\.sleep|Thread\.sleep|time\.Sleep|sleep|usleep|(?<!\.)delay|waitForTimeout|wait_for_timeout)\s*\(",
        "time.sleep(2)",
        "wait_until(done)",
        _CODE,
    ),
    Jargon(
        r"^(?:skip|disable|ignore|mute) (?:any |the |failing |flaky |broken |slow |unit )*(?:tests?|"
        r"specs?)$|\bskipped tests?\b",
        r"\b(?:it|test|describe|context)\.skip\(|\bx(?:it|describe|test)\(|@(?:pytest\.mark\.|"
        r"unittest\.)skip\w*|@Disabled\b|@Ignore\b|\bt\.Skip\w*\(|"
        r"#\[ignore\b|\bpytest\.skip\(",
        "it.skip('adds', () => {});",
        "it('adds', () => {});",
        (*_CODE,),
    ),
    Jargon(
        r"\b(?:focused tests?|\.only\b)",
        r"\b(?:it|test|describe|context)\.only\(|\bf(?:it|describe)\(",
        "it.only('adds', () => {});",
        "it('adds', () => {});",
        _JS,
    ),
    Jargon(
        rf"^{_UNSAID}reflection$",
        r"\breflect\.\w+\(|\.getDeclared(?:Field|Method|Constructor)s?\(|\bClass\.forName\(",
        "kind := reflect.TypeOf(a)",
        "kind := a.Kind()",
        ("*.go", "*.java", "*.kt"),
    ),
)
