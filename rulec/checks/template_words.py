"""Words, signs, file names and forms of sentences that check templates name by one word."""

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
    r"^(?:[a-z]+(?:\([^()]*\))?!?: |:[a-z0-9_+-]+: |[A-Z][A-Z0-9]{1,9}-[0-9]+:? |#[0-9]+:? |\[[^][]*\] |[A-Za-z/]+: )*"
)
_THIRD = (
    "[Aa]dds|[Ff]ixes|[Uu]pdates|[Cc]hanges|[Rr]emoves|[Rr]efactors|[Ii]mproves|[Ii]mplements|[Cc]reates|[Mm]oves"
    "|[Rr]enames|[Mm]akes|[Uu]ses|[Aa]llows|[Ii]ntroduces|[Ee]nables|[Dd]isables|[Dd]eletes|[Rr]eplaces|[Ss]implifies"
    "|[Cc]leans|[Ee]xtracts|[Hh]andles|[Ss]upports|[Ee]nsures|[Pp]revents|[Cc]orrects|[Aa]djusts|[Cc]onverts|[Ww]rites"
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

GLOBALS = {  # as templates call them
    "CLICHES": CLICHES,
    "EMOJI": EMOJI,
    "LEFTOVER": LEFTOVER_NAMES,
    "SPARED": LEFTOVER_SPARED,
    "TOLD": PAST_SUBJECTS,
    "ORDERED": IMPERATIVE_SUBJECTS,
}
