"""Models as judges of a change: who is asked, and what they answer."""
