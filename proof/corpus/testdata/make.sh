#!/usr/bin/env bash
# Writes a part of the corpus into the empty folder that it runs in: see corpus_test.go.
set -euo pipefail

# board fills the board that it finds with each kind of field, of history and of claim.
board() {
  pawl plan - >/dev/null <<'PLAN'
{"tasks": [
  {"ref": "api", "subject": "Payments API ☂ 支払い", "description": "Line one\nline \"two\" \\ <b>&amp;</b>\t\u2028", "priority": "high", "labels": ["api", "größe"],
   "metadata": {"touches": ["api/**"], "nested": {"a": [1, 2.5, null, true]}}, "children": [
    {"ref": "schema", "subject": "Schema", "activeForm": "Writing the schema", "accept": ["The page loads", {"text": "The help names each flag", "done": true}]},
    {"ref": "tests", "subject": "Tests", "blockedBy": ["schema"], "checks": ["true", {"name": "unit", "run": ["sh", "-c", "exit 3"], "timeout": "90s", "env": ["CI"], "expect": 3}, {"name": "slow", "run": ["false"], "optional": true}]}]},
  {"ref": "docs", "subject": "Docs", "blockedBy": ["api"], "priority": "low", "owner": "ada"},
  {"ref": "spike", "subject": "Spike"}, {"subject": "Port the clients", "blockedBy": ["spike"]},
  {"subject": "Rename", "status": "completed"}, {"subject": "Delete me", "blocks": ["docs"]}, {"subject": "Leased for a second"}, {"subject": "Leased for ever"}
]}
PLAN
  export PAWL_AGENT=bo PAWL_SESSION=s-bo
  pawl note 2 "A note with ünïcode"
  printf 'Two\nlines\n' | pawl note 2 -
  pawl hold 5 "waits for the staging password"
  pawl hold 6 "later"
  pawl hold --lift 6
  pawl claim 9 --lease 1s
  sleep 1.1
  PAWL_SESSION=s-cy PAWL_AGENT=cy pawl claim 9 --lease 1s # which records that the first lease expired
  pawl claim 10 --lease 0
  pawl update 10 --from - <<<'{"description": "Changed", "metadata": {"estimate": 3}}'
  pawl claim 2 --lease 0
  unset PAWL_AGENT PAWL_SESSION
  pawl rm 8
  pawl update 4 --priority high
  pawl undo
  pawl assign 6 --to ada
  pawl reopen 7
  pawl done 7
  pawl update 2 --tick 1
  pawl done 2 --force
}

case $1 in
board) # in a folder, outside of git
  mkdir -p .tasks "$XDG_CONFIG_HOME/pawl"
  cat >.tasks/pawl.jsonc <<'SETTINGS'
{
  // builds take long here
  "lease": "45m",
  "reminders": 7, /* fewer */
  "checks": ["vet: true",],
}
SETTINGS
  cat >"$XDG_CONFIG_HOME/pawl/pawl.jsonc" <<'SETTINGS'
{
  "todos.keep": "3650d",
  "archive.after": "1s",
  "checks.trusted": ["true", "vet: true", {"name": "unit", "run": ["sh", "-c", "exit 3"], "timeout": "90s", "env": ["CI"], "expect": 3}, {"name": "slow", "run": ["false"], "optional": true}],
  "run": {"agent": "bot", "slots": 1, "review": "none", "agents": {"bot": {"command": ["sh", "-c", "echo work >work.txt; echo worked"]}}}
}
SETTINGS
  board
  pawl check 3
  sed -i 's/"subject": "Docs"/"mine": {"kept": true},\n  "subject": "Docs, by hand"/' .tasks/task_4.json # as another program does
  pawl list >/dev/null
  echo torn >.tasks/task_11.json # damaged
  ;;
todos)
  unset PAWL_SESSION
  export CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=s1
  pawl todo add Plan
  pawl todo add Write --priority high
  pawl todo add 2.1 "for carts"
  pawl todo add Drop
  pawl todo done 1
  pawl todo start 2
  pawl todo remove 3
  pawl todo check true
  hook() { pawl hook --agent claude <<<"{\"session_id\": \"s1\", \"cwd\": \"$PWD\", \"hook_event_name\": \"$1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"go test ./...\"}, \"tool_use_id\": \"$2\"$3}"; }
  hook PreToolUse toolu_1 ""
  hook PostToolUse toolu_1 ', "tool_response": "ok"'
  hook PreToolUse toolu_2 "" # in the log of calls only
  unset CLAUDECODE CLAUDE_CODE_SESSION_ID
  pawl config set todo-continuation 5 --scope session --session s1
  pawl todo edit 2 "Write it" --session s1 # news to the agent
  PAWL_AGENT=bo PAWL_SESSION=s2 pawl mcp <<'CALLS'
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bo","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"todo_write","arguments":{"todos":[{"content":"Wait","status":"in_progress"},{"content":"Go on","status":"pending"}]}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"todo_pause","arguments":{"reason":"needs a password"}}}
CALLS
  ;;
large) # a snapshot, and a log after it; a checkpoint in the journal, and records after it
  mkdir .tasks
  seq -f '- Task %g of many' 90 | pawl plan - >/dev/null
  for i in $(seq 70); do pawl note "$i" "Note $i"; done
  ;;
shared) # two clones and their remote
  git init -q --bare remote.git
  git clone -q remote.git ada
  cd ada
  git commit -q --allow-empty -m Begin
  git push -q origin main
  board
  pawl share --yes
  git clone -q ../remote.git ../bob
  cd ../bob
  pawl share --yes
  PAWL_AGENT=bob PAWL_SESSION=s-bob pawl claim 3 --lease 0
  pawl add "Not sent yet"
  cd ../ada
  pawl sync
  pawl note 4 "Not sent yet"
  ;;
run)
  git init -q
  pawl init --private
  git commit -q --allow-empty -m Begin
  pawl add Greet --check true
  pawl add Fails --check "slow: false"
  pawl run --yes || [ $? = 5 ]
  ;;
address) # a board on a server
  board
  ;;
esac
