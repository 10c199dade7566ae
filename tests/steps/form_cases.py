"""Plans in each form, and the steps that a person sees in them: key, status where it is not pending, text."""

import json

PROSE = """\
# Plan: keep sessions apart

## Context
1. Two sessions share one file
2. Nobody noticed

## Changes

### 1. Add a lock in `src/lock.py`
- hold it while writing
- see `docs/locks.md`
1. Write the lock
2. Write its test in tests/test_lock.py

### 2. File: `src/store.py`

Take the lock before writing:

```py
1. not a step
```

### Notes
1. Locks are slow

## Cleanup
- Remove `src/old.py`
- Drop the old names

| step | what |
|---|---|
| 1. | not a step |

> 1. not a step

## Files to change
- `src/lock.py` - Add the lock

## Verification
1. Run `make test`
2. Manual test: start two sessions

## Risks
- Run out of handles
"""

PHASED = """\
# Move to the new store

## Phase 1: Storage
- Add the table
- Fill it from the old one

## Phase 2: Readers
1. Read from both
   - compare what they say
2. **Drop** the old one

## Open questions
1. When do we delete it?
"""

UNDERLINED = """\
Plan
====

Steps
-----

* ✅ Add the parser
* ~~Keep the old one~~
* Wire it
  in `src/cli.py`
\t1. first the flag
\t2. then the help
"""

SKETCHED = """\
# Cache plan

## Approach
Add a cache before the store.

1. Read from the cache
2. Fall back to the store

## Open questions
1. How long does it live?

## Error handling
1. **Full disk**: show a message
2. **No access**: retry logic

## Phase 1: Cache

### 1a. `src/cache.py` — New module

**Storage:**
- Add a table
- Keep a day

#### Task 1.2: Eviction
- Least recently used
- Runs at night

### 1b. Add metrics (`src/metrics.py`)
- counts of hits

## Phase 2: Clean up

**Files**:
- `src/old.py`

**What goes:**
- Drop the old cache
- Remove its tests

## Testing strategy
- Run `make test`
- the cache is used

## Files changed
- `src/store.py` — Use the cache
"""

ORDERED = """\
# Dossier page

## Design

### Header
- Name (editable), slug
- Issues: how many

### `GET /api/dossier`
- Returns the dossier

## Files to create
1. `app/dossier/page.tsx` — the page

## Build order
1. API route `GET /api/dossier`
2. The page

## Verification
1. Open the page
"""

FILED = """\
# Stars

## What exists
- `src/table.ts` sorts the rows

## Files to create

### `src/stars.ts`
- Read from storage
- Named export only

## Files to modify

### `src/table.ts`
1. Call the hook
2. Put stars first

## Risks
1. Storage is full
"""

CHECKLIST = """\
## To do

- [x] Add the parser
  - [ ] Test it in `tests/test_parser.py`
  - a detail in `src/parser.py`
- [ ] ~~Keep the old one~~
1. [-] Write the docs

## Notes
- [ ] not one of them
"""

OPENSPEC = """\
## 1. Database

- [x] 1.1 Add the table
- [ ] 1.2 Fill it
  - _Requirements: 2.1_

## 2. Readers

- [ ] 2.1 Read from both
"""

SPEC_KIT = """\
---
description: "Tasks"
---

# Tasks: Ideas

**Input**: documents in `specs/001/`

## Format: `[ID] [P?] [Story] Description`

- **[P]**: can run in parallel

## Phase 1: Setup

- [X] T001 Create the structure
- [ ] T002 [P] Configure `pyproject.toml` *(needs T001)*

## Phase 2: User Story 1 - Ideas (Priority: P1)

**Goal**: ideas are kept

### Tests for User Story 1

> **NOTE: write these tests first**

- [ ] T003 [P] [US1] Contract test in tests/contract/test_ideas.py

### Implementation for User Story 1

- [ ] T004 [US1] Create the model in src/models/idea.py
<!-- example
- [ ] T005 Not a task
-->

**Checkpoint**: it works

## Dependencies
- T001 before T002

## Implementation Strategy
1. Complete Phase 1: Setup
2. Stop and validate
"""

NUMBERED = """\
I will do this:

1. Add the parser
   to src/parser.py
2) Test it
Step 3: Write the docs
"""

TODO = json.dumps(
    {"todos": [
        {"content": "Add the parser in src/parser.py", "status": "in_progress", "activeForm": "Adding the parser"},
        {"content": "Run the tests", "status": "pending", "activeForm": "Running the tests"},
    ]}, indent=2)  # fmt: skip

CREATED = "\n".join(
    json.dumps(call) for call in (
        {"name": "TaskCreate", "input": {"subject": "Add the parser", "description": "In src/parser.py.\nWith tests."}},
        {"name": "TaskCreate", "input": {"subject": "Write the docs", "description": "", "activeForm": "Writing"}},
        {"name": "TaskUpdate", "input": {"taskId": "1", "status": "completed"}},
    )
)  # fmt: skip

TASKS = json.dumps(
    {"tasks": [
        {"id": "7", "subject": "Add the parser", "description": "See src/parser.py", "status": "completed",
         "blocks": ["8"], "blockedBy": []},
        {"id": "8", "subject": "Write the docs", "description": "All of them", "status": "in_progress",
         "blocks": [], "blockedBy": ["7"]},
    ]})  # fmt: skip

