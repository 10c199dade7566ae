"""The words of a command split into options, their values and operands."""


def first_operand(argv: "list[str]", start: int, valued: "list[str]") -> int:
    """The position of the first word that is no option and no option's value."""
    index = start
    while index < len(argv):
        word = argv[index]
        if word == "--":
            return index + 1
        if not word.startswith("-") or word == "-":
            return index
        index += 2 if takes_value(word, valued) else 1
    return index


def takes_value(word: str, valued: "list[str]") -> bool:
    """Whether the next word is this option's value."""
    if word.startswith("--") or word in valued:
        return word in valued
    for position, letter in enumerate(word[1:], 2):
        if "-" + letter in valued:
            return position == len(word)
    return False


def operands(argv: "list[str]", start: int, valued: str) -> "list[str]":
    """The words from there on that are neither options nor their values."""
    found: "list[str]" = []
    index, flags = start, valued.split()
    while index < len(argv):
        word = argv[index]
        if word == "--":
            return [*found, *argv[index + 1 :]]
        if word.startswith("-") and len(word) > 1:
            index += takes_value(word, flags)
        else:
            found.append(word)
        index += 1
    return found


def option_values(argv: "list[str]", names: "tuple[str, ...]") -> "list[str]":
    """What the options of these names are given."""
    found = [argv[index + 1] for index, word in enumerate(argv[:-1]) if word in names]
    found += [word.partition("=")[2] for word in argv if word.partition("=")[0] in names and "=" in word]
    return found + [word[2:] for word in argv if word[:2] in names and len(word) > 2]
