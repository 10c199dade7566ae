"""What an agent is told to run instead is a command that exists."""

import pytest

from tests.support import guard_rules as rules

CURES = [  # the old one, the new one, the command, what is said
    ("npm", "yarn", "npm install left-pad", "run `yarn add left-pad`"),
    ("npm", "yarn", "npm i -D left-pad", "run `yarn add -D left-pad`"),
    ("npm", "yarn", "npm install --save-dev left-pad", "run `yarn add -D left-pad`"),
    ("npm", "yarn", "npm install", "run `yarn install`"),
    ("npm", "yarn", "npm ci", "run `yarn install --frozen-lockfile`"),
    ("npm", "pnpm", "npm install --save left-pad", "run `pnpm add left-pad`"),
    ("npm", "pnpm", "npm uninstall left-pad", "run `pnpm remove left-pad`"),
    ("npm", "pnpm", "npm run build", "run `pnpm run build`"),
    ("npm", "pnpm", "npm x tsc", "run `pnpm dlx tsc`"),
    ("npm", "pnpm", "npm", "run `pnpm install`"),
    ("yarn", "npm", "yarn add left-pad", "run `npm install left-pad`"),
    ("pnpm", "npm", "pnpm remove left-pad", "run `npm uninstall left-pad`"),
    ("npm", "yarn", "npm install -g left-pad", "use `yarn` instead of `npm`"),
    ("npm", "yarn", "npm --prefix web install left-pad", "use `yarn` instead of `npm`"),
    ("pip", "uv pip", "pip install x", "run `uv pip install x`"),
    ("grep", "rg", "grep -n 'a b' x", "run `rg -n 'a b' x`"),
]


@pytest.mark.parametrize(("old", "new", "command", "cure"), CURES)
def test_a_cure_is_in_the_words_of_the_tool_that_is_wanted(old, new, command, cure):
    rule = rules.command("r", old, rewrite={old: new})
    assert [one.cure for one in rules.findings([rule], {"kind": "command", "command": command})] == [cure]


def test_a_command_without_its_prefix_is_told_with_it():
    rule = rules.command("r", "rspec", under=["bundle exec"], by_path=False)
    found = rules.findings([rule], {"kind": "command", "command": "cd api && rspec 'spec/a b.rb'"})
    assert [one.cure for one in found] == ["run `bundle exec rspec 'spec/a b.rb'`"]
