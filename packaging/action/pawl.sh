#!/usr/bin/env bash
# The steps of action.yml: pawl.sh install | summary | doctor. GitHub's runner sets
# GITHUB_OUTPUT, GITHUB_PATH, GITHUB_STEP_SUMMARY and RUNNER_TEMP; action.yml sets
# PACKAGING, and PROGRAM to the path of pawl, or empty to install VERSION.
set -euo pipefail

# GitHub draws no graph that is larger.
max_graph=50000 # characters
max_edges=500

install() {
  if [ -z "${PROGRAM:-}" ]; then
    PREFIX=$RUNNER_TEMP/pawl sh "$PACKAGING/devcontainer/src/pawl/install.sh"
    PROGRAM=$RUNNER_TEMP/pawl/bin/pawl
    [ -x "$PROGRAM" ] || PROGRAM=$PROGRAM.exe
  else
    PROGRAM=$(cd "$(dirname "$PROGRAM")" && pwd)/$(basename "$PROGRAM")
    "$PROGRAM" version
  fi
  dirname "$PROGRAM" >>"$GITHUB_PATH"
  echo "program=$PROGRAM" >>"$GITHUB_OUTPUT"
}

# count prints a number out of what pawl status --json prints. A runner of one's own
# may lack jq.
count() { # NAME
  grep -o '"counts":{[^}]*}' <<<"$status" | head -n 1 | grep -o "\"$1\":[0-9]*" | cut -d : -f 2
}

summary() {
  local status graph
  status=$("$PROGRAM" status --json)
  {
    echo "ready=$(count ready)"
    echo "open=$(count open)"
  } >>"$GITHUB_OUTPUT"
  graph=$("$PROGRAM" graph --format mermaid)
  # Each line of Pawl's begins with a mark or a number, so none of them ends the block.
  {
    echo "## Pawl"
    echo '```text'
    "$PROGRAM" status
    echo '```'
    if [ "${#graph}" -gt "$max_graph" ] || [ "$(grep -c -- '-->' <<<"$graph" || true)" -gt "$max_edges" ]; then
      echo "The graph is too large to be drawn here: \`pawl graph\` shows it."
    elif grep -q -- '-->' <<<"$graph"; then
      echo '```mermaid'
      echo "$graph"
      echo '```'
    fi
    echo '<details><summary>Open tasks</summary>'
    echo
    echo '```text'
    "$PROGRAM" list --limit 200
    echo '```'
    echo
    echo '</details>'
  } >>"$GITHUB_STEP_SUMMARY"
}

doctor() {
  "$PROGRAM" doctor --ci
}

case ${1:-} in
  install | summary | doctor) "$1" ;;
  *) echo "usage: pawl.sh install|summary|doctor" >&2; exit 2 ;;
esac
