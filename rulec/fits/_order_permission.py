"""The words by which people say that something needs their word."""

import re

_NOT = (
    r"(?:do ?n[o']?t|do not|dont|never|must ?n[o']?t|must not|should ?n[o']?t|should not|stop|no|not|"
    r"nie(?:mals)?|nicht|"
    r"kein(?:e|en)?|jamais|nunca|no more|can ?not|can'?t|ne|не|pas de|avoid)"
)
_WORD = (
    r"(?:(?:i|we|the user|a human|someone)(?:'ve| have|'d| had)?(?: explicitly| specifically| clearly| "
    r"actually)? (?:say|said|ask\w*|"
    r"tell|told|review\w*|approv\w*|"
    r"agree\w*|confirm\w*|ok(?:ay)?(?:ed|'d)?|request\w*|want|order\w*|instruct\w*|give|gave|sign(?:ed)? off|"
    r"green[- ]?light\w*)"
    r"|(?:you(?:'re| are| were|'ve been| have been)? |being |explicitly |specifically |clearly |been |it(?:'s| is) )*"
    r"(?:told|asked|instructed|approved|requested|permitted|authori[sz]ed|confirmed)\b"
    r"|me (?:saying|knowing|agreeing|approving|confirming)\b"
    r"|(?:explicit(?:ly)? )?(?:asking|checking with|confirming with|consulting|clearing it with|permission|"
    r"approval|confirmation|consent)\b"
    r"|(?:getting )?(?:my|our|an?|the|the user's|user|human|explicit|clear|written|prior)(?: (?:explicit|"
    r"express|clear|written|direct|prior|"
    r"user|human|user's))* (?:ok(?:ay)?|go(?:[- ]ahead)?|approval|permission|consent|confirmation|say[- ]so|"
    r"sign[- ]?off|request|"
    r"instructions?|word|yes|blessing|green light|thumbs[- ]up)\b)"
)
_MY_WORD = (
    r"(?:(?:my|our|an|explicit|the user's|the|user) (?:explicit |express |clear |prior )?(?:ok(?:ay)?|"
    r"go(?:[- ]ahead)?|"
    r"approval|permission|"
    r"consent|confirmation|say[- ]so|sign[- ]?off|word|yes|blessing|green light|request|instructions?))"
)
_FOREIGN = (
    r"(?:ohne (?:mein\w*|zu fragen|rückfrage|erlaubnis|freigabe)|sans (?:mon|ma|me demander|demander|"
    r"autorisation|permission)|"
    r"sin (?:mi|preguntar\w*|permiso|que (?:yo )?te|avisar)|sem (?:minha|meu|perguntar|permissão)|без (?:моего|"
    r"моей|спроса|"
    r"разрешения)|(?:没有|未经)(?:我的?)?(?:允许|同意|确认|许可))"
)
FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        (
            rf"\b{_NOT}\b (?:ever |to |just |simply )*(?P<y>.{{2,60}}?),? (?:unless|until|till|without|except "
            rf"(?:when|if)|"
            rf"before (?=asking|checking with|i |we |getting|my )|if (?:i|we) (?=have ?n[o']t|did ?n[o']t))\W*"
            rf"(?:first |ever |you get |you have |i |getting )*{_WORD}"
        ),
        (
            r"\b(?:ask|check with|confirm with|consult|clear it with)(?: with)?(?: me| us)?(?: first| for "
            r"(?:permission|approval|confirmation|consent))?,? "
            r"(?:before|prior to|when|if) (?:you |we |ever |doing |any |each |every )*(?P<y>.{2,60})"
        ),
        (
            r"^\W*(?:[\w']+[^\w']+){0,2}?before (?:you |we |any |each |every )*(?P<y>[^,]{2,60}?),? (?:please |always |"
            r"first )*"
            rf"(?:ask(?: me)?\b|check with me|confirm with me|get {_MY_WORD}|wait for {_MY_WORD})"
        ),
        (
            r"\b(?:only|never) (?P<y>.{2,40}?) (?:when|if|after|once|unless) (?:(?:i|we)(?:'ve| have)? "
            r"(?:explicitly |"
            r"specifically )?(?:say|said|ask\w*|tell|told|approv\w*|request\w*|confirm\w*|agree\w*|ok(?:ay)?\w*)|"
            r"(?:explicitly |"
            r"specifically |you(?:'re| are) )*(?:told|asked|instructed|requested))\b"
        ),
        (
            r"^\W*(?P<y>\w+(?: \w+){0,4}?) only (?:when|if|after|once|with|on) (?:(?:i|we)(?:'ve| have)? (?:say|"
            r"said|ask\w*|tell|told|"
            rf"approv\w*|request\w*)|(?:explicitly )?(?:told|asked|instructed)|{_MY_WORD})\b"
        ),
        (
            r"\b(?:i|we) (?:did ?n[o']?t|did not|never|have ?n[o']t)(?: ever)? (?:say|ask|tell|told|said|asked|"
            r"request\w*|approv\w*)"
            r"(?: you| for)?(?: to)? (?:a |the |any )?(?P<y>.{2,40})"
        ),
        (
            r"\b(?:who|no ?(?:body|one)|where did (?:i|we)|when did (?:i|we)|did (?:i|we)) (?:ever )?(?:told|asked|"
            r"said|tell|ask|say)"
            r"(?: you)?(?: that you (?:can|could|should|may))?(?: to)? (?P<y>.{2,40})"
        ),
        (
            rf"(?:wait(?:ing)? for|get|need|have) {_MY_WORD} (?:before|to|prior to|for|on) (?:you |we |any |each |"
            rf"every )*(?P<y>.{{2,40}})"
        ),
        (
            rf"\b(?P<y>\w+(?: \w+){{0,4}}?) (?:need|needs|require|requires|is|are|happens?|only)(?: only)?(?: with| "
            rf"after| on)? {_MY_WORD}"
        ),
        (
            r"\b(?:ask|be (?:\w+ )?told|told|asked|permission|approval)\b.{0,30}? (?:to|before) (?P<y>(?:run|execut|"
            r"launch|start|trigger)"
            r"\w* .{2,40})"
        ),
        (
            rf"\b{_NOT} (?:ever |just )*(?P<y>(?:commit|push|merg|deploy|releas|publish|tag|amend|rebas)\w*"
            r"(?: \w+){0,3}?) (?:on your own|(?:all )?by yourself|of your own accord)\b"
        ),
        rf"\b{_NOT} (?P<y>.{{2,40}}?) {_FOREIGN}",
        (
            r"^\W*(?P<y>commit|push|merg|deploy)\w*\?+ .{0,12}\b(?:did ?n[o']t|nicht|never|not) (?:say|ask|tell|"
            r"gesagt|said)?"
        ),
        rf"{_FOREIGN}.{{0,8}}(?:不要|不准|别|禁止)?(?P<y>提交|推送|commit|push|merge|deploy)",
        (
            r"\b(?:let (?:me|the user)|leave) (?:do |handle |make )?(?:all |the )*(?P<y>commits|committing|pushing|"
            r"pushes|merging|"
            r"deploying|deploys|deployments|releases)\b"
        ),
        (
            r"(?P<y>\b(?:commit|push|merg|deploy|releas|appl)\w*|\b\w+ (?:apply|push|deploy|commit)) (?:is|are) "
            r"(?:mine|my job|my call|"
            r"my business|on me|the user's)\b"
        ),
        r"^\W*(?P<y>\w+(?: \w+){0,2}?) (?:nur|erst) (?:wenn|nach|mit) (?:ich|meine\w*)\b",
        (
            r"\b(?:no|never) (?P<y>commits?|push(?:es)?|merges?|deploys?|deployments?|prs?|pull "
            r"requests?)\W+(?:unless|until|before)\b.{0,12}"
            rf"{_WORD}"
        ),
    )
)
