"""Code with and without documentation, and signs of code without it."""

from rulec.fits._code_rules import Sample

SAMPLES: dict[str, dict[str, Sample]] = {
    "function": {
        "python": Sample(
            bad="def total(rows):\n    return sum(rows)\n",
            good='def total(rows):\n    """The sum of the rows."""\n    return sum(rows)\n',
            sign=r"^[ \t]*(?:async )?def (?!_)\w+\((?:[^()]|\([^()]*\))*\)[^:\n]*:[ \t]*(?:#.*)?\n(?!\s*[rRuU]?[\"'])",
        ),
        "javascript": Sample(
            bad="export function total(rows) {\n  return sum(rows);\n}\n",
            good="/** The sum of the rows. */\nexport function total(rows) {\n  return sum(rows);\n}\n",
            sign=r"(?:\A|(?<!\*/)\n)export (?:default )?(?:async )?(?:function\b|const \w+ = (?:async )?\([^()]*\) =>)",
        ),
        "go": Sample(
            bad="package a\n\nfunc Total(rows []int) int { return sum(rows) }\n",
            good="package a\n\n// Total is the sum of the rows.\nfunc Total(rows []int) int { return sum(rows) }\n",
            sign=r"^(?!//).*\nfunc (?:\(\w+ \*?[A-Z]\w*\) )?[A-Z]\w*",
        ),
        "java": Sample(
            bad="class Shop {\n  public int total(int a) { return a; }\n}\n",
            good="class Shop {\n  /** The total. */\n  public int total(int a) { return a; }\n}\n",
            sign=r"(?<!\*/)\n[ \t]*public (?!class|interface|enum|record)[\w<>\[\], ]+\(",
        ),
        "php": Sample(
            bad="<?php\nfunction total($rows) { return sum($rows); }\n",
            good="<?php\n/** The sum of the rows. */\nfunction total($rows) { return sum($rows); }\n",
            sign=r"(?<!\*/)\n[ \t]*(?:public )?(?:static )?function (?!__)\w+",
        ),
        "ruby": Sample(
            bad="def total(rows)\n  rows.sum\nend\n",
            good="# The sum of the rows.\ndef total(rows)\n  rows.sum\nend\n",
            sign=r"(?:\A|^(?![ \t]*#).*\n)[ \t]*def (?!initialize)\w",
        ),
        "rust": Sample(
            bad="pub fn total(a: i32) -> i32 { a }\n",
            good="/// The total.\npub fn total(a: i32) -> i32 { a }\n",
            sign=r"(?:\A|^(?![ \t]*(?:///|#\[)).*\n)[ \t]*pub (?:async )?fn \w+",
        ),
        "cpp": Sample(
            bad="int total(int a) { return a; }\n",
            good="/// The total.\nint total(int a) { return a; }\n",
        ),
        "c": Sample(
            bad="int total(int a) { return a; }\n",
            good="/** The total. */\nint total(int a) { return a; }\n",
        ),
    },
    "class": {
        "python": Sample(
            bad="class Cart:\n    rows = ()\n",
            good='class Cart:\n    """What is bought."""\n\n    rows = ()\n',
            sign=r"^[ \t]*class (?!_)\w+(?:\([^()]*\))?:[ \t]*\n(?!\s*[rRuU]?[\"'])",
        ),
        "javascript": Sample(bad="export class Cart {}\n", good="/** What is bought. */\nexport class Cart {}\n"),
        "go": Sample(
            bad="package a\n\ntype Cart struct{}\n",
            good="package a\n\n// Cart is what is bought.\ntype Cart struct{}\n",
        ),
        "java": Sample(bad="public class Cart {}\n", good="/** What is bought. */\npublic class Cart {}\n"),
        "php": Sample(bad="<?php\nclass Cart {}\n", good="<?php\n/** What is bought. */\nclass Cart {}\n"),
        "ruby": Sample(bad="class Cart\nend\n", good="# What is bought.\nclass Cart\nend\n"),
        "rust": Sample(bad="pub struct Cart;\n", good="/// What is bought.\npub struct Cart;\n"),
        "cpp": Sample(bad="class Cart { int a; };\n", good="/// What is bought.\nclass Cart { int a; };\n"),
    },
    "module": {
        "python": Sample(
            bad="import os\n",
            good='"""What is bought."""\n\nimport os\n',
            sign=r"\A(?!(?:\s|#.*\n)*[rRuU]?[\"'])(?:\s|#.*\n)*\S",
        ),
    },
}