TASK_LIST = """\
#1 [completed] Add the parser in src/parser.py
#2 [in_progress] Write the docs (owner: writer)
#3 [pending] Publish it [blocked by #1, #2]
"""

CODEX = json.dumps(
    {"explanation": "The parser first.", "plan": [
        {"step": "Add the parser", "status": "completed"},
        {"step": "Write the docs", "status": "in_progress"},
    ]}, ensure_ascii=False)  # fmt: skip

NESTED = json.dumps(
    {"name": "Ideas", "phases": [
        {"title": "Storage", "steps": ["Add the table", {"text": "Fill it", "done": True}]},
        {"title": "Readers", "status": "cancelled", "files": ["src/read.py"]},
    ]})  # fmt: skip

MASTER = json.dumps(
    {"master": {"tasks": [
        {"id": 1, "title": "Add the parser", "description": "In src", "status": "pending", "dependencies": [],
         "subtasks": [{"id": 1, "title": "Read the file", "status": "done"}]},
    ], "metadata": {"updated": "2026"}}})  # fmt: skip

STRINGS = '["Add the parser",\n "Write the docs"]\n'

CASES = [
    ("a plan in prose", PROSE, "plan", [
        "1 Add a lock in `src/lock.py`", "  1 Write the lock", "  2 Write its test in tests/test_lock.py",
        "2 File: `src/store.py`: Take the lock before writing:",
        "Remove `src/old.py`", "Drop the old names", "1 Run `make test`", "2 Manual test: start two sessions",
    ]),
    ("phases with lists", PHASED, "plan", [
        "Phase 1: Storage", "  Add the table", "  Fill it from the old one",
        "Phase 2: Readers", "  1 Read from both", "  2 Drop the old one",
    ]),
    ("headings with lines below them", UNDERLINED, "plan", [
        "(done) Add the parser", "(dropped) Keep the old one", "Wire it in `src/cli.py`", "  1 first the flag",
        "  2 then the help",
    ]),
    ("labels, tasks and sketches", SKETCHED, "plan", [
        "Phase 1: Cache", "  1a `src/cache.py` — New module", "    1.2 Eviction", "  1b Add metrics (`src/metrics.py`)",
        "Phase 2: Clean up", "  Drop the old cache", "  Remove its tests", "Run `make test`", "the cache is used",
    ]),
    ("an order instead of steps", ORDERED, "plan", ["1 API route `GET /api/dossier`", "2 The page", "1 Open the page"]),
    ("files instead of steps", FILED, "plan", [
        "`src/stars.ts`", "`src/table.ts`", "  1 Call the hook", "  2 Put stars first",
    ]),
    ("a check list", CHECKLIST, "checklist", [
        "(done) Add the parser", "  Test it in `tests/test_parser.py`", "(dropped) Keep the old one",
        "1 (active) Write the docs",
    ]),
    ("a check list with numbers", OPENSPEC, "checklist", [
        "1 Database", "  1.1 (done) Add the table", "  1.2 Fill it", "2 Readers", "  2.1 Read from both",
    ]),
    ("spec-kit", SPEC_KIT, "spec-kit", [
        "Phase 1: Setup", "  T001 (done) Create the structure", "  T002 Configure `pyproject.toml`",
        "Phase 2: User Story 1 - Ideas (Priority: P1)", "  T003 Contract test in tests/contract/test_ideas.py",
        "  T004 Create the model in src/models/idea.py",
    ]),
    ("numbered lines", NUMBERED, "text", ["1 Add the parser to src/parser.py", "2 Test it", "3 Write the docs"]),
    ("a plain list", "- the parser\n- the writer\n", "text", ["the parser", "the writer"]),
    ("only what is to be known", "# Notes\n\n## Context\n- Add it\n\n## Why\n1. Add it\n", "", []),
    ("a todo list", TODO, "todo", ["(active) Add the parser in src/parser.py", "Run the tests"]),
    ("todos alone", json.dumps(json.loads(TODO)["todos"]), "todo", [
        "(active) Add the parser in src/parser.py", "Run the tests",
    ]),
    ("tasks that are created", CREATED, "tasks", ["(done) Add the parser", "Write the docs"]),
    ("tasks", TASKS, "tasks", ["7 (done) Add the parser", "8 (active) Write the docs"]),
    ("a task", json.dumps({"subject": "Add it", "description": "Here"}), "tasks", ["Add it"]),
    ("what TaskList says", TASK_LIST, "task-list", [
        "1 (done) Add the parser in src/parser.py", "2 (active) Write the docs", "3 Publish it",
    ]),
    ("Codex", CODEX, "codex", ["(done) Add the parser", "(active) Write the docs"]),
    ("phases in JSON", NESTED, "json", ["Storage", "  Add the table", "  (done) Fill it", "(dropped) Readers"]),
    ("tasks below a name", MASTER, "json", ["1 Add the parser", "  1 (done) Read the file"]),
    ("strings", STRINGS, "json", ["Add the parser", "Write the docs"]),
]  # fmt: skip
