#!/usr/bin/env bash
# Deploys the service. Second sentence.
#
# Both syntaxes of functions are definitions; comments above are their documentation.

# Greets somebody by name.
# shellcheck disable=SC2034
greet() {
  local name=$1 greeting="${2:-hello}"
  echo "$greeting $name"
}

function build {
  greet world
}

##################################
# Packs the result in a subshell.
# Arguments:
#   none
##################################
function pack () (
  build && greet "$(inner_call)"
)

_private() { :; }
with-dash.and:colon() { _private; }

# The brace stands on the next line.
later()
{
  # nested is defined when later runs: a definition in a body.
  nested() { :; }
  nested
}

# A closing brace that is an argument, and braces in words, close nothing.
tricky() {
  echo } ${a:-"}"} {a,b} '}'
  find . -exec rm {} \;
  [[ $1 =~ ^(a|b)\}$ ]] && echo "( }"
  (( x = (1 + 2) * 3 ))
  for ((i = 0; i < 3; i++)); do echo "$i"; done
  case $1 in
    a | b) echo ")" ;;
    (c) greet "c" ;;
    *) return ;;
  esac
}

main() { tricky; }
main "$@"
