"""Judging: check, test, try, backtest, approve, what is pushed, what a turn ends with."""
