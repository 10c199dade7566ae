"""The forms in which people say that things are changed together."""

_VERB = (
    r"(?:(?:re-?)?(?:updat|generat|build|writ|creat)|add|adjust|chang|bump|edit|sync|touch|includ|"
    r"document|cover|mention|"
    r"extend|refresh|put|list|provid|modif|amend|ship|log|adapt|export|register|declar|describ|record|"
    r"mirror|rais|increas|"
    r"increment)(?:e|es|ed|ing|ting|y|ies)?"
)
# An order stands at the head of a sentence or behind such a word; "this change" and "the full list" are no orders.
_HEAD = (
    r"(?:^|(?:[,;:(]|\b(?:always|please|pls|also|to|and|then|must|should|you|we|i|it|sure|forget|"
    r"remember|just|not|never|"
    r"n't|let's|why|are|aren't|haven't|can|could|will|but|so))\s+)"
)
_UPDATE = rf"{_HEAD}{_VERB}"
_IF = r"(?:when(?:ever)?|(?:every|each|any) ?time(?: that)?|if|after|once|as soon as|upon)"
_SAME = (
    r"(?:(?:exactly |always |fully )*(?:in (?:sync|step|line)|synced|synchroni[sz]ed|up[ -]to[ -]date|consistent|"
    r"identical|equal|aligned|matching|the same|equivalent))"
)
_MUST = r"(?:should|must|has to|have to|needs? to|ought to|shall)"
_RECORDED = r"(?:reflected|documented|mentioned|listed|covered|recorded|noted|described|declared|registered)"
_FILLED = (
    r"(?:(?:you|we|i|also|always|please|just|then|do|must|should|need|have|to|make|sure|that|be|remember|it|don'?t|not|"
    r"forget|never|the same commit) )*"
)
_WHO = r"(?:we|you|i|it|they|he|she|this|that|these|those|there|who|what|which)\b"
_NEEDS = (
    rf"(?:needs?(?! to\b)|{_MUST} (?:\w+ )?(?:have|come with|include|be (?:accompanied|covered) by)|"
    r"comes? with|requires?(?! to\b)|gets?|deserves?|ships? with|goes with)"
)
_CHANGES = r"(?:(?:any|every|each|all|an?|the|new) )*(?:changes?|edits?|modifications?|updates?|additions?)"
_BRINGS = (
    rf"(?:{_MUST} (?:\w+ )?(?:be (?:accompanied|followed|matched) by|come with|go (?:together |along |"
    rf"hand in hand )?with|"
    r"include|carry|bring|have|update|touch)|requires?|needs?(?! to\b)|calls? for|demands?|go(?:es)? "
    r"(?:together )?with|"
    r"comes? with)"
)
_JOINTLY = (
    r"(?:together|jointly|(?:in|with) (?:the same|one|a single) (?:commit|change|pr)|at the same time|in lockstep)"
)
_CARRIED = (
    r"(?:added|made|applied|repeated|mirrored|reflected|copied|propagated|done|carried over|translated|"
    r"exported|updated|"
    r"changed|adapted)"
)
_NEW = r"(?:every|each|all|any|a|an|the)? ?(?:new|added)\b.+?|(?:every|each|any) .+?"

