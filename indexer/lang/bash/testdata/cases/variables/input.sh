# Variables: those of the file are definitions, those of functions are bindings.

# Where things are installed.
PREFIX=/usr/local
export PATH_EXTRA="$PREFIX/bin" VERBOSE
readonly VERSION=12
declare -r LIMIT=3
declare -A TABLE=([a]=1)
LIST=(one two
  three) # comment
LIST+=(four) # no second definition
COPY=$PREFIX
if [ -n "$CI" ]; then
  MODE=ci # still a variable of the file
fi
alias ll='ls -l' la="ls -a"
_hidden=1

use() {
  local copy=$PREFIX count=0
  declare inner=(a b)
  for item in "${LIST[@]}"; do echo "$item"; done
  undeclared=5   # global only once use has run: a binding here
  declare -g FROM_FUNCTION=1
  export ALSO_FROM_FUNCTION=2
  VERSION_LOCAL=1 env
}
export -f use
