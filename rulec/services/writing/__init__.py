"""How every change of the rulebook is written: where it goes, the commit, its message."""
