"""Looking back: log, why, diff, report, rollback, tally, status."""
