"""Shell checks: one POSIX script a rule, all run by one shell; and raw scripts, read strictly before they may run."""
