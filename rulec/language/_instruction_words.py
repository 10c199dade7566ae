"""What headings and sentences of a file for agents are made of: tables of words, one for each purpose."""

import re

from rulec.language.terms import table

# Verbs that begin a sentence which says how to work.
VERBS = table(
    "accept act add adhere aggregate aim align allow always annotate anticipate answer apply append argue arrange ask "
    "assert assign assume attach audit avoid await back backfill batch be begin benchmark bind bound branch break "
    "build bump cache call cancel capitalise capitalize catch centralise centralize change check choose cite clean "
    "close code collect combine comment commit compare compile compose comply compute configure confirm consider "
    "consult contain convert copy count cover create debounce declare decouple dedupe default define delegate delete "
    "deny deprecate derive describe design destructure diagnose disable discuss dispatch distinguish do document drop "
    "edit emit employ enable encapsulate encode encrypt end enforce ensure escape establish evaluate exclude exercise "
    "expect explain export expose express extend extract fail fall favor favour fetch file finish fix flag focus "
    "follow force format freeze gate generate get give go group guard handle hash hide highlight hoist honor honour "
    "identify ignore implement import include indent index inherit inject inline insert instrument investigate "
    "isolate justify keep label lazy-load leave let limit link lint list load localise localize lock log look make "
    "manage map mark match maximise maximize measure memoize mention merge migrate mind minimise minimize mirror mock "
    "model modify mount move name narrow navigate nest normalise normalize note notify obey omit only open optimise "
    "optimize order organise organize outline own pad pair parse partition pass pick pin place plan point practise "
    "prefer prefix prepare present preserve prevent print prioritise prioritize produce profile propagate propose "
    "protect provide publish pull push put query quote raise re-export re-run re-use read rebase record redact reduce "
    "refactor refer reference refuse regenerate register reject release rely remember remove rename render reorder "
    "repeat replace reply report represent reproduce request require research reserve resolve respect respond restart "
    "restate restrict retain rethrow retry return reuse review revert rewrite roll rotate round route run sanitise "
    "sanitize scope seed select separate serve set share shorten show sign simplify skip sort specify spell split "
    "squash stage start state stay stick stop store stream strip strive structure study submit suffix suggest "
    "summarise summarize surface suspect sync tag take target tell test think throw tidy title touch track translate "
    "treat trim trust try turn type understand undo unify update upgrade use utilise utilize validate value verify "
    "version wait warn watch weigh wire work wrap write abuse access adjust alter amend apologise apologize bypass "
    "chain concatenate couple decrease depend disclose download downgrade duplicate fabricate force-push guess "
    "hallucinate hard-code hardcode increase install interpolate introduce invent kill leak manipulate mix mutate "
    "over-engineer overengineer override overuse overwrite pollute post push reach reformat reinvent reveal send ship "
    "speculate suppress swallow upload say"
)
# Verbs that as often tell how something is started or found as what the team wants.
HOW_TO = table(
    "build bump change check clean compile configure copy create define deploy diagnose download edit enable execute "
    "export fetch file find generate get go implement import insert install investigate launch load look make migrate "
    "mount move navigate open prepare publish pull push read refer register release restart run see select serve set "
    "start stop study submit sync update upgrade visit watch"
)
NOUNS = table(
    "answer audit back batch branch break build bump cache call change check code comment commit copy count cover "
    "default design document edit end export extend file fix flag focus force format gate group guard handle hash "
    "import index insert label limit link lint list load lock log look map mark match measure merge mirror mock model "
    "mount move name nest note order outline own pair parse partition pass pick pin place plan point present print "
    "profile pull push query quote raise record reference release report request research reserve return review "
    "revert roll round route run scope seed select set share show sign sort spell split squash stage start state stop "
    "store stream strip structure study surface suspect sync tag target test title touch track trim trust try turn "
    "type update upgrade use value version wait watch work wrap"
)
# "Log files are in var": a noun before a verb of being is no command.
_NOUN = "|".join(sorted(NOUNS))
TELLING = re.compile(
    rf"(?:{_NOUN}) \w+[^\Ws]s (?:accept|allow|support|produce|provide|return|take|need|have|are|live|run|go|come|"
    r"contain|include|expect|require|stay)\b|"
    rf"(?:{_NOUN})s?(?:\s[\w'-]+){{0,3}}?\s"
    r"(?:is|are|was|were|has|have|lives?|runs|contains?|comes?|goes|takes|needs|uses|covers|means?)\b",
    re.IGNORECASE,
)