# In order: the first that fits. s: what calls, n: what it calls for; "same", "with": each side calls for the other.
FORMS: tuple[tuple[str, str], ...] = (
    ("same", rf"\bkeep (?P<s>.+?) (?:and|&) (?P<n>.+?) {_SAME}(?: with (?:each other|one another))?\b"),
    ("with", rf"\bkeep (?P<s>.+?) {_SAME} (?:with|to|as|and) (?P<n>.+)"),
    (
        "when",
        rf"^(?:(?:always|only|please) )*(?:{_VERB}|commit|keep) (?P<s>.+?) (?:and|&) (?P<n>.+?) {_JOINTLY}\W*$",
    ),
    (
        "when",
        (
            rf"^(?P<s>.+?) and (?P<n>.+?) (?:{_MUST} )?(?:always |only )*(?:be )?(?:{_VERB}|committed|"
            rf"change|go) {_JOINTLY}\W*$"
        ),
    ),
    ("when", r"^(?:please |always )*(?:commit|ship) (?P<n>.+?) (?:together|along) with (?P<s>.+)$"),
    ("when", rf"^{_CHANGES} (?:to|in|of|on|under|inside|within) (?P<s>.+?),? {_BRINGS} (?P<n>.+)$"),
    ("same", rf"^(?P<s>.+?) and (?P<n>.+?) {_MUST} (?:always |exactly )*(?:match|agree|(?:be|stay) {_SAME})\b"),
    (
        "with",
        (
            rf"^(?P<s>.+?) {_MUST} (?:always |exactly )*(?:match|mirror|equal|(?:be|stay) {_SAME} (?:to|with|as)) "
            r"(?P<n>.+)"
        ),
    ),
    (
        "when",
        (
            rf"^(?P<n>.+?) {_MUST} (?:always |also )*be (?:updated|changed|adjusted|extended|bumped) (?:too |as well )?"
            rf"(?:{_IF}|(?:together |along )?with|alongside) (?P<s>.+)"
        ),
    ),
    (
        "when",
        (
            r"\byou (?:just )?(?:chang|add|touch|edit|bump|modifi)ed (?P<s>.+?),? (?:but|and|without)\b.*?\b"
            rf"(?:didn'?t|did not|haven'?t|forgot(?: to)?|without|not) {_VERB} (?P<n>.+)"
        ),
    ),
    ("one", rf"\bkeep (?P<n>.+?) {_SAME}(?: (?:{_IF}|with|as) (?P<s>.+))?$"),
    (
        "when",
        (
            rf"^{_IF} (?P<s>(?:(?:you|we|i) )?[a-z]+ (?:(?:the|an?|any|our) )?\S.*?),? "
            rf"(?P<n>(?:the|its|their|your|all|also) .+?) {_MUST} (?:also |always )?(?:be|go|come|land) "
            r"(?:in|into|with|along with)(?: it| them|(?: the)? (?:same|that|this) (?:commit|change|pr))\b"
        ),
    ),
    ("when", rf"(?:^|\W){_IF} (?P<s>[^,:]+?)(?:,|:| then\b) ?{_FILLED}(?:{_VERB}|commit|stage)\b:?(?P<n>.*)$"),
    (
        "when",
        rf"(?:^|\W){_IF} (?P<s>.+?),? (?:also|(?:you|we) {_MUST}|always|please|then) {_FILLED}{_VERB}\b:?(?P<n>.*)$",
    ),
    (
        "when",
        (
            rf"^{_IF} (?P<s>[^,]+?), (?P<n>(?!{_WHO})[^,]+?) (?:{_MUST} )(?:also |always )*(?:be "
            rf")?(?:{_VERB}|follow|move|"
            r"change|adapt)\b(?: (?:too|as well|also|with it|accordingly))*\W*$"
        ),
    ),
    ("when", rf"\b(?:places|files|spots)\b.*?\b(?:updat\w+|chang\w+)\b(?P<n>).* {_IF} (?P<s>.+)"),
    (
        "when",
        (
            rf"{_HEAD}(?:reflect|mirror|replicat|propagat|repeat|carry over|port|copy)(?:e|ing)? (?P<s>{_CHANGES}\b.+?|"
            r"(?:any|every) .+?) (?:in|on|into|to|over to) (?P<n>.+)"
        ),
    ),
    ("when", rf"{_HEAD}reflect(?:ing)? (?P<s>.+?) (?:in|on|into) (?P<n>.+)"),
    (
        "when",
        (
            rf"^(?P<s>(?!{_WHO})(?=[^,]*?(?:\b(?:new|added|chang\w+|every|each|any)\b|/|\.\w))[^,]+?) {_MUST} "
            rf"(?:also |always )*be (?:also |always )*{_CARRIED} (?:also |too )?(?:in|to|into|from|on) "
            r"(?P<n>.*(?:\.\w{2,}|\b(?:read ?me|change ?log|docs|documentation)\b).*)"
        ),
    ),
    (
        "each",
        (
            rf"^(?:please |always )*(?:for|with) (?P<s>{_NEW})(?! changes?\b)(?:,| then\b)? (?:also |"
            rf"please |always |(?:you|we) {_MUST} |"
            rf"there {_MUST} be )*(?:{_VERB}|commit) (?P<n>.+)$"
        ),
    ),
    (
        "each",
        (
            rf"^(?:please |always )*(?:add|export|register|list|declare|document|describe|mention|record)(?:ing)? "
            rf"(?P<s>{_NEW}) (?:in|to|from|into|on|under) (?P<n>.+)$"
        ),
    ),
    ("each", r"^(?:please |always )*(?:export|register|list|declare) (?P<s>new .+?) (?:in|to|from|on) (?P<n>.+)$"),
    ("each", rf"{_HEAD}{_VERB} (?P<n>.+?) (?:for|with) (?P<s>(?:every|each|any|all) (?:new|added) .+)$"),
    (
        "when",
        (
            rf"^(?P<n>.+?) {_MUST} be (?:added|written|updated|extended|made) (?:with|for|to|in) "
            rf"(?P<s>(?:every|each|any) .+)$"
        ),
    ),
    ("when", r"^(?P<n>.+?) (?:belongs?|goes?) (?:to|into|with) (?P<s>(?:every|each|any|all) .+)$"),
    (
        "each",
        (
            rf"^(?P<s>(?:an?|every|each|all|any|new) (?=\S*[a-z])(?:[\w./*-]+ "
            rf"){{0,7}}?[\w./*-]*[/.][\w./*-]*) {_NEEDS} (?P<n>.+)"
        ),
    ),
    (
        "when",
        (
            rf"(?:^.*\b(?:that|sure)\b |^)(?!{_WHO})(?P<s>[^,]+?) (?:{_MUST} )?(?:also |always )*(?:are|"
            rf"is|be|gets?|being) "
            rf"(?:also |always |properly )*{_RECORDED} (?:in|by|with|on) (?P<n>.+)"
        ),
    ),
    (
        "one",
        (
            rf"{_HEAD}(?:document|describe|mention|record|note|list|declare|register|log)(?:ing)? (?P<s>.+?) "
            r"(?:in|into|under|to) (?P<n>.+)"
        ),
    ),
    (
        "one",
        (
            rf"{_HEAD}(?:add|put|writ)(?:e|ing)? (?P<s>(?:a |any |all |every |each |the )*(?:new|added|missing)\b.+?|"
            rf"(?:any|every|all|each) .+?) (?:to|in|into) (?P<n>.+?)(?: {_IF}\b.*)?$"
        ),
    ),
    ("one", rf"(?:^|\b(?:an?|every|each|all|any|new) )(?P<s>(?!{_WHO})(?:[\w-]+ ){{0,4}}?[\w-]+) {_NEEDS} (?P<n>.+)"),
    (
        "one",
        (
            r"\b(?:no|never|don'?t|do not|not|stop) (?:more )?(?:\w+ ){0,2}?(?P<s>(?:[\w./*-]+ ){0,3}?[\w./*-]+) "
            r"without (?:also |updating |adding |writing |changing |any |an? )*(?P<n>.+)"
        ),
    ),
    ("one", rf"{_HEAD}(?:cover|back)(?:ing)? (?P<s>.+?) (?:with|by) (?P<n>.*\btests?\b.*)"),
    ("when", rf"{_UPDATE} (?P<n>.+?) (?:{_IF}|in the same commit as) (?P<s>.+)$"),
    (
        "one",
        rf"{_UPDATE} (?P<n>.+?) (?:for|with|alongside|along with|together with|to match|to reflect) (?P<s>.+)$",
    ),
    ("bare", rf"{_UPDATE} (?P<n>.+)$"),
    ("bare", r"\b(?:where (?:are|is)|where's|forgot(?:ten)?|forget|missing|what about) (?P<n>.+)$"),
    ("bare", r"^\W*(?:(?:and|but|also|please|always) )*(?P<n>(?:tests?\b[\s,.!]*){2,})$"),
)
