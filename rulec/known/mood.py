"""First words of commit subjects that tell what was done, where an order was asked for: Added, Fixes, Refactoring."""

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
TOLD = rf"{_BEFORE}(?:{_THIRD}|{_PAST}|[A-Za-z]+(?:ed|ing))(?:[ :,.]|$)"
# Orders that only look like it.
ORDERED = (
    rf"{_BEFORE}(?:[A-Za-z]*(?:[Ee]mbed|[Ss]eed|[Ff]eed|[Ss]peed|[Ss]hred|[Pp]roceed|[Ee]xceed|[Ss]ucceed|[Bb]leed)"
    "|[Nn]eed|[Ss]hed|[Ww]eed|[Hh]eed|[Bb]reed|[Bb]ring|[Pp]ing|[Rr]ing|[Ss]tring|[Ss]wing|[Ss]ling|[Ss]ing)"
    "(?:[ :,.]|$)"
)
