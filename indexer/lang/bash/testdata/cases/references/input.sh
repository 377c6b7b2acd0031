#!/bin/bash
# Calls, sourced files and handlers.
. ./lib/common.sh
source "../other.sh"
source "$(dirname "$0")/next_to.sh"
source "$UNKNOWN/dynamic.sh" # no literal path, no import

helper() { log_info "x" | filter_it; }
cleanup() { rm -rf "$WORK_DIR"; }
trap cleanup EXIT
load() {
  . ./inside.sh
  out=$(helper `nested_tick` "$(deep "$(deeper)")")
  if ! helper; then helper && cleanup || other_tool --flag; fi
  while helper; do :; done < <(producer)
  DEBUG=1 helper
  command helper
  "$tool" arg
  ls | grep x # utilities are no calls
  local shadow; echo "$shadow $GLOBAL_ONE"
}
load
