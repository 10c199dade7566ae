"""What the words of a plan say by their role: which headings hold work, and which phrases ask for work."""

import re


def _table(words: str) -> "frozenset[str]":
    """A table of words, written as lines of them."""
    return frozenset(words.split())


# What a section is there for.
WORK = "work"  # all that its lists hold is to be done
SKETCH = "sketch"  # the way in broad strokes, which other sections mostly take up again
CHECK = "check"  # how the work is verified: work as well, but beside what is merely to be true then
ORDER = "order"  # the order of the work, which other sections mostly describe
FILES = "files"  # the files that the work touches, as above
THING = "thing"  # how a part of the program is to look; below a heading of work it is that part's work
NONE = "none"  # what is to be known, not done
DOING = (WORK, SKETCH, CHECK)
TELLING = (NONE, THING, ORDER, FILES)
_ROLES = {
    WORK: """
        action change changes cleanup commits deliverable deployment execution fixes followup implementation
        installation integration migration modification phase plan polish procedure refactoring
        remediation rollout setup step task tasklist todo updates upgrades workplan
    """,
    SKETCH: "approach proposal solution strategy",
    CHECK: "checklist checks qa test testing validation verification",
    ORDER: "order ordering sequence",
    FILES: "file path",
    THING: """
        architecture behavior behaviour content contract convention dependency description diagram event example
        format info information input layout link metric output point principle resource schema state status structure
        terminology
    """,
    NONE: """
        acceptance alternative analysis approval assessment assumption background baseline benefit blocker caveat
        concern conclusion consideration constraint context cost criteria criterion decision definition disclaimer
        discussion effort estimate evidence exclusion explanation faq feedback finding glossary goal impact insight
        intent introduction investigation issue justification learning legend limitation mitigation motivation non-goal
        note objective observation option outcome overview precondition prerequisite problem progress purpose question
        rationale reason reference requirement research result risk root-cause scenario scope signoff situation source
        stakeholder statement story summary symptom thought timeline tip tl;dr tldr trade-off tradeoff warning
    """,
}
_ROLE_OF = {word: role for role, words in _ROLES.items() for word in words.split()}
# By these a heading asks or explains, or says what is left out.
_EXPLAINING = _table("how why what when who where which out not no if non")
# Behind these the head of a heading's phrase is over.
_JOINING = _table("to for of in on with by from at as per via about against between under within and or & + /")

# Verbs by which work on software is named. Of these words many are nouns as well: what follows decides.
_VERBS = _table("""
    abort abstract accept access adapt add address adjust adopt align allow alter amend analyse analyze annotate append
    apply approve archive ask assemble assert assess assign attach audit author automate avoid back backfill backport
    backup base batch begin benchmark bind block bootstrap break bring browse build bump bundle cache calculate call
    capture carry catch centralise centralize change check choose clarify clean clear click clone close collapse collect
    combine commit compare compile complete compose compress compute conduct configure confirm connect consider
    consolidate construct consult convert coordinate copy correct cover create cross-check cross-reference cut debug
    declare decide decompose decouple deduplicate default define delegate delete deliver demonstrate deploy deprecate
    derive describe design detect determine develop diagnose disable discard display distribute document download draft
    drop dry-run duplicate edit eliminate embed emit employ enable encapsulate enforce enhance enrich ensure enter
    enumerate escalate establish estimate evaluate examine exclude execute expand experiment explain explore export
    expose extend extract factor fetch fill filter finalise finalize find finish fix flag flatten flip follow force
    fork format forward freeze gate gather generate get give go grant group guard handle harden hide highlight hook
    identify ignore implement import improve include incorporate increase index infer initialise initialize inject
    insert inspect install instantiate instrument integrate introduce inventory invert investigate invoke isolate
    iterate join keep label launch lay leave let leverage limit link lint list load locate lock log look loop lower
    maintain make manage map mark match measure merge migrate minimise minimize mirror mock modernise modernize modify
    monitor mount move name narrow navigate normalise normalize note notify observe obtain omit open optimise optimize
    order organise organize output overhaul override package parameterise parameterize parse pass patch perform persist
    pick pin pipe place plan plug point polish populate port prefer prepare press prevent print prioritise prioritize
    probe produce profile promote prompt propagate propose protect prototype prove provide provision prune publish pull
    push put query queue raise re-run read rebase rebuild record redesign redirect reduce refactor reference refine
    reflect refresh register regenerate reject relax release reload relocate remove rename render reorder reorganise
    reorganize repeat replace replicate report reproduce request require rerun research reset resolve respect restart
    restore restrict restructure resume retain retire retrieve retry return reuse reverse revert review revise reword
    rewrite roll rotate round route run sanitise sanitize save scaffold scan schedule scroll search seed select send
    separate serialise serialize serve set setup share ship show simplify simulate skip slim smoke-test snapshot sort
    specify spike split squash stabilise stabilize stage standardise standardize start stop store streamline strengthen
    strip stub study submit subscribe substitute summarise summarize supply support surface swap switch sync synchronise
    synchronize tag take tally teach tear test thread throw tidy tighten toggle trace track train transfer transform
    translate treat trigger trim try tune turn type uncheck undo unify uninstall unit-test unpack update upgrade upload
    use validate vendor verify version view visit visualise visualize wait walk warm watch weigh wire withdraw work wrap
    write
""")
# Those of them that headings use to qualify a noun: "Open questions", "Release notes".
_QUALIFYING = _table("""
    approach audit build change clean close commit complete deploy design estimate open plan release report review test
    work
""")
# What may stand before the verb.
_LEADING = _table("""
    also always and carefully explicitly finally first firstly if-needed lastly later manually next now optionally
    or please quickly re second secondly simply then third
""")
# A word before one of these is a subject, whatever it is called: "Test is green", "Changes will be kept".
_FINITE = _table("""
    is are was were be been has have had does did do will would can could may might must should shall fails passes
    returns works means needs requires uses contains exists happens becomes gets
""")
# A word that nobody knows asks for something where one of these follows it: "Sunset the first version".
_DETERMINERS = _table("the a an all each every this these those any our its their both existing unused")
_NO_VERB = re.compile(r"(?:ing|ed|s|ly|ion|ment|ness|ity|able|ible|al|er|or)$")
_FUNCTION_WORDS = _table("""
    a all an and any are as at before behind below beside both but by during each either every for from given has here
    if in inside into is it its like neither no none not of on once one only or other our same since so some such than
    that the their then there these they this those though through to under unless until upon we what when where
    whether which while who whose why with within without you
""")

