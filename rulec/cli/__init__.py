"""Click groups: argv in, text and exit code out; the only place that prints."""
