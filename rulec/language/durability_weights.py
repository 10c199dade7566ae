"""Log odds of the signs of a durable wish; written by `python -m evaluation bench detector train`."""

BASE = -2.51  # of a turn that shows no sign at all
AUTO, REVIEW = -0.2, -2.2  # from here on a turn is acted on alone, or shown to a person

WEIGHTS = {
    "forbids something": 1.02,
    "makes a general rule": 0.86,
    "is about the way code is written": 0.65,
    "is a short wish": 0.59,
    "the person stopped the agent": 0.55,
    "says what the agent must or may": 0.54,
    "says please": 0.53,
    "wish: says what the agent must or may": 0.53,
    "asks for an order of work": 0.51,
    "wish: makes a general rule": 0.47,
    "says what to use": 0.42,
    "says what comes first": 0.4,
    "wish: makes sure": 0.38,
    "makes sure": 0.34,
    "wish: says what comes first": 0.22,
    "wish: says please": 0.2,
    "wish: asks for an order of work": 0.18,
    "wish: is about the way code is written": 0.18,
    "wish: begins with a task": -0.17,
    "wish: is about the product": -0.18,
    "wish: only asks": -0.19,
    "is about the product": -0.25,
    "reads like a document": -0.45,
    "begins with a task": -0.54,
    "only asks": -0.64,
    "was typed": -0.66,
}
