"""Looking back: why, diff, report, rollback, status."""
