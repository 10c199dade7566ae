"""Models as judges of a change: who is asked, what they answer, how accurate they are."""
