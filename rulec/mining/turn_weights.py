"""Log odds of the signs of a lasting wish; written by ``python -m evaluation bench detector train``."""

BASE = -2.44  # of a turn that shows no sign at all
AUTO, REVIEW = -0.2, -2.2  # from here on a turn is acted on alone, or shown to a person

WEIGHTS = {
    "is a short wish": 0.62,
    "says what the agent must or may": 0.59,
    "makes a general rule": 0.58,
    "begins with what it forbids": 0.57,
    "says please": 0.57,
    "the person stopped the agent": 0.57,
    "wish: makes a general rule": 0.48,
    "wish: asks for an order of work": 0.4,
    "asks for an order of work": 0.39,
    "wish: says please": 0.39,
    "forbids something": 0.37,
    "makes sure": 0.27,
    "wish: says what the agent must or may": 0.27,
    "says what to use": 0.25,
    "wish: forbids something": 0.25,
    "wish: makes sure": 0.25,
    "wish: says what to use": 0.12,
    "wish: only asks": -0.19,
    "reads like a document": -0.38,
    "only asks": -0.66,
    "was typed": -0.73,
}
