"""Models as judges of a change: who is asked, what they rule, how far their word can be relied on."""
