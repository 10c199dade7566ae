"""Manners of speaking by name: the words of advertising, and those that language models fall into."""

LISTS = {
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
SAMPLES = {"marketing": "A seamless, blazing fast tool.", "ai": "Let's delve into the plethora of options."}