# Headings whose text describes; an order there needs a word that leaves no doubt.
ABOUT = re.compile(
    r"\b(?:overview|about|architecture|structure|layout|organi[sz]ation|tech(?:nology|nical)? stack|"
    r"stack|commands?|scripts?|"
    r"set-?up|install(?:ation|ing)?|getting started|quick ?start|quick reference|usage|environments?|prerequisites|"
    r"links?|resources|references?|further reading|read more|more|license|licence|background|glossary|features|"
    r"deploy(?:ment|ing)?|releas(?:e|es|ing)|roadmap|what (?:this|it|we) (?:is|does|are)|examples?|"
    r"file tree|director(?:y|ies)|folders?|build(?:ing|s)?|running|debug(?:ging)?|troubleshooting|faq|gotchas|pitfalls|"
    r"known issues|modules?|endpoints?|services|status|dependencies|stuff|tasks|key files|(?:the|my|"
    r"our) data|data model|"
    r"schema|domain|terminology|history|purpose|introduction|goes wrong|product|project)\b",
    re.IGNORECASE,
)
# Headings whose text lays down how to work.
NORMS = re.compile(
    r"\b(?:rules?|conventions?|guidelines?|guidance|style|standards?|principles?|best practices?|"
    r"practices|polic(?:y|ies)|"
    r"do'?s|don'?ts|dos|constraints?|boundaries|requirements|preferences?|expectations?|never|always|must|"
    r"how (?:we|i|you|to (?:write|talk|answer|behave))|musts|preferred|what not to do|when you)\b|^do$",
    re.IGNORECASE,
)
WORK = re.compile(
    r"\b(?:tests?|testing|git|commits?|pull requests?|prs?|security|errors?|naming|names|imports?|logging|logs?|"
    r"typing|types?|typescript|python|react|rust|go|java|components?|hooks?|state|api|documentation|"
    r"docs|comments?|communication|"
    r"working with|reviews?|checklist|notes|agents?|cod(?:e|ing)|format(?:ting)?|performance|accessibility|workflow|"
    r"templates?|styling|css|sql|migrations?|database|concurrency|packages?|queries|important|critical|quality|"
    r"refactoring|simplicity|safety|tone|answers?|responses?|replies|localization|i18n|translations?)\b",
    re.IGNORECASE,
)
AGAINST = re.compile(
    r"^(?:please )?(?:(?:things|what) (?:you (?:must|should) |to |we )?(?:never|not|don'?t|avoid)\b.*"
    r"|do ?n[o']t(?:s|'s)?|dont'?s?|do not|never|avoid|prohibited|forbidden|not allowed|disallowed|banned|"
    r"(?:the )?(?:agent|you|we) (?:must|should|do|may)(?: never| not|n'?t)|anti-?patterns?)\W*$",
    re.IGNORECASE,
)
FOR = re.compile(
    r"^(?:please )?(?:do'?s?|always|prefer|must|required|mandatory|"
    r"(?:the )?(?:agent|you|we) (?:must|should)(?: always)?)\W*$",
    re.IGNORECASE,
)
STEPS = re.compile(
    r"\b(?:how to|steps?|workflow for|process|procedure|walkthrough|recipe|tutorial|to (?:add|create|"
    r"release|deploy|run|set|"
    r"build|make|debug|test)|(?:adding|creating|releasing|deploying|running|setting up|building|"
    r"making|cutting|starting|"
    r"publishing|writing a) )\b|\b(?:a|the) (?:new )?release\b",
    re.IGNORECASE,
)
TIMED = re.compile(
    r"\b(?:before|after|every|each|always|never|whenever|must|instead|only|first|until|unless|by default|when you)\b",
    re.IGNORECASE,
)