_LABEL = re.compile(r"(?:`[^`]{1,200}`|[^\s:.,;`][^:.;`]{0,50}?)(?:\s?:|\s[-\u2013\u2014\u2192])\s+")
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_BEFORE = re.compile(r"[^\w`]*")
_COMMAND = re.compile(r"`[a-z0-9./_][\w./-]* [^`]+`")
_BOLD = re.compile(r"\*\*|(?<!\w)__(?=\S)|(?<=\S)__(?!\w)")
_ITALIC = re.compile(r"(?<![\w*/.])([*_])(?=[^\s*_.])([^*_]{1,300})(?<=\S)\1(?![\w*/.])")
_ASIDE = re.compile(r"\s*\([^()]*\)")
_PARTED = re.compile(r":\s|:$|\s[-\u2013\u2014]\s")


def plain(text: str) -> str:
    """The text without the marks of bold and italics; code stays as it is."""
    parts = text.split("`")
    if len(parts) % 2:
        parts[::2] = [_ITALIC.sub(r"\2", _BOLD.sub("", part)) for part in parts[::2]]
    return " ".join("`".join(parts).split())


def role_of(heading: str) -> str:
    """What a section of that heading is there for; "" where the heading does not say.

    The head of the phrase decides ("Files" of "Critical Files for Implementation"); a word before it only where it says
    that there is work ("Testing strategy", "Implementation details"). A heading that asks for something itself ("Update
    the notes") names none.
    """
    text = _ASIDE.sub("", plain(heading))
    words = [word.lower() for word in re.findall(r"[\w&+/'-]+", _PARTED.split(text, 1)[0])]
    if words and words[0] in _EXPLAINING:
        return NONE
    for at, word in enumerate(words):
        if at and (word in _JOINING or word.endswith("ed")):  # "Files changed"
            words = words[:at]
            break
    roles = [_ROLE_OF.get(word) or _ROLE_OF.get(_singular(word), "") for word in words]
    if asks_for_work(text) and not (len(words) == 1 and roles[0]):
        qualifies = len(words) > 1 and words[0] in _QUALIFYING and words[1] not in _DETERMINERS
        return roles[-1] if qualifies and roles[-1] != THING else ""
    if roles and roles[-1] and roles[-1] != SKETCH:
        return roles[-1]
    return next((role for role in reversed(roles) if role in (WORK, CHECK)), roles[-1] if roles else "")


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "xes", "sses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def split_label(text: str) -> "tuple[str, str]":
    """A short label before a colon or dash, and what it labels; ("", text) where there is none."""
    found = _LABEL.match(text)
    if found is None:
        return "", text
    label = found[0].rstrip().rstrip(":-\u2013\u2014\u2192").rstrip()
    return (label, text[found.end() :]) if len(label.split()) <= 5 else ("", text)


def asks_for_work(text: str, *, labelled: bool = True) -> bool:
    """Whether a phrase is an imperative: "Add the loader", "`make test` passes"; English only.

    It begins with a verb in its plain form, where ``labelled`` also behind a label ("Manual test: run it"), and no
    finite verb makes a subject of that. A command in backticks asks to be run.
    """
    text = plain(text)
    if _begins_with_verb(text):
        return True
    label, rest = split_label(text) if labelled else ("", "")
    return bool(label) and _begins_with_verb(rest)


def _begins_with_verb(text: str) -> bool:
    start = _BEFORE.match(text)
    rest = text[start.end() :] if start else text
    if rest.startswith("`"):
        return _COMMAND.match(rest) is not None
    words = rest.split()
    while words and words[0].strip(",").lower() in _LEADING:
        words = words[1:]
    found = _WORD.fullmatch(words[0].rstrip(",/")) if words else None
    if found is None or (found[0].isupper() and len(found[0]) > 1):
        return False
    verb = found[0].lower()
    follows = words[1].strip(",.;:()").lower() if len(words) > 1 else ""
    if follows in _FINITE or (words[0].endswith(",") and follows not in _VERBS):
        return False
    if verb in _VERBS:
        return not any(sign.isupper() for sign in found[0][1:])
    known = verb in _FUNCTION_WORDS or _NO_VERB.search(verb) or found[0] != found[0].capitalize()
    return not known and follows in _DETERMINERS
